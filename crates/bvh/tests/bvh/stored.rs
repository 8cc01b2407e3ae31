//! Trees go through serde and come back the same; damaged ones are refused.
#![cfg(feature = "serde")]

use crate::support;

use serde::{Deserialize, Serialize};
use support::soup;
use xcollide_bounds::{Aabb, BoundingVolume, PreparedAabb};
use xcollide_bvh::binary::{AabbTest, Builder, Bvh, Fit, Nearest, Split};
#[cfg(feature = "classic")]
use xcollide_bvh::classic::{
    box_tree::{BoxTest, BoxTreeOptions, CutSearch, EdgeFace},
    interval_tree::IntervalSplit,
    patches::{Bend, PatchOptions},
};
use xcollide_bvh::levels::{Level, LevelVolume};
use xcollide_bvh::{Candidates, Counts, DescentRule};
use xcollide_fixtures::assert_comes_back;
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

#[test]
fn options_and_results_come_back_as_they_were() {
    for split in [Split::Median, Split::TotalVolume, Split::SurfaceArea { bins: 16 }] {
        let builder = Builder::new(split).leaf_size(3).fit(Fit::Merged);
        assert_eq!(assert_comes_back(&builder), builder);
    }
    for builder in [r#""leaf_size":0"#, r#""leaf_size":-1"#] {
        let text = format!(r#"{{"split":"Median",{builder},"fit":"Tight"}}"#);
        assert!(serde_json::from_str::<Builder>(&text).is_err(), "{text}");
    }
    assert_comes_back(&AabbTest::Fifteen);
    assert_comes_back(&Nearest { a: 1, b: 2, distance: 0.1 });
    for rule in [DescentRule::LargerFirst, DescentRule::Alternate, DescentRule::Both] {
        assert_comes_back(&rule);
    }
    assert_comes_back(&Counts { volumes: 1, primitives: 2, moved: u64::MAX });
    assert_comes_back(&[Level::At(3), Level::Leaves].to_vec());
    let volume = Aabb::new([0.1, -0.0, 1.0 / 3.0], [0.2, 0.3, 0.7]);
    assert_comes_back(&LevelVolume { volume, level: 2, is_leaf: true, primitives: vec![7] });
}

#[cfg(feature = "classic")]
#[test]
fn options_of_classic_trees_come_back_as_they_were() {
    let search = CutSearch::Bisection { iterations: 10, enough: 0.1 };
    assert_comes_back(&BoxTreeOptions {
        max_share: 1.0 / 3.0,
        search,
        ..BoxTreeOptions::default()
    });
    assert_comes_back(&[BoxTest::LineTables, BoxTest::Realigned].to_vec());
    assert_comes_back(&EdgeFace::EdgeOfSecond { triangle: 3, edge: 1 });
    assert_comes_back(&[IntervalSplit::Median, IntervalSplit::Surface].to_vec());
    assert_comes_back(&PatchOptions::default());
    assert_comes_back(&[Bend::Flat, Bend::Bulge, Bend::Hollow, Bend::Loose].to_vec());
}

/// Whether threads build is up to the program that reads.
#[test]
fn a_builder_is_stored_without_its_threads() -> serde_json::Result<()> {
    let text = serde_json::to_string(&Builder::default().parallel(true))?;
    assert_eq!(serde_json::from_str::<Builder>(&text)?, Builder::default().parallel(false));
    Ok(())
}
