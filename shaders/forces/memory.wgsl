// Memory of an edge from step to step: one vec4 per edge, `history`, the same at both ends.
// A step reads the memory that the last step left; `integrate/history` advances it at the end of the step.
#import shared/params
#import shared/edge

const MEMORY_NONE: u32 = 0u;
const MEMORY_PLASTIC: u32 = 1u;
const MEMORY_SERIES: u32 = 2u;
