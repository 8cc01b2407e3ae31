//! Numbers that survive any format bit for bit.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::record::Exact;

impl Serialize for Exact {
    /// Eight bytes in binary formats; text in human-readable ones, which have no infinity and whose
    /// readers may round the last bit wrongly.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&format_args!("{:?}", self.0))
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Text)
        } else {
            f64::deserialize(deserializer).map(Self)
        }
    }
}

struct Text;

impl Visitor<'_> for Text {
    type Value = Exact;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number as text, such as \"0.1\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Exact, E> {
        text.parse()
            .map(Exact)
            .map_err(|_| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}
