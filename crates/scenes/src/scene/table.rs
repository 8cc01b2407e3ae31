//! Typed access to tables of a TOML text.

use toml::de::{DeArray, DeTable, DeValue};

use super::SceneError;
use super::error::counted;
use crate::error::excerpt;

/// A table with known keys only.
pub(super) struct Table<'t> {
    table: &'t DeTable<'t>,
    /// Its key followed by a dot; empty for the whole text.
    prefix: String,
}

pub(super) struct Field<'t> {
    value: &'t DeValue<'t>,
    pub(super) key: String,
}

impl<'t> Table<'t> {
    /// Checks that the table has no other keys than these, which are separated by blanks.
    pub(super) fn new(
        table: &'t DeTable<'t>,
        prefix: String,
        keys: &str,
    ) -> Result<Self, SceneError> {
        let is_known = |key: &str| keys.split(' ').any(|known| known == key);
        match table.iter().find(|(key, _)| !is_known(key.get_ref())) {
            Some((key, _)) => Err(SceneError::UnknownKey {
                key: format!("{prefix}{}", excerpt(key.get_ref())),
                expected: keys.replace(' ', ", "),
            }),
            None => Ok(Self { table, prefix }),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<Field<'t>> {
        let (_, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Field { value: value.get_ref(), key: self.key(key) })
    }

    pub(super) fn need(&self, key: &str, expected: &str) -> Result<Field<'t>, SceneError> {
        self.get(key).ok_or_else(|| SceneError::bad(self.key(key), "nothing", expected))
    }

    /// The value of a key, converted by `read`, if present.
    pub(super) fn read<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Field<'t>) -> Result<T, SceneError>,
    ) -> Result<Option<T>, SceneError> {
        self.get(key).map(|field| read(&field)).transpose()
    }

    /// Checks that at most one of the keys is present.
    pub(super) fn at_most_one(&self, keys: &[&str]) -> Result<(), SceneError> {
        let mut there = keys.iter().filter(|key| self.get(key).is_some());
        match (there.next(), there.next()) {
            (Some(other), Some(key)) => {
                let found = format!("beside `{other}`");
                Err(SceneError::bad(self.key(key), found, "one of the two"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }
}

impl<'t> Field<'t> {
    pub(super) fn text(&self) -> Result<String, SceneError> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.wrong("text in quotes"))
    }

    pub(super) fn flag(&self) -> Result<bool, SceneError> {
        self.value.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    pub(super) fn whole(&self) -> Result<u64, SceneError> {
        let expected = "a whole number from 0 to 18446744073709551615";
        let number = self.value.as_integer().ok_or_else(|| self.wrong(expected))?;
        u64::from_str_radix(number.as_str(), number.radix())
            .map_err(|_| SceneError::bad(&self.key, excerpt(number.as_str()), expected))
    }

    pub(super) fn count(&self) -> Result<usize, SceneError> {
        let found = self.whole()?;
        usize::try_from(found).map_err(|_| SceneError::bad(&self.key, found, "a smaller number"))
    }

    /// A number with or without a fraction.
    pub(super) fn number(&self) -> Result<f64, SceneError> {
        let text = match self.value {
            DeValue::Float(number) => number.as_str(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            _ => return Err(self.wrong("a number")),
        };
        let bad = |_| SceneError::bad(&self.key, excerpt(text), "a number");
        text.parse().map_err(bad)
    }

    pub(super) fn numbers<const N: usize>(&self) -> Result<[f64; N], SceneError> {
        let expected = format!("{N} numbers in brackets");
        let items = self.items(&expected)?;
        let mut numbers = [0.0; N];
        if items.len() != N {
            return Err(SceneError::bad(&self.key, counted(items.len(), "value"), expected));
        }
        for (item, number) in items.iter().zip(&mut numbers) {
            *number = item.number()?;
        }
        Ok(numbers)
    }

    pub(super) fn items(&self, expected: &str) -> Result<Vec<Field<'t>>, SceneError> {
        let array: &DeArray<'t> = self.value.as_array().ok_or_else(|| self.wrong(expected))?;
        let item = |(index, value): (usize, &'t toml::Spanned<DeValue<'t>>)| Field {
            value: value.get_ref(),
            key: format!("{}[{index}]", self.key),
        };
        Ok(array.iter().enumerate().map(item).collect())
    }

    pub(super) fn pair(&self, expected: &str) -> Result<[Field<'t>; 2], SceneError> {
        <[_; 2]>::try_from(self.items(expected)?)
            .map_err(|items| SceneError::bad(&self.key, counted(items.len(), "value"), expected))
    }

    /// The value of a key in this table; other keys are not checked.
    pub(super) fn entry(&self, key: &str, expected: &str) -> Result<Field<'t>, SceneError> {
        let table = self.value.as_table().ok_or_else(|| self.wrong("a table"))?;
        Table { table, prefix: format!("{}.", self.key) }.need(key, expected)
    }

    pub(super) fn table(&self, keys: &str) -> Result<Table<'t>, SceneError> {
        let table = self.value.as_table().ok_or_else(|| self.wrong("a table"))?;
        Table::new(table, format!("{}.", self.key), keys)
    }

    pub(super) fn word<T: Copy>(&self, words: &[(T, &str)]) -> Result<T, SceneError> {
        let text = self.text()?;
        let found = words.iter().find(|(_, word)| *word == text);
        found.map(|&(value, _)| value).ok_or_else(|| {
            let names: Vec<_> = words.iter().map(|&(_, word)| word).collect();
            let expected = format!("one of {}", names.join(", "));
            SceneError::bad(&self.key, format!("`{}`", excerpt(&text)), expected)
        })
    }

    fn wrong(&self, expected: &str) -> SceneError {
        let found = match self.value {
            DeValue::String(text) => format!("the text `{}`", excerpt(text)),
            DeValue::Integer(number) => format!("the whole number {}", excerpt(number.as_str())),
            DeValue::Float(number) => format!("the number {}", excerpt(number.as_str())),
            DeValue::Boolean(flag) => flag.to_string(),
            DeValue::Datetime(date) => format!("the date {date}"),
            DeValue::Array(_) => "a list in brackets".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        SceneError::bad(&self.key, found, expected)
    }
}

/// The line, from 1, of a key such as `objects[2].motion.axis`, or of the longest part of it that exists.
pub(super) fn line_of(text: &str, root: &DeTable<'_>, key: &str) -> usize {
    let mut offset = 0;
    let mut table = Some(root);
    let mut array: Option<&DeArray<'_>> = None;
    for part in key.split('.').flat_map(|part| part.split('[')) {
        let value = match (part.strip_suffix(']').and_then(|at| at.parse::<usize>().ok()), array) {
            (Some(index), Some(items)) => items.get(index).map(|value| (value.span().start, value)),
            (None, _) => table
                .and_then(|table| table.iter().find(|(name, _)| name.get_ref() == part))
                .map(|(name, value)| (name.span().start, value)),
            _ => None,
        };
        let Some((start, value)) = value else { break };
        // The entries of `[[objects]]` begin at their own headers.
        offset = start;
        table = value.get_ref().as_table();
        array = value.get_ref().as_array();
    }
    line_at(text, offset)
}

/// The line of a byte, from 1.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}
