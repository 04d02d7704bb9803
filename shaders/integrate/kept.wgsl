// Quantities that an explicit method keeps per particle from step to step or from stage to stage: a second `Previous` for each
// particle, behind the saved states in `previous`, which saves a binding.
#import shared/params
#import integrate/previous

fn kept_at(row: u32) -> u32 {
    return params.particle_count + row;
}
