// What `checks` counts after an explicit step: whether a particle is no longer finite, and whether it runs away, further in this step
// than anything in the scene is wide.
#import shared/params
#import shared/finite

fn ended_badly(position: vec3<f32>, velocity: vec3<f32>) -> vec2<f32> {
    let broken = !(all_finite(position) && all_finite(velocity));
    let runaway = params.time_step * length(velocity) > params.reach;
    return select(vec2(0.0), vec2(1.0), vec2(broken, runaway));
}
