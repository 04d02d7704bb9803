//! What AMD's shader compiler makes of every kernel of tenter: registers, occupancy, scratch memory, instructions. Needs Mesa's driver RADV, and no GPU.
//!
//! Each kernel is composed for hardware, specialised as in a benchmark scene, translated to SPIR-V by naga as wgpu does it, and compiled by RADV for a device
//! without hardware. The program fails if a kernel spills registers or uses scratch memory.

mod device;
mod scenes;
mod spirv;

use device::{Device, Statistics};
use scenes::Variant;
use std::process::{Command, ExitCode};

/// Families of GPUs, as RADV names them, that are compiled for when none are given.
const FAMILIES: [&str; 3] = ["navi21", "vega10", "gfx1100"];

/// The environment variable with which RADV offers a device without hardware.
const FORCE_FAMILY: &str = "RADV_FORCE_FAMILY";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match std::env::var(FORCE_FAMILY) {
        Ok(family) => print_family(&family, &arguments),
        Err(_) => every_family(&arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs this program once per family: RADV reads the family from the environment. Arguments with a slash are parts of names of kernels, all others are families.
fn every_family(arguments: &[String]) -> Result<bool, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let driver = device::driver_file()?;
    let (kernels, families): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|it| it.contains('/'));
    let mut asked: Vec<&str> = families.into_iter().map(String::as_str).collect();
    if asked.is_empty() {
        asked.extend(FAMILIES);
    }
    let mut clean = true;
    for family in asked {
        let mut run = Command::new(&program);
        run.args(&kernels);
        // Both names of the variable: loaders before 1.3.207 know the second alone.
        run.env(FORCE_FAMILY, family).env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver);
        clean &= run.status().map_err(|error| error.to_string())?.success();
    }
    Ok(clean)
}

/// Prints the statistics of every kernel on one family. Returns whether all kernels do without spills and scratch memory.
fn print_family(family: &str, only: &[String]) -> Result<bool, String> {
    let device = Device::open()?;
    println!("\n{family}: {}", device.name());
    println!(
        "{:<27} {:<20} {:>5} {:>5} {:>5} {:>9} {:>5} {:>6} {:>7} {:>6} {:>10} {:>6}",
        "kernel",
        "as in",
        "VGPRs",
        "SGPRs",
        "waves",
        "occupancy",
        "LDS",
        "spills",
        "scratch",
        "instr.",
        "throughput",
        "bytes"
    );
    let mut wrong = 0;
    // The copy kernel needs next to no registers: as many waves as the device can hold.
    let mut most = 0;
    let variants = scenes::variants()?;
    let compile = |variant: &Variant| {
        device.compile(&spirv::translate(variant)?).map_err(|error| format!("{}: {error}", variant.kernel))
    };
    for variant in variants.iter().filter(|variant| variant.kernel == "bench/copy") {
        most = compile(variant)?.waves;
    }
    for variant in &variants {
        let Variant { kernel, scene, .. } = variant;
        if !only.is_empty() && !only.iter().any(|part| kernel.contains(part.as_str())) {
            continue;
        }
        let found = compile(variant)?;
        wrong += u32::from(found.spills > 0 || found.scratch > 0);
        let Statistics { vgprs, sgprs, waves, lds, spills, scratch, instructions, throughput, bytes } = found;
        let occupancy = format!("{} %", 100 * waves / most.max(1));
        println!(
            "{kernel:<27} {scene:<20} {vgprs:>5} {sgprs:>5} {waves:>5} {occupancy:>9} {lds:>5} {spills:>6} {scratch:>7} {instructions:>6} {throughput:>10} {bytes:>6}"
        );
    }
    if wrong > 0 {
        println!("error: {wrong} kernels spill registers or use scratch memory");
    }
    Ok(wrong == 0)
}
