//! Pins: vertices that are fixed, slide, follow a path or a collider, and are released.

use super::{BodyId, ColliderId, Scene, Vertices};
use crate::Error;
use glam::{DVec3, Vec3};

/// Names a pin of the scene that made it: what [`Scene::pin`] returned, or one of [`Scene::pin_ids`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PinId(pub(crate) usize);

impl PinId {
    /// Index of the pin in [`Scene::pins`].
    pub fn index(self) -> usize {
        self.0
    }
}

/// Vertices whose positions are prescribed: fixed, on a path, or moved by [`Simulation::move_pin`](crate::Simulation::move_pin).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Pin {
    /// Body that the vertices belong to.
    pub body: BodyId,
    /// Pinned vertices of the body.
    pub vertices: Vertices,
    /// Directions in which the vertices remain free.
    pub free: Free,
    /// Path of offsets that all vertices follow, times ascending: linear between keys, at rest before the first and after the last. Empty: no path.
    pub path: Vec<PinKey>,
    /// Time of release, s: the vertices are free from the first step that begins then or later. `None`: never.
    pub until: Option<f64>,
    /// Collider that the vertices are attached to and follow instead of a path. `None`: no collider.
    pub carrier: Option<ColliderId>,
}

/// Offset of a pin from its start at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PinKey {
    /// Time, s.
    pub time: f64,
    /// Offset from the start, m.
    pub offset: Vec3,
}

/// Directions in which a pinned vertex may still move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Free {
    /// No direction: the vertex is fixed in all of them.
    #[default]
    Nowhere,
    /// Along a line of this direction.
    Line(Vec3),
    /// In a plane with this normal.
    Plane(Vec3),
}

impl Pin {
    /// Offset of the path at a time, s: that of the nearest key before the first and after the last.
    pub(crate) fn offset_at(&self, time: f64) -> DVec3 {
        let after = self.path.partition_point(|key| key.time <= time);
        match (after.checked_sub(1).map(|before| self.path[before]), self.path.get(after)) {
            (Some(from), Some(to)) => {
                let part = (time - from.time) / (to.time - from.time);
                from.offset.as_dvec3().lerp(to.offset.as_dvec3(), part)
            }
            (Some(only), None) => only.offset.as_dvec3(),
            (None, Some(only)) => only.offset.as_dvec3(),
            (None, None) => DVec3::ZERO,
        }
    }

    /// Checks path and release; an error names the part that makes no sense, and why.
    pub(crate) fn check(&self) -> Result<(), (String, String)> {
        if self.carrier.is_some() && !self.path.is_empty() {
            return Err(("path".to_owned(), "what it is attached to leads it already".to_owned()));
        }
        for (ix, key) in self.path.iter().enumerate() {
            if !key.time.is_finite() {
                return Err((format!("path[{ix}].time"), format!("must be finite, not {}", key.time)));
            }
            if let Some(before) = ix.checked_sub(1).map(|before| self.path[before].time)
                && key.time <= before
            {
                let message = format!("must be later than the {before} s before it, not {}", key.time);
                return Err((format!("path[{ix}].time"), message));
            }
            if !key.offset.is_finite() {
                return Err((format!("path[{ix}].offset"), "must be finite".to_owned()));
            }
        }
        match self.until {
            Some(until) if !(until.is_finite() && until >= 0.0) => {
                Err(("until".to_owned(), format!("must be finite and not negative, not {until}")))
            }
            _ => Ok(()),
        }
    }
}

impl Scene {
    /// Pins vertices of a body, and returns the id of the pin. All vertices of one pin move together.
    pub fn pin(&mut self, body: BodyId, vertices: Vertices) -> PinId {
        self.pin_sliding(body, vertices, Free::Nowhere)
    }

    /// Pins vertices of a body to a line or a plane through where each of them starts.
    pub fn pin_sliding(&mut self, body: BodyId, vertices: Vertices, free: Free) -> PinId {
        self.pins.push(Pin { body, vertices, free, path: Vec::new(), until: None, carrier: None });
        PinId(self.pins.len() - 1)
    }

    /// Attaches vertices of a body to a collider: they follow its translation and rotation from where they start. Like any
    /// pin they may be released.
    ///
    /// ```
    /// use tenter::{Body, Collider, Material, Mesh, Scene, Side, Vertices};
    /// let mut scene = Scene::new();
    /// let flag = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// let pole = scene.add_collider(Collider::sphere([-0.6, 0.0, 0.0], 0.05));
    /// scene.attach(flag, Vertices::Side(Side::Left), pole);
    /// ```
    pub fn attach(&mut self, body: BodyId, vertices: Vertices, carrier: ColliderId) -> PinId {
        let pin = self.pin(body, vertices);
        self.pins[pin.0].carrier = Some(carrier);
        pin
    }

    /// Moves a pin along a path, which replaces any path it had.
    ///
    /// ```
    /// use tenter::{Body, Material, Mesh, PinKey, Scene, Vertices, glam::Vec3};
    /// # fn main() -> Result<(), tenter::Error> {
    /// let mut scene = Scene::new();
    /// let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// let corners = scene.pin(cloth, Vertices::corners());
    /// // Up by 20 cm within a second, and released there.
    /// let up = PinKey { time: 1.0, offset: 0.2 * Vec3::Y };
    /// scene.lead_pin(corners, [PinKey { time: 0.0, offset: Vec3::ZERO }, up])?;
    /// scene.release_pin_at(corners, 1.0)?;
    /// # Ok(()) }
    /// ```
    pub fn lead_pin(&mut self, pin: PinId, path: impl IntoIterator<Item = PinKey>) -> Result<(), Error> {
        self.pin_mut(pin)?.path = path.into_iter().collect();
        Ok(())
    }

    /// Releases a pin at a time, s.
    pub fn release_pin_at(&mut self, pin: PinId, time: f64) -> Result<(), Error> {
        self.pin_mut(pin)?.until = Some(time);
        Ok(())
    }

    fn pin_mut(&mut self, pin: PinId) -> Result<&mut Pin, Error> {
        self.pins.get_mut(pin.0).ok_or_else(|| Error::Usage(format!("the scene has no pin {}", pin.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_straight_between_its_keys_and_rests_outside() {
        let key = |time, x| PinKey { time, offset: Vec3::new(x, 0.0, 0.0) };
        let path = vec![key(1.0, 2.0), key(2.0, 4.0), key(4.0, 0.0)];
        let pin =
            Pin { body: BodyId(0), vertices: Vertices::All, free: Free::Nowhere, path, until: None, carrier: None };
        for (time, x) in [(0.0, 2.0), (1.0, 2.0), (1.25, 2.5), (2.0, 4.0), (3.5, 1.0), (4.0, 0.0), (9.0, 0.0)] {
            assert_eq!(pin.offset_at(time), DVec3::new(x, 0.0, 0.0), "{time}");
        }
        assert_eq!(Pin { path: Vec::new(), ..pin }.offset_at(3.0), DVec3::ZERO);
    }
}
