//! A tree of boxes, to find the nearest item without testing all. A grid would do for even meshes; for a mesh with long and short
//! sides its cells are too many or too full.

use glam::DVec3;
use std::ops::Range;

/// Largest number of items in a leaf.
const LEAF: usize = 4;

struct Node {
    low: DVec3,
    high: DVec3,
    content: Content,
}

enum Content {
    /// Range in `items`.
    Items(Range<usize>),
    /// Indices in `nodes`.
    Halves([usize; 2]),
}

/// A tree of numbered boxes.
pub struct BoxTree {
    items: Vec<usize>,
    nodes: Vec<Node>,
}

impl BoxTree {
    /// A tree of at least one box, each given by two corners.
    pub fn new(boxes: &[[DVec3; 2]]) -> Self {
        let mut tree = Self { items: (0..boxes.len()).collect(), nodes: Vec::new() };
        tree.build_node(0..boxes.len(), boxes);
        tree
    }

    /// Builds the node of a range of items and all below it; returns its index.
    fn build_node(&mut self, range: Range<usize>, boxes: &[[DVec3; 2]]) -> usize {
        let items = &mut self.items[range.clone()];
        let low = items.iter().fold(DVec3::INFINITY, |low, &item| low.min(boxes[item][0]));
        let high = items.iter().fold(DVec3::NEG_INFINITY, |high, &item| high.max(boxes[item][1]));
        let place = self.nodes.len();
        self.nodes.push(Node { low, high, content: Content::Items(range.clone()) });
        if range.len() > LEAF {
            let axis = (high - low).max_position();
            let centre = |item: usize| boxes[item][0][axis] + boxes[item][1][axis];
            let half = range.len() / 2;
            items.select_nth_unstable_by(half, |&a, &b| centre(a).total_cmp(&centre(b)));
            let middle = range.start + half;
            let halves = [self.build_node(range.start..middle, boxes), self.build_node(middle..range.end, boxes)];
            self.nodes[place].content = Content::Halves(halves);
        }
        place
    }

    /// The nearest item and its distance; the first of equals. `distance` of an item must be at least that of its box.
    pub fn nearest(&self, point: DVec3, distance: impl Fn(usize) -> f64) -> (usize, f64) {
        let mut best = (usize::MAX, f64::INFINITY);
        let mut open = vec![(0, self.to_box(0, point))];
        while let Some((place, least)) = open.pop() {
            if least > best.1 {
                continue;
            }
            match &self.nodes[place].content {
                Content::Items(range) => {
                    for &item in &self.items[range.clone()] {
                        let found = distance(item);
                        if found < best.1 || found == best.1 && item < best.0 {
                            best = (item, found);
                        }
                    }
                }
                Content::Halves(halves) => {
                    let mut halves = halves.map(|half| (half, self.to_box(half, point)));
                    // The nearer half is visited first.
                    halves.sort_by(|a, b| b.1.total_cmp(&a.1));
                    open.extend(halves);
                }
            }
        }
        // Rounding may have made every distance infinite.
        (best.0.min(self.items.len() - 1), best.1)
    }

    fn to_box(&self, place: usize, point: DVec3) -> f64 {
        let Node { low, high, .. } = &self.nodes[place];
        point.distance(point.clamp(*low, *high))
    }
}
