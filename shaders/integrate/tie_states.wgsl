// After an explicit step, one group of tied particles per thread: copies the master's state to the others, as only the master has
// reacted to contacts. Each particle keeps its mass.
// Reads ties, order. Writes positions, velocities, previous (kept quantities), published.
#import shared/params
#import launch
#import integrate/kept
#import shared/ties

@group(0) @binding(1) var<storage, read> ties: array<u32>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> previous: array<Previous>;
@group(0) @binding(6) var<storage, read_write> published: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_of(group.x, local_ix, 0u, params.tie_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let tied = tie_group(ix);
        let position = positions[tied.master];
        let velocity = velocities[tied.master];
        let memory = previous[kept_at(tied.master)];
        for (var place = tied.first; place < tied.end; place += 1u) {
            let row = ties[place];
            positions[row] = position;
            velocities[row] = vec4(velocity.xyz, velocities[row].w);
            previous[kept_at(row)] = memory;
            published[order[row]] = vec4(position.xyz, 1.0);
        }
    }
}
