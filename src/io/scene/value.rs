//! Typed access to tables and values of a scene file. An invalid value is an [`Error::Scene`] with the path of the field.

use super::{
    document::{join, written},
    format::Section,
    tree::{Data, Entries, Node},
};
use crate::Error;
use glam::Vec3;

/// A table with its path.
#[derive(Clone)]
pub struct Table<'d> {
    pub field: String,
    table: &'d Entries,
}

/// A value with its path.
pub struct Value<'d> {
    pub field: String,
    data: &'d Data,
}

impl<'d> Table<'d> {
    pub fn root(table: &'d Entries) -> Self {
        Self { field: String::new(), table }
    }

    /// Rejects keys that the section does not have.
    pub fn only(&self, section: &Section) -> Result<(), Error> {
        let known: Vec<&str> = section.fields().map(|field| field.key).collect();
        match self.table.0.iter().find(|entry| !known.contains(&entry.key.as_str())) {
            Some(entry) => {
                let message = format!("there is no such key here; there are: {}", known.join(", "));
                Err(self.wrong(&entry.key, message))
            }
            None => Ok(()),
        }
    }

    /// Value of a key, if it exists.
    pub fn get(&self, key: &str) -> Option<Value<'d>> {
        self.table.get(key).map(|node| Value { field: join(&self.field, key), data: &node.data })
    }

    /// Value of a required key.
    pub fn require(&self, key: &str) -> Result<Value<'d>, Error> {
        self.get(key).ok_or_else(|| self.wrong(key, "is missing"))
    }

    /// Value of a key, converted by `read`, or a default.
    pub fn get_or<T>(
        &self,
        key: &str,
        default: T,
        read: impl FnOnce(&Value<'d>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.get(key).map_or(Ok(default), |value| read(&value))
    }

    /// Number of a key, or the known one; an error without either.
    pub fn single_or(&self, key: &str, known: Option<f32>) -> Result<f32, Error> {
        match (self.get(key), known) {
            (Some(value), _) => value.single(),
            (None, Some(known)) => Ok(known),
            (None, None) => Err(self.wrong(key, "is missing")),
        }
    }

    /// Value of the first existing key.
    pub fn first_of(&self, keys: &[&str]) -> Option<Value<'d>> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// Elements of an array of tables; empty if the key is missing.
    pub fn tables(&self, key: &str) -> Result<Vec<Table<'d>>, Error> {
        self.get_or(key, Vec::new(), |value| value.array()?.iter().map(Value::table).collect())
    }

    /// An error about a key.
    pub fn wrong(&self, key: &str, message: impl Into<String>) -> Error {
        Error::scene(join(&self.field, key), message)
    }
}

impl<'d> Value<'d> {
    /// An error about this value.
    pub fn wrong(&self, message: impl Into<String>) -> Error {
        Error::scene(&self.field, message)
    }

    fn mistyped(&self, expected: &str) -> Error {
        let found = match self.data {
            Data::Text(text) => &format!("{text:?}"),
            Data::Whole(..) | Data::Real(..) => "a number",
            Data::Truth(_) => "true or false",
            Data::Other(what) => what,
            Data::List(_) => "an array",
            Data::Table(_) => "a table",
        };
        self.wrong(format!("must be {expected}, not {found}"))
    }

