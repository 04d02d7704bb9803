//! Tests of whole pictures.

use glam::{Vec2, Vec3};
use image::{Rgb, RgbImage};

use crate::{Gpu, Pose, Shape};

use super::{Camera, Painter, Picture, Positions, Solid, Surface};

pub(super) const RED: [f32; 3] = [0.6, 0.03, 0.03];
const GREEN: [f32; 3] = [0.03, 0.6, 0.03];
pub(super) const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// An upright square of side one around (0, 0, z), facing +z.
pub(super) fn square(z: f32) -> [Vec3; 4] {
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| Vec3::new(x, y, z))
}

pub(super) fn surface<'a>(positions: &'a [Vec3], colour: [f32; 3]) -> Surface<'a> {
    Surface { positions: Positions::Slice(positions), triangles: &SQUARE, colour, rest_coordinates: &[], values: &[] }
}

pub(super) fn gpu() -> Gpu {
    static SHARED: std::sync::OnceLock<Gpu> = std::sync::OnceLock::new();
    SHARED.get_or_init(|| Gpu::headless().expect("tests need a GPU adapter")).clone()
}

/// Size and contents of a picture.
#[derive(Clone, Copy)]
pub(super) struct PictureOptions<'a> {
    pub width: u32,
    pub height: u32,
    pub camera: Option<Camera>,
    pub pins: &'a [Vec3],
    pub solids: &'a [Solid<'a>],
}

pub(super) fn render(surfaces: &[Surface<'_>], options: &PictureOptions<'_>) -> RgbImage {
    let PictureOptions { width, height, camera, pins, solids } = *options;
    let mut painter = Painter::new(&gpu(), width, height).unwrap();
    painter.draw(&Picture { surfaces, pins, solids, camera, legend: None }).unwrap()
}

/// A horizontal view towards the origin from a distance of two along `z`, four units high there.
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
    // The square covers a quarter of the height: 30 pixels each way.
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
    // Along the left edge, pixels of one column have several shades.
    let shades: std::collections::BTreeSet<u8> = (48..72).map(|row| picture.get_pixel(65, row).0[0]).collect();
    assert!(shades.len() >= 6, "{shades:?}");
}

#[test]
fn ground_under_the_mesh_is_in_shadow() {
    let lid = square(0.0).map(|corner| Vec3::new(corner.x, 0.3, -corner.y));
    let foot = [Vec3::ZERO, Vec3::new(0.01, 0.0, 0.0), Vec3::new(0.0, 0.01, 0.0)];
    let foot = Surface { triangles: &[[0, 1, 2]], ..surface(&foot, RED) };
    let picture = render(&[surface(&lid, RED), foot], &PictureOptions { camera: None, ..options_from(1.0) });
    let darkest_ground = picture.pixels().filter(|pixel| !is_red(pixel)).map(|pixel| pixel.0[1]).min();
    let lit_ground = picture.get_pixel(80, 119).0[1];
    assert!(darkest_ground.is_some_and(|dark| dark + 50 < lit_ground));
}

#[test]
fn surfaces_around_the_eye_are_cut_at_it() {
    // A floor from far ahead to far behind, one below the eye.
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
    // The upper half is nearer to the eye and appears larger.
    assert!((0.5..0.65).contains(&upper), "{upper}");
    assert_eq!(red(&[plane(0.6)]), 0);
}

#[test]
fn a_ball_is_drawn_round_and_where_it_is() {
    let ball = Shape::Sphere { radius: 0.5 };
    let solid = Solid { shape: &ball, pose: Pose::default(), thickness: 0.0 };
    let picture = render(&[], &PictureOptions { solids: &[solid], ..options_from(1.0) });
    let empty = render(&[], &options_from(1.0));
    let differs = |column: u32, row: u32| {
        let [a, b] = [&picture, &empty].map(|picture| i32::from(picture.get_pixel(column, row).0[1]));
        (a - b).abs() > 25
    };
    // The outline of a sphere four radii away: half-angle asin ¼, tangent 1/√15, 60 pixels per unit.
    assert!(differs(80, 60) && differs(80 - 14, 60) && differs(80, 60 - 14));
    assert!(!differs(80 - 17, 60) && !differs(80 - 14, 60 - 14));
}

