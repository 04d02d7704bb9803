//! The documentation of the format.

use super::{Need, Section};
use std::fmt::Write;

const INTRODUCTION: &str = "\
# Scene files

What `tenter run` reads, and `tenter check` checks: TOML, or the same tables in JSON where the file's name ends in `.json` (comments and trailing
commas are welcome there). Units are SI throughout, m, kg, s, N; y is up. Keys that are not listed here are errors, and every error names file, line
and field. Paths of files are taken from the folder that the scene is in.

This page is made from what the reader knows (`cargo run --example scene_format`), and so is the JSON Schema
[scene.schema.json](scene.schema.json), by which editors complete and check: a TOML scene names it in its first line,

```toml
#:schema ../docs/scene.schema.json
```

and a JSON scene by `\"$schema\": \"../docs/scene.schema.json\"`. The smallest scene there is:

```toml
[[body]]
mesh = { kind = \"grid\", width = 1.0, depth = 1.0, columns = 32, rows = 32 }
material = { preset = \"cotton\" }

[[pin]]
vertices = \"corners\"
```

**Bold** keys have to be there. An example is what would stand behind the `=`.
";

/// The whole page.
pub fn write(root: &'static Section) -> String {
    let mut page = INTRODUCTION.to_owned();
    let mut done: Vec<*const Section> = Vec::new();
    add(&mut page, root, &mut done);
    page
}

/// A section and those it leads to, each once.
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

/// What a field is, and what goes with it.
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
