//! Time integration schemes.

/// Time integration scheme of a simulation.
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
///
/// Methods differ in motion much faster than the step, h λ → -∞. Implicit Euler, BDF2 and θ = 1 are L-stable: they damp it within a few
/// steps. The midpoint rule and θ = ½ reverse its sign in every step and keep its size, so that stiff parts ring, above all after pins that
/// jump. Between ½ and 1 the θ-scheme multiplies it by (1 - θ)/θ in every step; below ½ it is not stable for every step. Explicit methods
/// diverge, which ends in an [`Error::Unstable`](crate::Error::Unstable).
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
    /// Implicit Euler with a constant matrix (Etzmuß 3.23): springs as if of rest length 0 in it, all that is nonlinear explicit. Cheaper
    /// steps, three coordinates that do not know each other; elements are explicit altogether. With [`Nonlinear::Newton`](crate::Nonlinear)
    /// its fixed-point loop (algorithm 6) arrives at implicit Euler, where it contracts.
    ImexEuler,
    /// The midpoint rule likewise: implicit for the constant part, explicit for the rest. Order 2.
    ImexMidpoint,
    /// BDF2 likewise (3.28): the explicit part is taken at the state extrapolated from the last two, which is extrapolating it to second
    /// order. With Newton it arrives at BDF2.
    Sbdf2,
    /// Order 1, and unstable for any step without damping.
    ExplicitEuler,
    /// Order 1, energy bounded.
    SymplecticEuler,
    /// Order 2 without damping, energy bounded; velocities are (x₁ - x₋₁) / 2h as Teschner (7) prints them, a step behind, which makes
    /// it order 1 with damping.
    Verlet,
    /// The path of Verlet with velocities of second order: order 2 with damping too.
    VelocityVerlet,
    /// The path of Verlet with velocities half a step behind.
    LeapFrog,
    /// The path of Verlet but for rounding, with better velocities.
    Beeman,
    /// Order 2, two evaluations: the trapezoidal rule with a predictor.
    Heun,
    /// Order 2, two evaluations: the midpoint rule.
    Rk2,
    /// Order 4, four evaluations.
    Rk4,
}

/// Explicit methods with one evaluation of the forces: `METHOD_…` in `shaders/integrate/method.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Method {
    /// v first, then x with the new v.
    SymplecticEuler = 1,
    /// Velocities half a step behind.
    LeapFrog = 2,
    /// Velocities a step behind.
    Verlet = 3,
    /// Velocities predicted, then corrected.
    VelocityVerlet = 4,
    /// With the accelerations of two steps.
    Beeman = 5,
}

/// A stage of a Runge–Kutta method in which each stage needs only the one before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RungeKuttaStage {
    /// b_i
    pub weight: f64,
    /// Where the next stage is, by this one's slope, as a part of the step.
    pub next: f64,
    /// Begins the sums.
    pub first: bool,
    /// Ends the step.
    pub last: bool,
}

/// How far a step puts a particle off, as a combination of changes of its velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Weight of v₁ - v₀, s.
    pub new: f64,
    /// Weight of v₀ - v₋₁, s.
    pub old: f64,
    /// The error grows with the step to the power of this, and one.
    pub order: u32,
}

/// Structure of a step of an integrator.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Solves for a stage.
    Implicit,
    /// One evaluation of the forces.
    Verlet(Method),
    /// One evaluation per stage.
    RungeKutta(Vec<RungeKuttaStage>),
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

/// See [`Integrator::audited_steps`].
pub(crate) const MOST_AUDITED: usize = 10;

impl Integrator {
    /// Every integrator, the θ-scheme as the trapezoidal rule.
    pub const ALL: [Integrator; 16] = [
        Integrator::ImplicitEuler,
        Integrator::Bdf2,
        Integrator::ImplicitMidpoint,
        Integrator::Theta(0.5),
        Integrator::ImexEuler,
        Integrator::ImexMidpoint,
        Integrator::Sbdf2,
        Integrator::ExplicitEuler,
        Integrator::SymplecticEuler,
        Integrator::Verlet,
        Integrator::VelocityVerlet,
        Integrator::LeapFrog,
        Integrator::Beeman,
        Integrator::Heun,
        Integrator::Rk2,
        Integrator::Rk4,
    ];

