// The motion that leads to the present stage, one row per thread: at the start of a linearisation to x̂ + γh v, in a contact pass to x̂ + γh (v + Δv). Where the stage
// lies within the step, its motion is continued to the end.
// Reads previous, anchor, velocities, solution, status. Writes motion.
#import shared/params
#import shared/status
#import launch
#import integrate/previous
#import collision/motion
#import collision/surface_layout
#import contact/pass

// True in a contact pass, after a solve.
override SOLVED: bool = false;
// True where forces are evaluated once more at the same stage, outside its solve.
override STANDALONE: bool = false;

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> anchor: array<Previous>;
@group(0) @binding(3) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> solution: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> motion: array<Motion>;
@group(0) @binding(6) var<uniform> surface_layout: SurfaceLayout;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if SOLVED {
        if !pass_begins(group) {
            return;
        }
    } else if in_turn(status.cg.newton_done, group) != 0u && !STANDALONE {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        var velocity = velocities[row].xyz;
        if SOLVED {
            velocity += solution[row].xyz;
        }
        let way = (anchor[row].position.xyz - motion[row].start.xyz) + status.scheme.stage_step * velocity;
        motion[row].way = vec4(way / surface_layout.stage_share, 0.0);
        motion[row].velocity = vec4(velocity, 0.0);
    }
}
