//! Linear light to bytes.

use glam::Vec3;

/// Light up to here is shown as it is; more is squeezed into what is left below white.
const SHOULDER: f32 = 0.72;

/// Compresses highlights and encodes as sRGB.
pub(super) fn encode(linear: Vec3) -> [u8; 3] {
    linear.to_array().map(|channel| (srgb(compress(channel)) * 255.0 + 0.5) as u8)
}

fn compress(channel: f32) -> f32 {
    if channel <= SHOULDER {
        return channel.max(0.0);
    }
    let room = 1.0 - SHOULDER;
    let excess = (channel - SHOULDER) / room;
    SHOULDER + room * excess / (1.0 + excess)
}

fn srgb(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::encode;

    #[test]
    fn middle_grey_is_encoded_as_srgb() {
        assert_eq!(encode(Vec3::splat(0.215_861)), [128; 3]);
        assert_eq!(encode(Vec3::new(-1.0, 0.0, f32::NAN)), [0; 3]);
    }

    #[test]
    fn more_light_is_never_darker() {
        let shades: Vec<u8> = (0..2000).map(|step| encode(Vec3::splat(step as f32 * 0.005))[0]).collect();
        assert!(shades.is_sorted());
        assert!(shades[200] < 250 && shades[1999] > 250);
    }
}
