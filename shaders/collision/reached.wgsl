// Where a particle is after a share t of its free motion. The importing kernel binds `motion`.
#import collision/motion
#import collision/share

fn reached(row: u32, word: u32) -> vec3<f32> {
    return motion[row].start.xyz + way_reached(row, word);
}

// Displacement after a share t of the free motion.
fn way_reached(row: u32, word: u32) -> vec3<f32> {
    let led = motion[row].velocity.xyz;
    return led + share_of(word) * (motion[row].way.xyz - led);
}
