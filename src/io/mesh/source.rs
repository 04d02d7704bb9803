//! Sequential reader of a file's bytes: words and lines of text, binary numbers.

use super::raw::Wrong;

/// A file with the current position.
pub(super) struct Source<'a> {
    bytes: &'a [u8],
    place: usize,
    /// Line number of the next byte, from 1.
    pub line: usize,
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0, line: 1 }
    }

    /// Remaining bytes.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.place..]
    }

    /// An error at the current line.
    pub fn wrong(&self, message: impl Into<String>) -> Wrong {
        Wrong::new(message).at(self.line)
    }

    /// Next line without its end; `None` at the end of the file.
    pub fn next_line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.place += end.map_or(rest.len(), |end| end + 1);
        self.line += 1;
        Some(rest[..end.unwrap_or(rest.len())].trim_ascii_end())
    }

    /// Next word, across the ends of lines.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        while let Some(&byte) = self.bytes.get(self.place) {
            if !byte.is_ascii_whitespace() {
                break;
            }
            self.line += usize::from(byte == b'\n');
            self.place += 1;
        }
        let rest = self.rest();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.place += end;
        (end > 0).then(|| &rest[..end])
    }

    /// Next word; an error at the end of the file.
    pub fn expect_word(&mut self, what: &str) -> Result<&'a [u8], Wrong> {
        self.word().ok_or_else(|| self.wrong(format!("ends too early: {what} is missing")))
    }

    /// Next word as a floating-point number, finite or not.
    pub fn float(&mut self, what: &str) -> Result<f64, Wrong> {
        let word = self.expect_word(what)?;
        float(word).ok_or_else(|| self.wrong(format!("{what} must be a number, not {}", shown(word))))
    }

    /// Next word as an integer.
    pub fn integer(&mut self, what: &str) -> Result<i64, Wrong> {
        let word = self.expect_word(what)?;
        integer(word).ok_or_else(|| self.wrong(format!("{what} must be a whole number, not {}", shown(word))))
    }

    /// Next bytes as an array.
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], Wrong> {
        let taken = self.rest().first_chunk().copied();
        self.place += taken.map_or(0, |_| N);
        taken.ok_or_else(|| Wrong::new(format!("ends too early: {N} bytes are missing at byte {}", self.bytes.len())))
    }

    /// Skips bytes.
    pub fn skip(&mut self, count: usize) -> Result<(), Wrong> {
        if count > self.rest().len() {
            let missing = count - self.rest().len();
            return Err(Wrong::new(format!(
                "ends too early: {missing} bytes are missing at byte {}",
                self.bytes.len()
            )));
        }
        self.place += count;
        Ok(())
    }

    /// Checks a count against its limit and the remaining bytes, of which each item needs at least `bytes_each`.
    pub fn count(&self, count: i64, bytes_each: usize, most: usize, what: &str) -> Result<usize, Wrong> {
        let Ok(wanted) = usize::try_from(count) else {
            return Err(Wrong::new(format!("{count} {what}: must not be negative")));
        };
        if wanted > most {
            return Err(Wrong::new(format!("{count} {what} are more than the {most} that can be read")));
        }
        // The last item of a text has no space after it.
        if wanted.saturating_mul(bytes_each.max(1)) > self.rest().len() + 1 {
            let left = self.rest().len();
            return Err(Wrong::new(format!(
                "ends too early: {count} {what} do not fit into the {left} bytes that follow"
            )));
        }
        Ok(wanted)
    }
}

pub(super) fn float(word: &[u8]) -> Option<f64> {
    str::from_utf8(word).ok()?.parse().ok()
}

pub(super) fn integer(word: &[u8]) -> Option<i64> {
    str::from_utf8(word).ok()?.parse().ok()
}

/// Words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A name as text, with invalid UTF-8 replaced.
pub(super) fn name(bytes: &[u8]) -> String {
    /// Longest name that is kept, bytes.
    const LONGEST: usize = 256;
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).trim().to_owned()
}

/// A word for a message, shortened if it is long.
pub(super) fn shown(word: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(&word[..word.len().min(40)]))
}
