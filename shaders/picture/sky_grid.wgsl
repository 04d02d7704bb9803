// Grid on the ground for its sky visibility.
#import picture/frame

// Points along each side.
const SKY_SIDE: u32 = 80u;
// Half the grid's width, in radii of the frame; the ground fades out before its end.
const SKY_REACH: f32 = 3.0;

fn sky_cell(frame: Frame) -> f32 {
    return 2.0 * SKY_REACH * frame.radius / f32(SKY_SIDE - 1u);
}

fn sky_corner(frame: Frame) -> vec2<f32> {
    return frame.centre.xz - SKY_REACH * frame.radius;
}
