//! Parsers of the values of options.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use xcollide::narrow::Semantics;
use xcollide::registry::{self, Kind};

use crate::execution_mode::phase_names;
use crate::primitives::Primitives;

/// Names of algorithms: those that are listed, and `race:A+B` and `chain:A+B` of two narrow phases.
#[derive(Clone)]
pub(crate) struct PhaseNames {
    kind: Kind,
    listed: PossibleValuesParser,
}

impl TypedValueParser for PhaseNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        let known = value.to_str().and_then(|name| registry::find(self.kind, name));
        match known {
            Some(entry) => Ok(entry.name.to_owned()),
            None => self.listed.parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.listed.possible_values()
    }
}

/// `auto`, `all` or another narrow phase.
pub(super) fn narrow_choice() -> PhaseNames {
    let others = phase_names(Kind::Narrow).filter(|name| *name != "auto");
    let listed = PossibleValuesParser::new(["auto", "all"].into_iter().chain(others));
    PhaseNames { kind: Kind::Narrow, listed }
}

pub(super) fn phase(kind: Kind) -> PhaseNames {
    PhaseNames { kind, listed: PossibleValuesParser::new(phase_names(kind)) }
}

/// Names of a kind, or `all`.
pub(crate) fn phases(kind: Kind) -> PhaseNames {
    PhaseNames { kind, listed: PossibleValuesParser::new(phase_names(kind).chain(["all"])) }
}

pub(super) fn primitives() -> impl TypedValueParser<Value = Primitives> {
    PossibleValuesParser::new(["vertex-face", "edge-edge"]).map(|name| match name.as_str() {
        "edge-edge" => Primitives::EdgeEdge,
        _ => Primitives::VertexFace,
    })
}

pub(crate) fn semantics() -> impl TypedValueParser<Value = Semantics> {
    PossibleValuesParser::new(["solid", "surface"]).map(|name| match name.as_str() {
        "surface" => Semantics::Surface,
        _ => Semantics::Solid,
    })
}

/// The most contacts to list.
pub(super) fn contact_limit(text: &str) -> Result<usize, &'static str> {
    if text == "all" {
        return Ok(usize::MAX);
    }
    text.parse().map_err(|_| "expected a whole number, or nothing")
}

pub(crate) fn tolerance(text: &str) -> Result<f64, &'static str> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or("expected a finite number of at least 0")
}

/// The largest distance to list.
pub(super) fn distance_limit(text: &str) -> Result<f64, &'static str> {
    if text == "all" { Ok(f64::INFINITY) } else { tolerance(text) }
}

/// Parses "5ms", "2s", "100us", "1.5 s".
pub(crate) fn duration(text: &str) -> Result<Duration, &'static str> {
    let expected = "expected a number and a unit (ns, us, ms, s, min), such as 5ms";
    let unit_at = text.find(|c: char| c.is_alphabetic()).ok_or(expected)?;
    let (number, unit) = text.split_at(unit_at);
    let nanoseconds = match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" => 6e10,
        _ => return Err(expected),
    };
    let number: f64 = number.trim().parse().map_err(|_| expected)?;
    Duration::try_from_secs_f64(number * nanoseconds / 1e9).map_err(|_| expected)
}

pub(crate) fn at_least_one(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "expected a whole number of at least 1")
}

/// The most frames of a scene.
const MAX_FRAMES: usize = 1_000_000_000;

pub(crate) fn frames(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|&number| number <= MAX_FRAMES);
    let number = number.and_then(NonZeroUsize::new);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_FRAMES}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("5ms"), Ok(Duration::from_millis(5)));
        assert_eq!(duration("1.5 s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("100us"), duration("0.1ms"));
        assert_eq!(duration("2min"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("0ns"), Ok(Duration::ZERO));
        for wrong in ["", "5", "ms", "-1s", "infs", "5 hours", "1e300s", "nans"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tolerances_are_finite_and_not_negative() {
        assert_eq!(tolerance("0"), Ok(0.0));
        assert_eq!(tolerance("2.5e-3"), Ok(2.5e-3));
        for wrong in ["-1", "nan", "inf", "", "1 mm"] {
            assert!(tolerance(wrong).is_err(), "{wrong}");
        }
    }
}
