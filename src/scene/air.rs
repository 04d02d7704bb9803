//! The air around the bodies: wind and resistance, on every triangle's vertices by their share of the area; and forces on single
//! particles.

use glam::Vec3;

/// Wind (Etzmuß 2.35, 2.36) and air resistance (2.37).
///
/// Wind presses with (a + sin ω t) w, split into drag along the surface's normal and lift across it. Resistance opposes motion by
/// how much of it goes through the surface: -c |⟨v, N⟩| v / |v| per area. It acts on triangles: bodies without any do not feel it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Air {
    /// w, N/m².
    pub wind: Vec3,
    /// a: how steady the wind is. With 0 it only swings.
    pub steady: f32,
    /// ω, rad/s. With 0 it does not swing.
    pub angular_velocity: f32,
    /// Share of the pressure along the normal that is felt.
    pub drag: f32,
    /// Share of the pressure across the normal that is felt.
    pub lift: f32,
    /// c = c_w σ, N·s/m³.
    pub resistance: f32,
}

impl Default for Air {
    /// No wind, no resistance; what wind is set later is steady and fully felt along the normal, a tenth across it.
    fn default() -> Self {
        Self { wind: Vec3::ZERO, steady: 1.0, angular_velocity: 0.0, drag: 1.0, lift: 0.1, resistance: 0.0 }
    }
}

impl Air {
    /// Steady wind: N/m².
    pub fn wind(wind: Vec3) -> Self {
        Self { wind, ..Default::default() }
    }

    /// Returns the air with a resistance to motion, N·s/m³.
    pub fn resisting(self, resistance: f32) -> Self {
        Self { resistance, ..self }
    }

    /// Checks the air; an error names the field.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        if !self.wind.is_finite() {
            return Err(("wind", "must be finite".to_owned()));
        }
        for (field, value) in [
            ("steady", self.steady),
            ("drag", self.drag),
            ("lift", self.lift),
            ("angular_velocity", self.angular_velocity),
        ] {
            if !value.is_finite() {
                return Err((field, format!("must be finite, not {value}")));
            }
        }
        if !(self.resistance.is_finite() && self.resistance >= 0.0) {
            return Err(("resistance", format!("must be finite and not negative, not {}", self.resistance)));
        }
        Ok(())
    }
}

/// A spring that pulls a particle to a point, as for dragging it with a mouse: see [`Simulation::grab`](crate::Simulation::grab).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handle {
    /// Stiffness of the spring, N/m; its rest length is 0.
    pub stiffness: f32,
    /// Damping of the particle's velocity, N·s/m.
    pub damping: f32,
}

impl Default for Handle {
    fn default() -> Self {
        Self { stiffness: 100.0, damping: 0.5 }
    }
}

impl Air {
    /// Whether the wind's swing over a step of a length, s, is a number.
    pub(crate) fn check_step(&self, time_step: f64) -> Result<(), (&'static str, String)> {
        let turns = (f64::from(self.angular_velocity) * time_step / std::f64::consts::TAU) as f32;
        if turns.is_finite() {
            return Ok(());
        }
        let message = format!("times the step, {} · {time_step}, must be finite", self.angular_velocity);
        Err(("angular_velocity", message))
    }
}

/// A force on some vertices of a body from the start on.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PointForce {
    /// Body that the vertices belong to.
    pub body: super::BodyId,
    /// Vertices that the force acts on.
    pub vertices: super::Vertices,
    /// Force on each of the vertices, N.
    pub force: Vec3,
}
