// A grid-stride loop: one thread per row, repeated where there are more rows than threads.

const WORKGROUP_SIZE: u32 = 64u;

fn row_stride(groups: vec3<u32>) -> u32 {
    return groups.x * WORKGROUP_SIZE;
}
