//! Serialisation of a [`TriangleOverlap`] as the list of its corners.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{Point, TriangleOverlap};

impl Serialize for TriangleOverlap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.corners().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TriangleOverlap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let corners = Vec::<Point>::deserialize(deserializer)?;
        if !(1..=6).contains(&corners.len()) {
            return Err(D::Error::invalid_length(corners.len(), &"one to six points"));
        }
        Ok(Self::of(corners))
    }
}
