//! Legend of the colour map: a bar at the right edge, its ends and a title.

use super::{Legend, colour_map};
use image::{Rgb, RgbImage};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

/// Colour of the text, sRGB.
const INK: [u8; 3] = [38, 42, 50];

/// Draws a legend over a finished picture, clipped to it.
pub(super) fn draw(picture: &mut RgbImage, legend: &Legend<'_>) {
    let (width, height) = (i64::from(picture.width()), i64::from(picture.height()));
    let size = if height >= 720 { RasterHeight::Size24 } else { RasterHeight::Size20 };
    let line = size.val() as i64;
    let margin = line / 2;
    let bar_width = (line * 3 / 4).min(width);
    let bar_height = (height * 45 / 100).max(1);
    let right = width - margin;
    let top = (height - bar_height) / 2;

    let title =
        if legend.unit.is_empty() { legend.title.to_owned() } else { format!("{} [{}]", legend.title, legend.unit) };
    write(picture, &title, right, top - line - margin, size);
    for row in 0..bar_height {
        let value = 1.0 - (row as f32 + 0.5) / bar_height as f32;
        for column in right - bar_width..right {
            put(picture, column, top + row, colour_map::shown(value), 1.0);
        }
    }
    let beside = right - bar_width - margin / 2;
    let ends = [legend.high, 0.5 * (legend.low + legend.high), legend.low];
    for (step, value) in (0_i64..).zip(ends) {
        write(picture, &number(value), beside, top + (bar_height - line) * step / 2, size);
    }
}

/// Writes a line that ends at `right`.
fn write(picture: &mut RgbImage, text: &str, right: i64, top: i64, size: RasterHeight) {
    let advance = get_raster_width(FontWeight::Regular, size) as i64;
    let mut left = right - advance * text.chars().count() as i64;
    for letter in text.chars() {
        let raster =
            get_raster(letter, FontWeight::Regular, size).or_else(|| get_raster('?', FontWeight::Regular, size));
        for (row, shades) in (top..).zip(raster.iter().flat_map(|raster| raster.rows())) {
            for (column, shade) in (left..).zip(shades.iter()) {
                put(picture, column, row, INK, f32::from(*shade) / 255.0);
            }
        }
        left += advance;
    }
}

/// Blends a colour over a pixel, if it is inside the picture.
fn put(picture: &mut RgbImage, column: i64, row: i64, colour: [u8; 3], cover: f32) {
    let (Ok(column), Ok(row)) = (u32::try_from(column), u32::try_from(row)) else { return };
    if let Some(pixel) = picture.get_pixel_mut_checked(column, row) {
        let mix = |old: u8, new: u8| (f32::from(old) + cover * (f32::from(new) - f32::from(old)) + 0.5) as u8;
        *pixel = Rgb(std::array::from_fn(|ix| mix(pixel.0[ix], colour[ix])));
    }
}

/// A number with three significant digits.
fn number(value: f32) -> String {
    let size = value.abs();
    if size == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    match size.log10().floor() as i32 {
        exponent @ -2..=2 => format!("{value:.*}", (2 - exponent) as usize),
        3..=4 => format!("{value:.0}"),
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let cases =
            [(0.0, "0"), (0.0123, "0.0123"), (0.5, "0.500"), (7.25, "7.25"), (123.4, "123"), (54321.0, "54321")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(1.5e-6), "1.50e-6");
        assert_eq!(number(-2.0e9), "-2.00e9");
    }

    #[test]
    fn a_legend_has_both_ends_of_the_colour_map_and_text_of_its_own() {
        let draw_with = |title: &str| {
            let mut picture = RgbImage::from_pixel(320, 240, Rgb([220; 3]));
            draw(&mut picture, &Legend { title, low: 0.0, high: 2.0, unit: "m/s" });
            picture
        };
        let picture = draw_with("velocity");
        // The bar ends 10 pixels before the edge and is 108 high.
        for (row, value) in [(67, 1.0), (172, 0.0)] {
            let found = picture.get_pixel(305, row).0;
            let expected = colour_map::shown(value);
            assert!((0..3).all(|ix| found[ix].abs_diff(expected[ix]) < 12), "{found:?}, not {expected:?}");
        }
        assert!(picture.enumerate_pixels().any(|(column, row, pixel)| column < 290 && row < 60 && pixel.0[0] < 90));
        assert_ne!(picture, draw_with("strain"));
    }

    #[test]
    fn a_legend_fits_no_picture_too_small() {
        for side in [1, 7, 30] {
            let mut picture = RgbImage::new(side, side);
            draw(&mut picture, &Legend { title: "ümläut", low: f32::NAN, high: f32::INFINITY, unit: "" });
        }
    }
}
