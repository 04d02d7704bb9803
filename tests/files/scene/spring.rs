//! Springs of `[body.material]`: every law, plasticity and viscoelasticity.

use super::*;
use tenter::{Cubic, KelvinVoigt, Plasticity, SceneFile, Spring, SpringLaw};

/// The good file with its first spring exchanged.
fn with_spring(spring: &str) -> String {
    GOOD.changed("{ stiffness = 100.0, damping = 0.1 }", spring)
}

#[test]
fn springs_of_every_law() {
    let structural =
        |spring: &str| SceneFile::parse(&with_spring(spring), "").unwrap().scene.bodies[0].material.structural;
    let cubic = Cubic { stretched: 30.0, compressed: 20.0, ..Cubic::new(10.0) };
    for (text, law) in [
        ("{ stiffness = 5 }", SpringLaw::Linear { stiffness: 5.0 }),
        ("{ law = \"linear\", stiffness = 5 }", SpringLaw::Linear { stiffness: 5.0 }),
        ("{ law = \"stvk\", stiffness = 5 }", SpringLaw::Stvk { stiffness: 5.0 }),
        ("{ law = \"tension-only\", stiffness = 5 }", SpringLaw::TensionOnly { stiffness: 5.0 }),
        ("{ law = \"distance\", stiffness = 5 }", SpringLaw::Distance { stiffness: 5.0 }),
        (
            "{ law = \"buckling\", bending_stiffness = 1e-4, compression = 5 }",
            SpringLaw::Buckling { bending_stiffness: 1e-4, compression: 5.0 },
        ),
        ("{ law = \"cubic\", stiffness = 10, stretched = 30, compressed = 20 }", SpringLaw::Cubic(cubic)),
        (
            "{ law = \"cubic\", stiffness = 10, stretched = 30, compressed = 20, stretch = 1.5, compression = 0.5, jacobian_damping = 1 }",
            SpringLaw::Cubic(Cubic { stretch: 1.5, compression: 0.5, jacobian_damping: 1.0, ..cubic }),
        ),
        (
            "{ law = \"cubic\", coefficients = [1, -2, 3, -4.5], jacobian_damping = 0.5 }",
            SpringLaw::CubicCoefficients { a: 1.0, b: -2.0, c: 3.0, d: -4.5, jacobian_damping: 0.5 },
        ),
    ] {
        assert_eq!(structural(text), Spring::from(law), "{text}");
    }
    let plasticity = Plasticity { yield_strain: 0.1, maximum: 0.5, creep: 3.0 };
    assert_eq!(
        structural("{ stiffness = 5, drag = 0.5, plasticity = { yield = 0.1, maximum = 0.5, creep = 3 } }"),
        Spring::new(5.0).dragged(0.5).plastic(plasticity)
    );
    let elements = [KelvinVoigt { stiffness: 1.0, damping: 2.0 }, KelvinVoigt { stiffness: 3.0, damping: 0.0 }];
    assert_eq!(
        structural(
            "{ stiffness = 5, viscoelastic = [{ stiffness = 1, damping = 2 }, { stiffness = 3, damping = 0 }] }"
        ),
        Spring::new(5.0).viscoelastic(&elements)
    );
}

#[test]
fn springs_that_make_no_sense() {
    let field = "body[0].material.structural";
    for (spring, key, words) in [
        ("{ law = \"elastic\" }", ".law", "\"tension-only\""),
        ("{ law = \"stvk\" }", ".stiffness", "missing"),
        ("{ law = \"cubic\", stiffness = 1, compressed = 1 }", ".stretched", "missing"),
        ("{ law = \"cubic\", coefficients = [1, 2, 3] }", ".coefficients", "four numbers"),
        ("{ law = \"cubic\", coefficients = [1, 2, 3, 4], stiffness = 1 }", ".stiffness", "coefficients"),
        ("{ law = \"buckling\", stiffness = 1 }", ".stiffness", "bending_stiffness"),
        ("{ law = \"buckling\", bending_stiffness = 1 }", ".compression", "missing"),
        ("{ stiffness = 1, stretched = 2 }", ".stretched", "no such key"),
        ("{ law = \"cubic\", stiffness = 1, stretched = 2, compressed = 2, stretch = 1 }", ".stretch", "not be 1"),
        (
            "{ law = \"cubic\", stiffness = 1, stretched = 2, compressed = 2, stretch = 1.1, compression = 1.1 }",
            ".compression",
            "differ",
        ),
        ("{ stiffness = 1, drag = -1 }", ".drag", "negative"),
        ("{ stiffness = 1, plasticity = { yield = 0.1, creep = 1 } }", ".plasticity.maximum", "missing"),
        ("{ stiffness = 1, plasticity = { yield = -1, maximum = 1, creep = 1 } }", ".plasticity.yield", "negative"),
        (
            "{ stiffness = 1, plasticity = { yield = 1, maximum = 1, creep = 1, rate = 1 } }",
            ".plasticity.rate",
            "creep",
        ),
        ("{ stiffness = 1, viscoelastic = [] }", ".viscoelastic", "1 to 3"),
        ("{ stiffness = 1, viscoelastic = [{ stiffness = 1 }] }", ".viscoelastic[0].damping", "missing"),
        (
            "{ law = \"stvk\", stiffness = 1, viscoelastic = [{ stiffness = 1, damping = 1 }] }",
            ".viscoelastic",
            "linear",
        ),
        (
            "{ stiffness = 1, viscoelastic = [{ stiffness = 0, damping = 1 }] }",
            ".viscoelastic[0].stiffness",
            "positive",
        ),
        (
            "{ stiffness = 1, plasticity = { yield = 0, maximum = 1, creep = 1 }, viscoelastic = [] }",
            ".viscoelastic",
            "not both",
        ),
    ] {
        GOOD.refused("{ stiffness = 100.0, damping = 0.1 }", spring, &format!("{field}{key}"), words);
    }
}
