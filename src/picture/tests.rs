//! Whole pictures: what is drawn where.

use glam::{Vec2, Vec3};
use image::{Rgb, RgbImage};

use crate::{Pose, Shape};

use super::{Camera, PictureOptions, Solid, Surface, render};

pub(super) const RED: [f32; 3] = [0.6, 0.03, 0.03];
const GREEN: [f32; 3] = [0.03, 0.6, 0.03];
pub(super) const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// An upright square of side one around (0, 0, z), facing +z.
pub(super) fn square(z: f32) -> [Vec3; 4] {
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| Vec3::new(x, y, z))
}

pub(super) fn surface<'a>(positions: &'a [Vec3], colour: [f32; 3]) -> Surface<'a> {
    Surface { positions, triangles: &SQUARE, colour, rest_coordinates: &[] }
}

/// A level view towards the origin from a distance of two along `z`, spanning four units there.
pub(super) fn options_from(z: f32) -> PictureOptions<'static> {
    PictureOptions {
        width: 160,
        height: 120,
        camera: Some(Camera {
            eye: Vec3::new(0.0, 0.0, 2.0 * z),
            target: Vec3::ZERO,
            up: Vec3::Y,
            vertical_field_of_view: 90.0_f32.to_radians(),
        }),
        pins: &[],
        solids: &[],
    }
}

fn is_red(pixel: &Rgb<u8>) -> bool {
    let [red, green, blue] = pixel.0.map(i32::from);
    red > green + 30 && red > blue + 30
}

fn is_green(pixel: &Rgb<u8>) -> bool {
    let [red, green, blue] = pixel.0.map(i32::from);
    green > red + 30 && green > blue + 30
}

fn count(picture: &RgbImage, test: fn(&Rgb<u8>) -> bool) -> usize {
    picture.pixels().filter(|pixel| test(pixel)).count()
}

#[test]
fn square_covers_its_share_of_the_picture() {
    let picture = render(&[surface(&square(0.0), RED)], &options_from(1.0));
    assert_eq!(picture.dimensions(), (160, 120));
    // A quarter of the height: 30 pixels each way.
    let covered = count(&picture, is_red);
    assert!((870..=930).contains(&covered), "{covered} pixels are red");
    assert!(is_red(picture.get_pixel(80, 60)));
    assert!(!is_red(picture.get_pixel(80, 40)) && !is_red(picture.get_pixel(60, 60)));
}

#[test]
fn nearer_square_hides_farther_one() {
    let (near, far) = (square(0.5), square(-0.5));
    let (red, green) = (surface(&near, RED), surface(&far, GREEN));
    for order in [[red, green], [green, red]] {
        let picture = render(&order, &options_from(1.0));
        assert!(count(&picture, is_red) > 1000);
        assert_eq!(count(&picture, is_green), 0);
        let behind = render(&order, &options_from(-1.0));
        assert!(count(&behind, is_green) > 1000);
        assert_eq!(count(&behind, is_red), 0);
    }
}

#[test]
fn both_sides_are_drawn_and_the_back_is_darker() {
    let positions = square(0.0);
    let surfaces = [surface(&positions, RED)];
    let front = render(&surfaces, &options_from(1.0));
    let back = render(&surfaces, &options_from(-1.0));
    assert!(count(&front, is_red).abs_diff(count(&back, is_red)) < 20);
    let (front, back) = (front.get_pixel(80, 60).0, back.get_pixel(80, 60).0);
    assert!(back[0] + 10 < front[0], "front {front:?}, back {back:?}");
}

#[test]
fn outlines_are_smooth() {
    let tilted = square(0.0).map(|corner| {
        let turned = Vec2::from_angle(0.1).rotate(corner.truncate());
        turned.extend(corner.z)
    });
    let picture = render(&[surface(&tilted, [0.0; 3])], &options_from(1.0));
    // Down the left edge, pixels of one column pass through several shades.
    let shades: std::collections::BTreeSet<u8> = (48..72).map(|row| picture.get_pixel(65, row).0[0]).collect();
    assert!(shades.len() >= 6, "{shades:?}");
}

#[test]
fn ground_under_the_mesh_is_in_shadow() {
    let lid = square(0.0).map(|corner| Vec3::new(corner.x, 0.3, -corner.y));
    let foot = [Vec3::ZERO, Vec3::new(0.01, 0.0, 0.0), Vec3::new(0.0, 0.01, 0.0)];
    let foot = Surface { positions: &foot, triangles: &[[0, 1, 2]], colour: RED, rest_coordinates: &[] };
    let picture =
        render(&[surface(&lid, RED), foot], &PictureOptions { width: 160, height: 120, ..PictureOptions::default() });
    let darkest_ground = picture.pixels().filter(|pixel| !is_red(pixel)).map(|pixel| pixel.0[1]).min();
    let lit_ground = picture.get_pixel(80, 119).0[1];
    assert!(darkest_ground.is_some_and(|dark| dark + 50 < lit_ground));
}

#[test]
fn surfaces_around_the_eye_are_cut_at_it() {
    // A floor that runs from far ahead to far behind, one below the eye.
    let floor = square(0.0).map(|corner| Vec3::new(40.0 * corner.x, -1.0, -40.0 * corner.y));
    let mut options = options_from(0.01);
    options.camera = options.camera.map(|camera| Camera { target: camera.eye - Vec3::Z, ..camera });
    let picture = render(&[surface(&floor, RED)], &options);
    let covered = count(&picture, is_red);
    assert!((8_700..=9_600).contains(&covered), "{covered} pixels are red");
    assert!(picture.rows().take(60).flatten().all(|pixel| !is_red(pixel)));
}

#[test]
fn pins_are_marked() {
    let positions = square(0.0);
    let surfaces = [surface(&positions, RED)];
    let pins = [Vec3::new(0.2, 0.2, 0.05)];
    let [plain, marked] = [&[][..], &pins].map(|pins| {
        let options = PictureOptions { width: 320, height: 320, camera: None, pins, solids: &[] };
        count(&render(&surfaces, &options), |pixel| pixel.0[0] < 70)
    });
    assert_eq!(plain, 0);
    assert!(marked > 4, "{marked} pixels are dark");
}

#[test]
fn a_solid_ground_hides_what_is_below_it() {
    let lid = square(0.0).map(|corner| Vec3::new(corner.x, corner.y, 0.3));
    let plane = |y: f32| Solid {
        shape: &Shape::Plane,
        pose: Pose { position: Vec3::Y * y, ..Pose::default() },
        thickness: 0.0,
    };
    let eye = Camera { eye: Vec3::new(0.0, 1.0, 2.0), ..options_from(1.0).camera.unwrap() };
    let red = |solids: &[Solid<'_>]| {
        let options = PictureOptions { camera: Some(eye), solids, ..options_from(1.0) };
        count(&render(&[surface(&lid, RED)], &options), is_red)
    };
    let all = red(&[]);
    // Pixels of the outline mix with another shade of the ground.
    assert!(red(&[plane(-0.6)]).abs_diff(all) < 10);
    let upper = red(&[plane(0.0)]) as f32 / all as f32;
    // The upper half is nearer to the eye, and larger.
    assert!((0.5..0.65).contains(&upper), "{upper}");
    assert_eq!(red(&[plane(0.6)]), 0);
}
