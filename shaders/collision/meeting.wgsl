// Words of `meeting`, the counts of contact between bodies in a step.

// Number of pairs of the present search; 0 if there are more than `pairs` holds.
const MEETING_PAIRS: u32 = 0u;
// Largest number of pairs of a search of this step that `pairs` cannot hold; 0 if all fit.
const MEETING_NEEDED: u32 = 1u;
// Number of pairs at the start of the step.
const MEETING_FOUND: u32 = 2u;
// 1 if a round of the guard has stopped a pair.
const MEETING_FRESH: u32 = 3u;
// 1 while the guard needs further rounds.
const MEETING_GUARDING: u32 = 4u;
// Number of rounds of the guard.
const MEETING_ROUNDS: u32 = 5u;
// Number of rows whose motion the guard has shortened.
const MEETING_TRUNCATED: u32 = 6u;
// Number of pairs that pins and colliders drive through each other.
const MEETING_DRIVEN: u32 = 7u;
// Number of struts that push at the end of a step without line search.
const MEETING_ACTIVE: u32 = 9u;
// Largest number of pairs of a particle, where it is more than MOST_PAIRS_OF_ROW; else 0.
const MEETING_CROWD: u32 = 10u;
// Number of edges and triangles near colliders, which the host lists before all pairs.
const MEETING_SUPPORTS: u32 = 11u;
// 1 if a search ended before it had visited all nodes, or a loop before its end.
const MEETING_LOST: u32 = 8u;
