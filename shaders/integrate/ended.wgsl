// Failures that `checks` counts after an explicit step: particles that are not finite, and particles that moved further in this
// step than the width of the scene.
#import shared/params
#import shared/finite

fn ended_badly(position: vec3<f32>, velocity: vec3<f32>) -> vec2<f32> {
    let broken = !(all_finite(position) && all_finite(velocity));
    let runaway = params.time_step * length(velocity) > params.reach;
    return select(vec2(0.0), vec2(1.0), vec2(broken, runaway));
}
