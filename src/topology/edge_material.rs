//! Edge materials of the user's springs.

use super::{EdgeMaterial, EdgeMemory, Law};
use crate::{
    Error,
    forces::{
        buckling::BucklingParameters,
        cubic::{CubicLeftOut, CubicParameters},
        cubic_absolute::CubicAbsoluteParameters,
        linear::LinearParameters,
        plastic::PlasticParameters,
        series::SeriesParameters,
    },
    scene::{Cubic, KelvinVoigtSeries, Memory, Spring, SpringLaw},
};

impl EdgeMaterial {
    /// Material of a user's spring; `None` for a spring without force. `field` is the spring's path, for errors.
    pub(super) fn of_spring(spring: &Spring, field: &str) -> Result<Option<Self>, Error> {
        let refusal = |part: &str, message: String| Error::scene(format!("{field}.{part}"), message);
        let checked = |value: f32, part: &str| {
            if value.is_finite() && value >= 0.0 {
                Ok(f64::from(value))
            } else {
                Err(refusal(part, format!("must be finite and not negative, not {value}")))
            }
        };
        let mut material = Self {
            damping: checked(spring.damping, "damping")?,
            drag: checked(spring.drag, "drag")?,
            ..Self::default()
        };
        (material.law, material.law_parameters) = match spring.law {
            SpringLaw::Linear { stiffness } | SpringLaw::Distance { stiffness } => {
                (Law::Linear, LinearParameters { stiffness: checked(stiffness, "stiffness")? }.pack())
            }
            SpringLaw::TensionOnly { stiffness } => {
                (Law::TensionOnly, LinearParameters { stiffness: checked(stiffness, "stiffness")? }.pack())
            }
            SpringLaw::Stvk { stiffness } => {
                let k = checked(stiffness, "stiffness")?;
                (Law::Cubic, CubicParameters { c0: 0.0, c1: k, c2: 1.5 * k, c3: 0.5 * k }.pack())
            }
            SpringLaw::Cubic(cubic) => {
                checked(cubic.stiffness, "stiffness")?;
                let parameters = solve(&cubic).map_err(|(part, message)| refusal(part, message))?;
                material.left_out = left_out(cubic.jacobian_damping, field, parameters.damped_terms())?.pack();
                (Law::Cubic, parameters.pack())
            }
            SpringLaw::CubicCoefficients { a, b, c, d, jacobian_damping } => {
                let [a, b, c, d] = [a, b, c, d].map(f64::from);
                if [a, b, c, d].iter().any(|value| !value.is_finite()) {
                    return Err(refusal("coefficients", "must be finite".to_owned()));
                }
                let parameters = CubicAbsoluteParameters { a, b, c, d };
                material.left_out = left_out(jacobian_damping, field, parameters.damped_terms())?.pack();
                (Law::CubicAbsolute, parameters.pack())
            }
            SpringLaw::Buckling { bending_stiffness, compression } => {
                let bending_stiffness = checked(bending_stiffness, "bending_stiffness")?;
                let compression = checked(compression, "compression")?;
                (Law::Buckling, BucklingParameters { bending_stiffness, compression }.pack())
            }
        };
        if let Some(memory) = &spring.memory {
            (material.memory, material.memory_parameters) = remember(memory, &spring.law, field)?;
        }
        let derived = [material.law_parameters.as_slice(), &material.left_out];
        let mut derived = derived.into_iter().flatten().chain(material.memory_parameters.iter().flatten());
        if derived.any(|value| !(*value as f32).is_finite()) {
            return Err(Error::scene(field, "what follows from these numbers is too large for single precision"));
        }
        let idle = material.law_parameters == [0.0; 4] && material.damping == 0.0 && material.drag == 0.0;
        Ok((!idle).then_some(material))
    }

    /// Weight of an edge of this rest length, m.
    pub(super) fn weight(law: &SpringLaw, rest_length: f64) -> f64 {
        match law {
            SpringLaw::Distance { .. } => 1.0 / (rest_length * rest_length),
            _ => 1.0,
        }
    }

    /// A ratio l/L from ½ to 2 at which the cubic softens (g' < 0) most, and the slope there, N/m.
    pub(super) fn softens(&self, rest_length: f64) -> Option<(f64, f64)> {
        let CubicParameters { c1, c2, c3, .. } = match self.law {
            Law::Cubic => CubicParameters::unpack(&self.law_parameters),
            Law::CubicAbsolute => CubicAbsoluteParameters::unpack(&self.law_parameters).about_rest(rest_length),
            _ => return None,
        };
        let slope = |s: f64| c1 + s * (2.0 * c2 + 3.0 * c3 * s);
        let vertex = (-c2 / (3.0 * c3)).clamp(-0.5, 1.0);
        let lowest = [-0.5, 1.0, if vertex.is_nan() { 0.0 } else { vertex }]
            .into_iter()
            .min_by(|a, b| slope(*a).total_cmp(&slope(*b)))
            .unwrap_or(0.0);
        (slope(lowest) < 0.0).then_some((1.0 + lowest, slope(lowest)))
    }
}

