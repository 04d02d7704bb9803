//! Elements and couplings of a body: its force models applied to triangles, tetrahedra and cells.

mod bending;
mod neo_hookean;
mod solids;
mod weave;

use super::{Edge, EdgeMaterial, Element, ElementMaterial, ElementModel, MAX_ELEMENT_MATERIALS, limits, springs};
use crate::{Body, Error};
use glam::DVec3;

/// Collector of the edges and elements of a body.
pub struct Collector<'a> {
    /// The body.
    pub body: &'a Body,
    /// Name of the body in scene files: `body[0]`.
    pub field: &'a str,
    /// First particle of the body.
    pub first: u32,
    /// All edges so far.
    pub edges: &'a mut Vec<Edge>,
    /// All edge materials so far.
    pub edge_materials: &'a mut Vec<EdgeMaterial>,
    /// All elements so far.
    pub elements: &'a mut Vec<Element>,
    /// All element materials so far.
    pub materials: &'a mut Vec<ElementMaterial>,
}

impl Collector<'_> {
    /// Adds the elements of a body.
    pub fn add_body(&mut self) -> Result<(), Error> {
        let body = self.body;
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
        if let Some(neo_hookean) = &material.neo_hookean {
            self.add_neo_hookean(body, neo_hookean)?;
        }
        if let Some(bending) = &material.bending {
            self.add_bending(body, bending)?;
        }
        if let Some(weave) = &material.weave {
            self.add_weave(body, weave)?;
        }
        Ok(())
    }

    /// Adds linear couplings -s (x_i - x_j) of vertices, with a viscosity as a time, s.
    fn couple(
        &mut self,
        body: &Body,
        name: &str,
        viscous_time: f64,
        couplings: impl IntoIterator<Item = ([u32; 2], f64)>,
    ) -> Result<(), Error> {
        let field = format!("{}.material.{name}", self.field);
        let material = springs::material_ix(EdgeMaterial::coupling(viscous_time), &field, self.edge_materials)?;
        let first = self.first;
        let couplings = couplings.into_iter().map(|(pair, scalar)| (pair.map(|vertex| first + vertex), scalar));
        let distance = |[a, b]: [u32; 2]| at(body, a - first).distance(at(body, b - first));
        springs::couple(self.edges, self.edge_materials, material, couplings, distance);
        // Edges of this body with a coupling; plain springs were checked before.
        let mut coupled = self.edges.iter().filter(|edge| edge.scalar != 0.0 && edge.ends[0] >= first);
        coupled.try_for_each(|edge| limits::check_edge(&self.edge_materials[edge.material as usize], edge, &field))
    }

    /// Adds an element with packed rest measures. If it has fewer than four particles, the last is repeated.
    fn push(&mut self, name: &str, vertices: &[u32], rest: [f64; 11], material: u32) -> Result<(), Error> {
        let last = vertices.len().saturating_sub(1);
        let element =
            Element { particles: std::array::from_fn(|ix| self.first + vertices[ix.min(last)]), rest, material };
        let start = self.body.start_positions();
        let x = std::array::from_fn(|ix| start[vertices[ix.min(last)] as usize].as_dvec3());
        let field = || format!("{}.material.{name}", self.field);
        limits::check_element(&self.materials[material as usize], &element, x, &field)?;
        self.elements.push(element);
        Ok(())
    }

    /// Index of a material with packed parameters, which is added if it is new.
    fn material(&mut self, name: &str, model: ElementModel, parameters: [f64; 8]) -> Result<u32, Error> {
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

    /// Checks that a number is finite and not negative.
    fn check(&self, name: &str, part: &str, value: f32) -> Result<(), Error> {
        if value.is_finite() && value >= 0.0 {
            return Ok(());
        }
        Err(self.wrong(name, part, format!("must be finite and not negative, not {value}")))
    }

    /// Checks that a rest measure does not vanish, in the GPU's f32 either.
    fn not_zero(&self, measure: f64, message: impl FnOnce() -> String) -> Result<(), Error> {
        if (measure as f32).is_normal() { Ok(()) } else { Err(Error::scene(self.mesh_field(), message())) }
    }

    /// Rejects a model without anything to act on.
    fn require(&self, name: &str, missing: bool, what: &str) -> Result<(), Error> {
        if !missing {
            return Ok(());
        }
        Err(Error::scene(format!("{}.material.{name}", self.field), format!("the mesh has no {what} for it to act on")))
    }

    /// An error about one parameter of a model.
    fn wrong(&self, name: &str, part: &str, message: String) -> Error {
        Error::scene(format!("{}.material.{name}.{part}", self.field), message)
    }

    /// Name of the mesh in scene files.
    fn mesh_field(&self) -> String {
        format!("{}.mesh", self.field)
    }
}

fn at(body: &Body, vertex: u32) -> DVec3 {
    body.mesh.positions[vertex as usize].as_dvec3()
}
