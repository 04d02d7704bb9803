//! Markdown documentation of the format.

use super::{Need, Section};
use std::fmt::Write;

const INTRODUCTION: &str = "\
# Scene files

Scene files are the input of `tenter run` and `tenter check`: TOML, or the same tables in JSON if the file's name ends in `.json` (comments and
trailing commas are allowed there). Units are SI throughout, m, kg, s, N; y is up. Keys that are not listed here are errors, and every error names
file, line and field. Paths of files are relative to the folder of the scene.

`cargo run --example scene_format` generates this page from the reader's tables, and the JSON Schema [scene.schema.json](scene.schema.json), with
which editors complete and check scenes. A TOML scene names the schema in its first line,

```toml
#:schema ../docs/scene.schema.json
```

a JSON scene by `\"$schema\": \"../docs/scene.schema.json\"`. The smallest scene:

```toml
[[body]]
mesh = { kind = \"grid\", width = 1.0, depth = 1.0, columns = 32, rows = 32 }
material = { preset = \"cotton\" }

[[pin]]
vertices = \"corners\"
```

**Bold** keys are required. An example is the text after the `=`.
";

/// Text of the whole page.
pub fn write(root: &'static Section) -> String {
    let mut page = INTRODUCTION.to_owned();
    let mut done: Vec<*const Section> = Vec::new();
    add(&mut page, root, &mut done);
    page
}

/// Adds a section and the sections it refers to, each once.
fn add(page: &mut String, section: &'static Section, done: &mut Vec<*const Section>) {
    if done.contains(&std::ptr::from_ref(section)) {
        return;
    }
    done.push(section);
    // Writing to a string cannot fail.
    let _ = writeln!(page, "\n## {}\n\n{}\n", section.title, section.text);
    page.push_str("| key | value | default | example | |\n|---|---|---|---|---|\n");
    for field in section.fields() {
        let (key, default) = match field.need {
            Need::Required => (format!("**`{}`**", field.key), String::new()),
            Need::Default(default) => (format!("`{}`", field.key), format!("`{default}`")),
            Need::Optional(absent) => (format!("`{}`", field.key), absent.to_owned()),
        };
        let example = if field.example.contains('\n') { String::new() } else { format!("`{}`", field.example) };
        let cells = [key, field.kind.words(), default, example, said(field)].map(|cell| cell.replace('|', "\\|"));
        let _ = writeln!(page, "| {} |", cells.join(" | "));
    }
    for field in section.fields() {
        for section in field.kind.sections() {
            add(page, section, done);
        }
    }
}

/// Description of a field with its related keys.
fn said(field: &super::Field) -> String {
    let mut text = field.text.to_owned();
    let names = |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    if !field.with.is_empty() {
        let _ = write!(text, "; with {}", names(field.with));
    }
    if !field.without.is_empty() {
        let _ = write!(text, "; in place of {}", names(field.without));
    }
    text
}
