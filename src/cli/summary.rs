//! Summary of a run, as text and JSON.

use super::{
    adapter_text,
    folder::{self, Folder},
    json,
    outputs::Written,
    warnings::{self, Unconverged},
};
use crate::{RepeatReport, SceneFile, Simulation, StepRecord};
use serde::Serialize;
use serde_json::Value;
use std::{fmt::Write, path::Path, time::Duration};

/// Smallest speed-up that is reported; smaller ones are within the variation of timings.
const WORTH_SAYING: f64 = 1.1;

/// Sums over the steps of a run.
#[derive(Default)]
pub struct Totals {
    pub steps: u64,
    /// Steps made by the resumed run.
    pub earlier_steps: u64,
    /// Time at the end of the last step, s.
    pub simulated: f64,
    pub iterations: u64,
    pub unconverged: Unconverged,
    /// Largest strain at the end of any step, and its time, s.
    pub largest_strain: f64,
    pub largest_strain_time: f64,
    /// Largest strain at the end of the last step.
    pub last_strain: f64,
    /// Particles in contact: summed over all steps, in the last step, and the largest number in one.
    pub contacts: u64,
    pub last_contacts: u32,
    pub most_contacts: u32,
    pub meeting: MeetingTotals,
    pub frames: u64,
    /// Time from the first step to the last, including writing.
    pub wall_time: Duration,
    /// Time spent writing files.
    pub writing: Duration,
}

/// Sums of contact between bodies over the steps of a run.
#[derive(Default)]
pub struct MeetingTotals {
    /// Pairs in contact: summed over all steps, the largest number in one, and in the last step.
    active: u64,
    most_active: u32,
    last_active: u32,
    /// Largest number of pairs near each other in a step.
    most_pairs: u32,
    /// Particles whose motion was shortened, summed over all steps.
    truncated: u64,
    /// Pairs that pins and colliders drove through each other, summed over all steps.
    driven: u64,
}

impl MeetingTotals {
    fn add(&mut self, pairs: u32, active: u32, truncated: u32, driven: u32) {
        self.active += u64::from(active);
        self.most_active = self.most_active.max(active);
        self.last_active = active;
        self.most_pairs = self.most_pairs.max(pairs);
        self.truncated += u64::from(truncated);
        self.driven += u64::from(driven);
    }
}

impl Totals {
    /// Adds a record written by an earlier run.
    pub fn add_line(&mut self, line: &Value) {
        let whole = |key: &str| line[key].as_u64().unwrap_or(0);
        self.steps += 1;
        self.simulated = line["time"].as_f64().unwrap_or(self.simulated);
        self.iterations += whole("iterations");
        self.contacts += whole("contacts");
        self.last_contacts = whole("contacts") as u32;
        self.most_contacts = self.most_contacts.max(self.last_contacts);
        let meeting = |key: &str| line["meeting"][key].as_u64().unwrap_or(0) as u32;
        self.meeting.add(meeting("pairs"), meeting("active"), meeting("truncated"), meeting("driven"));
        if let Some(outcome) = line["outcome"].as_str().and_then(json::outcome_of) {
            self.unconverged.add(outcome);
        }
        self.earlier_steps += 1;
        self.note_strain(line["largest_strain"].as_f64().unwrap_or(0.0));
    }

    pub fn add(&mut self, record: &StepRecord) {
        self.steps += 1;
        self.simulated = record.time;
        self.iterations += u64::from(record.iterations);
        self.contacts += u64::from(record.contacts);
        self.last_contacts = record.contacts;
        self.most_contacts = self.most_contacts.max(record.contacts);
        if let Some(meeting) = record.meeting {
            self.meeting.add(meeting.pairs, meeting.active, meeting.truncated, meeting.driven);
        }
        self.unconverged.add(record.outcome);
        if let Some(measures) = &record.measures {
            self.note_strain(measures.largest_strain);
        }
    }

    /// Records the largest strain at the end of the newest step.
    fn note_strain(&mut self, strain: f64) {
        self.last_strain = strain;
        if strain > self.largest_strain {
            (self.largest_strain, self.largest_strain_time) = (strain, self.simulated);
        }
    }
}

