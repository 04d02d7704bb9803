//! Woven cloth on a quadrilateral grid, after Etzmuß chapter 2. His forces are densities; here every edge has the width of cloth it
//! stands for, and every particle its area, so that moduli hold at any resolution, on borders, and in cells that are no rectangles.

use super::{Collector, at};
use crate::{
    Body, Cubic, Error, SpringLaw, Weave, WeaveBending,
    forces::{
        projected_pair::ProjectedPairRest,
        shear_printed::ShearPrintedRest,
        weave_cell::{WeaveCellParameters, WeaveCellRest},
    },
    scene::GridShape,
    topology::{Edge, EdgeMaterial, ElementModel, limits, springs},
};
use std::collections::BTreeMap;

/// Lengths and areas of a grid at rest.
struct Rest<'a> {
    body: &'a Body,
    columns: u32,
    rows: u32,
}

/// One of the grid's two families of lines.
#[derive(Clone, Copy, PartialEq)]
enum Line {
    /// Along rows: u.
    Weft,
    /// Along columns: v.
    Warp,
}

impl Collector<'_> {
    pub(super) fn add_weave(&mut self, body: &Body, weave: &Weave) -> Result<(), Error> {
        let name = "weave";
        let Some(GridShape { columns, rows }) = body.mesh.grid else {
            let message = "is for grids; other triangle meshes have a membrane".to_owned();
            return Err(Error::scene(format!("{}.material.{name}", self.field), message));
        };
        for (part, value) in [
            ("shear", weave.shear),
            ("shear_viscosity", weave.shear_viscosity),
            ("contraction_viscosity", weave.contraction_viscosity),
            ("bending_weft", weave.bending_weft),
            ("bending_warp", weave.bending_warp),
            ("bending_viscous_time", weave.bending_viscous_time),
        ] {
            self.check(name, part, value)?;
        }
        let rest = Rest { body, columns, rows };
        self.require(name, rest.cells().next().is_none(), "cells (it has one row or column)")?;
        for (column, row) in rest.cells() {
            self.not_zero(rest.cell_area(column, row), || format!("the grid's cell {column}, {row} has no area"))?;
            let shortest = rest.cell_lengths(column, row).into_iter().fold(f64::INFINITY, f64::min);
            self.not_zero(shortest, || format!("the grid's cell {column}, {row} has a side without length"))?;
        }
        self.add_tension(&rest, weave)?;
        self.check_contraction(&rest, weave)?;
        self.add_cells(&rest, weave)?;
        if weave.printed {
            self.add_printed_shear(&rest, weave)?;
        }
        match (weave.bending, weave.printed) {
            (WeaveBending::None, _) => Ok(()),
            (WeaveBending::ThinPlate, false) => {
                let viscous_time = weave.bending_viscous_time.into();
                self.couple(body, name, viscous_time, rest.thin_plate(weave))
            }
            (WeaveBending::ThinPlate, true) => self.add_projected(weave, rest.bilaplacian(weave)),
            (WeaveBending::Membrane, _) => self.add_projected(weave, rest.laplacian(weave)),
        }
    }

    /// Checks that elastic and viscous contraction do not exceed the resistance along weft and warp; the sum would be unstable.
    fn check_contraction(&self, rest: &Rest<'_>, weave: &Weave) -> Result<(), Error> {
        let modulus = |line: Line, law: SpringLaw| match law {
            // The slope depends on the length of an edge; the smallest counts.
            SpringLaw::CubicCoefficients { a, b, c, .. } => {
                let slope = |l: f64| f64::from(c) + l * (2.0 * f64::from(b) + 3.0 * f64::from(a) * l);
                rest.edges(line).iter().map(|(ends, _)| slope(rest.length(*ends))).fold(f64::INFINITY, f64::min)
            }
            law => slope_at_rest(law),
        };
        let moduli = [modulus(Line::Weft, weave.weft.law), modulus(Line::Warp, weave.warp.law)];
        let dampings = [weave.weft.damping, weave.warp.damping].map(f64::from);
        let parts = [
            ("contraction", weave.contraction, moduli, "√(weft · warp)"),
            ("contraction_viscosity", weave.contraction_viscosity, dampings, "√(weft.damping · warp.damping)"),
        ];
        for (part, value, [weft, warp], bound) in parts {
            let limit = (weft.max(0.0) * warp.max(0.0)).sqrt();
            // Values were rounded to f32, so that the bound itself must pass.
            if !value.is_finite() || f64::from(value.abs()) > limit * (1.0 + f64::from(f32::EPSILON)) {
                let message = format!("must not exceed {bound} = {limit:.6} in size, not {value}");
                return Err(self.wrong("weave", part, message));
            }
        }
        Ok(())
    }

    /// Algorithm 1: springs k w / l, w the width of cloth an edge stands for.
    fn add_tension(&mut self, rest: &Rest<'_>, weave: &Weave) -> Result<(), Error> {
        for (line, part, spring) in [(Line::Weft, "weft", &weave.weft), (Line::Warp, "warp", &weave.warp)] {
            let field = format!("{}.material.weave.{part}", self.field);
            if matches!(spring.law, SpringLaw::Distance { .. }) {
                let message = "must be by modulus, N/m: the distance law knows lengths, not widths of cloth";
                return Err(Error::scene(field, message));
            }
            let Some(made_of) = EdgeMaterial::of_spring(spring, &field)? else { continue };
            let material = springs::material_ix(made_of, &field, self.edge_materials)?;
            for (ends, width) in rest.edges(line) {
                let rest_length = rest.length(ends);
                let ends = ends.map(|vertex| self.first + vertex);
                let weight = width / rest_length;
                let edge = Edge { ends, rest_length, weight, material, scalar: 0.0, structural: true };
                limits::check_edge(&made_of, &edge, &field)?;
                self.edges.push(edge);
            }
        }
        Ok(())
    }

    /// Adds shear as an energy, unless the printed forces are asked for, and transverse contraction.
    fn add_cells(&mut self, rest: &Rest<'_>, weave: &Weave) -> Result<(), Error> {
        let [shear, shear_damping] =
            if weave.printed { [0.0; 2] } else { [weave.shear, weave.shear_viscosity].map(f64::from) };
        let parameters = WeaveCellParameters {
            shear,
            contraction: weave.contraction.into(),
            shear_damping,
            contraction_damping: weave.contraction_viscosity.into(),
        };
        if parameters.pack() == [0.0; 8] {
            return Ok(());
        }
        let material = self.material("weave", ElementModel::WeaveCell, parameters.pack())?;
        for (column, row) in rest.cells() {
            let corners = rest.cell(column, row);
            let [a, b, c, d] = corners.map(|vertex| at(rest.body, vertex));
            let lengths = rest.cell_lengths(column, row);
            let [u0, u1, v0, v1] = lengths;
            let along = 0.5 * ((b - a) / u0 + (d - c) / u1);
            let across = 0.5 * ((c - a) / v0 + (d - b) / v1);
            let measures = WeaveCellRest { lengths, area: rest.cell_area(column, row), shear: along.dot(across) };
            self.push("weave", &corners, measures.pack(), material)?;
        }
        Ok(())
    }

    /// Algorithm 2 with its boundary rule: a missing neighbour is replaced by the particle itself.
    fn add_printed_shear(&mut self, rest: &Rest<'_>, weave: &Weave) -> Result<(), Error> {
        if weave.shear == 0.0 && weave.shear_viscosity == 0.0 {
            return Ok(());
        }
        let material = self.material("weave", ElementModel::ShearPrinted, [0.0; 8])?;
        for row in 0..rest.rows {
            for column in 0..rest.columns {
                let own = rest.vertex(column, row);
                let neighbours = rest.neighbours(column, row);
                let [left, upper, right, lower] = neighbours.map(|neighbour| neighbour.unwrap_or(own));
                let spacing = neighbours.iter().flatten().map(|&other| rest.length([own, other])).sum::<f64>()
                    / neighbours.iter().flatten().count().max(1) as f64;
                let scale = 1.0 / (8.0 * spacing * spacing);
                let measures = ShearPrintedRest {
                    elastic: f64::from(weave.shear) * scale,
                    viscous: f64::from(weave.shear_viscosity) * scale,
                    scale: rest.area(own) / (2.0 * spacing),
                };
                self.push("weave", &[left, upper, right, lower], measures.pack(), material)?;
            }
        }
        Ok(())
    }

    /// Couplings along the surface's normals: algorithms 3 and 4.
    fn add_projected(
        &mut self,
        weave: &Weave,
        couplings: impl IntoIterator<Item = ([u32; 2], f64)>,
    ) -> Result<(), Error> {
        self.require("weave.bending", self.body.mesh.triangles.is_empty(), "triangles (along their normals)")?;
        let material = self.material("weave", ElementModel::ProjectedPair, [0.0; 8])?;
        for (pair, stiffness) in couplings {
            let damping = stiffness * f64::from(weave.bending_viscous_time);
            let rest = ProjectedPairRest { stiffness, damping, printed: weave.printed };
            self.push("weave", &pair, rest.pack(), material)?;
        }
        Ok(())
    }
}

