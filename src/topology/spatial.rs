//! An order in which neighbours in space are neighbours in number, for trees of boxes whose leaves follow it.

use glam::DVec3;

/// Orders points such that every binary subtree over them is compact: bodies in turn, and each halved across its longest side again and again. Halves begin at
/// multiples of powers of two, as the subtrees of a heap do.
pub fn spatial_order(points: &[(u32, DVec3)]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by_key(|&ix| points[ix as usize].0);
    let leaves = points.len().next_power_of_two();
    halve(points, &mut order, leaves);
    order
}

fn halve(points: &[(u32, DVec3)], order: &mut [u32], leaves: usize) {
    let half = leaves / 2;
    if order.len() <= 1 || half == 0 {
        return;
    }
    if order.len() > half {
        let body = |ix: u32| points[ix as usize].0;
        if body(order[0]) == body(order[order.len() - 1]) {
            let axis = longest_axis(points, order);
            let along = |ix: &u32| points[*ix as usize].1[axis];
            // Equal coordinates are told apart by number, so that the order is the same on every machine.
            order.select_nth_unstable_by(half, |a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
        }
        let (first, second) = order.split_at_mut(half);
        halve(points, first, half);
        halve(points, second, half);
    } else {
        halve(points, order, half);
    }
}

fn longest_axis(points: &[(u32, DVec3)], order: &[u32]) -> usize {
    let positions = || order.iter().map(|&ix| points[ix as usize].1);
    let low = positions().fold(DVec3::INFINITY, DVec3::min);
    let high = positions().fold(DVec3::NEG_INFINITY, DVec3::max);
    let size = high - low;
    (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_are_compact_and_keep_to_their_bodies() {
        let mut random = fastrand::Rng::with_seed(4);
        let points: Vec<(u32, DVec3)> =
            (0..1000).map(|ix| (ix % 2, DVec3::new(random.f64(), random.f64(), 0.0))).collect();
        let order = spatial_order(&points);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(ix, &own)| ix == own as usize));
        assert!(order.windows(2).all(|pair| points[pair[0] as usize].0 <= points[pair[1] as usize].0));
        // Sixteen of 500 points in a unit square: a compact subtree has sides of about 0.18.
        let sides = |chunk: &[u32]| {
            let axis = |axis: usize| {
                let values = chunk.iter().map(|&ix| points[ix as usize].1[axis]);
                values.clone().fold(0.0, f64::max) - values.fold(1.0, f64::min)
            };
            axis(0) + axis(1)
        };
        let mean = |order: &[u32]| order.chunks(16).map(sides).sum::<f64>() / order.chunks(16).len() as f64;
        assert!(mean(&order) < 0.6, "{}", mean(&order));
        let plain: Vec<u32> = (0..1000).collect();
        assert!(mean(&plain) > 1.0);
        assert_eq!(spatial_order(&points), order);
        assert!(spatial_order(&[]).is_empty());
    }
}
