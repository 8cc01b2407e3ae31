//! Volumes through serde. What has only public fields is written as it stands; of the others,
//! deserialising checks what their tests rely on, so that damaged data is an error.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::frame::Frame;
use crate::{KDop, KDopF32, Obb};
use xcollide_math::vector::dot;

/// An [`Obb`] as it is written.
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

/// As a list: serde knows no arrays of any length.
impl<const N: usize> Serialize for KDop<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.reach.as_slice().serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for KDop<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let reach: [f64; N] = list(Vec::deserialize(deserializer)?)?;
        if reach.iter().any(|x| x.is_nan()) {
            return Err(D::Error::custom("a measure is no number"));
        }
        Ok(Self { reach })
    }
}

/// As a list: serde knows no arrays of any length.
impl<const N: usize> Serialize for KDopF32<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.reach.as_slice().serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for KDopF32<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { reach: list(Vec::deserialize(deserializer)?)? })
    }
}

fn list<T, E: Error, const N: usize>(numbers: Vec<T>) -> Result<[T; N], E> {
    let count = numbers.len();
    let wrong = || E::invalid_length(count, &"as many numbers as the k-DOP has directions");
    numbers.try_into().map_err(|_| wrong())
}
