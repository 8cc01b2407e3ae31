//! Volumes and motions go through serde and come back the same; damaged ones are refused.
#![allow(clippy::unwrap_used)]
#![cfg(feature = "serde")]

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use xcollide_bounds::{Aabb, BoundingVolume, FixedCube, KDop, Obb, Sphere};
use xcollide_math::Pose;

type Failure = Box<dyn std::error::Error>;

const POINTS: [[f64; 3]; 5] = [
    [0.1, 0.2, 0.3],
    [4.0 / 3.0, -0.7, 1e-9],
    [1e9, 0.1, -2.0],
    [0.3, f64::MIN_POSITIVE, 7.0 / 9.0],
    [-0.0, 1.0, 2.0],
];

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    value: &T,
) -> Result<(), Failure> {
    let text = serde_json::to_string(value)?;
    assert_eq!(serde_json::from_str::<T>(&text)?, *value);
    Ok(())
}

fn volume_comes_back<V: BoundingVolume + Serialize + DeserializeOwned + PartialEq + Debug>()
-> Result<(), Failure> {
    for count in 1..=POINTS.len() {
        comes_back(&V::fit(&POINTS[..count]))?;
    }
    Ok(())
}

#[test]
fn everything_comes_back_as_it_was() -> Result<(), Failure> {
    volume_comes_back::<Aabb>()?;
    volume_comes_back::<Sphere>()?;
    volume_comes_back::<Obb>()?;
    volume_comes_back::<KDop<6>>()?;
    volume_comes_back::<KDop<14>>()?;
    volume_comes_back::<KDop<18>>()?;
    volume_comes_back::<KDop<26>>()?;
    comes_back(&FixedCube::around(&POINTS))?;
    comes_back(
        &Pose::from_matrix([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]], POINTS[2])
            .unwrap(),
    )
}

#[test]
fn damaged_volumes_are_refused() -> Result<(), Failure> {
    let good = serde_json::to_value(Obb::fit(&POINTS))?;
    for (axis, k) in [(0, 0), (1, 2), (2, 1)] {
        let mut bent = good.clone();
        bent["axes"][axis][k] = 0.3.into();
        assert!(serde_json::from_value::<Obb>(bent).is_err());
    }
    let eighteen = serde_json::to_value(KDop::<18>::fit(&POINTS))?;
    assert!(serde_json::from_value::<KDop<14>>(eighteen.clone()).is_err());
    assert!(serde_json::from_value::<KDop<26>>(eighteen).is_err());
    Ok(())
}
