// What an edge remembers from step to step: one vec4 per edge, `history`, the same at both ends.
// Evaluated in the step with what the last one left; `integrate/history` moves it on when the step is over.
#import shared/params
#import shared/edge

const MEMORY_NONE: u32 = 0u;
const MEMORY_PLASTIC: u32 = 1u;
const MEMORY_SERIES: u32 = 2u;
