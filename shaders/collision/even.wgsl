// After unsafe pairs have stopped, one row per thread: the ways of both ends of an edge differ by at most SLOPE of its length. Dispatches carry limits over one edge each, from
// one half of the fractions to the other and back.
// Reads motion, surface, masters, meeting. Writes fractions.
#import shared/params
#import launch
#import collision/surface
#import collision/motion
#import collision/share_at
#import collision/meeting

// True in every second dispatch of a round.
override BACK: bool = false;

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> surface: array<u32>;
@group(0) @binding(3) var<storage, read> masters: array<u32>;
@group(0) @binding(4) var<storage, read> motion: array<Motion>;
@group(0) @binding(5) var<storage, read> meeting: array<u32>;
@group(0) @binding(6) var<storage, read_write> fractions: array<atomic<u32>>;

// Largest difference of the shortened ways at the ends of an edge, relative to its length.
const SLOPE: f32 = 0.3;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if meeting[MEETING_FRESH] == 0u {
        return;
    }
    let written = (meeting[MEETING_ROUNDS] & 1u) ^ select(0u, 1u, BACK);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let own = motion[row];
        let way = length(own.way.xyz - own.velocity.xyz);
        var word = word_at(row, 1u - written);
        let end = surface[surface_layout.offsets + row + 1u];
        for (var ix = surface[surface_layout.offsets + row]; ix < end; ix += 1u) {
            let neighbour = surface[surface_layout.neighbours + ix];
            let other = motion[neighbour];
            let most = SLOPE * length(own.start.xyz - other.start.xyz);
            let longest = max(way, length(other.way.xyz - other.velocity.xyz));
            let there = word_at(neighbour, 1u - written);
            if longest > most && there < word {
                word = min(word, there + share_word(most / longest));
            }
        }
        atomicMin(&fractions[written * params.particle_count + masters[row]], word);
    }
}
