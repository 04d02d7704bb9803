// The part of struts in one row of A u, Σ w q. The importing kernel binds `links`, the range of the struts of each row, then struts, each with the weight of the row; and
// `pulls`, what each strut contributes (`collision/pull`).

fn strut_row(row: u32) -> vec3<f32> {
    var sum = vec3(0.0);
    let range = links[row];
    for (var ix = range.x; ix < range.y; ix += 1u) {
        let link = links[ix];
        sum += bitcast<f32>(link.y) * pulls[link.x].xyz;
    }
    return sum;
}
