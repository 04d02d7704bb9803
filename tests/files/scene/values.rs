//! Keys and values that every table refuses alike: missing, unknown, of the wrong type, out of range.

use super::*;

#[test]
fn missing_fields() {
    GOOD.refused_at("width = 1.0\n", "", "[body.mesh]", "body[0].mesh.width", "missing");
    GOOD.refused_at("kind = \"grid\"\n", "", "[body.mesh]", "body[0].mesh.kind", "missing");
    GOOD.refused_at("density = 0.2\n", "", "[body.material]", "body[0].material.density", "missing");
    GOOD.refused(", count = 4", "", "body[1].mesh.count", "missing");
    GOOD.refused_at("vertices = \"corners\"", "", "[[pin]]\nbody = \"cloth\"", "pin[0].vertices", "missing");
    GOOD.refused_at("body = \"cloth\"\n", "", "[[pin]]\nvertices = \"corners\"", "pin[0].body", "which body");
    let text = "[[body]]\nname = \"a\"\n\n[[body]]\nmaterial = { preset = \"cotton\" }\n";
    refused(text, line_of(text, "[[body]]\nname"), "body[0].material", "");
}

#[test]
fn wrong_types() {
    GOOD.refused("width = 1.0", "width = \"wide\"", "body[0].mesh.width", "a number, not \"wide\"");
    GOOD.refused("columns = 6", "columns = 6.5", "body[0].mesh.columns", "whole number");
    GOOD.refused("[0, -9.81, 0]", "-9.81", "simulation.gravity", "three numbers");
    GOOD.refused("[0, -9.81, 0]", "[0, -9.81]", "simulation.gravity", "not 2");
    GOOD.refused("[0, -9.81, 0]", "[0, true, 0]", "simulation.gravity[1]", "a number");
    GOOD.refused("clamp = false", "clamp = 0", "simulation.clamp", "true or false");
    GOOD.refused("name = \"cloth\"", "name = 1979-05-27", "body[0].name", "a string, not a date");
    GOOD.refused("{ stiffness = 100.0, damping = 0.1 }", "100.0", "body[0].material.structural", "a table");
    GOOD.refused("budget = \"full\"", "budget = \"half\"", "solver.budget", "\"adaptive\" or \"full\", not \"half\"");
    GOOD.refused("vertices = \"corners\"", "vertices = \"edges\"", "pin[0].vertices", "\"corners\"");
    GOOD.refused("vertices = \"corners\"", "vertices = 7", "pin[0].vertices", "list of numbers");
    GOOD.refused("    3,", "    \"three\",", "pin[1].vertices[1]", "whole number");
    GOOD.refused("[newton]", "[[newton]]", "newton", "a table, not an array");
    GOOD.refused("    3,", "    -3,", "pin[1].vertices[1]", "-3");
    assert_eq!(wrong("body = 3").1, "body");
    assert_eq!(wrong("body = [3]").1, "body[0]");
}

#[test]
fn unknown_keys() {
    GOOD.refused("clamp = false", "clamps = false", "simulation.clamps", "time_step, duration");
    GOOD.refused("budget = ", "budgets = ", "solver.budgets", "budget");
    GOOD.refused("max_linearisations = 3", "max = 3", "newton.max", "tolerance");
    GOOD.refused("velocity = ", "speed = ", "body[0].speed", "velocity");
    GOOD.refused("depth = 2.0", "height = 2.0", "body[0].mesh.height", "depth");
    GOOD.refused("count = 4", "count = 4, width = 1", "body[1].mesh.width", "from, to, count");
    GOOD.refused("damping = 0.1", "dumping = 0.1", "body[0].material.structural.dumping", "damping");
    GOOD.refused("density = 0.2", "color = 0.2", "body[0].material.color", "density");
    GOOD.refused("vertices = \"corners\"", "vertex = \"corners\"", "pin[0].vertex", "vertices");
    GOOD.refused("[newton]", "[newtons]", "newtons", "newton");
    GOOD.refused("clamp = false", "\"a.b [c]\" = 1", "simulation.\"a.b [c]\"", "time_step");
    GOOD.refused("vertices = \"corners\"", "vertices = { lo = [0, 0, 0] }", "pin[0].vertices.lo", "low");
}

#[test]
fn numbers_that_are_none() {
    for number in ["nan", "-nan", "inf", "-inf", "1e999"] {
        GOOD.refused("width = 1.0", &format!("width = {number}"), "body[0].mesh.width", "finite");
        GOOD.refused("time_step = 0.005", &format!("time_step = {number}"), "simulation.time_step", "finite");
        GOOD.refused("density = 0.2", &format!("density = {number}"), "body[0].material.density", "finite");
        GOOD.refused("tolerance = 1e-5", &format!("tolerance = {number}"), "solver.tolerance", "finite");
        GOOD.refused("[0, 0, 1]", &format!("[0, 0, {number}]"), "body[0].velocity[2]", "finite");
        GOOD.refused(
            "stiffness = 50",
            &format!("stiffness = {number}"),
            "body[1].material.structural.stiffness",
            "finite",
        );
    }
    GOOD.refused("density = 0.2", "density = 1e300", "body[0].material.density", "too large");
    GOOD.refused("density = 0.2", "density = 99999999999999999999", "body[0].material.density", "finite");
}

#[test]
fn zero_and_negative_amounts() {
    for number in ["0", "-1.0", "0.0", "1e-300"] {
        GOOD.refused("time_step = 0.005", &format!("time_step = {number}"), "simulation.time_step", "positive");
        GOOD.refused("duration = 0.5", &format!("duration = {number}"), "simulation.duration", "positive");
        GOOD.refused("frame_rate = 25", &format!("frame_rate = {number}"), "simulation.frame_rate", "positive");
        GOOD.refused("width = 1.0", &format!("width = {number}"), "body[0].mesh.width", "positive");
        GOOD.refused("depth = 2.0", &format!("depth = {number}"), "body[0].mesh.depth", "positive");
    }
    for number in ["0", "-1.0", "0.0"] {
        GOOD.refused("density = 0.2", &format!("density = {number}"), "body[0].material.density", "positive");
        GOOD.refused("line_density = 0.1", &format!("mass = {number}"), "body[1].material.mass", "positive");
        let line_density = format!("line_density = {number}");
        GOOD.refused("line_density = 0.1", &line_density, "body[1].material.line_density", "positive");
    }
    GOOD.refused("stiffness = 50", "stiffness = -50", "body[1].material.structural.stiffness", "not negative");
    GOOD.refused("damping = 0.1", "damping = -0.1", "body[0].material.structural.damping", "not negative");
    GOOD.refused("gather = 0.9", "gather = 0", "body[0].gather", "from 0.3 to 1");
    GOOD.refused("to = [0, -1, 0]", "to = [0, 0, 0]", "body[1].mesh.to", "elsewhere");
}
