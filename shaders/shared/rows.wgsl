// Rows of one thread. Every launch defines `rows_of`, and `rows_among` for another number of workgroups.
struct Rows {
    first: u32,
    end: u32,
    stride: u32,
}
