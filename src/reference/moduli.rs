//! Elastic moduli that a solid of many tetrahedra shows, whatever its models: from the energy of the whole body under uniform strains.

use super::{Parameters, State, forces::volume::volume_and_gradients, report::measure};
use crate::{Body, Error, Options, Scene, topology::Topology};
use glam::{DMat3, DVec3};

/// Strain of the differences.
const STRAIN: f64 = 1e-4;

/// Young's modulus and Poisson's ratio of a solid for small strains, mean over the axes. All vertices follow a uniform strain: an irregular mesh of springs, whose vertices would give
/// way, is somewhat softer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidModuli {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl SolidModuli {
    /// Moduli of a body of a scene; `None` for bodies without tetrahedra or stiffness.
    pub fn of(body: &Body) -> Result<Option<Self>, Error> {
        if body.mesh.tetrahedra.is_empty() {
            return Ok(None);
        }
        let mut scene = Scene::new();
        scene.add(Body { start: None, ..body.clone() });
        let options = Options::default();
        let topology = Topology::build(&scene, &options)?;
        let corners = |tetrahedron: &[u32; 4]| tetrahedron.map(|v| body.mesh.positions[v as usize].as_dvec3());
        let volumes =
            body.mesh.tetrahedra.iter().map(|tetrahedron| volume_and_gradients(&corners(tetrahedron)).0.abs());
        let volume: f64 = volumes.sum();
        let parameters = Parameters::new(&options, DVec3::ZERO);
        let rest = State::new(&topology, &parameters);
        let energy = |strain: DVec3| {
            let mut state = rest.clone();
            state.positions.iter_mut().for_each(|position| *position += strain * *position);
            measure(&topology, &parameters, &state).elastic
        };
        // Second derivatives along the axes and between them.
        let still = energy(DVec3::ZERO);
        let single = |axis: usize, sign: f64| energy(sign * STRAIN * DVec3::AXES[axis]);
        let ends: [[f64; 2]; 3] = std::array::from_fn(|axis| [single(axis, 1.0), single(axis, -1.0)]);
        let mut stiffness = DMat3::ZERO;
        for i in 0..3 {
            *stiffness.col_mut(i) += (ends[i][0] - 2.0 * still + ends[i][1]) * DVec3::AXES[i];
            for j in 0..i {
                let both = [1.0, -1.0].map(|sign| energy(sign * STRAIN * (DVec3::AXES[i] + DVec3::AXES[j])));
                let mixed = 0.5 * (both[0] + both[1] + 2.0 * still - ends[i][0] - ends[i][1] - ends[j][0] - ends[j][1]);
                *stiffness.col_mut(i) += mixed * DVec3::AXES[j];
                *stiffness.col_mut(j) += mixed * DVec3::AXES[i];
            }
        }
        let compliance = (stiffness * (1.0 / (STRAIN * STRAIN * volume))).inverse();
        let along = compliance.x_axis.x + compliance.y_axis.y + compliance.z_axis.z;
        let across = compliance.x_axis.y + compliance.y_axis.z + compliance.z_axis.x;
        let moduli = Self { young: 3.0 / along, poisson: -across / along };
        Ok((moduli.young.is_finite() && moduli.poisson.is_finite()).then_some(moduli))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Material, Mesh, presets};
    use glam::Vec3;

    fn moduli(cell: f32, material: Material) -> SolidModuli {
        let block = Mesh::block(Vec3::new(3.0, 4.0, 3.0) * cell, [4, 5, 4]);
        SolidModuli::of(&Body::solid(block, material)).unwrap().unwrap()
    }

    #[test]
    fn a_continuum_shows_its_moduli_at_any_resolution() {
        for cell in [0.01, 0.05] {
            let SolidModuli { young, poisson } = moduli(cell, Material::jelly());
            assert!((young / 1e4 - 1.0).abs() < 1e-3 && (poisson - 0.45).abs() < 1e-3, "{young} {poisson}");
        }
        // The control: energies in N·m are made for one mesh.
        let [fine, coarse] = [0.1, 0.2].map(|cell| moduli(cell, presets::teschner::cows()).young);
        assert!((fine / coarse / 8.0 - 1.0).abs() < 1e-3, "{fine} {coarse}");
    }

    #[test]
    fn sheets_and_loose_particles_have_none() {
        let sheet = Body::cloth(Mesh::grid(1.0, 1.0, 3, 3), Material::silk());
        assert_eq!(SolidModuli::of(&sheet).unwrap(), None);
        let loose = Material::loose(crate::Mass::Volume(1.0));
        assert_eq!(SolidModuli::of(&Body::solid(Mesh::block(Vec3::ONE, [2; 3]), loose)).unwrap(), None);
    }
}
