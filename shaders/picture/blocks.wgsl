// Ranges of triangles of one surface, short enough for one thread, and the survey of each range.

struct Block {
    first: u32,
    end: u32,
    finish_ix: u32,
    unused: u32,
}

struct Survey {
    minimum: vec3<f32>,
    smooth_count: u32,
    maximum: vec3<f32>,
    sharp_count: u32,
    key_minimum: vec3<f32>,
    unused: u32,
    key_maximum: vec3<f32>,
    unused_too: u32,
}
