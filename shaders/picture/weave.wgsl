// A faint woven check, laid out in the flat fabric, that lets the eye follow it over folds.

// How much darker the stripes of the check are.
const CONTRAST: f32 = 0.16;
// Ribs of the twill per check, and how much they stand out.
const RIBS_PER_CHECK: f32 = 12.0;
const THREAD_CONTRAST: f32 = 0.12;

// The running total of a square wave, so that averaging over a window is one subtraction.
fn stripe_total(at: vec2<f32>) -> vec2<f32> {
    return 0.5 * floor(at) + max(fract(at) - 0.5, vec2(0.0));
}

// Factor on the albedo at a coordinate, averaged over a length `footprint` of the flat fabric.
fn tint(coordinate: vec2<f32>, check: f32, footprint: f32) -> f32 {
    let width = clamp(footprint / check, 0.004, 1.0);
    let phase = coordinate / check;
    // Share of a window around the phase that lies in the second half of a period.
    let stripes = (stripe_total(phase + 0.5 * width) - stripe_total(phase - 0.5 * width)) / width;
    // Ribs fade out before pixels become too large to show them.
    let fade = saturate(1.0 - 2.5 * width * RIBS_PER_CHECK);
    let rib = 0.5 * fade * sin(6.2831853 * fract((phase.x + phase.y) * RIBS_PER_CHECK));
    return 1.0 - CONTRAST * 0.5 * (stripes.x + stripes.y) + THREAD_CONTRAST * rib;
}
