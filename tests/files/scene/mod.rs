//! Scene files: what a good one gives, and that everything wrong in a bad one is named by line and field. Needs no GPU.

/// `[air]`.
mod air;
/// `[[body]]`.
mod body;
/// `[[collider]]`.
mod collider;
/// `[contact]`.
mod contact;
/// `[[force]]`.
mod force;
/// `[body.material]`.
mod material;
/// `[body.mesh]`.
mod mesh;
/// `[safe]` and `[newton]`.
mod nonlinear;
/// `[[pin]]`.
mod pin;
/// `preset` of `[body.material]`.
mod presets;
/// `[simulation]`, `[solver]`, `[adaptive]` and `[rayleigh]`.
mod simulation;
/// Springs of `[body.material]`.
mod spring;
/// The file as text.
mod text;
/// `[[tie]]`, `[[seam]]` and `[[attach]]`.
mod tie;
/// Keys and values that every table refuses alike.
mod values;

use crate::common::lines::line_of;
use glam::Vec3;
use std::path::Path;
use tenter::{Budget, Error, Mass, Material, NewtonOptions, Nonlinear, Preconditioner, SceneFile, Spring, Vertices};

/// The text of a good scene.
struct Fixture {
    text: &'static str,
}

impl Fixture {
    /// The text with one piece exchanged, which has to be there once.
    #[track_caller]
    fn changed(&self, from: &str, to: &str) -> String {
        assert_eq!(self.text.matches(from).count(), 1, "{from:?}");
        self.text.replace(from, to)
    }

    /// Asserts that the text with one piece exchanged is refused on the line on which that piece begins.
    #[track_caller]
    fn refused(&self, from: &str, to: &str, field: &str, words: &str) {
        refused(&self.changed(from, to), line_of(self.text, from), field, words);
    }

    /// Asserts that the text with one piece exchanged is refused on the line of a marker, which is in the changed text once.
    #[track_caller]
    fn refused_at(&self, from: &str, to: &str, marker: &str, field: &str, words: &str) {
        let text = self.changed(from, to);
        refused(&text, line_of(&text, marker), field, words);
    }
}

/// A hanging cloth and a chain.
const GOOD: Fixture = Fixture {
    text: r#"[simulation]
time_step = 0.005
duration = 0.5
gravity = [0, -9.81, 0]
frame_rate = 25
clamp = false
max_substeps = 4

[solver]
tolerance = 1e-5
max_iterations = 90
preconditioner = "jacobi"
warm_start = false
budget = "full"

[newton]
tolerance = 1e-2
max_linearisations = 3

[[body]]
name = "cloth"
velocity = [0, 0, 1]
waviness = 0.01
gather = 0.9

[body.mesh]
kind = "grid"
width = 1.0
depth = 2.0
columns = 6
rows = 5
position = [0, 3, 0]
rotation = [0, 0, 0]

[body.material]
density = 0.2
structural = { stiffness = 100.0, damping = 0.1 }

[[body]]
name = "chain"
mesh = { kind = "chain", from = [0, 0, 0], to = [0, -1, 0], count = 4 }
material = { line_density = 0.1, structural = { stiffness = 50 } }

[[pin]]
body = "cloth"
vertices = "corners"

[[pin]]
body = 1
vertices = [
    0,
    3,
]
"#,
};

/// A jelly block and what acts on it.
const BLOCK: Fixture = Fixture {
    text: r#"[air]
wind = [1, 0, 0]
steady = 0.5
angular_velocity = 3
drag = 0.9
lift = 0.2
resistance = 0.3

[[body]]
mesh = { kind = "block", size = [1, 2, 3], counts = [2, 3, 4], position = [0, 5, 0], rotation = [0, 90, 0] }
material = { preset = "jelly", volume_density = 500, neo_hookean = { young = 2e4 } }

[[pin]]
vertices = [0]
free = { line = [1, 1, 0] }

[[pin]]
vertices = [1]
free = { plane = [0, 1, 0] }

[[force]]
vertices = [2, 3]
force = [0, 0, 7]
"#,
};

/// A sheet with a pin on its way, and a collider of every shape.
const MEETING: Fixture = Fixture {
    text: r#"[[body]]
mesh = { kind = "grid", width = 1.0, depth = 1.0, columns = 4, rows = 4 }
material = { preset = "cotton" }

[[pin]]
vertices = "corners"
until = 1.5
path = [
    { time = 0.5, offset = [0, 0, 0] },
    { time = 1, offset = [0, 0.2, 0] },
    { time = 2.25, offset = [0.1, 0.2, -1] },
]

[[collider]]
shape = "plane"
point = [0, -1, 0]
normal = [0, 2, 2]

[[collider]]
shape = "sphere"
centre = [0.1, 0.2, 0.3]
radius = 0.25
thickness = 0.002
friction = 0.6
relaxation = 0.5

[[collider]]
shape = "box"
centre = [1, 0, 0]
half = [0.1, 0.2, 0.3]
rotation = { axis = [0, 0, 5], degrees = 90 }
mass = 0.4
velocity = [0, 1, 0]
angular_velocity = [0, 0, 3]

[[collider]]
shape = "box"
size = [0.2, 0.4, 0.6]
frames = [
    { time = 0, position = [0, 1, 0] },
    { time = 1, position = [0, 2, 0], rotation = { axis = [1, 0, 0], degrees = 45 } },
    { time = 2, position = [0, 1, 0], rotation = [0, 90, 0] },
]

[[collider]]
shape = "capsule"
radius = 0.05
from = [0, 1, 0]
to = [0.6, 1, 0]

[[collider]]
shape = "cylinder"
centre = [0, 0, 2]
radius = 0.1
half_length = 0.3
"#,
};

