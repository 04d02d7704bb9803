//! How a step gets from one state to the next.

/// The scheme of a simulation.
///
/// The implicit ones solve, for positions and velocities at a stage of the step,
/// x = x̂ + γ h v, M (v - v̂) = γ h f(x, v), where x̂ and v̂ come from earlier states. They differ in γ, x̂ and v̂ alone:
///
/// | | γ | x̂ | order |
/// |---|---|---|---|
/// | implicit Euler | 1 | x₀ | 1 |
/// | BDF2, step ratio ω | (1 + ω) / (1 + 2ω) | x₀ + ω² / (1 + 2ω) (x₀ - x₋₁) | 2 |
/// | implicit midpoint | ½ | x₀; the stage is half way | 2 |
/// | θ-scheme | θ | x₀ + (1 - θ) h v₀ | 2 for θ = ½, else 1 |
///
/// With one linearisation a step these are Baraff–Witkin's implicit Euler and Choi–Ko's semi-implicit BDF2 (Jiao 15); with Newton
/// the implicit methods themselves (Etzmuß 3.35).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Integrator {
    /// Order 1, damps everything: the most robust.
    #[default]
    ImplicitEuler,
    /// Backward differentiation of order 2: keeps swings that Euler damps away. Two-step: begins with a step of Euler, and again after
    /// positions or velocities are set from outside.
    Bdf2,
    /// Order 2, keeps energy in linear systems, rings in stiff ones.
    ImplicitMidpoint,
    /// From explicit Euler (0, not included) over the trapezoidal rule (½) to implicit Euler (1).
    Theta(f64),
}

/// The numbers of a step: `Scheme` in `shaders/shared/status.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scheme {
    /// γ h, s.
    pub stage_step: f64,
    /// How far the first guess of the stage lies ahead of x₀, as a time at the guessed velocity, s.
    pub lead: f64,
    /// Weight of the last step in x̂ and v̂; 0: none, as at the start.
    pub history: f64,
    /// Length of the last step, s.
    pub previous_step: f64,
    /// Where in the step forces are evaluated, as a part of it.
    pub stage_time: f64,
}

impl Integrator {
    /// The numbers of a step of length `h` after one of length `previous`; `None` at the start and after a restart.
    pub fn scheme(self, h: f64, previous: Option<f64>) -> Scheme {
        let one_step = Scheme { stage_step: h, lead: h, history: 0.0, previous_step: h, stage_time: 1.0 };
        match (self, previous) {
            (Integrator::ImplicitEuler, _) | (Integrator::Bdf2, None) => one_step,
            (Integrator::Bdf2, Some(previous)) => {
                let ratio = h / previous;
                let inverse = 1.0 / (1.0 + 2.0 * ratio);
                Scheme {
                    stage_step: (1.0 + ratio) * inverse * h,
                    history: ratio * ratio * inverse,
                    previous_step: previous,
                    ..one_step
                }
            }
            (Integrator::ImplicitMidpoint, _) => {
                Scheme { stage_step: 0.5 * h, lead: 0.5 * h, stage_time: 0.5, ..one_step }
            }
            (Integrator::Theta(theta), _) => Scheme { stage_step: theta * h, ..one_step },
        }
    }

    /// (1 - θ) / θ: what the forces at the start of the step, gathered for a stage, are worth in v̂.
    pub(crate) fn explicit_share(self) -> f64 {
        match self {
            Integrator::Theta(theta) => (1.0 - theta) / theta,
            _ => 0.0,
        }
    }

    /// (1 - θ) h, s: how far x̂ lies ahead of x₀ at the old velocity.
    pub(crate) fn drift(self, h: f64) -> f64 {
        match self {
            Integrator::Theta(theta) => (1.0 - theta) * h,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_consistent() {
        // x = x̂ + γ h v is exact for uniform motion: v̂ = v, x̂ = x₀ + what is left of the stage.
        for integrator in [
            Integrator::ImplicitEuler,
            Integrator::Bdf2,
            Integrator::ImplicitMidpoint,
            Integrator::Theta(0.5),
            Integrator::Theta(0.7),
        ] {
            for (h, previous) in [(0.1, None), (0.1, Some(0.1)), (0.1, Some(0.04)), (0.02, Some(0.05))] {
                let scheme = integrator.scheme(h, previous);
                let ahead = scheme.history * scheme.previous_step + integrator.drift(h);
                let stage = scheme.stage_time * h;
                assert!((ahead + scheme.stage_step - stage).abs() < 1e-12, "{integrator:?} {h} {previous:?}");
                assert!((scheme.lead - stage).abs() < 1e-12);
            }
        }
        // Constant steps: 4/3, 1/3, 2/3 of the books.
        let bdf2 = Integrator::Bdf2.scheme(0.3, Some(0.3));
        assert!((bdf2.stage_step - 0.2).abs() < 1e-12 && (bdf2.history - 1.0 / 3.0).abs() < 1e-12);
    }
}
