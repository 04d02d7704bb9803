// What an explicit method remembers of a particle, from step to step or from stage to stage: another of these behind the states in
// `previous`, which saves a binding.
#import shared/params
#import integrate/previous

fn kept_at(row: u32) -> u32 {
    return params.particle_count + row;
}