#[test]
fn a_leaning_plane_is_drawn_from_its_front_only() {
    let positions = square(0.0);
    let surfaces = [surface(&positions, RED)];
    let plane = |turn: f32| Solid {
        shape: &Shape::Plane,
        pose: Pose { position: -0.6 * Vec3::Z, rotation: glam::Quat::from_rotation_x(turn) },
        thickness: 0.0,
    };
    let corner = |solids: &[Solid<'_>]| {
        let picture = render(&surfaces, &PictureOptions { solids, ..options_from(1.0) });
        assert!(is_red(picture.get_pixel(80, 60)));
        picture.get_pixel(60, 45).0
    };
    let none = corner(&[]);
    let [towards, away] = [1.4, -1.4].map(|turn| corner(&[plane(turn)]));
    assert!(towards[1] + 20 < none[1], "{towards:?} is no darker than {none:?}");
    assert!(away[1].abs_diff(none[1]) < 8, "{away:?} is not {none:?}");
}

#[test]
fn the_same_picture_has_the_same_bits() {
    let positions = square(0.0);
    let surfaces = [surface(&positions, RED)];
    let once = render(&surfaces, &options_from(1.0));
    assert_eq!(render(&surfaces, &options_from(1.0)), once);
    // The second picture of one painter, after another.
    let options = options_from(1.0);
    let mut painter = Painter::new(&gpu(), options.width, options.height).unwrap();
    let first = Picture { surfaces: &surfaces, camera: options.camera, ..Default::default() };
    let moved = square(-0.3);
    let second = [surface(&moved, RED)];
    assert_eq!(painter.draw(&first).unwrap(), once);
    assert_ne!(painter.draw(&Picture { surfaces: &second, ..first }).unwrap(), once);
    assert_eq!(painter.draw(&first).unwrap(), once);
}

#[test]
fn positions_in_a_buffer_give_the_same_picture() {
    let gpu = gpu();
    let positions = square(0.0);
    let mut bytes = vec![[9.0_f32; 4]; 3];
    bytes.extend(positions.map(|place| place.extend(1.0).to_array()));
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 16 * bytes.len() as u64,
        usage,
        mapped_at_creation: false,
    });
    gpu.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(&bytes));
    let framed = PictureOptions { camera: None, ..options_from(1.0) };
    for options in [options_from(1.0), framed] {
        let slice = render(&[surface(&positions, RED)], &options);
        assert!(count(&slice, is_red) > 500);
        let stored = |first, count| Surface {
            positions: Positions::Buffer { buffer: &buffer, first, count },
            ..surface(&positions, RED)
        };
        assert_eq!(render(&[stored(3, 4)], &options), slice);
        // Vertices beyond the end of the buffer are missing, without an error.
        assert_eq!(count(&render(&[stored(5, 4)], &options), is_red), 0);
        assert_eq!(count(&render(&[stored(u32::MAX, u32::MAX)], &options), is_red), 0);
    }
}

#[test]
fn values_are_shown_through_the_colour_map() {
    let positions = square(0.0);
    let shade = |values: &[f32]| {
        let surfaces = [Surface { values, ..surface(&positions, RED) }];
        render(&surfaces, &options_from(1.0)).get_pixel(80, 60).0.map(i32::from)
    };
    let [low, high] = [shade(&[0.0; 4]), shade(&[1.0; 4])];
    // The ends of the colour map are violet and yellow.
    assert!(low[2] > low[1] + 20 && low[0] > low[1] + 20, "{low:?}");
    assert!(high[0] > high[2] + 60 && high[1] > high[2] + 60, "{high:?}");
    assert!(high[1] > low[1] + 80);
    assert!(is_red(&Rgb(shade(&[1.0; 3]).map(|channel| channel as u8))));
}

