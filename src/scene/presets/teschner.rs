//! Teschner, tables 3 to 6: distance, area and volume energies in N·m, damping of distances alone.
//!
//! | | k_D | k_A | k_V | k_d | published step |
//! |---|---|---|---|---|---|
//! | snakes | 30 | | 40 | 1e-4 | 4.0 ms |
//! | pitbull | 100 | | 1 | 1e-4 | 2.7 ms |
//! | cows | 20 | | 10 | 1e-3 | 7.1 ms |
//! | cloth | 10 | 10 | 10 | 1e-3 | 2.6 ms |
//! | face | 5 | 1 | 1 | 1e-3 | 2.9 ms |
//! | dragon | 0.01 | | 1 | 1e-4 | 1.7 ms |
//! | cubes | 10 | | 20 | 1e-3 | 3.1 ms (Verlet, table 2) |
//!
//! Masses and sizes are not published. Here solids have the density of water, cloth and face 1 kg/m².

use crate::{Area, Mass, Material, Spring, SpringLaw, Volume};

fn solid(distance: f32, volume: f32, damping: f32) -> Material {
    Material {
        structural: Spring::from(SpringLaw::Distance { stiffness: distance }).damped(damping),
        volume: Some(Volume { stiffness: volume, damping: 0.0 }),
        ..Material::loose(Mass::Volume(1000.0))
    }
}

/// A triangle mesh: its volumes are those of virtual tetrahedra. In a grid, the shear springs are its diagonals.
fn surface(distance: f32, area: f32, volume: f32, damping: f32) -> Material {
    let spring = Spring::from(SpringLaw::Distance { stiffness: distance }).damped(damping);
    Material {
        structural: spring,
        shear: spring,
        area: Some(Area { stiffness: area, damping: 0.0 }),
        shell: Some(Volume { stiffness: volume, damping: 0.0 }),
        ..Material::loose(Mass::Surface(1.0))
    }
}

/// Figure 4, 928 points, 1764 tetrahedra: k_D = 30, k_V = 40 N·m; published step 4.0 ms.
pub fn snakes() -> Material {
    solid(30.0, 40.0, 1e-4)
}

/// Figure 5, 314 points, 700 tetrahedra: k_D = 100, k_V = 1 N·m; published step 2.7 ms.
pub fn pitbull() -> Material {
    solid(100.0, 1.0, 1e-4)
}

/// Figure 6, 1002 points, 2916 tetrahedra: k_D = 20, k_V = 10 N·m; published step 7.1 ms.
pub fn cows() -> Material {
    solid(20.0, 10.0, 1e-3)
}

/// Figure 7, 1301 points, 2500 triangles: k_D = k_A = k_V = 10 N·m; published step 2.6 ms.
pub fn cloth() -> Material {
    surface(10.0, 10.0, 10.0, 1e-3)
}

/// Figure 8, 472 points, 874 triangles: k_D = 5, k_A = k_V = 1 N·m; published step 2.9 ms.
pub fn face() -> Material {
    surface(5.0, 1.0, 1.0, 1e-3)
}

/// Figure 10, 343 points, 834 tetrahedra, melting: k_D = 0.01, k_V = 1 N·m; published step 1.7 ms.
pub fn dragon() -> Material {
    solid(0.01, 1.0, 1e-4)
}

/// Figure 3, 1331 points, 5000 tetrahedra: k_D = 10, k_V = 20 N·m; published largest step of Verlet's method 3.1 ms.
pub fn cubes() -> Material {
    solid(10.0, 20.0, 1e-3)
}
