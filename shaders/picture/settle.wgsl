// Reduces the surveys of all blocks to the frame of the picture, and shades surfaces with mostly sharp edges, like a box, flat:
// smooth normals would make their flat sides look dented.
// Reads blocks, surveys, marks. Writes frame, finishes.
#import picture/view
#import picture/rows
#import picture/blocks
#import picture/frame
#import picture/finish

@group(0) @binding(1) var<storage, read> blocks: array<Block>;
@group(0) @binding(2) var<storage, read> surveys: array<Survey>;
@group(0) @binding(3) var<storage, read> marks: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> frame: Frame;
@group(0) @binding(5) var<storage, read_write> finishes: array<Finish>;

// Radius of a box' bounding sphere, positive so that it can be a divisor.
fn radius_of(minimum: vec3<f32>, maximum: vec3<f32>) -> f32 {
    return max(0.5 * length(max(maximum - minimum, vec3(0.0))), 1.0e-3);
}

fn frame_of_all() -> Frame {
    let far = vec3(2.0 * FARTHEST);
    var all = Survey(far, 0u, -far, 0u, far, 0u, -far, 0u);
    for (var ix = 0u; ix < view.block_count; ix++) {
        all.minimum = min(all.minimum, surveys[ix].minimum);
        all.maximum = max(all.maximum, surveys[ix].maximum);
        all.key_minimum = min(all.key_minimum, surveys[ix].key_minimum);
        all.key_maximum = max(all.key_maximum, surveys[ix].key_maximum);
    }
    var least = far;
    var most = -far;
    for (var ix = 0u; ix < view.bead_count; ix++) {
        least = min(least, marks[ix].xyz);
        most = max(most, marks[ix].xyz);
    }
    let bead_radius = view.bead_part * radius_of(min(all.minimum, least), max(all.maximum, most));
    if view.bead_count > 0u {
        all.minimum = min(all.minimum, least - bead_radius);
        all.maximum = max(all.maximum, most + bead_radius);
    }
    if all.minimum.x > all.maximum.x {
        all.minimum = vec3(0.0);
        all.maximum = vec3(0.0);
    }
    if all.key_minimum.x > all.key_maximum.x {
        all.key_minimum = vec3(0.0);
        all.key_maximum = vec3(0.0);
    }
    let radius = radius_of(all.minimum, all.maximum);
    // The studio's ground lies slightly below the lowest point, so that nothing touches it.
    let under = all.minimum.y - 0.006 * radius;
    return Frame(
        0.5 * (all.minimum + all.maximum), radius, 0.5 * (all.maximum - all.minimum),
        select(under, view.ground, view.ground_kind == GROUND_LEVEL),
        all.key_minimum, bead_radius, all.key_maximum, 0u,
    );
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    if id.x == 0u {
        frame = frame_of_all();
    }
    for (var ix = id.x; ix < view.finish_count; ix += row_stride(groups)) {
        var smooth_count = 0u;
        var sharp_count = 0u;
        for (var block = 0u; block < view.block_count; block++) {
            if blocks[block].finish_ix == ix {
                smooth_count += surveys[block].smooth_count;
                sharp_count += surveys[block].sharp_count;
            }
        }
        finishes[ix].faceted = select(0u, 1u, sharp_count > smooth_count);
    }
}
