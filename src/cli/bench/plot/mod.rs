//! Charts of a report, as SVG.

mod chart;
mod labels;
mod roofline;
mod scaling;

use super::report::Report;
use crate::{Error, io::Draft};
use std::{fs, path::Path};

/// Draws both charts into a folder.
pub fn write(folder: &Path, report: &Report) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|source| Error::Io { path: folder.to_owned(), source })?;
    for (name, chart) in [("scaling.svg", scaling::chart(report)), ("roofline.svg", roofline::chart(report))] {
        Draft::write_file(&folder.join(name), |writer| writer.write_all(chart.svg()?.as_bytes()))?;
    }
    Ok(())
}

/// Subtitle of both charts: adapter, driver and version.
fn where_measured(report: &Report) -> String {
    format!("{}, {}, tenter {}", report.adapter, report.driver, report.tenter)
}
