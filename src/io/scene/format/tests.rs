//! Tests of the format's own description: every example and default is read, in TOML and JSON, and validated by the schema.

use super::{super::syntax::Syntax, super::tree::Data, *};
use crate::{Error, SceneFile};
use serde_json::Value;

/// Path from the root to a table: fields with their sections.
type Way = Vec<(&'static Section, &'static Field)>;

/// Visits every section with all its paths.
fn walk(section: &'static Section, way: &Way, visit: &mut impl FnMut(&'static Section, &Way)) {
    visit(section, way);
    for field in section.fields() {
        for inner in field.kind.sections() {
            let way = way.iter().copied().chain([(section, field)]).collect();
            walk(inner, &way, visit);
        }
    }
}

/// A table of required keys, with a field that has a value or is missing.
fn table(section: &'static Section, field: &Field, value: Option<&str>, together: bool) -> String {
    let find = |key: &str| section.fields().find(|field| field.key == key).unwrap();
    let mut entries: Vec<(&str, &str)> = Vec::new();
    for other in section.fields() {
        if other.need == Need::Required && !field.without.contains(&other.key) {
            entries.push((other.key, other.example));
        }
    }
    for key in field.with.iter().filter(|_| together) {
        let (key, value) = key.split_once(" = ").unwrap_or_else(|| (key, find(key).example));
        entries.retain(|(other, _)| *other != key);
        entries.push((key, value));
        for excluded in section.fields().filter(|field| field.key == key).flat_map(|field| field.without) {
            entries.retain(|(other, _)| other != excluded);
        }
    }
    entries.retain(|(key, _)| *key != field.key);
    entries.extend(value.map(|value| (field.key, value)));
    let text: Vec<String> = entries.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", text.join(", "))
}

/// Whole files around a table, one for each possible mesh of its material.
fn files(way: &Way, mut text: String) -> Vec<String> {
    for (section, field) in way.iter().rev() {
        if matches!(field.kind, ValueKind::Tables(_)) {
            text = format!("[{text}]");
        }
        text = table(section, field, Some(&text), true);
    }
    // The outermost braces are not written.
    let text = text.strip_prefix("{ ").and_then(|text| text.strip_suffix(" }")).unwrap().to_owned();
    // Springs, which may be changed; a continuum refuses their tables.
    let cotton = "preset = \"cotton-springs\"";
    let text = text
        .replace("preset = \"cotton\"", cotton)
        .replace("material = { ", &format!("material = {{ {cotton}, "))
        .replace(&format!("{cotton}, preset"), "preset");
    let grid = "kind = \"grid\", width = 1.0, depth = 1.0, columns = 8, rows = 8";
    let block = "kind = \"block\", size = [1, 1, 1], counts = [3, 3, 3]";
    let chain = "kind = \"chain\", from = [0, 0, 0], to = [1, 0, 0], count = 9";
    let spring = "structural = { stiffness = 1.0 }";
    let heavy = "mass = 0.1, structural = { stiffness = 1.0 }";
    let mut files = Vec::new();
    for mesh in [grid, block, chain] {
        for material in [cotton, "preset = \"jelly\"", spring, heavy, "mass = 0.1"] {
            files.push(text.replace(cotton, material).replace(grid, mesh));
        }
    }
    // With a preset, defaults are the preset's: files without one come first.
    files.sort_by_key(|text| text.contains("preset"));
    files.into_iter().map(lines).collect()
}

/// Text with each of the outermost keys on a line of its own.
fn lines(text: String) -> String {
    let (mut depth, mut quoted, mut file) = (0, false, String::new());
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        file.push(if c == ',' && depth == 0 && !quoted { '\n' } else { c });
    }
    file
}

fn parse(text: &str) -> Result<SceneFile, Error> {
    SceneFile::parse(text, "scenes/example.toml")
}

/// Whether an error is due to something that no example contains.
fn excused(error: &Error) -> bool {
    ["the mesh has no groups", "skin: has no vertices", "on the other side", "tied to itself"]
        .iter()
        .any(|message| error.to_string().contains(message))
}

/// First valid file of several.
fn good(files: &[String]) -> Option<&String> {
    files.iter().find(|text| match parse(text) {
        Ok(_) => true,
        Err(error) => excused(&error),
    })
}

#[test]
fn every_example_is_read_and_keeps_to_the_schema() {
    let schema: Value = serde_json::from_str(&scene_schema()).unwrap();
    let mut count = 0;
    walk(&ROOT, &Vec::new(), &mut |section, way| {
        for field in section.fields() {
            let files = files(way, table(section, field, Some(field.example), true));
            let Some(text) = good(&files) else {
                let errors: Vec<String> = files.iter().map(|text| parse(text).unwrap_err().to_string()).collect();
                panic!("{} {}:\n{}\n{}", section.title, field.key, files[0], errors.join("\n"));
            };
            let json = json_of(text);
            let keeps = keeps_to(&schema, &serde_json::from_str(&json).unwrap());
            assert!(keeps, "{} {}:\n{json}", section.title, field.key);
            if let Ok(file) = parse(text) {
                let again = SceneFile::parse(&json, "scenes/example.json").unwrap();
                assert!(format!("{file:?}") == format!("{again:?}"), "{json}");
            }
            count += 1;
        }
    });
    assert!(count > 400, "{count}");
}

