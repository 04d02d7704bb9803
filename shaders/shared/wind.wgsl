// Wind at the time of the stage, and its force on a particle: Etzmuß (2.35), (2.36).
#import shared/params

const TURN: f32 = 6.2831853;

// Wind, N/m², from its phase after the last step and the time of the stage within this step.
fn wind_at(phase: f32, stage_time: f32) -> vec3<f32> {
    return (params.wind_steady + sin(TURN * (phase + stage_time * params.wind_turns))) * params.wind;
}

// Force of the wind on a particle, N, from the unit normal and, in w, the area of the surface at the particle.
fn wind_force(wind: vec3<f32>, normal: vec4<f32>) -> vec3<f32> {
    let through = dot(wind, normal.xyz) * normal.xyz;
    return normal.w * (params.wind_drag * through + params.wind_lift * (wind - through));
}
