//! Rigid bodies, a correction of u = Q r in the conjugate gradient: twin of `shaders/solve/rigid.wgsl`.

use super::{CgState, Fresh, State};
use crate::topology::{
    Constraint, Contact, ContactState, Rigid, RigidContact, Six, SixBySix,
    rigid::{add, add_outer, dot, times, velocity_at, wrench},
};
use glam::DVec3;

/// A correction of u = Q r: the body follows the iteration, and the particles in contact with it follow the body.
pub fn act(rigid: &mut Rigid, constraints: &[Constraint], contacts: &[Contact], state: &mut State, cg: &CgState) {
    if cg.newton_done || cg.done {
        return;
    }
    let touching = || constraints.iter().zip(contacts).map(|(constraint, contact)| (constraint.row as usize, contact));
    if cg.fresh == Fresh::Not {
        follow(rigid, cg);
    } else {
        begin(rigid, contacts, cg);
    }
    let mut gathered = rigid.residual;
    for (row, contact) in touching() {
        add(&mut gathered, 1.0, &wrench(contact.arm, contact.slaved_force(state.residual[row])));
    }
    rigid.u = times(&rigid.inverse, &gathered);
    for (row, contact) in touching() {
        let carried = contact.slaved_velocity(velocity_at(&rigid.u, contact.arm));
        state.u[row] = state.preconditioner[row] * state.residual[row] + carried;
    }
}

/// Contribution of the body to γ and δ.
pub fn sums(rigid: &Rigid) -> (f64, f64) {
    (dot(&rigid.residual, &rigid.u), dot(&times(&rigid.own, &rigid.u), &rigid.u))
}

/// Updates the body after an iteration.
fn follow(rigid: &mut Rigid, cg: &CgState) {
    let image = times(&rigid.own, &rigid.u);
    for (ix, image) in image.into_iter().enumerate() {
        rigid.p[ix] = rigid.u[ix] + cg.beta * rigid.p[ix];
        rigid.s[ix] = image + cg.beta * rigid.s[ix];
        rigid.x[ix] += cg.alpha * rigid.p[ix];
        rigid.residual[ix] -= cg.alpha * rigid.s[ix];
    }
}

/// Begins a solve, or resumes it with changed contacts.
fn begin(rigid: &mut Rigid, contacts: &[Contact], cg: &CgState) {
    let mut rubbed = [0.0; 6];
    contacts.iter().for_each(|contact| add(&mut rubbed, 1.0, &wrench(contact.arm, contact.friction)));
    let before = std::mem::replace(&mut rigid.rubbed, rubbed);
    add(&mut rigid.residual, -1.0, &rubbed);
    add(&mut rigid.residual, 1.0, &before);
    (rigid.p, rigid.s) = ([0.0; 6], [0.0; 6]);
    if cg.fresh == Fresh::Solve {
        let x = std::mem::take(&mut rigid.x);
        add(&mut rigid.total, 1.0, &x);
    } else if cg.fresh == Fresh::Search {
        for ix in 0..rigid.contacts.len() {
            let mut contact = rigid.contacts[ix];
            touch_world(rigid, &mut contact);
            rigid.contacts[ix] = contact;
        }
    }
    let mut block = rigid.own;
    for contact in contacts {
        for axis in DVec3::AXES {
            let column = contact.slaved_force(contact.block * contact.slaved_velocity(axis));
            add_outer(&mut block, 1.0, &wrench(contact.arm, column), &wrench(contact.arm, axis));
        }
    }
    rigid.inverse = inverse(&block);
}

/// State of a contact with the world from its impulse, and its friction where it slides, N·s.
fn answer(contact: &RigidContact, lacking: DVec3) -> (ContactState, DVec3) {
    let pressed = lacking.dot(contact.normal);
    let across = lacking - pressed * contact.normal;
    let limit = contact.coefficient * pressed;
    match contact.state {
        ContactState::Sticks | ContactState::Slides if pressed < 0.0 => (ContactState::Free, DVec3::ZERO),
        ContactState::Sticks if across.length() > limit => (ContactState::Slides, across * (limit / across.length())),
        // Friction is bounded by the present normal impulse, which is less than when the contact began to slide.
        ContactState::Slides if contact.friction.length() > limit => {
            (ContactState::Slides, contact.friction * (limit / contact.friction.length()))
        }
        state => (state, contact.friction),
    }
}

/// Impulse with which the world would hold a sticking point, N·s.
fn lacking(rigid: &Rigid, contact: &RigidContact) -> DVec3 {
    let mut now = rigid.change();
    add(&mut now, 1.0, &rigid.guess);
    contact.stiffness * (contact.wanted - velocity_at(&now, contact.arm))
}

/// Number of contacts with the world whose state would change if the solve continued.
pub fn unsettled(rigid: &Rigid) -> u32 {
    rigid.contacts.iter().filter(|contact| answer(contact, lacking(rigid, contact)).0 != contact.state).count() as u32
}

fn touch_world(rigid: &mut Rigid, contact: &mut RigidContact) {
    let lacking = lacking(rigid, contact);
    let (state, friction) = answer(contact, lacking);
    let pressed = lacking.dot(contact.normal);
    if contact.state == ContactState::Sticks && state != contact.state {
        rigid.remove_across(contact, lacking - pressed * contact.normal);
    }
    if state == ContactState::Free && state != contact.state {
        rigid.remove(contact, contact.normal, pressed);
    }
    add(&mut rigid.residual, 1.0, &wrench(contact.arm, friction - contact.friction));
    (contact.state, contact.friction) = (state, friction);
}

/// Inverts by Cholesky factorisation, column by column.
fn inverse(matrix: &SixBySix) -> SixBySix {
    let mut l = [[0.0; 6]; 6];
    for i in 0..6 {
        for j in 0..=i {
            let sum = matrix[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { sum.max(1e-300).sqrt() } else { sum / l[j][j] };
        }
    }
    let mut inverse = [[0.0; 6]; 6];
    for column in 0..6 {
        let mut y: Six = [0.0; 6];
        for i in 0..6 {
            let sum = if i == column { 1.0 } else { 0.0 } - (0..i).map(|k| l[i][k] * y[k]).sum::<f64>();
            y[i] = sum / l[i][i];
        }
        for i in (0..6).rev() {
            let sum = y[i] - (i + 1..6).map(|k| l[k][i] * y[k]).sum::<f64>();
            y[i] = sum / l[i][i];
        }
        inverse.iter_mut().zip(y).for_each(|(row, value)| row[column] = value);
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_is_one() {
        let mut matrix = [[0.0; 6]; 6];
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..9 {
            let row: Six = std::array::from_fn(|_| rng.f64() - 0.5);
            add_outer(&mut matrix, 1.0, &row, &row);
        }
        let inverse = inverse(&matrix);
        for ix in 0..6 {
            let unit: Six = std::array::from_fn(|other| if other == ix { 1.0 } else { 0.0 });
            let back = times(&matrix, &times(&inverse, &unit));
            assert!((0..6).all(|other| (back[other] - unit[other]).abs() < 1e-9), "{back:?}");
        }
    }
}
