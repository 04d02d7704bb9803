//! From triangles to pixels: a sample buffer per band of rows, shaded and averaged.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::raster::{RasterTriangle, SUBPIXELS};
use super::shade::Scene;
use super::tone;

/// Samples per pixel.
pub(super) const SAMPLE_COUNT: usize = 8;
/// Where the samples of a pixel are, in sixteenths from its corner: no two share a row or a
/// column, so near-level and near-upright edges get as many steps as there are samples.
const SAMPLES: [[i64; 2]; SAMPLE_COUNT] = [[9, 5], [7, 11], [13, 9], [5, 3], [3, 13], [1, 7], [11, 15], [15, 1]];
/// Rows drawn together; small enough for the samples of a band to stay in cache.
const BAND_ROWS: u32 = 8;
const NOTHING: u32 = u32::MAX;

/// A triangle on the picture and its number in the mesh.
struct Piece {
    raster: RasterTriangle,
    triangle: u32,
}

/// Draws the whole picture.
pub(super) fn draw(scene: &Scene<'_>) -> image::RgbImage {
    let (width, height) = (scene.view.width, scene.view.height);
    let pieces = pieces(scene);
    let mut bands = vec![Vec::new(); height.div_ceil(BAND_ROWS) as usize];
    for (index, piece) in pieces.iter().enumerate() {
        let rows = piece.raster.rows(height);
        if !rows.is_empty() {
            for band in rows.start / BAND_ROWS..=(rows.end - 1) / BAND_ROWS {
                bands[band as usize].push(index);
            }
        }
    }

    let mut image = image::RgbImage::new(width, height);
    let band_bytes = 3 * width as usize * BAND_ROWS as usize;
    image.par_chunks_mut(band_bytes).zip(&bands).enumerate().for_each(|(band, (bytes, members))| {
        let first_row = band as u32 * BAND_ROWS;
        let members = members.iter().map(|index| &pieces[*index]);
        draw_band(scene, first_row, members, bytes);
    });
    image
}

/// Every triangle in front of the eye, cut where it crosses the near plane.
fn pieces(scene: &Scene<'_>) -> Vec<Piece> {
    let view = scene.view;
    let near = 1.0e-3 * scene.mesh.bounds.radius();
    let mut pieces = Vec::with_capacity(scene.mesh.triangles.len());
    for (number, triangle) in scene.mesh.triangles.iter().enumerate() {
        let corners = scene.mesh.corners(triangle).map(|corner| view.local(corner));
        let (polygon, count) = cut_near(corners, near);
        let projected = polygon.map(|local| view.project_local(local).extend(1.0 / local.z));
        for last in 2..count {
            let fan = [projected[0], projected[last - 1], projected[last]];
            if let Some(raster) = RasterTriangle::new(fan) {
                let triangle = number as u32;
                pieces.push(Piece { raster, triangle });
            }
        }
    }
    pieces
}

/// The part of a triangle beyond depth `near`: up to four corners, and how many.
fn cut_near(corners: [Vec3; 3], near: f32) -> ([Vec3; 4], usize) {
    let mut polygon = [Vec3::Z; 4];
    let mut count = 0;
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        if from.z >= near {
            polygon[count] = from;
            count += 1;
        }
        if (from.z >= near) != (to.z >= near) {
            polygon[count] = from.lerp(to, (near - from.z) / (to.z - from.z));
            count += 1;
        }
    }
    (polygon, count)
}

/// Draws the rows from `first_row` that `bytes` has room for.
fn draw_band<'a>(scene: &Scene<'_>, first_row: u32, members: impl Iterator<Item = &'a Piece>, bytes: &mut [u8]) {
    let width = scene.view.width;
    let row_count = (bytes.len() / (3 * width as usize)) as u32;
    let sample_count = (width * row_count) as usize * SAMPLE_COUNT;
    // Inverse depth: larger is nearer, zero is infinitely far.
    let mut nearest = vec![(0.0_f32, NOTHING); sample_count];
    for (index, kept) in nearest.iter_mut().enumerate() {
        let (pixel, sample) = (index as u32 / SAMPLE_COUNT as u32, index % SAMPLE_COUNT);
        let corner = Vec2::new((pixel % width) as f32, (first_row + pixel / width) as f32);
        let place = SAMPLES[sample].map(|sixteenths| sixteenths as f32 / 16.0);
        kept.0 = scene.backdrop.hiding_depth(scene.view.eye, scene.view.ray(corner + Vec2::from_array(place)));
    }
    for piece in members {
        for (sample, place) in SAMPLES.iter().enumerate() {
            let place = place.map(|sixteenths| sixteenths * SUBPIXELS / 16);
            let rows = first_row..first_row + row_count;
            piece.raster.cover(0..width, rows, place, |column, row, inverse_depth| {
                let pixel = ((row - first_row) * width + column) as usize;
                let kept = &mut nearest[pixel * SAMPLE_COUNT + sample];
                if inverse_depth > kept.0 {
                    *kept = (inverse_depth, piece.triangle);
                }
            });
        }
    }

    let pixels = bytes.chunks_exact_mut(3).zip(nearest.chunks_exact(SAMPLE_COUNT));
    for (index, (bytes, samples)) in pixels.enumerate() {
        let column = index as u32 % width;
        let row = first_row + index as u32 / width;
        let corner = Vec2::new(column as f32, row as f32);
        bytes.copy_from_slice(&tone::encode(pixel_light(scene, corner, samples)));
    }
}

/// Average light of the samples of the pixel at `corner`.
fn pixel_light(scene: &Scene<'_>, corner: Vec2, samples: &[(f32, u32)]) -> Vec3 {
    let step = if is_continuous(samples) { 2 } else { 1 };
    let mut light = Vec3::ZERO;
    let mut open = 0.0;
    for (sample, (_, triangle)) in samples.iter().enumerate().step_by(step) {
        if *triangle == NOTHING {
            open += 1.0;
        } else {
            let place = SAMPLES[sample].map(|sixteenths| sixteenths as f32 / 16.0);
            light += scene.cloth(*triangle as usize, corner + Vec2::from_array(place), sample);
        }
    }
    if open > 0.0 {
        // Nothing behind the mesh has sharp edges: once per pixel is enough.
        light += open * scene.behind(corner + 0.5);
    }
    light * (step as f32 / samples.len() as f32)
}

/// Whether all samples are on one stretch of cloth. Colour varies little across it, so that half
/// of the samples will do; outlines and overlaps, where the eye sees steps, keep them all.
fn is_continuous(samples: &[(f32, u32)]) -> bool {
    let mut least = f32::INFINITY;
    let mut most = 0.0_f32;
    let is_open = |triangle: &u32| *triangle == NOTHING;
    for (inverse_depth, triangle) in samples {
        if is_open(triangle) != is_open(&samples[0].1) {
            return false;
        }
        least = least.min(*inverse_depth);
        most = most.max(*inverse_depth);
    }
    most - least <= 0.002 * least
}
