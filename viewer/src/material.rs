//! Numbers of a material that the panel offers, with their keys in a scene file.

use tenter::{Material, SpringLaw};

/// Keys below `material`, names with unit, and values.
pub fn numbers(material: &Material) -> Vec<(String, &'static str, f32)> {
    let mut list: Vec<(String, &'static str, f32)> = Vec::new();
    let mut add = |key: &str, name: &'static str, value: f32| {
        if value > 0.0 && value.is_finite() {
            list.push((key.to_owned(), name, value));
        }
    };
    match material.mass {
        tenter::Mass::Surface(density) => add("density", "density, kg/m²", density),
        tenter::Mass::Volume(density) => add("volume_density", "density, kg/m³", density),
        _ => {}
    }
    if let Some(membrane) = &material.membrane {
        add("membrane.weft", "stretch along weft, N/m", membrane.weft);
        add("membrane.warp", "stretch along warp, N/m", membrane.warp);
        add("membrane.shear", "shear, N/m", membrane.shear);
        add("membrane.viscous_time", "damping, s", membrane.viscous_time);
    }
    if let Some(solid) = &material.neo_hookean {
        add("neo_hookean.young", "Young's modulus, Pa", solid.young);
        add("neo_hookean.viscous_time", "damping, s", solid.viscous_time);
    }
    if let Some(bending) = &material.bending {
        add("bending.weft", "bending along weft, N·m", bending.weft);
        add("bending.warp", "bending along warp, N·m", bending.warp);
    }
    for (spring, stiffness, damping, names) in [
        (&material.structural, "structural.stiffness", "structural.damping", ["stretch, N/m", "its damping, N·s/m"]),
        (&material.shear, "shear.stiffness", "shear.damping", ["shear, N/m", "its damping, N·s/m"]),
        (&material.crossover, "crossover.stiffness", "crossover.damping", ["bending, N/m", "its damping, N·s/m"]),
    ] {
        if let SpringLaw::Linear { stiffness: value } = spring.law {
            add(stiffness, names[0], value);
            add(damping, names[1], spring.damping);
        }
    }
    list
}
