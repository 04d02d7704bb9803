//! Line numbers of fixtures, found by what stands there: a fixture can be edited without counting its lines.
#![allow(dead_code)]

/// Number, from 1, of the line of a text on which a marker begins. The marker has to be in the text exactly once.
#[track_caller]
pub fn line_of(text: &str, marker: &str) -> usize {
    assert_eq!(text.matches(marker).count(), 1, "{marker:?} in\n{text}");
    first_line_of(text, marker)
}

/// Number, from 1, of the line of a text on which a marker begins for the first time.
#[track_caller]
pub fn first_line_of(text: &str, marker: &str) -> usize {
    let begin = text.find(marker).unwrap_or_else(|| panic!("no {marker:?} in\n{text}"));
    text[..begin].matches('\n').count() + 1
}
