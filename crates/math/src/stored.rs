//! A stored pose comes back bit for bit.

use serde::de::{Deserialize, Deserializer, Error};

use crate::Pose;

#[derive(serde::Deserialize)]
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