    pub fn table(&self) -> Result<Table<'d>, Error> {
        match self.data {
            Data::Table(table) => Ok(Table { field: self.field.clone(), table }),
            _ => Err(self.mistyped("a table")),
        }
    }

    pub fn array(&self) -> Result<Vec<Value<'d>>, Error> {
        let Data::List(list) = self.data else { return Err(self.mistyped("an array")) };
        let element =
            |(ix, node): (usize, &'d Node)| Value { field: format!("{}[{ix}]", self.field), data: &node.data };
        Ok(list.iter().enumerate().map(element).collect())
    }

    pub fn boolean(&self) -> Result<bool, Error> {
        if let Data::Truth(value) = self.data { Ok(*value) } else { Err(self.mistyped("true or false")) }
    }

    pub fn text(&self) -> Result<&'d str, Error> {
        if let Data::Text(text) = self.data { Ok(text) } else { Err(self.mistyped("a string")) }
    }

    pub fn is_text(&self) -> bool {
        matches!(self.data, Data::Text(_))
    }

    pub fn is_number(&self) -> bool {
        matches!(self.data, Data::Whole(..) | Data::Real(..))
    }

    pub fn is_array(&self) -> bool {
        matches!(self.data, Data::List(_))
    }

    /// A word out of a list.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, Error> {
        let words = || choices.iter().map(|(word, _)| format!("{word:?}")).collect::<Vec<_>>().join(" or ");
        let Data::Text(text) = self.data else { return Err(self.mistyped(&words())) };
        let found = choices.iter().find(|(word, _)| word == text);
        found.map(|(_, value)| *value).ok_or_else(|| self.mistyped(&words()))
    }

    /// A whole number from `low` to `high`.
    pub fn whole(&self, low: u32, high: u32) -> Result<u32, Error> {
        let Data::Whole(text, value) = self.data else { return Err(self.mistyped("a whole number")) };
        value
            .and_then(|value| u32::try_from(value).ok())
            .filter(|value| (low..=high).contains(value))
            .ok_or_else(|| self.wrong(format!("must be a whole number from {low} to {high}, not {text}")))
    }

    /// A count, whose limits the library checks.
    pub fn count(&self) -> Result<u32, Error> {
        self.whole(0, u32::MAX)
    }

    /// A finite number.
    pub fn number(&self) -> Result<f64, Error> {
        let (value, text) = match self.data {
            Data::Whole(text, value) => (value.map(|value| value as f64), text),
            Data::Real(text, value) => (*value, text),
            _ => return Err(self.mistyped("a number")),
        };
        value
            .filter(|value| value.is_finite())
            .ok_or_else(|| self.wrong(format!("must be a finite number, not {}", written(text).trim_matches('"'))))
    }

    /// A number that is finite in f32.
    pub fn single(&self) -> Result<f32, Error> {
        let value = self.number()?;
        if (value as f32).is_finite() { Ok(value as f32) } else { Err(self.wrong(format!("{value:e} is too large"))) }
    }

    /// A positive number that is not zero in f32.
    pub fn positive(&self) -> Result<f64, Error> {
        let value = self.number()?;
        let usable = value > 0.0 && (value as f32).is_normal();
        if usable { Ok(value) } else { Err(self.wrong(format!("must be positive and finite, not {value}"))) }
    }

    /// A non-negative number that is finite in f32.
    pub fn amount(&self) -> Result<f32, Error> {
        let value = self.single()?;
        if value >= 0.0 { Ok(value) } else { Err(self.wrong(format!("must be finite and not negative, not {value}"))) }
    }

    /// A number above 0 and at most 1.
    pub fn fraction(&self) -> Result<f32, Error> {
        let value = self.single()?;
        if value > 0.0 && value <= 1.0 {
            Ok(value)
        } else {
            Err(self.wrong(format!("must be above 0 and up to 1, not {value}")))
        }
    }

    /// A vector of three numbers.
    pub fn vector(&self) -> Result<Vec3, Error> {
        self.three(Value::single).map(Vec3::from_array)
    }

    /// An array of three elements, converted by `read`.
    pub fn three<T>(&self, read: impl Fn(&Value<'d>) -> Result<T, Error>) -> Result<[T; 3], Error> {
        if !self.is_array() {
            return Err(self.mistyped("three numbers [x, y, z]"));
        }
        let elements = self.array()?;
        let [x, y, z] = elements.as_slice() else {
            return Err(self.wrong(format!("must be three numbers [x, y, z], not {}", elements.len())));
        };
        Ok([read(x)?, read(y)?, read(z)?])
    }
}
