//! Unchecked mesh data of a file.

use crate::Group;
use glam::{DVec3, Vec2};
use std::collections::HashMap;

/// Largest number of vertices of a mesh.
pub(super) const MAX_VERTICES: usize = 16_777_216;
/// Largest number of triangles, tetrahedra or wires.
pub(super) const MAX_ELEMENTS: usize = 64 << 20;

/// An error in a file with its location; the path is added last.
#[derive(Debug)]
pub(super) struct Wrong {
    pub line: Option<usize>,
    pub field: String,
    pub message: String,
}

impl Wrong {
    pub fn new(message: impl Into<String>) -> Self {
        Self { line: None, field: String::new(), message: message.into() }
    }

    /// The error at a line, counted from 1.
    pub fn at(self, line: usize) -> Self {
        Self { line: self.line.or(Some(line)), ..self }
    }

    /// The error of a vertex, triangle or other field.
    pub fn of(self, field: impl Into<String>) -> Self {
        Self { field: field.into(), ..self }
    }
}

/// Data read by the formats. Indices may still be out of range, numbers not finite.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// Positions in the unit and with the axes of the file.
    pub positions: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates.
    pub texture: Vec<Vec2>,
    /// Indices into `texture` of each triangle's corners; empty, or one entry per triangle.
    pub texture_corners: Vec<[u32; 3]>,
    pub tetrahedra: Vec<[u32; 4]>,
    pub wires: Vec<[u32; 2]>,
    pub groups: Groups,
    /// Line of each triangle, for text files.
    pub lines: Vec<usize>,
    pub numbers: Numbers,
    pub notes: Vec<String>,
}

/// Numbers of vertices and elements in the file.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Number of the first vertex and the first element.
    pub first: u64,
    /// Tag of every vertex, for files that have tags; else empty.
    pub tags: Vec<u64>,
}

impl Numbers {
    pub fn vertex(&self, ix: u32) -> u64 {
        self.tags.get(ix as usize).copied().unwrap_or(self.first + u64::from(ix))
    }

    pub fn element(&self, ix: usize) -> u64 {
        self.first + ix as u64
    }
}

/// Named sets of vertices, in the order of first appearance.
#[derive(Debug, Default)]
pub(super) struct Groups {
    all: Vec<Group>,
    places: HashMap<String, usize>,
}

impl Groups {
    /// Index of a group, which is created if necessary.
    pub fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.all.push(Group { name: name.to_owned(), vertices: Vec::new() });
        self.places.insert(name.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }

    pub fn add(&mut self, place: usize, vertices: &[u32]) {
        self.all[place].vertices.extend_from_slice(vertices);
    }

    /// Groups with new vertex numbers; vertices without one and empty groups are left out.
    pub fn renumbered(&self, number: impl Fn(u32) -> Option<u32>) -> Vec<Group> {
        let groups = self.all.iter().map(|group| {
            let mut vertices: Vec<u32> = group.vertices.iter().filter_map(|&vertex| number(vertex)).collect();
            vertices.sort_unstable();
            vertices.dedup();
            Group { name: group.name.clone(), vertices }
        });
        groups.filter(|group| !group.vertices.is_empty()).collect()
    }
}