/// Line, field and message of what is wrong with a text.
fn wrong(text: &str) -> (Option<usize>, String, String) {
    match SceneFile::parse(text, "dir/scene.toml") {
        Err(Error::File { path, line, field, message }) => {
            assert_eq!(path, Path::new("dir/scene.toml"));
            (line, field, message)
        }
        Err(other) => panic!("another error: {other:?}"),
        Ok(_) => panic!("taken as good:\n{text}"),
    }
}

/// Asserts that a text is refused on a line and at a field, with a message that contains some words.
#[track_caller]
fn refused(text: &str, line: usize, field: &str, words: &str) {
    let (found_line, found_field, message) = wrong(text);
    assert_eq!((found_line, found_field.as_str()), (Some(line), field), "{message} in\n{text}");
    assert!(message.contains(words), "{message:?} does not say {words:?} in\n{text}");
}

#[test]
fn a_good_file_says_everything() {
    let file = SceneFile::parse(GOOD.text, "good.toml").unwrap();
    assert_eq!(file.options.time_step, 0.005);
    assert_eq!(file.options.max_substeps, 4);
    assert!(!file.options.clamp);
    assert_eq!(file.options.solver.tolerance, 1e-5);
    assert_eq!(file.options.solver.max_iterations, 90);
    assert_eq!(file.options.solver.preconditioner, Preconditioner::Jacobi);
    assert!(!file.options.solver.warm_start);
    assert_eq!(file.options.solver.budget, Budget::Full);
    let newton = NewtonOptions { tolerance: 1e-2, max_linearisations: 3 };
    assert_eq!(file.options.nonlinear, Nonlinear::Newton(newton));
    assert_eq!(file.duration, 0.5);
    assert_eq!(file.step_count(), 100);
    assert_eq!(file.frame_steps().take(3).collect::<Vec<_>>(), [0, 8, 16]);
    assert_eq!(file.frame_steps().last(), Some(96));
    assert_eq!(file.names, ["cloth", "chain"]);
    assert_eq!(file.scene.gravity, Vec3::new(0.0, -9.81, 0.0));

    let cloth = &file.scene.bodies[0];
    assert_eq!(cloth.mesh.positions.len(), 30);
    assert_eq!(cloth.mesh.positions[0], Vec3::new(-0.5, 3.0, -1.0));
    assert_eq!(cloth.velocity, Vec3::Z);
    assert_eq!(cloth.material.mass, Mass::Surface(0.2));
    assert_eq!(cloth.material.structural, Spring::new(100.0).damped(0.1));
    assert_eq!(cloth.material.shear, Spring::default());
    assert_eq!(file.scene.bodies[1].mesh.wires.len(), 3);
    assert_eq!(file.scene.pins[0].vertices, Vertices::Corners);
    assert_eq!(file.scene.pins[1].vertices, Vertices::List(vec![0, 3]));
}

#[test]
fn left_out_keys_have_defaults() {
    let text = r#"
        [[body]]
        mesh = { kind = "grid", width = 1, depth = 1, columns = 3, rows = 3, rotation = [90, 0, 90] }
        material = { preset = "cotton-springs", density = 0.3, crossover = { stiffness = 7 } }
        [[pin]]
        vertices = { low = [-1, -1, -1], high = [1, 0, 1] }
    "#;
    let file = SceneFile::parse(text, "short.toml").unwrap();
    assert_eq!(file.options, tenter::Options::default());
    assert_eq!((file.duration, file.frame_rate), (3.0, 30.0));
    assert_eq!(file.names, ["body0"]);
    let body = &file.scene.bodies[0];
    let cotton = Material::cotton_springs();
    assert_eq!(body.material.mass, Mass::Surface(0.3));
    assert_eq!(body.material.crossover, Spring::new(7.0).damped(cotton.crossover.damping));
    assert_eq!(body.material.structural, cotton.structural);
    assert!(body.start.is_none());
    // The vertex at +z: about x by 90° to -y, then about z by 90° to +x.
    let turned = body.mesh.positions[7];
    assert!(turned.distance(Vec3::new(0.5, 0.0, 0.0)) < 1e-6, "{turned}");
}
