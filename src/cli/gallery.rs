//! Built-in scenes: `tenter scenes` lists them, and every command accepts their names.

use super::{failure::Failure, output};
use crate::{Error, SceneFile};
use clap::Args;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A built-in scene.
pub struct GalleryScene {
    pub name: &'static str,
    pub about: &'static str,
    pub text: &'static str,
}

macro_rules! scenes {
    ($($name:literal: $about:literal,)*) => {
        &[$(GalleryScene { name: $name, about: $about, text: include_str!(concat!("../../scenes/", $name, ".toml")) },)*]
    };
}

/// All built-in scenes.
pub const GALLERY: &[GalleryScene] = scenes! {
    "hanging": "a cotton cloth hangs from two corners",
    "drape": "a cloth falls on a ball, wraps it and comes to rest in folds",
    "tablecloth": "a cloth falls on a round table and hangs down in folds",
    "flag": "a flag in gusts of wind",
    "curtain": "a gathered curtain is drawn along its rail",
    "hammock": "a heavy ball falls into a hammock",
    "jelly": "a jelly is pushed, swings back and wobbles",
    "melting": "a block runs down and keeps its volume",
    "dent": "a ball is pressed into a plastic sheet and leaves a dent",
    "plastic": "a bar that stays bent beside one that does not",
    "buckling": "a strip is pushed together and buckles",
    "sewn-tube": "two panels are sewn together around a post",
    "stack": "sheets of four fabrics over the bars of a rack",
    "fabrics": "strips of six materials under their own weight",
    "curl": "a sheet that wants to be curved rolls up",
    "chain": "a chain hangs between two points",
    "dumpling": "a fine surface on coarse tetrahedra falls and rolls",
    "cusick": "six fabrics in Cusick's drape test",
    "layers": "five sheets fall one upon the other onto a ball",
    "ribbon": "a ribbon is let down and folds onto itself",
    "towel": "a towel is wrung into a rope",
    "kerchief": "a kerchief is pulled through a ring",
    "cubes": "soft cubes fall into a bowl and lie upon each other",
    "beads": "soft beads fall onto a cloth and roll together",
    "chest": "a coarse cloth on a chest, whose edges and corners stay covered",
};

/// List the built-in scenes, show one, or write them out
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ScenesArguments {
    /// Print the file of this scene
    name: Option<String>,
    /// Write the files of all scenes to this folder
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    write: Option<PathBuf>,
    /// Print one JSON object per scene
    #[arg(long, conflicts_with_all = ["name", "write"])]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tenter scenes                              what there is
  tenter run drape                           simulate one of them
  tenter scenes drape > mine.toml            a scene of your own to begin with
  tenter scenes --write scenes               all of them";

/// Runs the command.
pub fn run(arguments: &ScenesArguments) -> Result<(), Failure> {
    if let Some(folder) = &arguments.write {
        fs::create_dir_all(folder).map_err(|source| Error::Io { path: folder.clone(), source })?;
        for scene in GALLERY {
            let path = folder.join(format!("{}.toml", scene.name));
            // An existing file is not overwritten: the user may have edited it.
            let file = fs::OpenOptions::new().write(true).create_new(true).open(&path);
            let written = file.and_then(|mut file| std::io::Write::write_all(&mut file, scene.text.as_bytes()));
            written.map_err(|source| Error::Io { path, source })?;
        }
        return output::print(&format!("{} scenes in {}", GALLERY.len(), folder.display()));
    }
    if let Some(name) = &arguments.name {
        return output::print(find(name).ok_or_else(|| unknown(name))?.text.trim_end());
    }
    let line = |scene: &GalleryScene| match arguments.json {
        true => serde_json::json!({ "name": scene.name, "about": scene.about }).to_string(),
        false => format!("{:<12} {}", scene.name, scene.about),
    };
    output::print(&GALLERY.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Reads a scene file, or the built-in scene of that name if there is no such file.
pub fn read(scene: &str) -> Result<SceneFile, Failure> {
    let path = Path::new(scene);
    if path.exists() {
        return SceneFile::read(path).map_err(Failure::Input);
    }
    if let Some(built_in) = find(scene) {
        return SceneFile::parse(built_in.text, format!("{scene}.toml")).map_err(Failure::Input);
    }
    if path.extension().is_none() && path.components().count() == 1 {
        return Err(unknown(scene));
    }
    SceneFile::read(path).map_err(Failure::Input)
}

fn find(name: &str) -> Option<&'static GalleryScene> {
    GALLERY.iter().find(|scene| scene.name == name)
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = GALLERY.iter().map(|scene| scene.name).collect();
    let message =
        format!("there is no file {name:?}, and no built-in scene of that name; there are: {}", names.join(", "));
    Failure::Input(Error::Usage(message))
}