#[test]
fn defaults_are_what_the_reader_takes() {
    let mut count = 0;
    walk(&ROOT, &Vec::new(), &mut |section, way| {
        for field in section.fields() {
            let Need::Default(default) = field.need else { continue };
            let pair = |together| {
                let with = files(way, table(section, field, Some(default), together));
                let without = files(way, table(section, field, None, together));
                with.iter().zip(&without).find_map(|(with, without)| Some((parse(with).ok()?, parse(without).ok()?)))
            };
            let Some((with, without)) = pair(true).or_else(|| pair(false)) else {
                let files = files(way, table(section, field, Some(default), true));
                let errors: Vec<String> =
                    files.iter().filter_map(|text| parse(text).err()).map(|e| e.to_string()).collect();
                panic!("{} {}:\n{}\n{}", section.title, field.key, files[0], errors.join("\n"));
            };
            assert!(format!("{with:?}") == format!("{without:?}"), "{} {}", section.title, field.key);
            count += 1;
        }
    });
    assert!(count > 100, "{count}");
}

/// Values inside and outside of a documented range.
fn bounds(kind: &ValueKind) -> (Vec<String>, Vec<String>) {
    let texts = |numbers: &[f64]| numbers.iter().map(|number| format!("{number:?}").to_lowercase()).collect();
    match *kind {
        ValueKind::Number => (texts(&[-2.5, 0.0, 2.5]), texts(&[f64::NAN, f64::INFINITY])),
        ValueKind::Positive => (Vec::new(), texts(&[0.0, -1.0, f64::INFINITY])),
        ValueKind::Amount => (texts(&[0.0]), texts(&[-1e-3, f64::INFINITY])),
        ValueKind::Fraction => (texts(&[1.0, 0.01]), texts(&[0.0, -0.5, 1.01, f64::NAN])),
        ValueKind::Inside(low, high) => (texts(&[low + 0.01, high - 0.01]), texts(&[low, high, low - 1.0])),
        ValueKind::Between(low, high) => (texts(&[low, high]), texts(&[low - 0.01, high + 0.01])),
        ValueKind::Whole(low, high) => {
            let inside = [low, high].into_iter().filter(|bound| *bound < u32::MAX).map(|bound| bound.to_string());
            let outside = [i64::from(low) - 1, i64::from(high) + 1].map(|bound| bound.to_string());
            (inside.collect(), outside.to_vec())
        }
        _ => (Vec::new(), Vec::new()),
    }
}

/// Whether an error says that a value of this field is out of its range.
fn out_of_range(error: &Error, key: &str) -> bool {
    match error {
        Error::File { field, message, .. } => field.ends_with(key) && message.starts_with("must "),
        _ => false,
    }
}

#[test]
fn documented_ranges_are_those_of_the_reader() {
    let (mut count, mut wrong) = (0, Vec::new());
    walk(&ROOT, &Vec::new(), &mut |section, way| {
        for field in section.fields() {
            let (inside, outside) = bounds(&field.kind);
            let with = |value: &str| files(way, table(section, field, Some(value), true));
            // The mesh and material with which the example is good.
            let examples = with(field.example);
            let Some(good) = good(&examples).and_then(|good| examples.iter().position(|text| text == good)) else {
                continue;
            };
            for value in &inside {
                let error = parse(&with(value)[good]).err();
                let taken = error.as_ref().is_none_or(|error| !out_of_range(error, field.key));
                if !taken {
                    wrong.push(format!("{} {} = {value} is refused: {error:?}", section.title, field.key));
                }
            }
            for value in &outside {
                let error = parse(&with(value)[good]).err();
                let named = error.as_ref().is_some_and(|error| out_of_range(error, field.key));
                if !named {
                    wrong.push(format!("{} {} = {value} is taken: {error:?}", section.title, field.key));
                }
            }
            count += inside.len() + outside.len();
        }
    });
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 500, "{count}");
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema: Value = serde_json::from_str(&scene_schema()).unwrap();
    let good = "body = [{ mesh = { kind = \"grid\", width = 1.0, depth = 1.0, columns = 8, rows = 8 }, material = { preset = \"cotton\" } }]";
    let check = |text: &str| keeps_to(&schema, &serde_json::from_str(&json_of(text)).unwrap());
    assert!(check(good) && parse(good).is_ok());
    for (from, to) in [
        ("width = 1.0", "width = -1.0"),
        ("width = 1.0, ", ""),
        ("width", "breadth"),
        ("columns = 8", "columns = 8.5"),
        ("\"grid\"", "\"grit\""),
        ("\"cotton\"", "\"paper\""),
        ("body", "bodies"),
        ("preset = \"cotton\"", "preset = \"cotton\", structural = { law = \"stvk\" }"),
    ] {
        let bad = good.replace(from, to);
        assert!(!check(&bad) && parse(&bad).is_err(), "{bad}");
    }
}