/// Coefficients of a cubic with g(L) = 0, g'(L) = K, g'(a₁ L) = K₁, g'(a₂ L) = K₂ (Vogiannou 8). About rest the system is
/// two by two: 2 c₂ + 3 c₃ s₁ = (K₁ - K)/s₁ and the same with s₂, where s = a - 1.
fn solve(cubic: &Cubic) -> Result<CubicParameters, (&'static str, String)> {
    let parts = [
        (cubic.stretched, "stretched"),
        (cubic.compressed, "compressed"),
        (cubic.stretch, "stretch"),
        (cubic.compression, "compression"),
    ];
    if let Some((value, part)) = parts.into_iter().find(|(value, _)| !value.is_finite()) {
        return Err((part, format!("must be finite, not {value}")));
    }
    let [k, k_1, k_2] = [cubic.stiffness, cubic.stretched, cubic.compressed].map(f64::from);
    let [s_1, s_2] = [cubic.stretch, cubic.compression].map(|a| f64::from(a) - 1.0);
    for (s, part) in [(s_1, "stretch"), (s_2, "compression")] {
        if s == 0.0 {
            return Err((part, "must not be 1, where the stiffness at rest is given already".to_owned()));
        }
    }
    if s_1 == s_2 {
        return Err(("compression", format!("must differ from stretch, which is {} too", cubic.stretch)));
    }
    let [p_1, p_2] = [(k_1 - k) / s_1, (k_2 - k) / s_2];
    let c_3 = (p_1 - p_2) / (3.0 * (s_1 - s_2));
    let c_2 = 0.5 * (p_1 - 3.0 * c_3 * s_1);
    let parameters = CubicParameters { c0: 0.0, c1: k, c2: c_2, c3: c_3 };
    match parameters.pack().iter().all(|c| (*c as f32).is_finite()) {
        true => Ok(parameters),
        false => Err(("stretch", "with these stiffnesses the cubic's coefficients are too large".to_owned())),
    }
}

/// (1 - η) of both terms.
fn left_out(jacobian_damping: f32, field: &str, terms: CubicLeftOut) -> Result<CubicLeftOut, Error> {
    if !(0.0..=1.0).contains(&jacobian_damping) {
        let message = format!("must be from 0 to 1, not {jacobian_damping}");
        return Err(Error::scene(format!("{field}.jacobian_damping"), message));
    }
    let share = 1.0 - f64::from(jacobian_damping);
    Ok(CubicLeftOut { square: share * terms.square, constant: share * terms.constant })
}

