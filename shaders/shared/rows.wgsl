// The rows of one thread: what every launch gives with `rows_of`.
struct Rows {
    first: u32,
    end: u32,
    stride: u32,
}
