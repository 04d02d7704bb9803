//! Tetrahedra of an elastic continuum.

use super::{Collector, at};
use crate::{
    Body, Error, NeoHookean,
    forces::neo_hookean::{NeoHookeanParameters, NeoHookeanRest},
    topology::ElementModel,
};

/// Largest Poisson's ratio. Closer to 0.5 linear tetrahedra lock, and the bulk modulus makes the matrix ill-conditioned.
const LARGEST_POISSON: f32 = 0.495;

impl Collector<'_> {
    pub(super) fn add_neo_hookean(&mut self, body: &Body, solid: &NeoHookean) -> Result<(), Error> {
        let name = "neo_hookean";
        let NeoHookean { young, poisson, viscous_time } = *solid;
        if !(young.is_finite() && young > 0.0) {
            return Err(self.wrong(name, "young", format!("must be finite and positive, not {young}")));
        }
        if !(0.0..=LARGEST_POISSON).contains(&poisson) {
            let message = format!(
                "must lie between 0 and {LARGEST_POISSON}, not {poisson}: closer to 0.5 linear tetrahedra lock, and the solver needs too many \
                 iterations"
            );
            return Err(self.wrong(name, "poisson", message));
        }
        self.check(name, "viscous_time", viscous_time)?;
        self.require(name, body.mesh.tetrahedra.is_empty(), "tetrahedra")?;
        let parameters = NeoHookeanParameters::new(young.into(), poisson.into(), viscous_time.into());
        let material = self.material(name, ElementModel::NeoHookean, parameters.pack())?;
        for (ix, &tetrahedron) in body.mesh.tetrahedra.iter().enumerate() {
            let rest = NeoHookeanRest::new(&tetrahedron.map(|vertex| at(body, vertex)));
            self.not_zero(rest.volume.abs(), || format!("tetrahedron {ix} has no volume, which its model needs"))?;
            self.push(name, &tetrahedron, rest.pack(), material)?;
        }
        Ok(())
    }
}