#[test]
fn pages_are_up_to_date() {
    for (name, text) in [("docs/scene-format.md", scene_format_page()), ("docs/scene.schema.json", scene_schema())] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "{name} is not what the format says: cargo run --example scene_format");
    }
}

/// The scene converted to JSON.
fn json_of(toml: &str) -> String {
    let (root, complaint) = Syntax::Toml.parse(toml);
    assert!(complaint.is_none(), "{toml}");
    fn write(data: &Data) -> String {
        match data {
            Data::Text(text) => format!("{text:?}"),
            Data::Whole(text, _) | Data::Real(text, _) => text.clone(),
            Data::Truth(truth) => truth.to_string(),
            Data::Other(what) => panic!("{what}"),
            Data::List(list) => {
                format!("[{}]", list.iter().map(|node| write(&node.data)).collect::<Vec<_>>().join(", "))
            }
            Data::Table(entries) => {
                let entry = |entry: &super::super::tree::Entry| format!("{:?}: {}", entry.key, write(&entry.node.data));
                format!("{{ {} }}", entries.0.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }
    write(&Data::Table(root))
}

/// Whether a value is valid for a schema, by the keywords that ours use; others fail.
fn keeps_to(root: &Value, value: &Value) -> bool {
    keeps_to_part(root, root, value)
}

fn keeps_to_part(root: &Value, schema: &Value, value: &Value) -> bool {
    let keeps_to = |schema: &Value, value: &Value| keeps_to_part(root, schema, value);
    let rule = |(name, rule): (&String, &Value)| match name.as_str() {
        "$schema" | "$defs" | "title" | "description" | "default" | "examples" => true,
        "$ref" => {
            let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
            let found = root["$defs"].as_object().unwrap().iter().find(|(title, _)| encoded(title) == name);
            keeps_to(found.unwrap().1, value)
        }
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.is_u64() || value.is_i64(),
            other => panic!("{other}"),
        },
        "minimum" => value.as_f64().is_some_and(|number| number >= rule.as_f64().unwrap()),
        "maximum" => value.as_f64().is_some_and(|number| number <= rule.as_f64().unwrap()),
        "exclusiveMinimum" => value.as_f64().is_some_and(|number| number > rule.as_f64().unwrap()),
        "exclusiveMaximum" => value.as_f64().is_some_and(|number| number < rule.as_f64().unwrap()),
        "minItems" => value.as_array().is_some_and(|list| list.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => value.as_array().is_some_and(|list| list.len() as u64 <= rule.as_u64().unwrap()),
        "items" => value.as_array().is_some_and(|list| list.iter().all(|item| keeps_to(rule, item))),
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "anyOf" => rule.as_array().unwrap().iter().any(|schema| keeps_to(schema, value)),
        "required" => rule.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
        "properties" => rule.as_object().unwrap().iter().all(|(key, rule)| match value.get(key) {
            Some(value) => keeps_to(rule, value),
            None => true,
        }),
        "additionalProperties" => {
            let known = schema["properties"].as_object().unwrap();
            value.as_object().is_some_and(|object| object.keys().all(|key| known.contains_key(key)))
        }
        other => panic!("{other}"),
    };
    schema.as_object().unwrap().iter().all(rule)
}

/// A title encoded as in a URI.
fn encoded(title: &str) -> String {
    let mut text = String::new();
    for byte in title.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => text.push(byte.into()),
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

#[test]
fn a_json_scene_may_name_its_schema() {
    let text = "{ \"$schema\": \"scene.schema.json\", // for editors
        \"body\": [{ \"mesh\": { \"kind\": \"disk\", \"radius\": 1, \"rings\": 4 }, \"material\": { \"preset\": \"silk\" }, }] }";
    assert_eq!(SceneFile::parse(text, "a.json").unwrap().scene.bodies[0].mesh.positions.len(), 61);
    let wrong = |from: &str, to: &str| SceneFile::parse(&text.replace(from, to), "a.json").unwrap_err().to_string();
    assert!(wrong("rings", "wings").starts_with("a.json:2: body[0].mesh.wings: there is no such key"));
    assert!(wrong("}] }", "}]").starts_with("a.json:"));
    assert!(
        wrong("\"rings\": 4", "\"rings\": 4, \"rings\": 5").starts_with("a.json:2: body[0].mesh.rings: duplicate key")
    );
    assert!(wrong("4", "null").contains("must be a whole number, not null"));
    assert!(SceneFile::parse("[1]", "a.json").unwrap_err().to_string().contains("must be an object"));
    let deep = "[".repeat(100_000);
    assert!(SceneFile::parse(&format!("{{ \"body\": {deep}"), "a.json").is_err());
}
