// Vertices of objects sized by the frame: beads, then planes other than the ground.
// Reads frame, marks (one vec4 per bead; two per plane: a point and the normal). Writes vertices, normals.
#import picture/view
#import picture/rows
#import picture/frame

const PI: f32 = 3.14159265;
const BEAD_MERIDIANS: u32 = 14u;
const BEAD_PARALLELS: u32 = 8u;
// Cells along each side of a plane.
const PLANE_CELLS: u32 = 48u;
// Half the side of a plane, in radii of the frame.
const PLANE_REACH: f32 = 1.3;

@group(0) @binding(1) var<storage, read> frame: Frame;
@group(0) @binding(2) var<storage, read> marks: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> vertices: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> normals: array<vec4<f32>>;

struct Prop {
    place: vec3<f32>,
    normal: vec3<f32>,
}

fn bead(ix: u32) -> Prop {
    let each = BEAD_MERIDIANS * (BEAD_PARALLELS + 1u);
    let polar = PI * f32(ix % each / BEAD_MERIDIANS) / f32(BEAD_PARALLELS);
    let azimuth = 2.0 * PI * f32(ix % BEAD_MERIDIANS) / f32(BEAD_MERIDIANS);
    let direction = vec3(sin(polar) * cos(azimuth), cos(polar), sin(polar) * sin(azimuth));
    return Prop(marks[ix / each].xyz + frame.bead_radius * direction, direction);
}

fn plane(ix: u32) -> Prop {
    let line = PLANE_CELLS + 1u;
    let mark = view.bead_count + 2u * (ix / (line * line));
    let point = marks[mark].xyz;
    let normal = marks[mark + 1u].xyz;
    let side = 2.0 * PLANE_REACH * frame.radius;
    let nearest = frame.centre - normal * dot(frame.centre - point, normal);
    if dot(view.eye - point, normal) <= 0.0 || distance(nearest, frame.centre) > side {
        // A plane seen from behind or far from the scene is drawn without area.
        return Prop(nearest, normal);
    }
    // One side of the plane is horizontal.
    var across = cross(normal, vec3(0.0, 1.0, 0.0));
    across = select(vec3(1.0, 0.0, 0.0), normalize(across), length(across) > 1.0e-6);
    let along = cross(across, normal);
    let part = vec2(f32(ix % line), f32(ix / line % line)) / f32(PLANE_CELLS) - 0.5;
    return Prop(nearest + side * (part.x * along + part.y * across), normal);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let bead_vertices = view.bead_count * BEAD_MERIDIANS * (BEAD_PARALLELS + 1u);
    for (var ix = id.x; ix < view.prop_count; ix += row_stride(groups)) {
        var prop: Prop;
        if ix < bead_vertices {
            prop = bead(ix);
        } else {
            prop = plane(ix - bead_vertices);
        }
        vertices[view.vertex_count + ix] = vec4(prop.place, 1.0);
        normals[view.vertex_count + ix] = vec4(prop.normal, 0.0);
    }
}
