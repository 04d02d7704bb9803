//! A mesh as its file has it.

use crate::Group;
use glam::{DVec3, Vec2};
use std::collections::HashMap;

/// Most vertices of a mesh.
pub(super) const MAX_VERTICES: usize = 16_777_216;
/// Most triangles, tetrahedra or wires.
pub(super) const MAX_ELEMENTS: usize = 64 << 20;

/// What is wrong with a file, and where; its path is added at the very end.
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

    /// In a line, counted from 1.
    pub fn at(self, line: usize) -> Self {
        Self { line: self.line.or(Some(line)), ..self }
    }

    /// Of a vertex, a triangle, …
    pub fn of(self, field: impl Into<String>) -> Self {
        Self { field: field.into(), ..self }
    }
}

/// What the formats read. Indices may still be out of range, numbers not finite.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// In the unit and with the axes of the file.
    pub positions: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates in any order.
    pub texture: Vec<Vec2>,
    /// Which of them the corners of a triangle have; none, or one entry per triangle.
    pub texture_corners: Vec<[u32; 3]>,
    pub tetrahedra: Vec<[u32; 4]>,
    pub wires: Vec<[u32; 2]>,
    pub groups: Groups,
    /// Where each triangle stands, if there are lines.
    pub lines: Vec<usize>,
    pub numbers: Numbers,
    pub notes: Vec<String>,
}

/// What vertices and elements are called in the file.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Of the first vertex and the first element.
    pub first: u64,
    /// Of every vertex, in a file that gives them names; empty otherwise.
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

/// Named sets of vertices, in the order in which names were met.
#[derive(Debug, Default)]
pub(super) struct Groups {
    all: Vec<Group>,
    places: HashMap<String, usize>,
}

impl Groups {
    /// The place of a group, which is there from now on.
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

    /// With other numbers for the vertices; those that have none any more are left out, and so are groups without any.
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
