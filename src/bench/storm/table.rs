//! Markdown tables of many runs.

use super::{
    matrix::{FACTORS, Factor},
    row::Row,
};
use std::fmt::Write;

/// Titles of a table of [`Row`]s.
pub fn head() -> String {
    let titles = "| # | scene | rise | in ten | stretch (early : in fine steps) | distance | settled | CG / 10 ms | lin / 10 ms | unconverged | s | faults |";
    format!("{titles}\n|{}", "---|".repeat(12))
}

/// A Markdown table of the numbers of faults: of all runs, then by each value of each factor.
pub fn summary(rows: &[Row]) -> String {
    let mut text = String::from(
        "| | runs | explode | overstretched | penetrate | rest too near | errors | settled | unconverged steps | CG / 10 ms | lin / 10 ms | s / run |\n",
    );
    let _ = writeln!(text, "|{}", "---|".repeat(12));
    let _ = writeln!(text, "{}", line("all", &rows.iter().collect::<Vec<_>>()));
    for (factor, Factor { name, values, .. }) in FACTORS.iter().enumerate() {
        for (level, value) in values.iter().enumerate() {
            let some: Vec<_> = rows.iter().filter(|row| row.levels[factor] == level).collect();
            if !some.is_empty() {
                let _ = writeln!(text, "{}", line(&format!("{name} {value}"), &some));
            }
        }
    }
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let _ = write!(text, "\n{} runs, {} without a fault, {seconds:.0} s", rows.len(), faultless(rows));
    text
}

fn faultless(rows: &[Row]) -> usize {
    rows.iter().filter(|row| row.faults().is_empty()).count()
}

fn line(title: &str, rows: &[&Row]) -> String {
    let count = |of: fn(&Row) -> bool| rows.iter().filter(|row| of(row)).count();
    let compared = rows.iter().filter(|row| row.fine_stretch.is_some()).count();
    let sum = |of: fn(&Row) -> f64| rows.iter().map(|row| of(row)).sum::<f64>();
    let steps = sum(|row| row.steps as f64).max(1.0);
    let runs = rows.len().max(1) as f64;
    format!(
        "| {title} | {} | {} | {} of {compared} | {} | {} | {} | {} | {:.1} % | {:.0} | {:.1} | {:.1} |",
        rows.len(),
        count(Row::exploded),
        count(Row::overstretched),
        count(Row::penetrates),
        count(Row::rests_too_near),
        count(|row| row.error.is_some()),
        count(|row| row.settled_distance.is_some()),
        100.0 * sum(|row| row.unconverged as f64) / steps,
        sum(|row| row.iterations) / runs,
        sum(|row| row.linearisations) / runs,
        sum(|row| row.seconds) / runs,
    )
}
