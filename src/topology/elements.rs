//! Elements of a body: what its models make of its triangles and tetrahedra.

use super::{Element, ElementMaterial, ElementModel, MAX_ELEMENT_MATERIALS, adjacency::hinges};
use crate::{Area, Body, Error, Membrane, Volume, reference::forces::membrane};
use glam::DVec3;

/// Where elements and their materials are collected.
pub struct Elements<'a> {
    /// The body's number in scene files: `body[0]`.
    pub field: &'a str,
    /// First particle of the body.
    pub first: u32,
    /// All elements so far.
    pub elements: &'a mut Vec<Element>,
    /// All materials so far.
    pub materials: &'a mut Vec<ElementMaterial>,
}

impl Elements<'_> {
    /// Adds the elements of a body.
    pub fn add_body(&mut self, body: &Body) -> Result<(), Error> {
        let material = &body.material;
        if let Some(area) = &material.area {
            self.add_areas(body, area)?;
        }
        if let Some(volume) = &material.volume {
            self.add_volumes(body, volume)?;
        }
        if let Some(shell) = &material.shell {
            self.add_shell(body, shell)?;
        }
        if let Some(membrane) = &material.membrane {
            self.add_membrane(body, membrane)?;
        }
        Ok(())
    }

    fn add_areas(&mut self, body: &Body, area: &Area) -> Result<(), Error> {
        let name = "area";
        self.check(name, "stiffness", area.stiffness)?;
        self.check(name, "damping", area.damping)?;
        self.require(name, body.mesh.triangles.is_empty(), "triangles")?;
        let material = self.material(name, ElementModel::Area, &[area.stiffness, area.damping])?;
        for (ix, &triangle) in body.mesh.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|vertex| at(body, vertex));
            let rest = 0.5 * (b - a).cross(c - a).length();
            self.not_zero(rest, || format!("triangle {ix} has no area, which its model needs"))?;
            self.push(&triangle, &[rest], material);
        }
        Ok(())
    }

    fn add_volumes(&mut self, body: &Body, volume: &Volume) -> Result<(), Error> {
        let material = self.volume_material("volume", volume)?;
        self.require("volume", body.mesh.tetrahedra.is_empty(), "tetrahedra")?;
        for (ix, &tetrahedron) in body.mesh.tetrahedra.iter().enumerate() {
            let rest = signed_volume(tetrahedron.map(|vertex| at(body, vertex)));
            self.not_zero(rest.abs(), || format!("tetrahedron {ix} has no volume, which its model needs"))?;
            self.push(&tetrahedron, &[rest, rest.abs()], material);
        }
        Ok(())
    }

    fn add_shell(&mut self, body: &Body, volume: &Volume) -> Result<(), Error> {
        let material = self.volume_material("shell", volume)?;
        self.require("shell", body.mesh.triangles.is_empty(), "triangles")?;
        for hinge in hinges(&body.mesh.triangles) {
            let particles = [hinge.side[0], hinge.side[1], hinge.wings[0], hinge.wings[1]];
            let corners = particles.map(|vertex| at(body, vertex));
            // Of a regular tetrahedron with the mean edge: a flat one has no volume to compare with (Teschner 3.4).
            let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            let mean = pairs.iter().map(|&(i, j)| corners[i].distance(corners[j])).sum::<f64>() / 6.0;
            let normaliser = std::f64::consts::SQRT_2 / 12.0 * mean.powi(3);
            self.not_zero(normaliser, || format!("vertices {particles:?}, of two triangles, lie in the same place"))?;
            self.push(&particles, &[signed_volume(corners), normaliser], material);
        }
        Ok(())
    }

    fn add_membrane(&mut self, body: &Body, membrane: &Membrane) -> Result<(), Error> {
        let name = "membrane";
        let Membrane { weft, warp, contraction, shear, viscous_time, weft_direction } = *membrane;
        for (part, value) in [("weft", weft), ("warp", warp), ("shear", shear), ("viscous_time", viscous_time)] {
            self.check(name, part, value)?;
        }
        let limit = f64::from(weft) * f64::from(warp);
        if !contraction.is_finite() || f64::from(contraction).powi(2) > limit {
            let message = format!("must not exceed √(weft · warp) = {:.6} in size, not {contraction}", limit.sqrt());
            return Err(self.wrong(name, "contraction", message));
        }
        if !(weft_direction.is_finite() && weft_direction != glam::Vec3::ZERO) {
            return Err(self.wrong(name, "weft_direction", "must be finite and not zero".to_owned()));
        }
        self.require(name, body.mesh.triangles.is_empty(), "triangles")?;
        let moduli = [weft, warp, contraction, shear];
        let parameters = [moduli, moduli.map(|modulus| modulus * viscous_time)].concat();
        let material = self.material(name, ElementModel::Membrane, &parameters)?;
        for (ix, &triangle) in body.mesh.triangles.iter().enumerate() {
            let corners = triangle.map(|vertex| at(body, vertex));
            let rest = membrane::rest(corners, weft_direction.as_dvec3());
            let rest = rest.filter(|rest| (rest[4] as f32).is_normal()).ok_or_else(|| {
                Error::scene(self.mesh_field(), format!("triangle {ix} has no area, which its model needs"))
            })?;
            self.push(&triangle, &rest, material);
        }
        Ok(())
    }

    fn volume_material(&mut self, name: &str, volume: &Volume) -> Result<u32, Error> {
        self.check(name, "stiffness", volume.stiffness)?;
        self.check(name, "damping", volume.damping)?;
        self.material(name, ElementModel::Volume, &[volume.stiffness, volume.damping])
    }

    /// Adds an element. What it has fewer of than there is room for is filled up: particles with the last, rest measures with 0.
    pub fn push(&mut self, vertices: &[u32], rest: &[f64], material: u32) {
        let last = vertices.len().saturating_sub(1);
        self.elements.push(Element {
            particles: std::array::from_fn(|ix| self.first + vertices[ix.min(last)]),
            rest: std::array::from_fn(|ix| rest.get(ix).copied().unwrap_or(0.0)),
            material,
        });
    }

    /// A material, new or known.
    pub fn material(&mut self, name: &str, model: ElementModel, parameters: &[f32]) -> Result<u32, Error> {
        let parameters = std::array::from_fn(|ix| parameters.get(ix).copied().map_or(0.0, f64::from));
        let material = ElementMaterial { model, parameters };
        let ix = self.materials.iter().position(|known| *known == material).unwrap_or(self.materials.len());
        if ix == MAX_ELEMENT_MATERIALS {
            let message = format!("more than {MAX_ELEMENT_MATERIALS} different models in one scene");
            return Err(Error::scene(format!("{}.material.{name}", self.field), message));
        }
        if ix == self.materials.len() {
            self.materials.push(material);
        }
        Ok(ix as u32)
    }

    /// A number that must be finite and not negative.
    pub fn check(&self, name: &str, part: &str, value: f32) -> Result<(), Error> {
        if value.is_finite() && value >= 0.0 {
            return Ok(());
        }
        Err(self.wrong(name, part, format!("must be finite and not negative, not {value}")))
    }

    /// A rest measure that must not vanish, in the GPU's f32 either.
    pub fn not_zero(&self, measure: f64, message: impl FnOnce() -> String) -> Result<(), Error> {
        if (measure as f32).is_normal() { Ok(()) } else { Err(Error::scene(self.mesh_field(), message())) }
    }

    /// A model without anything to act on is a mistake.
    pub fn require(&self, name: &str, missing: bool, what: &str) -> Result<(), Error> {
        if !missing {
            return Ok(());
        }
        Err(Error::scene(format!("{}.material.{name}", self.field), format!("the mesh has no {what} for it to act on")))
    }

    /// What is wrong with a part of a model.
    pub fn wrong(&self, name: &str, part: &str, message: String) -> Error {
        Error::scene(format!("{}.material.{name}.{part}", self.field), message)
    }

    /// The mesh, in scene files.
    pub fn mesh_field(&self) -> String {
        format!("{}.mesh", self.field)
    }
}

fn at(body: &Body, vertex: u32) -> DVec3 {
    body.mesh.positions[vertex as usize].as_dvec3()
}

fn signed_volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a)) / 6.0
}
