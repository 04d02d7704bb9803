//! JSON by the crate `jsonc-parser`, with comments and trailing commas, as in editors.

use super::{
    super::tree::{Data, Entries, Entry, Node},
    Complaint,
};
use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{Object, Value},
    common::Ranged,
    parse_to_ast,
};
use std::{collections::HashSet, ops::Range};

/// Comments and trailing commas are the only extensions of JSON.
const DIALECT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

pub fn parse(text: &str) -> (Entries, Option<Complaint>) {
    let complain =
        |extent: Range<usize>, message: String| Complaint { extent: Some(extent), message, duplicate: false };
    match parse_to_ast(text, &CollectOptions::default(), &DIALECT).map(|parsed| parsed.value) {
        Ok(Some(Value::Object(object))) => {
            let mut repeated = None;
            let mut root = entries(&object, &mut repeated);
            // `$schema` is for editors only.
            root.0.retain(|entry| entry.key != "$schema");
            let complaint = repeated.map(|extent| Complaint {
                extent: Some(extent),
                message: "duplicate key".to_owned(),
                duplicate: true,
            });
            (root, complaint)
        }
        Ok(value) => {
            let extent = value.map_or(0..0, |value| extent(&value));
            (Entries::default(), Some(complain(extent, "must be an object: { … }".to_owned())))
        }
        Err(error) => {
            let extent = error.range().start..error.range().end;
            (Entries::default(), Some(complain(extent, error.kind().to_string())))
        }
    }
}

fn entries(object: &Object<'_>, repeated: &mut Option<Range<usize>>) -> Entries {
    let mut known = HashSet::new();
    let mut entries = Vec::with_capacity(object.properties.len());
    for property in &object.properties {
        let key = property.name.as_str();
        let name = property.name.range();
        if !known.insert(key) {
            repeated.get_or_insert(name.start..name.end);
            continue;
        }
        entries.push(Entry { key: key.to_owned(), start: name.start, node: node(&property.value, repeated) });
    }
    Entries(entries)
}

fn node(value: &Value<'_>, repeated: &mut Option<Range<usize>>) -> Node {
    let data = match value {
        Value::StringLit(text) => Data::Text(text.value.as_ref().to_owned()),
        Value::NumberLit(number) if number.value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => {
            Data::Whole(number.value.to_owned(), number.value.parse().ok())
        }
        Value::NumberLit(number) => Data::Real(number.value.to_owned(), number.value.parse().ok()),
        Value::BooleanLit(truth) => Data::Truth(truth.value),
        Value::NullKeyword(_) => Data::Other("null"),
        Value::Array(array) => Data::List(array.elements.iter().map(|element| node(element, repeated)).collect()),
        Value::Object(object) => Data::Table(entries(object, repeated)),
    };
    Node { extent: extent(value), data }
}

fn extent(value: &Value<'_>) -> Range<usize> {
    let range = value.range();
    range.start..range.end
}