    /// Name of the integrator in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Integrator::ImplicitEuler => "implicit-euler",
            Integrator::Bdf2 => "bdf2",
            Integrator::ImplicitMidpoint => "implicit-midpoint",
            Integrator::Theta(_) => "theta",
            Integrator::ImexEuler => "imex-euler",
            Integrator::ImexMidpoint => "imex-midpoint",
            Integrator::Sbdf2 => "sbdf2",
            Integrator::ExplicitEuler => "explicit-euler",
            Integrator::SymplecticEuler => "symplectic-euler",
            Integrator::Verlet => "verlet",
            Integrator::VelocityVerlet => "velocity-verlet",
            Integrator::LeapFrog => "leap-frog",
            Integrator::Beeman => "beeman",
            Integrator::Heun => "heun",
            Integrator::Rk2 => "rk2",
            Integrator::Rk4 => "rk4",
        }
    }

    /// The integrator of a name, if there is one; `"theta"` is the trapezoidal rule.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|integrator| integrator.name() == name)
    }

    /// Number of an explicit method in `shaders/integrate/method.wgsl`; 0 for those that need none.
    pub(crate) fn method(self) -> u32 {
        match self.kind() {
            Kind::Verlet(method) => method as u32,
            _ if self == Integrator::ExplicitEuler => 6,
            _ => 0,
        }
    }

    /// Structure of a step of the integrator: a type of [`internals`](crate::internals), which may change in any release.
    pub fn kind(self) -> Kind {
        // Weights, and where each next stage is.
        let stages = |weights: &[f64], nodes: &[f64]| {
            let stage = |(ix, &weight): (usize, &f64)| RungeKuttaStage {
                weight,
                next: nodes.get(ix).copied().unwrap_or(0.0),
                first: ix == 0,
                last: ix + 1 == weights.len(),
            };
            Kind::RungeKutta(weights.iter().enumerate().map(stage).collect())
        };
        match self {
            Integrator::ImplicitEuler
            | Integrator::Bdf2
            | Integrator::ImplicitMidpoint
            | Integrator::Theta(_)
            | Integrator::ImexEuler
            | Integrator::ImexMidpoint
            | Integrator::Sbdf2 => Kind::Implicit,
            Integrator::SymplecticEuler => Kind::Verlet(Method::SymplecticEuler),
            Integrator::Verlet => Kind::Verlet(Method::Verlet),
            Integrator::VelocityVerlet => Kind::Verlet(Method::VelocityVerlet),
            Integrator::LeapFrog => Kind::Verlet(Method::LeapFrog),
            Integrator::Beeman => Kind::Verlet(Method::Beeman),
            Integrator::ExplicitEuler => stages(&[1.0], &[]),
            Integrator::Heun => stages(&[0.5, 0.5], &[1.0]),
            Integrator::Rk2 => stages(&[0.0, 1.0], &[0.5]),
            Integrator::Rk4 => stages(&[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0], &[0.5, 0.5, 1.0]),
        }
    }

    /// The numbers of a step of length `h` after one of length `previous`; `None` at the start and after a restart. They are of
    /// [`internals`](crate::internals), which may change in any release.
    pub fn scheme(self, h: f64, previous: Option<f64>) -> Scheme {
        let one_step = Scheme { stage_step: h, lead: h, history: 0.0, previous_step: h, stage_time: 1.0 };
        match (self, previous) {
            (Integrator::ImplicitEuler | Integrator::ImexEuler, _) | (Integrator::Bdf2 | Integrator::Sbdf2, None) => {
                one_step
            }
            (Integrator::Bdf2 | Integrator::Sbdf2, Some(previous)) => {
                let ratio = h / previous;
                let inverse = 1.0 / (1.0 + 2.0 * ratio);
                Scheme {
                    stage_step: (1.0 + ratio) * inverse * h,
                    history: ratio * ratio * inverse,
                    previous_step: previous,
                    ..one_step
                }
            }
            (Integrator::ImplicitMidpoint | Integrator::ImexMidpoint, _) => {
                Scheme { stage_step: 0.5 * h, lead: 0.5 * h, stage_time: 0.5, ..one_step }
            }
            (Integrator::Theta(theta), _) => Scheme { stage_step: theta * h, ..one_step },
            // Explicit ones take forces at the start of the step; a history says that there was a step before.
            (_, previous) => Scheme {
                lead: 0.0,
                history: if previous.is_some() { 1.0 } else { 0.0 },
                previous_step: previous.unwrap_or(h),
                stage_time: 0.0,
                ..one_step
            },
        }
    }

    /// Rise of the energy beyond the work from outside, as a share of kinetic + elastic energy + ½M(gh)², with which a safe step fails. Implicit
    /// Euler loses energy in every step that is solved, and takes the place of a step of BDF2 that gains some; others may gain some and lose it again.
    pub(crate) fn most_rise(self) -> f64 {
        if matches!(self, Integrator::ImplicitEuler | Integrator::Bdf2) { 0.01 } else { 0.1 }
    }

    /// Steps in a row whose rises together stay below [`most_rise`](Self::most_rise).
    pub(crate) fn audited_steps(self) -> usize {
        if self == Integrator::Bdf2 || self.is_imex() { MOST_AUDITED } else { 1 }
    }

    /// Whether the integrator is explicit: its steps solve no linear system.
    pub fn is_explicit(self) -> bool {
        self.kind() != Kind::Implicit
    }

    /// Whether the stage of velocity 0 is x₀ itself: then a solve may begin there.
    pub(crate) fn starts_anywhere(self) -> bool {
        matches!(
            self,
            Integrator::ImplicitEuler | Integrator::ImplicitMidpoint | Integrator::ImexEuler | Integrator::ImexMidpoint
        )
    }

    /// Whether forces are wanted without a matrix.
    pub(crate) fn gathers_forces(self) -> bool {
        self.is_explicit() || self.is_imex() || self.explicit_share() > 0.0
    }

    /// Whether the integrator is an IMEX scheme, whose matrix is constant and has one scalar per pair of particles.
    pub fn is_imex(self) -> bool {
        matches!(self, Integrator::ImexEuler | Integrator::ImexMidpoint | Integrator::Sbdf2)
    }

    /// Whether forces are evaluated at the extrapolated stage, not at x₀.
    pub(crate) fn extrapolates(self) -> bool {
        self == Integrator::Sbdf2
    }

    /// How to estimate the local error of x in a step of length `h` after one of length `previous`, from velocities alone. Order 1:
    /// w h (v₁ - v₀), which is w h² x″, w = ½ for every kind of Euler and |θ - ½| for the θ-scheme. Order 2: C h³ x‴ with x‴ from
    /// the velocities of three states, and
    ///
    /// | | C |
    /// |---|---|
    /// | BDF2 and SBDF2, step ratio ω | (1 + ω)² / 6ω(1 + 2ω), 2/9 for even steps |
    /// | midpoint, θ = ½ | 1/12 |
    /// | Heun, RK2, Verlet and its kin | 1/6 |
    /// | RK4 | 1/12: of the trapezoidal rule through its states, far on the safe side |
    ///
    /// At the start and after a restart there are two states only, and the estimate is that of Euler.
    ///
    /// The weights are of [`internals`](crate::internals), which may change in any release.
    pub fn estimate(self, h: f64, previous: Option<f64>) -> Estimate {
        let euler = Estimate { new: 0.5 * h, old: 0.0, order: 1 };
        let Some(previous) = previous else { return euler };
        let ratio = h / previous;
        let constant = match self {
            Integrator::ImplicitEuler
            | Integrator::ImexEuler
            | Integrator::ExplicitEuler
            | Integrator::SymplecticEuler => return euler,
            Integrator::Theta(theta) if theta != 0.5 => return Estimate { new: (theta - 0.5).abs() * h, ..euler },
            Integrator::Bdf2 | Integrator::Sbdf2 => (1.0 + ratio) * (1.0 + ratio) / (6.0 * ratio * (1.0 + 2.0 * ratio)),
            Integrator::ImplicitMidpoint | Integrator::Theta(_) | Integrator::Rk4 => 1.0 / 12.0,
            _ => 1.0 / 6.0,
        };
        // h³ x‴ = 2 h ω / (1 + ω) ((v₁ - v₀) - ω (v₀ - v₋₁))
        let new = constant * 2.0 * h * ratio / (1.0 + ratio);
        Estimate { new, old: -ratio * new, order: 2 }
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
    fn names_are_unique() {
        for (ix, integrator) in Integrator::ALL.into_iter().enumerate() {
            let first = Integrator::ALL.iter().position(|other| other.name() == integrator.name());
            assert_eq!(first, Some(ix), "{integrator:?}");
            assert_eq!(Integrator::from_name(integrator.name()), Some(integrator));
        }
        assert_eq!(Integrator::from_name("euler"), None);
    }

    #[test]
    fn estimates_are_the_errors_of_polynomials() {
        // x = t³, so that x‴ = 6, about t = 0: BDF2's own formula is off by what it estimates.
        for (h, previous) in [(0.1, 0.1), (0.1, 0.06), (0.05, 0.08)] {
            let scheme = Integrator::Bdf2.scheme(h, Some(previous));
            let cube = |t: f64| t * t * t;
            let velocity = |t: f64| 3.0 * t * t;
            let x1 = scheme.history * -cube(-previous) + scheme.stage_step * velocity(h);
            let off = cube(h) - x1;
            let Estimate { new, old, order } = Integrator::Bdf2.estimate(h, Some(previous));
            let estimate = new * (velocity(h) - velocity(0.0)) + old * (velocity(0.0) - velocity(-previous));
            assert!((off.abs() - estimate.abs()).abs() < 1e-12, "{off} {estimate}");
            assert_eq!(order, 2);
            // The trapezoidal rule.
            let Estimate { new, old, .. } = Integrator::Theta(0.5).estimate(h, Some(previous));
            let off = cube(h) - 0.5 * h * velocity(h);
            let estimate = new * (velocity(h) - velocity(0.0)) + old * (velocity(0.0) - velocity(-previous));
            assert!((off.abs() - estimate.abs()).abs() < 1e-12, "{off} {estimate}");
        }
    }

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