/// Summary of a run.
#[derive(Serialize)]
pub struct Summary {
    /// Name of the adapter; `null` on the CPU.
    adapter: Option<String>,
    driver: Option<String>,
    /// `gpu` or `cpu`.
    backend: &'static str,
    /// Speed-up of the CPU backend in the first steps, measured if the adapter is software that the user did not choose;
    /// otherwise `null`.
    pub cpu_speedup: Option<f64>,
    particles: usize,
    elements: Elements,
    steps: u64,
    /// Rejected steps of adaptive length.
    rejected_steps: u64,
    /// Failed and repeated safe steps, and the shorter steps made in their place, since the run began or was resumed.
    failed_steps: u64,
    shorter_steps: u64,
    /// Simulated time, s.
    simulated: f64,
    /// Time from the first step to the last, including writing, s.
    wall_time: f64,
    /// Time per step without writing, ms.
    ms_per_step: f64,
    iterations_per_step: f64,
    /// Steps that did not converge, by outcome.
    unconverged_steps: Unconverged,
    /// Largest stretch or compression of structural edges, triangles and tetrahedra at the end of any step, see [`Measures`](crate::Measures).
    largest_strain: f64,
    /// Largest stretch or compression at the end of the last step.
    last_strain: f64,
    /// Warnings about strain and steps that did not converge.
    warnings: Vec<String>,
    /// Contacts; `null` without colliders.
    contacts: Option<ContactCounts>,
    /// Contact between bodies; `null` in scenes without it.
    meeting: Option<MeetingCounts>,
    outputs: Outputs,
    /// Whether Ctrl-C ended the run.
    interrupted: bool,
    /// Error that ended the simulation; `null` if it succeeded.
    pub error: Option<String>,
}

/// Numbers of particles in contact.
#[derive(Serialize)]
struct ContactCounts {
    colliders: usize,
    per_step: f64,
    most: u32,
    at_the_end: u32,
}

/// Numbers of pairs of a vertex and a triangle or of two edges in contact between bodies.
#[derive(Serialize)]
struct MeetingCounts {
    /// Pairs in contact at the end of a step, on average.
    per_step: f64,
    most: u32,
    at_the_end: u32,
    /// Largest number of pairs that were near each other in a step.
    most_near: u32,
    /// Particles whose motion was shortened because surfaces would have passed through each other, summed over all steps.
    truncated: u64,
    driven: u64,
}

#[derive(Serialize)]
struct Elements {
    edges: usize,
    /// Elements other than edges: of three or four particles, and some published models of two.
    others: usize,
    triangles: usize,
    tetrahedra: usize,
}

#[derive(Serialize)]
struct Outputs {
    folder: String,
    frames: u64,
    /// First and last file of each frame format.
    frame_files: Vec<[String; 2]>,
    steps: String,
    /// Files with all frames.
    others: Vec<String>,
    /// Picture of the final state; `null` if there is no GPU to draw it.
    picture: Option<String>,
    checkpoint: Option<String>,
}

impl Summary {
    pub fn new(
        file: &SceneFile,
        simulation: &Simulation,
        totals: &Totals,
        folder: &Folder,
        written: Written,
        checkpoint: Option<&Path>,
        interrupted: bool,
    ) -> Self {
        let info = simulation.gpu().map(|gpu| gpu.info());
        let steps = totals.steps.max(1) as f64;
        let made = totals.steps.saturating_sub(totals.earlier_steps).max(1) as f64;
        let stepping = totals.wall_time.saturating_sub(totals.writing);
        let name = |path: &Path| path.display().to_string();
        Self {
            adapter: info.map(|info| info.name.clone()),
            driver: info.map(adapter_text::driver),
            backend: if info.is_some() { "gpu" } else { "cpu" },
            cpu_speedup: None,
            particles: simulation.topology().particle_count(),
            elements: Elements {
                edges: simulation.topology().edges.len(),
                others: simulation.topology().elements.len(),
                triangles: file.scene.bodies.iter().map(|body| body.mesh.triangles.len()).sum(),
                tetrahedra: file.scene.bodies.iter().map(|body| body.mesh.tetrahedra.len()).sum(),
            },
            steps: totals.steps,
            rejected_steps: simulation.adaptive_report().rejected,
            failed_steps: simulation.repeat_report().failed,
            shorter_steps: simulation.repeat_report().shorter,
            simulated: totals.simulated,
            wall_time: totals.wall_time.as_secs_f64(),
            ms_per_step: 1e3 * stepping.as_secs_f64() / made,
            iterations_per_step: totals.iterations as f64 / steps,
            unconverged_steps: totals.unconverged,
            largest_strain: totals.largest_strain,
            last_strain: totals.last_strain,
            warnings: warnings::about(file, totals),
            contacts: (!file.scene.colliders.is_empty()).then(|| ContactCounts {
                colliders: file.scene.colliders.len(),
                per_step: totals.contacts as f64 / steps,
                most: totals.most_contacts,
                at_the_end: totals.last_contacts,
            }),
            meeting: file.scene.contact.is_some().then(|| MeetingCounts {
                per_step: totals.meeting.active as f64 / steps,
                most: totals.meeting.most_active,
                at_the_end: totals.meeting.last_active,
                most_near: totals.meeting.most_pairs,
                truncated: totals.meeting.truncated,
                driven: totals.meeting.driven,
            }),
            outputs: Outputs {
                folder: name(folder.path()),
                frames: if written.frames.is_empty() && written.others.is_empty() { 0 } else { totals.frames },
                frame_files: written.frames.iter().map(|(first, last)| [name(first), name(last)]).collect(),
                steps: name(&folder.path().join(folder::STEPS)),
                others: written.others.iter().map(|path| name(path)).collect(),
                picture: written.picture.as_deref().map(name),
                checkpoint: checkpoint.map(name),
            },
            interrupted,
            error: None,
        }
    }

