//! Declarations of shape parameters, shared by the spec parser, the shapes and the help text.

use std::fmt;

use crate::ShapeError;
use crate::message_number::number;

/// Most faces of a shape: about a gigabyte of mesh.
pub const MAX_FACES: usize = 10_000_000;

/// Range of lengths for which volumes neither vanish nor overflow.
const LENGTH: [f64; 2] = [1e-100, 1e100];

/// One parameter of a shape, as in `faces=5000`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The name left of the `=`.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Its values and default.
    pub kind: Kind,
}

/// Values of a parameter; ranges include their ends.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// An integer.
    Count {
        /// The default.
        default: usize,
        /// The minimum.
        min: usize,
        /// The maximum.
        max: usize,
    },
    /// A real number.
    Number {
        /// The default.
        default: f64,
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
    },
    /// One of several words; the first is the default.
    Choice(&'static [&'static str]),
    /// A random seed: any integer below 2⁶⁴; the default is 1.
    Seed,
}

impl Parameter {
    pub(crate) const SEED: Self =
        Self { name: "seed", about: "chooses the random numbers", kind: Kind::Seed };

    pub(crate) const fn faces(default: usize, min: usize) -> Self {
        let kind = Kind::Count { default, min, max: MAX_FACES };
        Self { name: "faces", about: "how many faces, met exactly", kind }
    }

    pub(crate) const fn count(
        name: &'static str,
        about: &'static str,
        [default, min, max]: [usize; 3],
    ) -> Self {
        Self { name, about, kind: Kind::Count { default, min, max } }
    }

    pub(crate) const fn length(name: &'static str, about: &'static str, default: f64) -> Self {
        Self::number(name, about, [default, LENGTH[0], LENGTH[1]])
    }

    pub(crate) const fn number(
        name: &'static str,
        about: &'static str,
        [default, min, max]: [f64; 3],
    ) -> Self {
        Self { name, about, kind: Kind::Number { default, min, max } }
    }

    pub(crate) const fn choice(
        name: &'static str,
        about: &'static str,
        among: &'static [&'static str],
    ) -> Self {
        Self { name, about, kind: Kind::Choice(among) }
    }

    pub(crate) fn check_count(&self, found: usize) -> Result<(), ShapeError> {
        match self.kind {
            Kind::Count { min, max, .. } if !(min..=max).contains(&found) => {
                Err(self.refuse(found, self.kind))
            }
            _ => Ok(()),
        }
    }

    /// Checks that a number is less than `limit`, the value of another parameter.
    pub(crate) fn check_below(&self, found: f64, of: &Self, limit: f64) -> Result<(), ShapeError> {
        if found >= limit {
            let expected = format_args!("less than the {}, {}", of.name, number(limit));
            return Err(self.refuse(number(found), expected));
        }
        Ok(())
    }

    pub(crate) fn refuse(&self, found: impl ToString, expected: impl ToString) -> ShapeError {
        ShapeError::BadValue {
            parameter: self.name,
            found: found.to_string(),
            expected: expected.to_string(),
        }
    }

    /// The default as written in a spec.
    #[must_use]
    pub fn default_text(&self) -> String {
        match self.kind {
            Kind::Count { default, .. } => default.to_string(),
            Kind::Number { default, .. } => default.to_string(),
            Kind::Choice(among) => among.first().copied().unwrap_or_default().to_owned(),
            Kind::Seed => "1".to_owned(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Self::Number { min, max, .. } if [*min, *max] == LENGTH => {
                write!(f, "a length from {min:e} to {max:e}")
            }
            Self::Number { min, max, .. } => write!(f, "a number from {min} to {max}"),
            Self::Choice(among) => write!(f, "one of {}", among.join(", ")),
            Self::Seed => write!(f, "a whole number below 2^64"),
        }
    }
}
