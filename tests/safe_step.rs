//! No step creates energy, overstretches cloth or pushes it into colliders, on scenes where one linearisation a step explodes.
//!
//! `cargo test --release --test safe_step -- --ignored --nocapture` prints a table. The columns are those of `tenter::bench::judge::Verdict`.

mod common;

use common::hard_scenes::{self as scenes, Case, Verdict, judge};
use tenter::{Backend, Integrator, Material, Options};

/// What a run may do.
struct Limits {
    /// Largest stretch of a structural edge at any time.
    stretch: f64,
}

fn run(name: &str, (scene, options): &Case, duration: f64) -> Verdict {
    let verdict = judge(&Backend::Cpu, scene, options, duration).unwrap();
    println!("| {name} | {:?} {:.1} ms | {verdict} |", options.integrator, 1e3 * options.time_step);
    verdict
}

/// Implicit Euler may create 1 % in a step; BDF2 10 % in a step, but 1 % over any ten.
fn check(name: &str, integrator: Integrator, verdict: &Verdict, limits: &Limits) {
    let what = format!("{name} {integrator:?}: {verdict}");
    assert!(verdict.error.is_none() && !verdict.stopped, "{what}");
    let rise = if integrator == Integrator::Bdf2 { 0.1 } else { 0.01 };
    assert!(verdict.rise <= rise, "energy rises: {what}");
    assert!(verdict.rise_in_ten <= 0.01, "energy rises over ten steps: {what}");
    assert!(verdict.stretch <= limits.stretch, "overstretched: {what}");
    assert!(verdict.distance >= 0.5, "too near: {what}");
    assert!(verdict.settled_distance.is_none_or(|distance| distance >= 0.9), "settled too near: {what}");
}

/// Both integrators on one scene.
fn safe(name: &str, case: Case, duration: f64, limits: &Limits) {
    println!("\n| scene | steps | {} |\n|{}", Verdict::COLUMNS, "---|".repeat(13));
    let runs = [Integrator::ImplicitEuler, Integrator::Bdf2].map(|integrator| {
        let case = (case.0.clone(), Options { integrator, ..case.1.clone() });
        (integrator, run(name, &case, duration))
    });
    for (integrator, verdict) in &runs {
        check(name, *integrator, verdict, limits);
    }
}

#[test]
#[ignore = "until the step is safe"]
fn drape_64() {
    safe("drape 64", scenes::drape(64), 1.0, &Limits { stretch: 0.1 });
}

#[test]
#[ignore = "until the step is safe"]
fn drape_128() {
    safe("drape 128", scenes::drape(128), 0.5, &Limits { stretch: 0.1 });
}

#[test]
#[ignore = "until the step is safe"]
fn a_handkerchief_on_a_ball() {
    safe("handkerchief", scenes::handkerchief(33), 0.5, &Limits { stretch: 0.1 });
}

#[test]
#[ignore = "until the step is safe"]
fn cloth_on_a_ball_as_small_as_its_cells() {
    safe("small ball", scenes::small_ball(64), 0.5, &Limits { stretch: 0.5 });
}

#[test]
#[ignore = "until the step is safe"]
fn cloth_on_a_mesh_with_horns() {
    safe("horned", scenes::horned(48), 0.8, &Limits { stretch: 0.5 });
}

#[test]
#[ignore = "until the step is safe"]
fn cloth_dropped_from_5_m() {
    for (name, material) in
        [("cotton", Material::cotton()), ("leather", Material::leather()), ("denim", Material::denim())]
    {
        safe(&format!("drop {name}"), scenes::drop(48, material), 0.5, &Limits { stretch: 0.5 });
    }
}

#[test]
#[ignore = "until the step is safe"]
fn a_stiff_chain_at_50_ms() {
    safe("chain", scenes::chain(), 3.0, &Limits { stretch: 0.1 });
}

#[test]
#[ignore = "until the step is safe"]
fn drape_of_10_cm() {
    safe("drape 10 cm", scenes::scaled_drape(48, 0.1), 0.5, &Limits { stretch: 0.1 });
}

#[test]
#[ignore = "until the step is safe"]
fn drape_of_1_cm() {
    safe("drape 1 cm", scenes::scaled_drape(48, 0.01), 0.2, &Limits { stretch: 0.1 });
}

#[test]
#[ignore = "until the step is safe"]
fn cloth_that_starts_inside_a_ball_gets_out() {
    let case = scenes::inside_ball(24);
    for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2] {
        let case = (case.0.clone(), Options { integrator, ..case.1.clone() });
        let verdict = run("inside", &case, 1.5);
        assert!(verdict.error.is_none() && !verdict.stopped, "{integrator:?}: {verdict}");
    }
}

#[test]
#[ignore = "until the step is safe"]
fn a_hurricane_is_finite_or_refused() {
    let case = scenes::hurricane(24);
    for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2] {
        let case = (case.0.clone(), Options { integrator, ..case.1.clone() });
        run("hurricane", &case, 0.3);
    }
}
