// Explicit methods by the number of `Integrator::method`. A pipeline is specialised for one of them.
override METHOD: u32 = 0u;

const METHOD_SYMPLECTIC_EULER: u32 = 1u;
const METHOD_LEAP_FROG: u32 = 2u;
const METHOD_VERLET: u32 = 3u;
const METHOD_VELOCITY_VERLET: u32 = 4u;
const METHOD_BEEMAN: u32 = 5u;
const METHOD_EXPLICIT_EULER: u32 = 6u;
