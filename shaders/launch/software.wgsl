// The mapping of rows to threads on a driver that runs shaders on the CPU: few threads with many rows each, one partial sum per thread,
// no barrier. A barrier makes such a driver keep the state of every thread and switch between threads, which costs more than the
// work; folding some hundred partial sums in every thread costs next to nothing.
// The host takes this file or `launch/hardware` for `#import launch`, by the type of the device.
#import shared/params
#import shared/rows

// Largest number of nodes that a search of a tree visits.
const MOST_VISITS: u32 = 3000u;
// Largest number of pairs of a particle: `collision/rank` compares all of them for each pair.
const MOST_PAIRS_OF_ROW: u32 = 900u;
const WORKGROUP_SIZE: u32 = 16u;
const PARTIALS_PER_WORKGROUP: u32 = WORKGROUP_SIZE;

fn reduce(local_ix: u32, value: vec4<f32>) -> vec4<f32> {
    return value;
}

fn reduce_max(local_ix: u32, value: f32) -> f32 {
    return value;
}

// Each workgroup takes a range of whole slices of 32 rows, so that a core reads memory in order.
fn rows_among(groups: u32, group_ix: u32, local_ix: u32, first: u32, end: u32) -> Rows {
    let each = (end - first + 32u * groups - 1u) / (32u * groups) * 32u;
    let start = first + group_ix * each;
    return Rows(start + local_ix, min(end, start + each), WORKGROUP_SIZE);
}

fn rows_of(group_ix: u32, local_ix: u32, first: u32, end: u32) -> Rows {
    return rows_among(params.workgroup_count, group_ix, local_ix, first, end);
}
