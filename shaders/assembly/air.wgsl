// Wind and air resistance, one row per thread, N and area as `assembly/normals` found them:
//   wind        f = area ((a + sin ω t) (drag ⟨w, N⟩ N + lift (w - ⟨w, N⟩ N))            Etzmuß (2.35), (2.36)
//   resistance  f = -c v,   c = area · resistance · |⟨v, N⟩| / |v|                        (2.37) with |⟨v, N⟩|
// Wind is explicit. Resistance enters the matrix as h c I: its derivative along v is exact, because f is homogeneous in v.
// Reads normals, velocities, status. Writes diagonal (with the scalar part in w), residual.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/forces_only
#import shared/wind

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> diagonal: array<SymmetricBlock>;
@group(0) @binding(5) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.cg.newton_done != 0u && !STANDALONE {
        return;
    }
    let h = status.scheme.stage_step;
    let wind = wind_at(status.wind_phase, status.scheme.stage_time);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let n = normals[row].xyz;
        let area = normals[row].w;
        let velocity = velocities[row].xyz;
        let speed = length(velocity);
        let c = area * params.air_resistance * select(0.0, abs(dot(velocity, n)) / speed, speed > 0.0);
        let force = wind_force(wind, normals[row]) - c * velocity;
        if !FORCES_ONLY {
            diagonal[row].diagonal += vec4(h * c);
        }
        residual[row] += vec4(h * force, 0.0);
    }
}
