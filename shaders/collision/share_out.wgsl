// Between `collision/receive` and `collision/give`, one group of tied particles per thread: distributes impulses and number of struts of the group in proportion to mass, so
// that all its particles move alike.
// Reads ties, velocities (mass). Writes u.
#import shared/params
#import launch
#import shared/ties

@group(0) @binding(1) var<storage, read> ties: array<u32>;
@group(0) @binding(2) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_of(group.x, local_ix, 0u, params.tie_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let tied = tie_group(ix);
        var sum = u[tied.master];
        var mass = velocities[tied.master].w;
        for (var place = tied.first; place < tied.end; place += 1u) {
            sum += u[ties[place]];
            mass += velocities[ties[place]].w;
        }
        u[tied.master] = velocities[tied.master].w / mass * sum;
        for (var place = tied.first; place < tied.end; place += 1u) {
            u[ties[place]] = velocities[ties[place]].w / mass * sum;
        }
    }
}
