// Sums the diagonal blocks D and residuals of each group of tied particles into those of its master, before a solve and its contacts; one group per thread.
// Scalars, in `diagonal.w`, stay with their rows. The sum of the other rows' scalars goes into the master's `off_diagonal.w`, where
// contacts read it for their friction.
// Reads ties, status. Writes diagonal, residual.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/ties
#import contact/pass

// True in a contact pass, after struts between bodies have changed.
override SOLVED: bool = false;

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> ties: array<u32>;
@group(0) @binding(3) var<storage, read_write> diagonal: array<SymmetricBlock>;
@group(0) @binding(4) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if SOLVED {
        if !pass_has_revised(group) {
            return;
        }
    } else if status.cg.newton_done != 0u {
        return;
    }
    let range = rows_of(group.x, local_ix, 0u, params.tie_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let tied = tie_group(ix);
        var block = diagonal[tied.master];
        var sum = residual[tied.master].xyz;
        for (var place = tied.first; place < tied.end; place += 1u) {
            let row = ties[place];
            let other = diagonal[row];
            block.diagonal += vec4(other.diagonal.xyz, 0.0);
            block.off_diagonal += vec4(other.off_diagonal.xyz, other.diagonal.w);
            sum += residual[row].xyz;
            residual[row] = vec4(0.0);
        }
        diagonal[tied.master] = block;
        residual[tied.master] = vec4(sum, 0.0);
    }
}
