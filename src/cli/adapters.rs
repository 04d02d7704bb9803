//! `tenter adapters`: lists the GPU adapters.

use super::{adapter_text, failure::Failure, json, output};
use crate::{AdapterSummary, Error, Gpu};
use clap::Args;
use serde::Serialize;

/// List the GPU adapters and which one is used
#[derive(Args)]
pub struct AdaptersArguments {
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

const HEADINGS: [&str; 6] = ["name", "type", "API", "driver", "largest buffer", "timestamps"];

/// An adapter in JSON.
#[derive(Serialize)]
struct AdapterLine {
    name: String,
    device_type: &'static str,
    api: String,
    driver: String,
    max_buffer_binding: u64,
    timestamps: bool,
    used: bool,
}

impl From<&AdapterSummary> for AdapterLine {
    fn from(adapter: &AdapterSummary) -> Self {
        let info = &adapter.info;
        Self {
            name: info.name.clone(),
            device_type: adapter_text::device_type(info),
            api: info.backend.to_string(),
            driver: adapter_text::driver(info),
            max_buffer_binding: adapter.limits.max_storage_buffer_binding_size,
            timestamps: adapter.timestamps,
            used: adapter.chosen,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &AdaptersArguments) -> Result<(), Failure> {
    let adapters: Vec<AdapterLine> = Gpu::adapters().iter().map(AdapterLine::from).collect();
    if arguments.json {
        output::print(&json::line(&adapters))?;
    }
    if adapters.is_empty() {
        // Opening one fails, and the error says why.
        return Err(Gpu::headless().err().unwrap_or(Error::NoAdapter).into());
    }
    if !arguments.json {
        output::print(&table(&adapters))?;
    }
    Ok(())
}

fn table(adapters: &[AdapterLine]) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(adapters.iter().map(|adapter| {
        let timestamps = if adapter.timestamps { "yes" } else { "no" };
        let buffer = format!("{} MiB", adapter.max_buffer_binding >> 20);
        [&adapter.name, adapter.device_type, &adapter.api, &adapter.driver, &buffer, timestamps].map(str::to_owned)
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let marks = std::iter::once(' ').chain(adapters.iter().map(|adapter| if adapter.used { '*' } else { ' ' }));
    let mut text = String::new();
    for (mark, row) in marks.zip(&rows) {
        let cells = row.iter().enumerate().map(|(ix, cell)| format!("{cell:<width$}", width = width(ix)));
        text += &format!("{mark} {}\n", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    text += if adapters.iter().any(|adapter| adapter.used) {
        "\nThe one marked * is used. Choose another by part of its name: tenter run --adapter NAME, or TENTER_ADAPTER=NAME."
    } else {
        "\nNone of them has the name that TENTER_ADAPTER asks for."
    };
    text
}
