//! Placement of labels, so that they cover neither each other nor points.

/// Bounding box of a label, pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelBox {
    pub left: i32,
    pub top: i32,
    pub width: i32,
    pub height: i32,
    /// Whether the label is on the left of its point and ends there.
    pub ends: bool,
}

impl LabelBox {
    fn overlaps(&self, other: &LabelBox) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }
}

/// Finds a box beside each point for its label: on the right if possible, else on the left, and further up and down.
pub fn arrange(points: &[((i32, i32), &str)], character_width: i32, height: i32) -> Vec<LabelBox> {
    const RADIUS: i32 = 6;
    let mut taken: Vec<LabelBox> = points
        .iter()
        .map(|((x, y), _)| LabelBox {
            left: x - RADIUS,
            top: y - RADIUS,
            width: 2 * RADIUS,
            height: 2 * RADIUS,
            ends: false,
        })
        .collect();
    let mut places = Vec::with_capacity(points.len());
    for ((x, y), text) in points {
        let width = character_width * text.chars().count() as i32;
        let right = |top: i32| LabelBox { left: x + RADIUS + 3, top, width, height, ends: false };
        let left = |top: i32| LabelBox { left: x - RADIUS - 3 - width, top, width, height, ends: true };
        let beside = |distance: i32| {
            [
                right(y - height / 2 + distance),
                right(y - height / 2 - distance),
                left(y - height / 2 - distance),
                left(y - height / 2 + distance),
            ]
        };
        let mut candidates = (0..4).flat_map(|ring| beside(ring * height));
        let place = candidates
            .find(|place| taken.iter().all(|other| !place.overlaps(other)))
            .unwrap_or_else(|| right(y - height / 2));
        taken.push(place);
        places.push(place);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_close_points_stay_apart() {
        let points = [((100, 100), "first"), ((104, 101), "second"), ((102, 108), "third"), ((300, 100), "far")];
        let places = arrange(&points, 7, 14);
        for (ix, place) in places.iter().enumerate() {
            assert!(places[ix + 1..].iter().all(|other| !place.overlaps(other)), "{places:?}");
        }
        assert_eq!(places[3], LabelBox { left: 309, top: 93, width: 21, height: 14, ends: false });
    }
}
