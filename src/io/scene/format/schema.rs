//! JSON Schema of the format.

use super::{Need, Section, ValueKind};
use serde_json::{Map, Value, json};

/// Text of the schema, with a definition for every section.
pub fn write(root: &'static Section) -> String {
    let mut definitions = Map::new();
    define(root, &mut definitions);
    let mut schema = definitions.remove(root.title).unwrap_or_default();
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("tenter scene");
    // A scene may name its schema.
    schema["properties"]["$schema"] = json!({ "type": "string" });
    schema["$defs"] = Value::Object(definitions);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// Adds a section and the sections it refers to, each once.
fn define(section: &'static Section, definitions: &mut Map<String, Value>) {
    if definitions.contains_key(section.title) {
        return;
    }
    definitions.insert(section.title.to_owned(), object(section));
    for inner in section.fields().flat_map(|field| field.kind.sections()) {
        define(inner, definitions);
    }
}

fn object(section: &Section) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in section.fields() {
        let mut schema = of(&field.kind);
        schema["description"] = json!(field.text);
        if let Need::Default(default) = field.need
            && let Some(default) = plain(default)
        {
            schema["default"] = default;
        }
        if let Some(example) = plain(field.example) {
            schema["examples"] = json!([example]);
        }
        properties.insert(field.key.to_owned(), schema);
        // A key that another may replace is not required by itself.
        let replaced = section.fields().any(|other| other.without.contains(&field.key));
        if field.need == Need::Required && !replaced {
            required.push(field.key);
        }
    }
    let mut schema = json!({
        "type": "object",
        "description": section.text,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn of(kind: &ValueKind) -> Value {
    let count = |number: usize, items: Value| json!({ "type": "array", "items": items, "minItems": number, "maxItems": number });
    let reference = |section: &Section| json!({ "$ref": format!("#/$defs/{}", pointer(section.title)) });
    match kind {
        ValueKind::Number => json!({ "type": "number" }),
        ValueKind::Positive => json!({ "type": "number", "exclusiveMinimum": 0 }),
        ValueKind::Amount => json!({ "type": "number", "minimum": 0 }),
        ValueKind::Fraction => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 }),
        ValueKind::Between(low, high) => json!({ "type": "number", "minimum": low, "maximum": high }),
        ValueKind::Inside(low, high) => {
            json!({ "type": "number", "exclusiveMinimum": low, "exclusiveMaximum": high })
        }
        ValueKind::Whole(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        ValueKind::Truth => json!({ "type": "boolean" }),
        ValueKind::Text | ValueKind::Path => json!({ "type": "string" }),
        ValueKind::Vector => count(3, json!({ "type": "number" })),
        ValueKind::Numbers(number) => count(*number, json!({ "type": "number" })),
        ValueKind::Word(word) => json!({ "const": word }),
        ValueKind::Words(words) => json!({ "enum": words() }),
        ValueKind::List(kind) => json!({ "type": "array", "items": of(kind) }),
        ValueKind::Pair(kind) => count(2, of(kind)),
        ValueKind::Either(kinds) => json!({ "anyOf": kinds.iter().map(of).collect::<Vec<_>>() }),
        ValueKind::Table([section]) => reference(section),
        ValueKind::Table(sections) => {
            json!({ "anyOf": sections.iter().map(|section| reference(section)).collect::<Vec<_>>() })
        }
        ValueKind::Tables(sections) => json!({ "type": "array", "items": of(&ValueKind::Table(sections)) }),
    }
}

/// A title encoded for a reference: characters invalid in URIs are percent-encoded.
fn pointer(title: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    title.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A TOML value that is the same in JSON; `None` for others.
fn plain(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
