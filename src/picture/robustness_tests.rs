//! Tests with invalid input, which is left out and never causes a failure.

use glam::{Vec2, Vec3};

use super::tests::{PictureOptions, RED, SQUARE, gpu, options_from, render, square, surface};
use super::{Camera, Legend, MAXIMUM_SIDE, Painter, Picture, Surface};

#[test]
fn bad_triangles_are_left_out_and_good_ones_stay() {
    let mut positions = square(0.0).to_vec();
    positions.extend([Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(1.0e30)]);
    let rest_coordinates = vec![Vec2::NAN; positions.len()];
    let mut triangles = SQUARE.to_vec();
    triangles.extend([[0, 1, 4], [0, 5, 1], [6, 0, 1], [0, 1, 7], [u32::MAX, 0, 1], [2, 2, 2]]);
    let values = vec![f32::NAN; 3];
    let surfaces = [Surface {
        triangles: &triangles,
        rest_coordinates: &rest_coordinates,
        values: &values,
        ..surface(&positions, RED)
    }];
    let clean = render(&[surface(&positions[..4], RED)], &options_from(1.0));
    assert_eq!(render(&surfaces, &options_from(1.0)), clean);
    let odd_pins = [Vec3::NAN, Vec3::splat(1.0e20)];
    let marked = PictureOptions { pins: &odd_pins, ..options_from(1.0) };
    assert_eq!(render(&surfaces, &marked), clean);
}

#[test]
fn odd_requests_do_not_panic() {
    let positions = square(0.0);
    let point = [Vec3::ONE; 4];
    let colourless = surface(&positions, [f32::NAN, f32::INFINITY, -1.0]);
    let empty = surface(&[], RED);
    let cameras = [
        (Vec3::ZERO, Vec3::ZERO, Vec3::Y, 1.0),
        (Vec3::NAN, Vec3::ZERO, Vec3::Y, 1.0),
        (Vec3::Y, Vec3::ZERO, Vec3::Y, 1.0),
        (Vec3::Z, Vec3::ZERO, Vec3::ZERO, f32::NAN),
        (Vec3::Z, Vec3::ZERO, Vec3::Y, -7.0),
        (Vec3::new(0.0, 0.0, 1.0e-5), Vec3::X, Vec3::Y, 100.0),
        (Vec3::new(0.0, -9.0, 0.0), Vec3::ZERO, Vec3::Y, 1.0),
    ];
    let values = [f32::NAN, f32::INFINITY, -1.0, 7.0];
    let valued = Surface { values: &values, ..surface(&positions, RED) };
    let legend = Some(Legend { title: "", low: f32::NAN, high: 0.0, unit: "?" });
    let mut painter = Painter::new(&gpu(), 24, 18).unwrap();
    for surfaces in [&[][..], &[empty], &[surface(&point, RED), colourless], &[valued]] {
        let cameras = cameras
            .map(|(eye, target, up, vertical_field_of_view)| Some(Camera { eye, target, up, vertical_field_of_view }));
        for camera in cameras.into_iter().chain([None]) {
            let picture = Picture { surfaces, camera, legend, ..Default::default() };
            assert_eq!(painter.draw(&picture).unwrap().dimensions(), (24, 18));
        }
    }
}

#[test]
fn size_is_clamped() {
    for (asked, given) in [((0, 0), (1, 1)), ((u32::MAX, 1), (MAXIMUM_SIDE, 1))] {
        let options = PictureOptions { width: asked.0, height: asked.1, camera: None, ..options_from(1.0) };
        let picture = render(&[surface(&square(0.0), RED)], &options);
        assert_eq!(picture.dimensions(), given);
    }
}
