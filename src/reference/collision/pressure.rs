//! Forces of contact between bodies on single particles, as pictures show them.

use crate::reference::State;

/// For each row the sum of the forces with which struts pushed it in the last step, in size, N. Friction does not count.
pub fn pressures(state: &State) -> Vec<f64> {
    let mut pressures = vec![0.0; state.positions.len()];
    let step = state.scheme.stage_step;
    for strut in state.struts.list.iter().filter(|strut| strut.on) {
        let missing = strut.target - strut.normal.dot(strut.offset(&state.positions, &state.previous_positions));
        let push = strut.stiffness * missing.max(0.0) / step;
        // After an explicit step its impulse is known.
        let force = strut.pressed.unwrap_or(push) / step;
        for (row, weight) in strut.rows.iter().zip(strut.weights) {
            pressures[*row as usize] += weight.abs() * force;
        }
    }
    pressures
}
