//! Elements that conserve areas and volumes, shells and membranes.

use super::{Collector, at};
use crate::{
    Area, Body, Error, Membrane, Volume,
    forces::{
        area::{AreaParameters, AreaRest},
        membrane::{self, MembraneModuli, MembraneParameters},
        volume::{self, VolumeParameters, VolumeRest},
    },
    topology::{ElementModel, adjacency::hinges},
};
use glam::DVec3;

impl Collector<'_> {
    pub(super) fn add_areas(&mut self, body: &Body, area: &Area) -> Result<(), Error> {
        let name = "area";
        self.check(name, "stiffness", area.stiffness)?;
        self.check(name, "damping", area.damping)?;
        self.require(name, body.mesh.triangles.is_empty(), "triangles")?;
        let parameters = AreaParameters { stiffness: area.stiffness.into(), damping: area.damping.into() };
        let material = self.material(name, ElementModel::Area, parameters.pack())?;
        for (ix, &triangle) in body.mesh.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|vertex| at(body, vertex));
            let area = 0.5 * (b - a).cross(c - a).length();
            self.not_zero(area, || format!("triangle {ix} has no area, which its model needs"))?;
            let shape = membrane::rest([a, b, c], b - a).map(|rest| rest.shape).unwrap_or_default();
            self.push(name, &triangle, AreaRest { area, shape }.pack(), material)?;
        }
        Ok(())
    }

    pub(super) fn add_volumes(&mut self, body: &Body, volume: &Volume) -> Result<(), Error> {
        let material = self.volume_material("volume", volume)?;
        self.require("volume", body.mesh.tetrahedra.is_empty(), "tetrahedra")?;
        for (ix, &tetrahedron) in body.mesh.tetrahedra.iter().enumerate() {
            let corners = tetrahedron.map(|vertex| at(body, vertex));
            let rest = signed_volume(corners);
            self.not_zero(rest.abs(), || format!("tetrahedron {ix} has no volume, which its model needs"))?;
            let rest = VolumeRest { volume: rest, normaliser: rest.abs(), shape: volume::rest_shape(&corners) };
            self.push("volume", &tetrahedron, rest.pack(), material)?;
        }
        Ok(())
    }

    pub(super) fn add_shell(&mut self, body: &Body, volume: &Volume) -> Result<(), Error> {
        let material = self.volume_material("shell", volume)?;
        self.require("shell", body.mesh.triangles.is_empty(), "triangles")?;
        let hinges = hinges(&body.mesh.triangles).map_err(|message| Error::scene(self.mesh_field(), message))?;
        for hinge in hinges {
            let particles = [hinge.side[0], hinge.side[1], hinge.wings[0], hinge.wings[1]];
            let corners = particles.map(|vertex| at(body, vertex));
            // The volume of a regular tetrahedron with the mean edge length; a flat tetrahedron has no volume of its own to compare with (Teschner 3.4).
            let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            let mean = pairs.iter().map(|&(i, j)| corners[i].distance(corners[j])).sum::<f64>() / 6.0;
            let normaliser = std::f64::consts::SQRT_2 / 12.0 * mean.powi(3);
            self.not_zero(normaliser, || format!("vertices {particles:?}, of two triangles, lie in the same place"))?;
            let rest = VolumeRest { volume: signed_volume(corners), normaliser, shape: [0.0; 9] };
            self.push("shell", &particles, rest.pack(), material)?;
        }
        Ok(())
    }

    pub(super) fn add_membrane(&mut self, body: &Body, membrane: &Membrane) -> Result<(), Error> {
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
        let moduli = |scale: f32| {
            let [weft, warp, contraction, shear] =
                [weft, warp, contraction, shear].map(|modulus| f64::from(modulus * scale));
            MembraneModuli { weft, warp, contraction, shear }
        };
        let parameters = MembraneParameters { moduli: moduli(1.0), viscosities: moduli(viscous_time) };
        let material = self.material(name, ElementModel::Membrane, parameters.pack())?;
        for (ix, &triangle) in body.mesh.triangles.iter().enumerate() {
            let corners = triangle.map(|vertex| at(body, vertex));
            let rest = membrane::rest(corners, weft_direction.as_dvec3());
            let rest = rest.filter(|rest| (rest.area as f32).is_normal()).ok_or_else(|| {
                Error::scene(self.mesh_field(), format!("triangle {ix} has no area, which its model needs"))
            })?;
            self.push(name, &triangle, rest.pack(), material)?;
        }
        Ok(())
    }

    fn volume_material(&mut self, name: &str, volume: &Volume) -> Result<u32, Error> {
        self.check(name, "stiffness", volume.stiffness)?;
        self.check(name, "damping", volume.damping)?;
        let parameters = VolumeParameters { stiffness: volume.stiffness.into(), damping: volume.damping.into() };
        self.material(name, ElementModel::Volume, parameters.pack())
    }
}

fn signed_volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a)) / 6.0
}
