// Triangles around each vertex: the start of each vertex' range and the end of the last, then the triangles.

@group(0) @binding(1) var<storage, read> fans: array<u32>;

fn fan_of(vertex_ix: u32) -> vec2<u32> {
    let header = view.vertex_count + view.prop_count + 1u;
    return vec2(header + fans[vertex_ix], header + fans[vertex_ix + 1u]);
}
