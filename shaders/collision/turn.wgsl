// Ends a round of the guard, one thread: another follows if a pair has stopped.
// Writes meeting.
#import shared/params
#import launch
#import collision/meeting

@group(0) @binding(1) var<storage, read_write> meeting: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    if local_ix == 0u && meeting[MEETING_GUARDING] != 0u {
        if meeting[MEETING_ROUNDS] == 0u && meeting[MEETING_FRESH] != 0u {
            // The second search has listed these pairs again.
            meeting[MEETING_DRIVEN] = 0u;
        }
        meeting[MEETING_ROUNDS] += 1u;
        meeting[MEETING_GUARDING] = meeting[MEETING_FRESH];
        meeting[MEETING_FRESH] = 0u;
    }
}
