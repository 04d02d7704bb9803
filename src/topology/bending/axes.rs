//! Axes of the cells of a mesh, and how much they are stretched.
//!
//! Where triangles are stretched no positive factors make a sheet alike in all directions. Strips are then cut along the cells or
//! along a border, so that those directions count most. Both are crosses: turned by 90° they are the same, and crosses have a mean
//! as complex numbers, size · e^{4iθ}.

use super::hinges::Sheet;

/// A cross as a complex number.
pub type Cross = [f64; 2];

/// Cosine from which on a corner is not a right angle. The sides of right angles are sides of cells; the third side is a diagonal.
const RIGHT: f64 = 0.2;

/// Weight of a corner that is not a right angle, relative to one that is.
const LEAST_CORNER: f64 = 0.01;

/// Axes of every triangle: of size 0 if it is not stretched, towards 1 if it is a sliver; plus 1 per side at a border.
pub fn crosses(sheet: &Sheet) -> Vec<Cross> {
    let mut sides = vec![[None; 3]; sheet.areas.len()];
    let mut crosses = vec![[0.0; 2]; sheet.areas.len()];
    for hinge in &sheet.hinges {
        for &triangle in &hinge.triangles {
            if let Some(free) =
                sides.get_mut(triangle as usize).and_then(|sides| sides.iter_mut().find(|s| s.is_none()))
            {
                *free = Some(hinge);
            }
        }
        if !hinge.is_pair()
            && let Some(cross) = crosses.get_mut(hinge.triangles[0] as usize)
        {
            let border = squared(squared(hinge.normal));
            (0..2).for_each(|k| cross[k] += border[k]);
        }
    }
    for (sides, cross) in sides.iter().zip(&mut crosses) {
        // Second moments of the sides: their deviator as a complex number, and their trace.
        let (mut deviator, mut trace) = ([0.0; 2], f64::MIN_POSITIVE);
        for (first, second) in [(0, 1), (1, 2), (2, 0)] {
            if let (Some(first), Some(second)) = (sides[first], sides[second]) {
                let cosine = first.normal[0] * second.normal[0] + first.normal[1] * second.normal[1];
                let corner = (1.0 - (cosine / RIGHT).powi(2)).max(LEAST_CORNER);
                for side in [first, second] {
                    let weight = corner * side.length * side.length;
                    let double = squared(side.normal);
                    (0..2).for_each(|k| deviator[k] += weight * double[k]);
                    trace += weight;
                }
            }
        }
        let stretch = squared(deviator.map(|value| value / trace));
        (0..2).for_each(|k| cross[k] += stretch[k]);
    }
    crosses
}

/// One of the two axes of a cross, and its weight from 0 to 1.
pub fn axis([x, y]: Cross) -> ([f64; 2], f64) {
    let (sine, cosine) = (0.25 * y.atan2(x)).sin_cos();
    ([cosine, sine], x.hypot(y).sqrt().min(1.0))
}

/// Square of a complex number.
fn squared([x, y]: [f64; 2]) -> [f64; 2] {
    [x * x - y * y, 2.0 * x * y]
}
