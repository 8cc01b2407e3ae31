//! A stored pose comes back bit for bit.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::Pose;

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Pose")]
struct Stored {
    rotation: [[f64; 3]; 3],
    translation: [f64; 3],
}

impl<'de> Deserialize<'de> for Pose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored { rotation, translation } = Stored::deserialize(deserializer)?;
        Self::from_stored(rotation, translation).map_err(D::Error::custom)
    }
}

impl Serialize for Pose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = Stored { rotation: *self.rotation(), translation: self.translation() };
        stored.serialize(serializer)
    }
}
