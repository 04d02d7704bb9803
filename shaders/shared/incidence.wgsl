// Which elements a row belongs to. `incidences` begins with the first incidence of each row, and the end; then four words each:
// the element with the number of the particle in it, and the slots of the blocks with its other particles, in their order.

const OWN_SHIFT: u32 = 30u;
const ELEMENT_MASK: u32 = 0x3fffffffu;

// In a slot: this is the first incidence of its row that reaches the block, which it sets instead of adding to.
const FIRST_IN_SLOT: u32 = 0x80000000u;
// All ones: the pair has no block.
const SLOT_MASK: u32 = 0x7fffffffu;