/// The memory of an edge, with its packed parameters.
fn remember(memory: &Memory, law: &SpringLaw, field: &str) -> Result<(EdgeMemory, [[f64; 4]; 2]), Error> {
    match memory {
        Memory::Plastic(plasticity) => {
            let parts =
                [(plasticity.yield_strain, "yield"), (plasticity.maximum, "maximum"), (plasticity.creep, "creep")];
            for (value, part) in parts {
                if !(value.is_finite() && value >= 0.0) {
                    let message = format!("must be finite and not negative, not {value}");
                    return Err(Error::scene(format!("{field}.plasticity.{part}"), message));
                }
            }
            let [yield_strain, maximum, creep] = parts.map(|(value, _)| f64::from(value));
            Ok((EdgeMemory::Plastic, PlasticParameters { yield_strain, maximum, creep }.pack()))
        }
        Memory::Viscoelastic(series) => {
            let field = format!("{field}.viscoelastic");
            let stiffness = match law {
                SpringLaw::Linear { stiffness } | SpringLaw::Distance { stiffness } if *stiffness > 0.0 => {
                    f64::from(*stiffness)
                }
                _ => return Err(Error::scene(field, "needs a linear spring with a stiffness above 0")),
            };
            let most = KelvinVoigtSeries::MOST;
            if !(1..=most).contains(&series.count()) {
                return Err(Error::scene(field, format!("must be 1 to {most} elements, not {}", series.count())));
            }
            // An absent element of the series has no compliance, and any time.
            let mut parameters = SeriesParameters { times: [1.0; 3], compliances: [0.0; 3] };
            for (ix, element) in series.elements().iter().enumerate() {
                let usable = element.stiffness.is_normal() && element.stiffness > 0.0;
                if !usable {
                    let message = format!("must be positive and finite, not {}", element.stiffness);
                    return Err(Error::scene(format!("{field}[{ix}].stiffness"), message));
                }
                if !(element.damping.is_finite() && element.damping >= 0.0) {
                    let message = format!("must be finite and not negative, not {}", element.damping);
                    return Err(Error::scene(format!("{field}[{ix}].damping"), message));
                }
                parameters.times[ix] = f64::from(element.damping) / f64::from(element.stiffness);
                parameters.compliances[ix] = stiffness / f64::from(element.stiffness);
            }
            Ok((EdgeMemory::Series, parameters.pack()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{KelvinVoigt, Plasticity};

    fn of(spring: Spring) -> Result<Option<EdgeMaterial>, (String, String)> {
        EdgeMaterial::of_spring(&spring, "spring").map_err(|error| match error {
            Error::Scene { field, message } => (field, message),
            other => panic!("{other}"),
        })
    }

    #[track_caller]
    fn refused(spring: Spring, field: &str, words: &str) {
        let (found, message) = of(spring).unwrap_err();
        assert_eq!(found, field, "{message}");
        assert!(message.contains(words), "{message}");
    }

    #[test]
    fn a_cubic_has_the_slopes_it_was_asked_for() {
        let cubic = Cubic { stretch: 1.04, compression: 0.96, ..Cubic::new(1000.0) };
        let parameters = solve(&cubic).unwrap();
        let CubicParameters { c0, c1, c2, c3 } = parameters;
        let slope = |a: f32| {
            let s = f64::from(a) - 1.0;
            c1 + 2.0 * c2 * s + 3.0 * c3 * s * s
        };
        assert_eq!(c0, 0.0);
        for (a, k) in [(1.0, 1000.0), (1.04, 6000.0), (0.96, 2000.0)] {
            assert!((slope(a) / k - 1.0).abs() < 1e-9, "{a}: {}", slope(a));
        }
        let CubicLeftOut { square: b, constant: d } = parameters.damped_terms();
        assert!(b < 0.0 && d < 0.0, "as the paper says: {b} {d}");
    }

    #[test]
    fn singular_and_senseless_springs_are_refused_by_field() {
        let cubic = |change: fn(&mut Cubic)| {
            let mut cubic = Cubic::new(100.0);
            change(&mut cubic);
            Spring::from(SpringLaw::Cubic(cubic))
        };
        refused(cubic(|c| c.stretch = 1.0), "spring.stretch", "not be 1");
        refused(cubic(|c| c.compression = 1.0), "spring.compression", "not be 1");
        refused(cubic(|c| c.compression = c.stretch), "spring.compression", "differ");
        refused(cubic(|c| c.stretched = f32::NAN), "spring.stretched", "finite");
        refused(cubic(|c| c.stiffness = -1.0), "spring.stiffness", "negative");
        refused(cubic(|c| c.jacobian_damping = 1.5), "spring.jacobian_damping", "0 to 1");
        refused(cubic(|c| (c.stretch, c.stretched) = (1.0 + f32::EPSILON, f32::MAX)), "spring.stretch", "too large");
        let coefficients = SpringLaw::CubicCoefficients { a: 0.0, b: f32::NAN, c: 1.0, d: 0.0, jacobian_damping: 1.0 };
        refused(coefficients.into(), "spring.coefficients", "finite");
        refused(Spring::new(1.0).dragged(-1.0), "spring.drag", "negative");
        let plastic = Plasticity { yield_strain: 0.1, maximum: -1.0, creep: 1.0 };
        refused(Spring::new(1.0).plastic(plastic), "spring.plasticity.maximum", "negative");
        let element = KelvinVoigt { stiffness: 1.0, damping: 1.0 };
        refused(Spring::new(1.0).viscoelastic(&[element; 4]), "spring.viscoelastic", "1 to 3");
        refused(Spring::new(1.0).viscoelastic(&[]), "spring.viscoelastic", "1 to 3");
        refused(Spring::new(0.0).viscoelastic(&[element]), "spring.viscoelastic", "linear");
        let stvk = Spring::from(SpringLaw::Stvk { stiffness: 1.0 });
        refused(stvk.viscoelastic(&[element]), "spring.viscoelastic", "linear");
        let soft = KelvinVoigt { stiffness: 0.0, damping: 1.0 };
        refused(Spring::new(1.0).viscoelastic(&[element, soft]), "spring.viscoelastic[1].stiffness", "positive");
        refused(SpringLaw::Stvk { stiffness: 3e38 }.into(), "spring", "too large");
        let slow = KelvinVoigt { stiffness: 1e-20, damping: 1e30 };
        refused(Spring::new(1.0).viscoelastic(&[slow]), "spring", "too large");
        assert_eq!(of(Spring::default()), Ok(None));
        assert!(of(Spring::default().dragged(1.0)).unwrap().is_some());
    }

    #[test]
    fn softening_is_noticed() {
        let material = |cubic| of(Spring::from(SpringLaw::Cubic(cubic))).unwrap().unwrap();
        assert_eq!(material(Cubic::new(100.0)).softens(1.0), None);
        let softer = Cubic { stretched: 20.0, ..Cubic::new(100.0) };
        assert!(material(softer).softens(1.0).is_some());
        // The same curve by its coefficients at L = 0.5, and a curve that is monotone there, but not at L = 2.
        let coefficients = |a, b, c, d| {
            of(SpringLaw::CubicCoefficients { a, b, c, d, jacobian_damping: 1.0 }.into()).unwrap().unwrap()
        };
        let falling_beyond_two = coefficients(-1.0, 0.0, 12.0, 0.0);
        assert_eq!(falling_beyond_two.softens(0.5), None);
        assert!(falling_beyond_two.softens(2.0).is_some());
    }
}
