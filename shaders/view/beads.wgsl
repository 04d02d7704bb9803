// Draws beads at particles of a view: an instance each, a sphere of six vertices to a cell.
// Reads vertices, marks (particles), shadow.
#import view/shade

const PI: f32 = 3.14159265;
const MERIDIANS: u32 = 12u;
const PARALLELS: u32 = 6u;

@group(0) @binding(3) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> marks: array<u32>;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) point: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32, @builtin(instance_index) instance_ix: u32) -> Corner {
    let cell = vertex_ix / 6u;
    let corner = vertex_ix % 6u;
    // Two triangles of a cell: (0, 0), (0, 1), (1, 1) and (0, 0), (1, 1), (1, 0).
    let down = select(0u, 1u, corner == 2u || corner == 4u || corner == 5u);
    let along = select(0u, 1u, corner == 1u || corner == 2u || corner == 4u);
    let polar = PI * f32(cell / MERIDIANS + down) / f32(PARALLELS);
    let azimuth = 2.0 * PI * f32(cell % MERIDIANS + along) / f32(MERIDIANS);
    let direction = vec3(sin(polar) * cos(azimuth), cos(polar), sin(polar) * sin(azimuth));
    let point = vertices[marks[instance_ix]].xyz + eye.bead_radius * direction;
    return Corner(eye.clip * vec4(point, 1.0), point, direction);
}

@fragment
fn fragment_main(corner: Corner) -> @location(0) vec4<f32> {
    return vec4(shade(corner.point, unit_or(corner.normal, vec3(0.0, 1.0, 0.0)), vec3(0.035, 0.036, 0.042), 0.0), 1.0);
}