#[test]
fn a_legend_is_drawn_over_the_picture() {
    let positions = square(0.0);
    let surfaces = [surface(&positions, RED)];
    let mut painter = Painter::new(&gpu(), 320, 240).unwrap();
    let plain = Picture { surfaces: &surfaces, ..Default::default() };
    let legend = super::Legend { title: "strain", low: 0.0, high: 5.0, unit: "%" };
    let without = painter.draw(&plain).unwrap();
    let with = painter.draw(&Picture { legend: Some(legend), ..plain }).unwrap();
    let changed = without.enumerate_pixels().filter(|(column, row, pixel)| with.get_pixel(*column, *row) != *pixel);
    let columns: Vec<u32> = changed.map(|(column, ..)| column).collect();
    assert!(columns.len() > 1000 && columns.iter().all(|column| *column > 160), "{} pixels", columns.len());
}

#[test]
fn what_is_closed_lets_no_light_through() {
    // A sheet seen from the front, facing away from the light above, and the same sheet as one side of a flat body.
    let picture = |triangles: &[[u32; 3]], positions: &[Vec3]| {
        let surfaces = [Surface { triangles, ..surface(positions, [0.6; 3]) }];
        render(&surfaces, &options_from(1.0)).get_pixel(80, 60).0[1]
    };
    let corners = square(0.0).into_iter().chain([Vec3::new(0.0, 0.0, -0.02)]);
    let positions: Vec<Vec3> = corners.map(|corner| glam::Quat::from_rotation_x(1.2) * corner).collect();
    let sheet = picture(&SQUARE, &positions);
    let body = picture(&[[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]], &positions);
    assert!(body < sheet, "{body} against {sheet}");
}

#[test]
fn every_adapter_draws_about_the_same() {
    // `make test` offers SwiftShader in addition to the default driver if chromium is installed.
    let positions = square(0.0);
    let surfaces = [surface(&positions, RED)];
    let ball = Shape::Sphere { radius: 0.3 };
    let solids = [Solid { shape: &ball, pose: Pose { position: 0.4 * Vec3::X, ..Pose::default() }, thickness: 0.0 }];
    let pictures: Vec<RgbImage> = Gpu::adapters()
        .into_iter()
        .map(|adapter| {
            let wanted = crate::GpuOptions { adapter: Some(adapter.info.name), ..Default::default() };
            let mut painter = Painter::new(&Gpu::with_options(wanted).unwrap(), 160, 120).unwrap();
            painter.draw(&Picture { surfaces: &surfaces, solids: &solids, ..Default::default() }).unwrap()
        })
        .collect();
    for picture in &pictures {
        assert!(count(picture, is_red) > 1000);
        let pairs = picture.as_raw().iter().zip(pictures[0].as_raw());
        let sum: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        let mean = sum as f64 / picture.as_raw().len() as f64;
        assert!(mean < 0.5, "{mean} of 255 apart");
    }
}

#[test]
fn a_picture_with_the_camera_it_would_choose_is_the_one_without() {
    let positions = square(0.0);
    let surfaces = [surface(&positions, RED)];
    let pins = [positions[0]];
    let mut painter = Painter::new(&gpu(), 160, 120).unwrap();
    let free = Picture { surfaces: &surfaces, pins: &pins, ..Default::default() };
    let camera = painter.camera(&free, &[]).unwrap().0;
    let held = painter.draw(&Picture { camera: Some(camera), ..free }).unwrap();
    assert_eq!(painter.draw(&free).unwrap(), held);
    let direct = Camera::framing(positions, None, 160, 120);
    assert!(direct.eye.distance(camera.eye) < 0.1, "{} is far from {}", camera.eye, direct.eye);
}
