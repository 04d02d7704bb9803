// Puts every pair into the lists of its four rows: four times the number of the pair, plus the place of the row in it. The importing kernel binds `pairs`, `meeting` and
// `surface_layout`, and provides `put(row, word)`.
#import launch
#import collision/pair
#import collision/meeting
#import collision/surface_layout

fn put_rows(group_ix: u32, local_ix: u32) {
    let range = rows_among(surface_layout.pair_workgroups, group_ix, local_ix, 0u, meeting[MEETING_PAIRS]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let rows = pairs[ix].rows;
        put(rows.x, 4u * ix);
        put(rows.y, 4u * ix + 1u);
        put(rows.z, 4u * ix + 2u);
        put(rows.w, 4u * ix + 3u);
    }
}
