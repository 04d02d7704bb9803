// The mapping of rows to threads on a GPU: workgroups of 64, one partial sum per workgroup.
// The host takes this file or `launch/software` for `#import launch`, by the type of the device.
#import shared/params
#import shared/reduction
#import shared/rows

// Largest number of nodes that a search of a tree visits.
const MOST_VISITS: u32 = 65536u;
// Largest number of pairs of a particle: `collision/rank` compares all of them for each pair.
const MOST_PAIRS_OF_ROW: u32 = 65536u;
const WORKGROUP_SIZE: u32 = 64u;
const PARTIALS_PER_WORKGROUP: u32 = 1u;

fn reduce(local_ix: u32, value: vec4<f32>) -> vec4<f32> {
    return workgroup_sum(local_ix, value);
}

fn reduce_max(local_ix: u32, value: f32) -> f32 {
    return workgroup_max(local_ix, value);
}

// All workgroups stride over the rows side by side, so that neighbouring threads load neighbouring words.
fn rows_among(groups: u32, group_ix: u32, local_ix: u32, first: u32, end: u32) -> Rows {
    return Rows(first + group_ix * WORKGROUP_SIZE + local_ix, end, groups * WORKGROUP_SIZE);
}

fn rows_of(group_ix: u32, local_ix: u32, first: u32, end: u32) -> Rows {
    return rows_among(params.workgroup_count, group_ix, local_ix, first, end);
}
