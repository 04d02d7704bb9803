//! Tables and values of a document, by the types scene files use. What is wrong is an [`Error::Scene`] with the path of the field.

use super::document::{join, written};
use crate::Error;
use glam::Vec3;
use toml::de::{DeTable, DeValue};

/// A table and its path.
#[derive(Clone)]
pub struct Table<'d> {
    pub field: String,
    table: &'d DeTable<'d>,
}

/// A value and its path.
pub struct Value<'d> {
    pub field: String,
    value: &'d DeValue<'d>,
}

impl<'d> Table<'d> {
    pub fn root(table: &'d DeTable<'d>) -> Self {
        Self { field: String::new(), table }
    }

    /// Refuses keys that are not among those known.
    pub fn only(&self, known: &[&str]) -> Result<(), Error> {
        let unknown = self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            Some(key) => Err(Error::scene(
                join(&self.field, key.get_ref()),
                format!("there is no such key here; there are: {}", known.join(", ")),
            )),
            None => Ok(()),
        }
    }

    /// What a key says, if it is there.
    pub fn get(&self, key: &str) -> Option<Value<'d>> {
        self.table.get(key).map(|value| Value { field: join(&self.field, key), value: value.get_ref() })
    }

    /// What a key says that has to be there.
    pub fn require(&self, key: &str) -> Result<Value<'d>, Error> {
        self.get(key).ok_or_else(|| self.wrong(key, "is missing"))
    }

    /// What a key says, read in some way, or a value in its place.
    pub fn get_or<T>(
        &self,
        key: &str,
        default: T,
        read: impl FnOnce(&Value<'d>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.get(key).map_or(Ok(default), |value| read(&value))
    }

    /// A number that a key says, or that is known already, or that is missing.
    pub fn single_or(&self, key: &str, known: Option<f32>) -> Result<f32, Error> {
        match (self.get(key), known) {
            (Some(value), _) => value.single(),
            (None, Some(known)) => Ok(known),
            (None, None) => Err(self.wrong(key, "is missing")),
        }
    }

    /// The first of some keys that is there.
    pub fn first_of(&self, keys: &[&str]) -> Option<Value<'d>> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// The elements of an array of tables; none if it is not there.
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
        let found = match self.value {
            DeValue::String(text) => &format!("{:?}", text.as_ref()),
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        self.wrong(format!("must be {expected}, not {found}"))
    }

    pub fn table(&self) -> Result<Table<'d>, Error> {
        match self.value {
            DeValue::Table(table) => Ok(Table { field: self.field.clone(), table }),
            _ => Err(self.mistyped("a table")),
        }
    }

    pub fn array(&self) -> Result<Vec<Value<'d>>, Error> {
        let DeValue::Array(array) = self.value else { return Err(self.mistyped("an array")) };
        let element = |(ix, value): (usize, &'d toml::Spanned<DeValue<'d>>)| Value {
            field: format!("{}[{ix}]", self.field),
            value: value.get_ref(),
        };
        Ok(array.iter().enumerate().map(element).collect())
    }

    pub fn boolean(&self) -> Result<bool, Error> {
        if let DeValue::Boolean(value) = self.value { Ok(*value) } else { Err(self.mistyped("true or false")) }
    }

    pub fn text(&self) -> Result<&'d str, Error> {
        if let DeValue::String(text) = self.value { Ok(text) } else { Err(self.mistyped("a string")) }
    }

    pub fn is_text(&self) -> bool {
        matches!(self.value, DeValue::String(_))
    }

    pub fn is_number(&self) -> bool {
        matches!(self.value, DeValue::Integer(_) | DeValue::Float(_))
    }

    pub fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    /// One of several words.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, Error> {
        let words = || choices.iter().map(|(word, _)| format!("{word:?}")).collect::<Vec<_>>().join(" or ");
        let DeValue::String(text) = self.value else { return Err(self.mistyped(&words())) };
        let found = choices.iter().find(|(word, _)| word == text);
        found.map(|(_, value)| *value).ok_or_else(|| self.mistyped(&words()))
    }

    /// A whole number from `low` to `high`.
    pub fn whole(&self, low: u32, high: u32) -> Result<u32, Error> {
        let DeValue::Integer(integer) = self.value else { return Err(self.mistyped("a whole number")) };
        let value = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
        value
            .and_then(|value| u32::try_from(value).ok())
            .filter(|value| (low..=high).contains(value))
            .ok_or_else(|| self.wrong(format!("must be a whole number from {low} to {high}, not {integer}")))
    }

    /// A finite number.
    pub fn number(&self) -> Result<f64, Error> {
        let (value, text) = match self.value {
            DeValue::Integer(integer) => {
                let value = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
                (value.map(|value| value as f64), integer.to_string())
            }
            DeValue::Float(float) => (float.as_str().parse::<f64>().ok(), float.to_string()),
            _ => return Err(self.mistyped("a number")),
        };
        value
            .filter(|value| value.is_finite())
            .ok_or_else(|| self.wrong(format!("must be a finite number, not {}", written(&text).trim_matches('"'))))
    }

    /// A number that is finite in single precision too.
    pub fn single(&self) -> Result<f32, Error> {
        let value = self.number()?;
        if (value as f32).is_finite() { Ok(value as f32) } else { Err(self.wrong(format!("{value:e} is too large"))) }
    }

    /// A positive number that single precision can tell from zero.
    pub fn positive(&self) -> Result<f64, Error> {
        let value = self.number()?;
        let usable = value > 0.0 && (value as f32).is_normal();
        if usable { Ok(value) } else { Err(self.wrong(format!("must be positive and finite, not {value}"))) }
    }

    /// A number that is not negative, finite in single precision too.
    pub fn amount(&self) -> Result<f32, Error> {
        let value = self.single()?;
        if value >= 0.0 { Ok(value) } else { Err(self.wrong(format!("must be finite and not negative, not {value}"))) }
    }

    /// Three numbers.
    pub fn vector(&self) -> Result<Vec3, Error> {
        self.three(Value::single).map(Vec3::from_array)
    }

    /// Three elements, read in some way.
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