    /// The summary as one line of JSON.
    pub fn json(&self) -> String {
        json::line(self)
    }

    /// The summary as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<15} {value}");
        };
        match (&self.adapter, &self.driver) {
            (Some(adapter), Some(driver)) => {
                line("adapter", adapter.clone());
                line("driver", driver.clone());
            }
            _ => line("backend", "CPU, f64".to_owned()),
        }
        if let Some(factor) = self.cpu_speedup.filter(|factor| *factor >= WORTH_SAYING) {
            let faster = format!("--backend cpu would be about {factor:.1} times as fast, by the first steps");
            line("", format!("this adapter is software: {faster}"));
        }
        line("particles", self.particles.to_string());
        let Elements { edges, others, triangles, tetrahedra } = &self.elements;
        line("mesh", format!("{triangles} triangles, {tetrahedra} tetrahedra"));
        line("forces", format!("{edges} edges, {others} other elements"));
        line("steps", format!("{}, {:.3} s simulated", self.steps, self.simulated));
        if self.rejected_steps > 0 {
            line("", format!("{} steps were rejected and repeated shorter", self.rejected_steps));
        }
        if let Some(repeats) = repeats_text(RepeatReport { failed: self.failed_steps, shorter: self.shorter_steps }) {
            line("", repeats);
        }
        line("wall time", format!("{:.2} s, {:.2} ms per step", self.wall_time, self.ms_per_step));
        line("iterations", format!("{:.1} per step", self.iterations_per_step));
        let (largest, last) = (100.0 * self.largest_strain, 100.0 * self.last_strain);
        line("largest strain", format!("{largest:.1} %, {last:.1} % at the end"));
        if let Some(ContactCounts { colliders, per_step, most, at_the_end }) = &self.contacts {
            let things = if *colliders == 1 { "collider" } else { "colliders" };
            let counts = format!("{per_step:.0} per step, {most} at most, {at_the_end} at the end");
            line("contacts", format!("with {colliders} {things}: {counts}"));
        }
        if let Some(MeetingCounts { per_step, most, at_the_end, truncated, driven, .. }) = &self.meeting {
            let counts = format!("{per_step:.0} per step, {most} at most, {at_the_end} at the end");
            line("between bodies", format!("pairs in contact: {counts}"));
            if *truncated > 0 {
                line("", format!("{truncated} times a particle was stopped short of passing through a surface"));
            }
            if *driven > 0 {
                line("", format!("{driven} times pins or colliders drove two surfaces through each other"));
            }
        }
        line("measurements", self.outputs.steps.clone());
        for [first, last] in &self.outputs.frame_files {
            line("frames", if first == last { first.clone() } else { format!("{first} to {last}") });
        }
        for other in &self.outputs.others {
            line("all frames", other.clone());
        }
        if let Some(checkpoint) = &self.outputs.checkpoint {
            line("checkpoint", checkpoint.clone());
        }
        let none = || "none: there is no GPU adapter to draw on".to_owned();
        line("picture", self.outputs.picture.clone().unwrap_or_else(none));
        for warning in &self.warnings {
            line("warning", warning.clone());
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Message of an interrupted run, with its results.
    pub fn interruption(&self) -> String {
        let resume = match &self.outputs.checkpoint {
            Some(checkpoint) => format!("; the same command with --resume continues from {checkpoint}"),
            None => String::new(),
        };
        let Self { steps, simulated, outputs: Outputs { frames, folder, .. }, .. } = self;
        format!(
            "ended by Ctrl-C or a signal after {steps} steps, {simulated:.3} s, and {frames} frames; the complete files are in {folder}{resume}"
        )
    }
}

/// Sentence about failed safe steps; `None` if none failed.
pub fn repeats_text(repeats: RepeatReport) -> Option<String> {
    let RepeatReport { failed, shorter } = repeats;
    let steps = if failed == 1 { "step failed and was" } else { "steps failed and were" };
    let others = if shorter == 1 { "one" } else { "ones" };
    let instead = if shorter == 0 { String::new() } else { format!(" as {shorter} shorter {others}") };
    (failed > 0).then(|| format!("{failed} {steps} repeated{instead}"))
}
