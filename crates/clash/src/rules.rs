//! Which pairs are tested, with which tolerance, as a TOML text says.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Which pairs of instances are tested, and what counts as a clash.
///
/// A name is that of a group or an id; one `*` in it stands for any text. [`ignore`](Self::ignore) comes first. Of the rules
/// in [`test`](Self::test) the first one that names the two groups counts; without any such rule all pairs are tested.
///
/// ```
/// use xcollide_clash::Rules;
///
/// let rules = Rules::from_toml(
///     "tolerance = 0.01   # clearance that counts as a clash, in the units of the models
///      merge = 0.5        # nearer clashes of an instance and a group are one issue
///
///      [[test]]
///      groups = ['pipes', 'steel']
///      tolerance = 0.05
///
///      [[test]]
///      groups = ['pipes', '*']
///      touching = false   # contact without depth is no clash
///
///      [[ignore]]
///      ids = ['P-101', 'W-*']
///
///      [[ignore]]
///      same = 'system'    # instances with the same value of this attribute
///     ",
/// )?;
/// assert_eq!((rules.test.len(), rules.ignore.len()), (2, 2));
///
/// let error = Rules::from_toml("tolerance = 0.01\nmerge = -1\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 9: found -1.0, expected a finite number of at least 0"
/// );
/// # Ok::<(), xcollide_clash::RulesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Rules {
    /// Instances at most so far apart clash, unless a rule says otherwise; in the units of the models.
    #[serde(deserialize_with = "length")]
    pub tolerance: f64,
    /// Clashes whose points are at most so far apart are one issue, if they share an instance and have the same groups.
    /// `None`: each clash is an issue.
    #[serde(deserialize_with = "some_length", skip_serializing_if = "Option::is_none")]
    pub merge: Option<f64>,
    /// Whether contact without a common interior is a clash, unless a rule says otherwise.
    pub touching: bool,
    /// The pairs of groups that are tested.
    pub test: Vec<TestRule>,
    /// The pairs that are not.
    pub ignore: Vec<Ignore>,
}

/// Two groups that are tested against each other.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TestRule {
    /// The names of the groups, in any order.
    #[serde(deserialize_with = "names")]
    pub groups: [String; 2],
    /// Their tolerance, if not that of [`Rules`].
    #[serde(default, deserialize_with = "some_length", skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Whether contact is a clash, if not as [`Rules`] say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touching: Option<bool>,
}

/// Pairs that are not tested: those of two groups, of two ids, or with the same value of an attribute.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
#[non_exhaustive]
pub enum Ignore {
    /// Two groups, in any order.
    Groups(#[serde(deserialize_with = "names")] [String; 2]),
    /// Two ids, in any order.
    Ids(#[serde(deserialize_with = "names")] [String; 2]),
    /// The name of an attribute. Instances without it are tested.
    Same(String),
}

/// An error in a text of rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct RulesError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was found and expected.
    pub message: String,
}

impl Default for Rules {
    /// All pairs, without tolerance; touching is a clash.
    fn default() -> Self {
        let (test, ignore) = (Vec::new(), Vec::new());
        Self { tolerance: 0.0, merge: None, touching: true, test, ignore }
    }
}

impl Rules {
    /// All pairs are tested; touching is a clash, and bodies with a clearance are not.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the tolerance of pairs whose rules have none of their own.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the distance within which clashes are one issue.
    #[must_use]
    pub fn merge(mut self, distance: f64) -> Self {
        self.merge = Some(distance);
        self
    }

    /// Reads rules.
    ///
    /// # Errors
    /// The text is no TOML; a key is unknown or of another type; a length is negative or not finite; a name has several
    /// `*`. With line and column.
    pub fn from_toml(text: &str) -> Result<Self, RulesError> {
        toml::from_str(text).map_err(|error| {
            // Some messages have several lines.
            let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            RulesError::at(text, error.span().map_or(0, |span| span.start), message)
        })
    }
}

impl RulesError {
    /// The error at a byte of the text.
    fn at(text: &str, byte: usize, message: String) -> Self {
        let before = &text[..text.floor_char_boundary(byte)];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Self { line, column, message }
    }
}

/// A length of at least 0.
fn length<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let value = f64::deserialize(from)?;
    match value.is_finite() && value >= 0.0 {
        true => Ok(value),
        false => {
            let problem = format!("found {value:?}, expected a finite number of at least 0");
            Err(D::Error::custom(problem))
        }
    }
}

fn some_length<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    length(from).map(Some)
}

/// Two names with one `*` each at most.
fn names<'de, D: Deserializer<'de>>(from: D) -> Result<[String; 2], D::Error> {
    let names = <[String; 2]>::deserialize(from)?;
    match names.iter().find(|name| name.matches('*').count() > 1) {
        None => Ok(names),
        Some(name) => {
            Err(D::Error::custom(format!("found the name `{name}`, expected one `*` at most")))
        }
    }
}
