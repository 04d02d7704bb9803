//! The search stage: rounds of a safe step. A round decides whether a solve has ended, evaluates a point of the line search along its solution, and accepts or
//! shortens it. Every kernel reads in `status` whether it is its turn, so that linearisations, contact passes and searches share one sequence of rounds; rounds that
//! are not needed do nothing.
//!
//! Reads positions, velocities, solution, anchor, constraints, contacts, residual, loads, normals. Writes search, u, w, weights, row_sums, positions, velocities,
//! published, status.

use super::{
    Collision, LaunchPlan, StepPart, Surroundings, Timeline,
    audit::{self, Audit, Scale},
    row_kernel,
    solve::product,
};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Search {
    scale: Scale,
    verdict: Dispatch,
    aim: Dispatch,
    product: Vec<Dispatch>,
    weigh: Vec<Dispatch>,
    decide: Dispatch,
    take: Dispatch,
    audit: Audit,
    /// Kernels of contacts, in scenes that may have contacts.
    contacts: Option<Contacts>,
}

#[derive(Debug)]
struct Contacts {
    revise: Dispatch,
    release_leads: Dispatch,
    shift: Dispatch,
}

impl Search {
    pub fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        launch: LaunchPlan,
        surroundings: Surroundings,
        touches: bool,
    ) -> Result<Self, Error> {
        let kernel = |name| row_kernel(gpu, buffers, launch, name);
        let constants = launch.models.constants();
        let one = |name| gpu.kernel_with(name, &constants)?.bind(gpu, buffers, 1);
        Ok(Self {
            scale: Scale::new(gpu, buffers, launch)?,
            verdict: one("search/verdict")?,
            aim: kernel("search/aim")?,
            product: product(gpu, buffers, launch, true)?,
            weigh: audit::weigh(gpu, buffers, launch)?,
            decide: one("search/decide")?,
            take: kernel("search/take")?,
            audit: Audit::new(gpu, buffers, launch, surroundings)?,
            contacts: touches
                .then(|| -> Result<_, Error> {
                    Ok(Contacts {
                        revise: kernel("contact/revise")?,
                        release_leads: kernel("contact/release_leads")?,
                        shift: kernel("contact/shift")?,
                    })
                })
                .transpose()?,
        })
    }

    /// Encodes the energy scale of the step, once, after the first preconditioner.
    pub fn encode_scale(&self, timeline: &mut Timeline<'_>) {
        self.scale.encode(timeline);
    }

    /// Encodes a contact pass after the iterations of a solve, which decides whether the solve continues. The next iteration engages contacts.
    pub fn encode_pass(&self, timeline: &mut Timeline<'_>, touching: bool, collision: Option<&Collision>) {
        let contacts = self.contacts.as_ref().filter(|_| touching);
        contacts.iter().for_each(|contacts| timeline.run(&contacts.revise));
        if let Some(collision) = collision {
            timeline.enter(StepPart::Collision);
            collision.encode_revise(timeline);
        }
        timeline.run(&self.verdict);
        if let Some(collision) = collision {
            collision.encode_restore(timeline);
            timeline.enter(StepPart::Solve);
        }
        contacts.iter().for_each(|contacts| timeline.run(&contacts.shift));
    }

    /// Encodes one point of a line search, if a solve has ended. `anchors` runs after changes of x̂.
    pub fn encode_search(
        &self,
        timeline: &mut Timeline<'_>,
        touching: bool,
        collision: Option<&Collision>,
        anchors: impl FnOnce(&mut Timeline<'_>),
    ) {
        if let Some(contacts) = self.contacts.as_ref().filter(|_| touching) {
            timeline.run(&contacts.release_leads);
            anchors(timeline);
        }
        timeline.run(&self.aim);
        timeline.run_all(&self.product);
        timeline.run_all(&self.weigh);
        collision.iter().for_each(|collision| collision.encode_weigh(timeline));
        timeline.run(&self.decide);
        timeline.run(&self.take);
    }

    /// Encodes the energy audit of a step that has ended, after its last round.
    pub fn encode_audit(&self, timeline: &mut Timeline<'_>, loads: bool) {
        self.audit.encode(timeline, loads);
    }
}
