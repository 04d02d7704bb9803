// The rows of one thread: what every launch gives with `rows_of`, or with `rows_among` for another number of workgroups.
struct Rows {
    first: u32,
    end: u32,
    stride: u32,
}
