//! Serialisation. Volumes with public fields derive it; deserialising the others checks what their tests
//! rely on, so damaged data is an error.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::frame::Frame;
use crate::{KDop, Obb};
use xcollide_math::vector::dot;

/// The stored form of an [`Obb`].
#[derive(Deserialize)]
#[serde(rename = "Obb")]
pub(crate) struct StoredObb {
    center: [f64; 3],
    axes: Frame,
    half: [f64; 3],
}

impl TryFrom<StoredObb> for Obb {
    type Error = &'static str;

    fn try_from(StoredObb { center, axes, half }: StoredObb) -> Result<Self, Self::Error> {
        /// Frames are orthonormal to 16 · 2⁻⁵³.
        const ROUNDING: f64 = 64.0 * f64::EPSILON;
        let orthonormal = (0..3).all(|i| {
            (i..3).all(|j| {
                let expected = if i == j { 1.0 } else { 0.0 };
                (dot(axes[i], axes[j]) - expected).abs() <= ROUNDING
            })
        });
        if !orthonormal {
            return Err("the axes are not orthonormal");
        }
        if center.iter().chain(&half).any(|x| x.is_nan()) {
            return Err("a measure is no number");
        }
        Ok(Self { center, axes, half })
    }
}

/// As a list: serde has no arrays of generic length.
impl<const N: usize> Serialize for KDop<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.reach.as_slice().serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for KDop<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let reach = Vec::deserialize(deserializer)?;
        let expected = &"as many numbers as the k-DOP has directions";
        let wrong = |reach: Vec<f64>| D::Error::invalid_length(reach.len(), expected);
        let reach: [f64; N] = reach.try_into().map_err(wrong)?;
        if reach.iter().any(|x| x.is_nan()) {
            return Err(D::Error::custom("a measure is no number"));
        }
        Ok(Self { reach })
    }
}