impl Rest<'_> {
    fn vertex(&self, column: u32, row: u32) -> u32 {
        row * self.columns + column
    }

    fn length(&self, [a, b]: [u32; 2]) -> f64 {
        at(self.body, a).distance(at(self.body, b))
    }

    /// Neighbours of a vertex: left, upper, right, lower.
    fn neighbours(&self, column: u32, row: u32) -> [Option<u32>; 4] {
        [
            (column > 0).then(|| self.vertex(column - 1, row)),
            (row > 0).then(|| self.vertex(column, row - 1)),
            (column + 1 < self.columns).then(|| self.vertex(column + 1, row)),
            (row + 1 < self.rows).then(|| self.vertex(column, row + 1)),
        ]
    }

    fn cells(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let columns = self.columns;
        (1..self.rows).flat_map(move |row| (1..columns).map(move |column| (column - 1, row - 1)))
    }

    /// Corners of a cell in the order of `forces/weave_cell`: along u first.
    fn cell(&self, column: u32, row: u32) -> [u32; 4] {
        let at = |right, down| self.vertex(column + right, row + down);
        [at(0, 0), at(1, 0), at(0, 1), at(1, 1)]
    }

    /// Lengths of the sides of a cell: along u twice, along v twice.
    fn cell_lengths(&self, column: u32, row: u32) -> [f64; 4] {
        let [a, b, c, d] = self.cell(column, row);
        [[a, b], [c, d], [a, c], [b, d]].map(|side| self.length(side))
    }

    fn cell_area(&self, column: u32, row: u32) -> f64 {
        let [a, b, c, d] = self.cell(column, row).map(|vertex| at(self.body, vertex));
        0.5 * (d - a).cross(c - b).length()
    }

    /// Cells around a vertex.
    fn cells_at(&self, vertex: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (column, row) = (vertex % self.columns, vertex / self.columns);
        let (columns, rows) = (self.columns, self.rows);
        let offsets = [(1, 1), (0, 1), (1, 0), (0, 0)];
        offsets.into_iter().filter_map(move |(left, up)| {
            let (column, row) = (column.checked_sub(left)?, row.checked_sub(up)?);
            (column + 1 < columns && row + 1 < rows).then_some((column, row))
        })
    }

    /// Area of a particle: a quarter of each cell around it.
    fn area(&self, vertex: u32) -> f64 {
        self.cells_at(vertex).map(|(column, row)| 0.25 * self.cell_area(column, row)).sum()
    }

    /// Edges of one family, with the width of cloth each stands for: half of each cell beside it.
    fn edges(&self, line: Line) -> Vec<([u32; 2], f64)> {
        let mut edges = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let own = self.vertex(column, row);
                let [_, _, right, lower] = self.neighbours(column, row);
                let Some(other) = (if line == Line::Weft { right } else { lower }) else { continue };
                let beside = self.cells_at(own).filter(|cell| self.cells_at(other).any(|known| known == *cell));
                let width = beside.map(|(column, row)| {
                    let [u0, u1, v0, v1] = self.cell_lengths(column, row);
                    let mean = if line == Line::Weft { 0.5 * (u0 + u1) } else { 0.5 * (v0 + v1) };
                    0.5 * self.cell_area(column, row) / mean
                });
                edges.push(([own, other], width.sum()));
            }
        }
        edges
    }

    /// ½ B₁ |s_uu|² + ½ B₂ |s_vv|² over the area of each particle that has neighbours on both sides, as couplings.
    fn thin_plate(&self, weave: &Weave) -> Vec<([u32; 2], f64)> {
        let mut sums = BTreeMap::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let own = self.vertex(column, row);
                let [left, upper, right, lower] = self.neighbours(column, row);
                for (before, after, modulus) in [(left, right, weave.bending_weft), (upper, lower, weave.bending_warp)]
                {
                    let (Some(before), Some(after)) = (before, after) else { continue };
                    let (l, r) = (self.length([before, own]), self.length([own, after]));
                    let weights = [2.0 / (l * (l + r)), -2.0 / (l * r), 2.0 / (r * (l + r))];
                    let stiffness = f64::from(modulus) * self.area(own);
                    let particles = [before, own, after];
                    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
                        add(&mut sums, [particles[a], particles[b]], -stiffness * weights[a] * weights[b]);
                    }
                }
            }
        }
        sums.into_iter().collect()
    }

    /// Algorithm 3: B x_uu along the normal, as couplings along the edges.
    fn laplacian(&self, weave: &Weave) -> Vec<([u32; 2], f64)> {
        let lines = [(Line::Weft, weave.bending_weft), (Line::Warp, weave.bending_warp)];
        let edges = lines.into_iter().flat_map(|(line, modulus)| {
            let coupling = move |(ends, width): ([u32; 2], f64)| (ends, width, modulus);
            self.edges(line).into_iter().map(coupling)
        });
        edges.map(|(ends, width, modulus)| (ends, f64::from(modulus) * width / self.length(ends))).collect()
    }

    /// Algorithm 4: a Laplacian of all edges, then one with the moduli, as couplings. Densities become forces by the mean area of a pair.
    fn bilaplacian(&self, weave: &Weave) -> Vec<([u32; 2], f64)> {
        let count = (self.columns * self.rows) as usize;
        let mut around: Vec<Vec<(u32, f64, f64)>> = vec![Vec::new(); count];
        for (line, modulus) in [(Line::Weft, weave.bending_weft), (Line::Warp, weave.bending_warp)] {
            for (ends, _) in self.edges(line) {
                let inverse = self.length(ends).powi(-2);
                let [a, b] = ends;
                around[a as usize].push((b, inverse, inverse * f64::from(modulus)));
                around[b as usize].push((a, inverse, inverse * f64::from(modulus)));
            }
        }
        // (L x)_i = Σ (x_j - x_i) / l²; S = L_B L, its entry i, j by the particles in between.
        let row = |vertex: u32, weighted: bool| {
            let mut entries = vec![(vertex, 0.0)];
            for &(other, plain, with_modulus) in &around[vertex as usize] {
                let value = if weighted { with_modulus } else { plain };
                entries[0].1 -= value;
                entries.push((other, value));
            }
            entries
        };
        let mut sums = BTreeMap::new();
        for vertex in 0..count as u32 {
            for (middle, outer) in row(vertex, true) {
                for (end, inner) in row(middle, false) {
                    if end != vertex {
                        let area = 0.5 * (self.area(vertex) + self.area(end));
                        // Each of both ends of the pair adds half.
                        add(&mut sums, [vertex, end], -0.5 * outer * inner * area);
                    }
                }
            }
        }
        sums.into_iter().collect()
    }
}

/// Slope of a law at the rest length, N/m; 0 for laws without a modulus.
fn slope_at_rest(law: SpringLaw) -> f64 {
    match law {
        SpringLaw::Linear { stiffness }
        | SpringLaw::Stvk { stiffness }
        | SpringLaw::TensionOnly { stiffness }
        | SpringLaw::Cubic(Cubic { stiffness, .. }) => stiffness.into(),
        // Fibres that resist no tension, and laws without a modulus.
        SpringLaw::Buckling { .. } | SpringLaw::Distance { .. } | SpringLaw::CubicCoefficients { .. } => 0.0,
    }
}

/// Adds a value to the coupling of a pair.
fn add(sums: &mut BTreeMap<[u32; 2], f64>, [a, b]: [u32; 2], value: f64) {
    *sums.entry([a.min(b), a.max(b)]).or_insert(0.0) += value;
}
