//! The program: arguments, and the window.

use crate::{
    app::{App, Start},
    setup::Setup,
    surface,
};
use eframe::egui;
use std::{path::PathBuf, process::ExitCode};

const USAGE: &str = "\
Usage: tenter-viewer [SCENE] [OPTIONS]

SCENE is a scene file or the name of a built-in scene [default: drape]

Options:
  --cpu            simulate on the CPU, in f64
  --paused         do not begin by itself
  --set KEY=VALUE  change a number of the scene, such as simulation.time_step=0.005
  --size WxH       size of the window
  --report FILE    write a line of JSON per frame
  -h, --help       print this";

/// What the program was asked for.
struct Arguments {
    start: Start,
    size: [f32; 2],
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut arguments = Arguments { start: Start::default(), size: [1200.0, 800.0] };
    let mut scene = None;
    let mut changes = Vec::new();
    while let Some(word) = words.next() {
        let mut value = |name: &str| words.next().ok_or_else(|| format!("{name} needs a value"));
        match word.as_str() {
            "-h" | "--help" => return Ok(None),
            "--cpu" => arguments.start.cpu = true,
            "--paused" => arguments.start.paused = true,
            "--report" => arguments.start.report = Some(PathBuf::from(value("--report")?)),
            "--set" => {
                let pair = value("--set")?;
                let (key, value) = pair.split_once('=').ok_or_else(|| format!("{pair:?} is not KEY=VALUE"))?;
                changes.push((key.to_owned(), value.to_owned()));
            }
            "--size" => {
                let size = value("--size")?;
                let sides =
                    size.split_once('x').and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
                arguments.size = sides.ok_or_else(|| format!("{size:?} is not WxH"))?;
            }
            option if option.starts_with('-') => return Err(format!("there is no {option}")),
            name if scene.is_none() => scene = Some(name.to_owned()),
            more => return Err(format!("one scene at a time, not {more} too")),
        }
    }
    let mut setup = Setup::open(scene.as_deref().unwrap_or("drape")).map_err(|error| error.to_string())?;
    changes.into_iter().for_each(|(key, value)| setup.change(&key, value));
    arguments.start.setup = Some(setup);
    Ok(Some(arguments))
}

/// Runs the program.
pub fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn,wgpu_hal=error,egui_wgpu=error"))
        .init();
    let Arguments { start, size } = match parse(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("tenter-viewer: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size(size).with_title("tenter").with_app_id("tenter"),
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: surface::configuration(),
        ..Default::default()
    };
    let make: eframe::AppCreator<'_> = Box::new(|context| Ok(Box::new(App::new(context, start)?)));
    match eframe::run_native("tenter", options, make) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!(
                "tenter-viewer: no window: {error}\nWithout a display, 'tenter run SCENE' simulates and writes pictures."
            );
            ExitCode::FAILURE
        }
    }
}
