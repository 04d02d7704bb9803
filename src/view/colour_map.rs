//! A perceptually uniform colour map of values, of increasing lightness.

use crate::gpu::layout::picture::COLOURS;
use glam::Vec3;

/// Ten samples of "viridis" (van der Walt and Smith, matplotlib, 2015; dedicated to the public domain), sRGB bytes.
const SAMPLES: [[u8; 3]; COLOURS] = [
    [68, 1, 84],
    [72, 40, 120],
    [62, 74, 137],
    [49, 104, 142],
    [38, 130, 142],
    [31, 158, 137],
    [53, 183, 121],
    [109, 205, 89],
    [180, 222, 44],
    [253, 231, 37],
];

/// The samples in linear light, for the shaders.
pub(crate) fn linear() -> [[f32; 4]; COLOURS] {
    SAMPLES.map(|sample| {
        let [red, green, blue] = sample.map(|byte| decode(f32::from(byte) / 255.0));
        [red, green, blue, 1.0]
    })
}

/// A value clamped to the range of the colour map. NaN becomes 0.
pub(crate) fn sane(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

/// Colour of a value from 0 to 1 without shading, sRGB bytes.
pub(crate) fn shown(value: f32) -> [u8; 3] {
    let place = sane(value) * (COLOURS - 1) as f32;
    let below = (place as usize).min(COLOURS - 2);
    let colours = linear();
    let [low, high] = [colours[below], colours[below + 1]].map(|[red, green, blue, _]| Vec3::new(red, green, blue));
    low.lerp(high, place - below as f32).to_array().map(|channel| (255.0 * encode(channel) + 0.5) as u8)
}

fn decode(srgb: f32) -> f32 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

fn encode(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_shown_as_they_are_and_values_beyond_the_ends_as_the_ends() {
        for (ix, sample) in SAMPLES.iter().enumerate() {
            assert_eq!(shown(ix as f32 / 9.0), *sample);
        }
        assert_eq!([shown(-1.0), shown(f32::NAN), shown(7.0)], [SAMPLES[0], SAMPLES[0], SAMPLES[9]]);
    }

    #[test]
    fn larger_values_are_lighter() {
        let luminance = |value: f32| {
            let [red, green, blue] = shown(value).map(|byte| decode(f32::from(byte) / 255.0));
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let steps: Vec<f32> = (0..=60).map(|step| luminance(step as f32 / 60.0)).collect();
        assert!(steps.is_sorted(), "{steps:?}");
    }
}
