//! Serialises a snapshot as its version, then its state.
//!
//! The version determines the layout of the state. A reader of a self-describing format skips an unknown
//! state, and [`World::restore`](crate::World::restore) returns the error.

use std::fmt;

use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::WorldSnapshot;
use super::record::VERSION;

impl Serialize for WorldSnapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.state {
            Some(state) => (self.version, state).serialize(serializer),
            None => (self.version, ()).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for WorldSnapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(2, Versioned)
    }
}

struct Versioned;

impl<'de> Visitor<'de> for Versioned {
    type Value = WorldSnapshot;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a version and the state of a world")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<WorldSnapshot, A::Error> {
        let missing = |part| A::Error::invalid_length(part, &self);
        let version: u32 = parts.next_element()?.ok_or_else(|| missing(0))?;
        let state = if version == VERSION {
            Some(parts.next_element()?.ok_or_else(|| missing(1))?)
        } else {
            let _: IgnoredAny = parts.next_element()?.ok_or_else(|| missing(1))?;
            None
        };
        Ok(WorldSnapshot { version, state })
    }
}
