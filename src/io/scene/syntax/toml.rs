//! TOML by the crate `toml`.

use super::{
    super::tree::{Data, Entries, Entry, Node},
    Complaint,
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Message of the parser about a duplicate key.
const DUPLICATE: &str = "duplicate key";

pub fn parse(text: &str) -> (Entries, Option<Complaint>) {
    let (root, errors) = DeTable::parse_recoverable(text);
    let complaint = errors.first().map(|error| Complaint {
        extent: error.span(),
        message: error.message().to_owned(),
        duplicate: error.message() == DUPLICATE,
    });
    (entries(root.get_ref()), complaint)
}

fn entries(table: &DeTable<'_>) -> Entries {
    let entry = |(key, value): (&Spanned<_>, &Spanned<_>)| Entry {
        key: AsRef::<str>::as_ref(key.get_ref()).to_owned(),
        start: key.span().start,
        node: node(value),
    };
    let mut entries: Vec<Entry> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.start);
    Entries(entries)
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let data = match value.get_ref() {
        DeValue::String(text) => Data::Text(text.as_ref().to_owned()),
        DeValue::Integer(integer) => {
            Data::Whole(integer.to_string(), i64::from_str_radix(integer.as_str(), integer.radix()).ok())
        }
        DeValue::Float(float) => Data::Real(float.to_string(), float.as_str().parse().ok()),
        DeValue::Boolean(truth) => Data::Truth(*truth),
        DeValue::Datetime(_) => Data::Other("a date"),
        DeValue::Array(array) => Data::List(array.iter().map(node).collect()),
        DeValue::Table(table) => Data::Table(entries(table)),
    };
    Node { extent: value.span(), data }
}
