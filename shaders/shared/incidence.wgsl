// Elements of each row. `incidences` starts with the index of each row's first incidence, and the end. Each incidence has four
// words: the element with the particle's number in it, and the slots of the blocks with its other particles, in their order.

const OWN_SHIFT: u32 = 30u;
const ELEMENT_MASK: u32 = 0x3fffffffu;

// Bit of a slot: this incidence is the first of its row to reach the block, and overwrites it instead of adding.
const FIRST_IN_SLOT: u32 = 0x80000000u;
// Mask of the slot index. All ones: the pair has no block.
const SLOT_MASK: u32 = 0x7fffffffu;
