//! The file as text: syntax, bytes, what is not there, and damage of every kind.

use super::*;
use std::path::{Path, PathBuf};
use tenter::{Error, SceneFile};

#[test]
fn syntax_errors() {
    GOOD.refused("width = 1.0", "width = ", "body[0].mesh.width", "string values must be quoted");
    GOOD.refused("width = 1.0", "width = 1.0.0", "body[0].mesh.width", "");
    GOOD.refused("width = 1.0", "width 1.0", "body[0].mesh", "");
    GOOD.refused("[solver]", "[solver", "", "unclosed table");
    GOOD.refused("depth = 2.0", "width = 2.0", "body[0].mesh.width", "duplicate key");
    GOOD.refused("[solver]", "[simulation]", "simulation", "duplicate key");
    GOOD.refused("name = \"cloth\"", "name = \"cloth", "body[0].name", "");
    let (line, _, message) = wrong("[[[[");
    assert_eq!(line, Some(1), "{message}");
    let (line, ..) = wrong(&format!("a = {}", "[".repeat(100_000)));
    assert_eq!(line, Some(1));
    wrong(&format!("{}a = 1", "a.".repeat(100_000)));
}

#[test]
fn empty_files() {
    for text in ["", "\n", "# nothing\n", "[simulation]\n"] {
        let (line, field, message) = wrong(text);
        assert_eq!((line, field.as_str()), (Some(1), "body"), "{message}");
    }
    assert_eq!(wrong("body = []").1, "body");
}

#[test]
fn files_that_are_not_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let mut bytes = GOOD.text.as_bytes().to_vec();
    let at = GOOD.text.find("cloth").unwrap();
    bytes[at] = 0xff;
    std::fs::write(&path, bytes).unwrap();
    match SceneFile::read(&path) {
        Err(Error::File { path: named, line, field, message }) => {
            assert_eq!(
                (named, line, field.as_str()),
                (path, Some(line_of(GOOD.text, "name = \"cloth\"")), "body[0].name")
            );
            assert!(message.contains("UTF-8"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_that_are_not_there() {
    let missing = PathBuf::from("no/such/scene.toml");
    assert!(matches!(SceneFile::read(&missing), Err(Error::Io { path, .. }) if path == missing));
    assert!(matches!(SceneFile::read("."), Err(Error::File { message, .. }) if message.contains("is a folder")));
}

#[test]
fn the_message_names_file_line_and_field() {
    let error = SceneFile::parse(&GOOD.changed("density = 0.2", "density = 0"), "dir/scene.toml").unwrap_err();
    let line = line_of(GOOD.text, "density = 0.2");
    let message = format!("dir/scene.toml:{line}: body[0].material.density: must be positive and finite, not 0");
    assert_eq!(error.to_string(), message);
}

#[test]
fn the_scenes_that_come_along_are_good() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            SceneFile::read(path).unwrap();
            seen += 1;
        }
    }
    assert!(seen >= 17);
}

/// Reads bytes as `SceneFile::read` does; whatever they are, it is a scene or an error with a place.
fn survives(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return false };
    match SceneFile::parse(text, "fuzz.toml") {
        Ok(_) => true,
        Err(Error::File { line, .. }) => {
            let lines = text.matches('\n').count() + 1;
            assert!(line.is_some_and(|line| (1..=lines).contains(&line)), "line {line:?} of {lines} in\n{text}");
            false
        }
        Err(other) => panic!("{other:?} in\n{text}"),
    }
}

#[test]
fn every_beginning_of_a_good_file_is_a_scene_or_an_error() {
    let good = (0..=GOOD.text.len()).filter(|&end| survives(&GOOD.text.as_bytes()[..end])).count();
    assert!((1..GOOD.text.len() / 2).contains(&good), "{good}");
}

#[test]
fn every_changed_byte_gives_a_scene_or_an_error() {
    let models = material::with_model(
        "membrane = { weft = 9, warp = 5, contraction = -2, shear = 3 }\n\
         bending = { weft = 2, warp = 3, rest = -5, hardening = 0.5, viscosity = 0.2 }\n\
         weave = { weft = 9, warp = { stiffness = 5 }, contraction = 2, bending = \"membrane\", bending_modulus = 5 }\n\
         area = { stiffness = 3 }\nshell = { stiffness = 3 }",
    );
    let of_models = models.find("membrane").unwrap()..models.find("structural").unwrap();
    let of_meeting = MEETING.text.find("until").unwrap()..MEETING.text.len();
    let whole = |fixture: Fixture| (fixture.text, 0..fixture.text.len());
    let layers = contact::LAYERS.text;
    let of_contact = 0..layers.find("[[body]]").unwrap();
    let texts =
        [whole(GOOD), whole(BLOCK), (MEETING.text, of_meeting), (models.as_str(), of_models), (layers, of_contact)];
    for (text, range) in texts {
        let mut good = 0;
        let mut all = 0;
        for at in range {
            for byte in *b"\0\n\r\t \"'#=.,-+[]{}_09eEinax" {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] = byte;
                good += usize::from(survives(&bytes));
                all += 1;
            }
        }
        assert!(good > 0 && good < all / 2, "{good} of {all}");
    }
}
