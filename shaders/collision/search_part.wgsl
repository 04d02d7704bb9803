// The part of the trees that a dispatch searches. A search that would visit more nodes than a thread may is divided into parts.

// Same layout as `gpu::layout::SearchPart`.
struct SearchPart {
    // Number of this part.
    part: u32,
    // Number of parts, a power of two.
    parts: u32,
    padding_a: u32,
    padding_b: u32,
}
