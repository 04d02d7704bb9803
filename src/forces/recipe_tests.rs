//! The recipes of `docs/recipes.md` name every file that a new model changes: the toy models have followed them.
//!
//! Toys are variants of `Law` and `ElementModel` in unit tests, so that every `match` over all models has to name them, and a line
//! that a model needs anywhere is a line that mentions the toy. The files that do are compared with the files that a recipe names.

use super::{ElementModel, Law};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// This file names every toy, and follows no recipe.
const THIS_FILE: &str = "src/forces/recipe_tests.rs";

type Files = BTreeSet<String>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file below some folders, by its path from the root, with its text.
fn sources(folders: &[&str]) -> Vec<(String, String)> {
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "wgsl") {
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(found.len() > 5, "{folders:?}");
    found
}

fn files_that(folders: &[&str], mention: impl Fn(&str) -> bool) -> Files {
    let sources = sources(folders).into_iter().filter(|(name, _)| name != THIS_FILE);
    sources.filter(|(_, text)| mention(text)).map(|(name, _)| name).collect()
}

/// Paths at the head of the items of one list: that behind `start`, in the section of this title.
fn listed(title: &str, start: &str, toy: &str) -> Files {
    let recipes = fs::read_to_string(root().join("docs/recipes.md")).unwrap();
    let section = recipes.split("\n## ").find(|section| section.starts_with(title)).unwrap();
    let list = section.split_once(start).unwrap_or_else(|| panic!("{title}: no {start:?}")).1;
    let is_item =
        |line: &&str| line.starts_with("- `") || line.split_once(". `").is_some_and(|(n, _)| n.parse::<u32>().is_ok());
    let items = list.lines().skip_while(|line| !is_item(line)).take_while(is_item);
    let path = |line: &str| line.split('`').nth(1).unwrap().replace("NAME", toy);
    items.map(path).collect()
}

/// Words run together in small letters: `Law::Toy`, `LAW_TOY` and `law toy` are all `lawtoy`.
fn run_together(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric() || *letter == '\n').collect::<String>().to_lowercase()
}

fn mentions_any(words: &[&str]) -> impl Fn(&str) -> bool {
    move |text| {
        let text = run_together(text);
        words.iter().any(|word| text.contains(word))
    }
}

#[test]
fn the_toy_law_is_in_the_files_of_its_recipe_and_in_no_others() {
    let found = files_that(&["src", "shaders"], mentions_any(&["lawtoy", "toylaw"]));
    assert_eq!(found, listed("To add an edge model", "", "toy_law"));
}

#[test]
fn the_toy_element_is_in_the_files_of_its_recipe_and_in_no_others() {
    let found = files_that(&["src", "shaders"], mentions_any(&["modeltoy", "toyelement"]));
    assert_eq!(found, listed("To add an element model", "", "toy_element"));
}

/// Every other file that mentions a toy follows a recipe too, or is named here.
#[test]
fn nothing_else_mentions_a_toy() {
    let mut known = listed("To add an edge model", "", "toy_law");
    known.extend(listed("To add an element model", "", "toy_element"));
    // How lines of tests are composed, and two comments.
    known.extend(
        ["src/gpu/shader.rs", "src/engine/gpu/parity/assembly.rs", "src/engine/gpu/parity/models.rs"]
            .map(str::to_owned),
    );
    assert_eq!(files_that(&["src", "shaders"], |text| text.to_lowercase().contains("toy")), known);
}

/// Integration tests see no toys. Where one names every model, a new one has to be named too.
#[test]
fn tests_that_name_every_model_are_in_the_recipes() {
    let laws = Law::ALL.iter().filter(|law| **law != Law::Toy);
    let laws: Vec<String> = laws.map(|law| format!("Law::{law:?}")).collect();
    let names_all = |names: &[String], text: &str| names.iter().all(|name| text.contains(name));
    let found = files_that(&["tests"], |text| names_all(&laws, text));
    assert_eq!(found, listed("To add an edge model", "name every law:", ""));

    let models = ElementModel::ALL.iter().filter(|model| **model != ElementModel::Toy);
    let models: Vec<String> = models.map(|model| format!("ElementModel::{model:?}")).collect();
    let found = files_that(&["tests"], |text| names_all(&models, text));
    assert_eq!(found, listed("To add an element model", "name every model:", ""));
}

/// The interface for users has no toy: its files are those that know an established model.
#[test]
fn what_leads_users_to_a_model_is_in_the_recipes() {
    let laws = ["Linear", "Distance", "TensionOnly", "Stvk", "Cubic", "CubicCoefficients", "Buckling"];
    let laws = laws.map(|law| format!("SpringLaw::{law}"));
    let mut found = files_that(&["src/topology", "src/io", "tests"], |text| laws.iter().all(|law| text.contains(law)));
    found.extend(files_that(&["src/scene"], |text| text.contains("pub enum SpringLaw {")));
    assert_eq!(found, listed("To add an edge model", "once the law works:", ""));

    let folders = ["src/scene", "src/topology/elements", "src/io", "src/lib.rs", "src/test_scenes.rs"];
    let mut found = files_that(&folders, mentions_any(&["membrane"]));
    // Presets are made of membranes; a weave's bending has a word of the same name.
    found.retain(|name| !name.contains("/presets/") && !name.ends_with("/weave.rs"));
    assert_eq!(found, listed("To add an element model", "once the model works", ""));
}

/// The control: a recipe that leaves a file out is not equal to what was found.
#[test]
fn a_list_is_read_item_by_item() {
    let edge = listed("To add an edge model", "", "toy_law");
    assert!(edge.contains("shaders/forces/toy_law.wgsl") && edge.contains("src/forces/law.rs"));
    assert!(edge.iter().all(|path| root().join(path).is_file()));
    let users = listed("To add an edge model", "once the law works:", "");
    assert!(users.is_disjoint(&edge) && users.contains("src/scene/spring.rs"));
}

/// `forces` imports nothing of the crate, `topology` nothing of the twins.
#[test]
fn layers_import_downwards() {
    let imports = |folder: &str, module: &str| {
        let names = |text: &str| {
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
            code.contains(&format!("{module}::")) || code.contains(&format!("{module},"))
        };
        files_that(&[folder], names)
    };
    let tests: Files = ["src/forces/table_tests.rs".to_owned()].into();
    assert_eq!(imports("src/forces", "crate").difference(&tests).count(), 0);
    assert_eq!(imports("src/topology", "reference"), Files::new());
    assert!(imports("src/reference", "topology").len() > 3, "the control: twins read topology");
}
