//! `[safe]` and `[newton]`, and the key `nonlinear` of `[simulation]`.

use super::*;
use tenter::{NewtonOptions, Nonlinear, SafeOptions, SceneFile};

/// The good file with something in `[simulation]` and other tables in place of `[newton]`.
fn solved_by(key: &str, tables: &str) -> String {
    let newton = "[newton]\ntolerance = 1e-2\nmax_linearisations = 3\n";
    GOOD.changed("clamp = false", key).replace(newton, &format!("{tables}\n"))
}

#[test]
fn steps_are_safe_unless_the_file_says_otherwise() {
    let parse = |key: &str, tables: &str| {
        let file = SceneFile::parse(&solved_by(key, tables), "good.toml");
        file.map(|file| file.options.nonlinear).map_err(|error| error.to_string())
    };
    let safe = || Ok(Nonlinear::Safe(SafeOptions::default()));
    let newton = || Ok(Nonlinear::Newton(NewtonOptions::default()));
    assert_eq!(parse("", ""), safe());
    assert_eq!(parse("", "[safe]"), safe());
    assert_eq!(parse("nonlinear = \"safe\"", ""), safe());
    assert_eq!(parse("nonlinear = \"safe\"", "[safe]"), safe());
    assert_eq!(parse("", "[newton]"), newton());
    assert_eq!(parse("nonlinear = \"newton\"", ""), newton());
    assert_eq!(parse("nonlinear = \"newton\"", "[newton]"), newton());
    assert_eq!(parse("nonlinear = \"one-linearisation\"", ""), Ok(Nonlinear::OneLinearisation));
    let all = "[safe]\ntolerance = 2e-3\nenergy_tolerance = 1e-3\nmax_linearisations = 30\nmax_halvings = 0";
    let said = SafeOptions { tolerance: 2e-3, energy_tolerance: 1e-3, max_linearisations: 30, max_halvings: 0 };
    assert_eq!(parse("", all), Ok(Nonlinear::Safe(said)));
    // Explicit and IMEX integrators ignore the default.
    assert_eq!(parse("integrator = \"verlet\"", ""), safe());
    let passes = |value: u32| SceneFile::parse(&solved_by(&format!("contact_passes = {value}"), ""), "good.toml");
    for value in [1, 8, 64] {
        assert_eq!(passes(value).unwrap().options.contact_passes, value);
    }
    assert!(passes(0).is_err() && passes(65).is_err());
}

#[test]
fn methods_that_contradict_each_other() {
    let refused = |key: &str, tables: &str, marker: &str, field: &str, words: &str| {
        let text = solved_by(key, tables);
        refused(&text, line_of(&text, marker), field, words);
    };
    refused("", "[safe]\n[newton]", "[newton]", "newton", "does not go with [safe]");
    refused("", "[newton]\n[safe]", "[newton]", "newton", "does not go with [safe]");
    let once = "nonlinear = \"one-linearisation\"";
    refused(once, "[safe]", "[safe]", "safe", "belongs to nonlinear = \"safe\", not to \"one-linearisation\"");
    refused(once, "[newton]", "[newton]", "newton", "not to \"one-linearisation\"");
    refused("nonlinear = \"safe\"", "[newton]", "[newton]", "newton", "not to \"safe\"");
    refused("nonlinear = \"newton\"", "[safe]", "[safe]", "safe", "not to \"newton\"");
    refused(
        "nonlinear = \"fast\"",
        "",
        "nonlinear = \"fast\"",
        "simulation.nonlinear",
        "\"safe\" or \"one-linearisation\" or \"newton\"",
    );
    refused("nonlinear = 1", "", "nonlinear = 1", "simulation.nonlinear", "\"newton\", not a number");
    refused("integrator = \"verlet\"", "[safe]", "[safe]", "safe", "no step of \"verlet\" is safe");
    let imex = "nonlinear = \"safe\"\nintegrator = \"imex-euler\"";
    refused(imex, "", "nonlinear = \"safe\"", "simulation.nonlinear", "no step of \"imex-euler\" is safe");
    refused("", "[[safe]]", "[[safe]]", "safe", "a table, not an array");
    refused("", "[safe]\nmax = 3", "max = 3", "safe.max", "energy_tolerance");
    refused("", "[safe]\ntolerance = 1", "tolerance = 1\n", "safe.tolerance", "below 1");
    refused("", "[safe]\nenergy_tolerance = -1", "energy_tolerance = -1", "safe.energy_tolerance", "from 0");
    refused("", "[safe]\nmax_linearisations = 0", "max_linearisations = 0", "safe.max_linearisations", "from 1 to 100");
    refused("", "[safe]\nmax_halvings = 21", "max_halvings = 21", "safe.max_halvings", "at most 20");
}
