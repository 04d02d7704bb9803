// Ends contact between bodies in a step, one thread, before its record: the step fails if pairs did not fit, if a search was not finished, or if the guard needs more
// rounds than were submitted. Where the guard has shortened motion, `search/weigh` is to find the change of the elastic energy.
// Reads meeting. Writes status.
#import shared/params
#import shared/status
#import launch
#import collision/meeting
#import contact/pass

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> meeting: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    if local_ix != 0u {
        return;
    }
    let needed = max(meeting[MEETING_NEEDED], meeting[MEETING_CROWD]);
    let pushing = select(status.met.y, meeting[MEETING_ACTIVE], FIXED_PASSES);
    status.met = vec4(meeting[MEETING_FOUND], pushing, meeting[MEETING_TRUNCATED], select(meeting[MEETING_DRIVEN], needed, needed != 0u));
    if status.failed != 0u {
        return;
    }
    if meeting[MEETING_LOST] != 0u {
        status.failed = FAILED_LOST;
    } else if meeting[MEETING_CROWD] != 0u {
        status.failed = FAILED_CROWD;
    } else if meeting[MEETING_NEEDED] != 0u {
        status.failed = FAILED_PAIRS;
    } else if meeting[MEETING_GUARDING] != 0u {
        status.failed = FAILED_BUDGET;
    } else if meeting[MEETING_TRUNCATED] != 0u && !FIXED_PASSES {
        status.search.action = ACTION_SEARCH;
        status.search.alpha = 0.0;
    }
}
