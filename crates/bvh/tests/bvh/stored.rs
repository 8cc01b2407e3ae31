//! Trees go through serde and come back the same; damaged ones are refused.
#![cfg(feature = "serde")]

use crate::support;

use serde::{Deserialize, Serialize};
use support::soup;
use xcollide_bounds::{Aabb, BoundingVolume, PreparedAabb};
use xcollide_bvh::Candidates;
use xcollide_bvh::binary::{Builder, Bvh, Split};
use xcollide_math::Pose;
use xcollide_scenes::Random;

/// A user's kind of volume, which can be stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Stored {
    min: [f64; 3],
    max: [f64; 3],
}

impl From<Aabb> for Stored {
    fn from(Aabb { min, max }: Aabb) -> Self {
        Self { min, max }
    }
}

impl Stored {
    fn aabb(&self) -> Aabb {
        Aabb::new(self.min, self.max)
    }
}

impl BoundingVolume for Stored {
    type Prepared = PreparedAabb;
    fn fit(points: &[[f64; 3]]) -> Self {
        Aabb::fit(points).into()
    }
    fn merged(&self, other: &Self) -> Self {
        self.aabb().merged(&other.aabb()).into()
    }
    fn overlaps(&self, other: &Self) -> bool {
        self.aabb().overlaps(&other.aabb())
    }
    fn contains(&self, point: [f64; 3]) -> bool {
        self.aabb().contains(point)
    }
    fn expanded(&self, margin: f64) -> Self {
        self.aabb().expanded(margin).into()
    }
    fn prepare(motion: &Pose, margin: f64) -> PreparedAabb {
        Aabb::prepare(motion, margin)
    }
    fn moved(&self, prepared: &PreparedAabb) -> Self {
        self.aabb().moved(prepared).into()
    }
    fn volume(&self) -> f64 {
        self.aabb().volume()
    }
    fn surface(&self) -> f64 {
        self.aabb().surface()
    }
    fn distance_squared(&self, other: &Self) -> f64 {
        self.aabb().distance_squared(&other.aabb())
    }
    fn center(&self) -> [f64; 3] {
        self.aabb().center()
    }
}

#[test]
fn a_tree_comes_back_from_serde_as_it_was() -> Result<(), Box<dyn std::error::Error>> {
    for count in [0, 1, 2, 50] {
        let tree: Bvh<Stored> = Builder::new(Split::TotalVolume).leaf_size(3).build(&soup(
            count,
            0.3,
            &mut Random::new(1),
        ))?;
        let text = serde_json::to_string(&tree)?;
        assert_eq!(serde_json::from_str::<Bvh<Stored>>(&text)?, tree);
    }
    Ok(())
}

/// Every number of a stored tree is replaced by others; what is still accepted must be usable.
#[test]
fn damaged_trees_are_refused_or_harmless() -> Result<(), Box<dyn std::error::Error>> {
    let tree: Bvh<Stored> =
        Builder::default().leaf_size(2).build(&soup(9, 0.3, &mut Random::new(2)))?;
    let good = serde_json::to_value(&tree)?;
    let (mut refused, mut tried) = (0, 0);
    let mut read = |damaged: serde_json::Value| {
        tried += 1;
        match serde_json::from_value::<Bvh<Stored>>(damaged) {
            Err(_) => refused += 1,
            Ok(tree) => {
                let still = Pose::IDENTITY;
                let pairs =
                    xcollide_bvh::binary::PairTraversal::new((&tree, &still), (&tree, &still))
                        .count(|_, _| true);
                assert!(pairs <= 81);
            }
        }
    };
    for value in [0_u32, 1, 2, 5, 9, 100, u32::MAX] {
        for node in 0..tree.nodes().len() {
            for field in ["link", "count"] {
                let mut damaged = good.clone();
                damaged["nodes"][node][field] = value.into();
                if damaged != good {
                    read(damaged);
                }
            }
        }
        for place in 0..tree.order().len() {
            let mut damaged = good.clone();
            damaged["order"][place] = value.into();
            if damaged != good {
                read(damaged);
            }
        }
    }
    let mut short = good.clone();
    short["nodes"].as_array_mut().ok_or("no nodes")?.pop();
    read(short);
    let mut negative = good;
    negative["reach"] = (-1.0).into();
    read(negative);
    assert_eq!(refused, tried, "any change of the structure is an error");
    Ok(())
}
