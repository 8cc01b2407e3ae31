//! The tables of the registry: one entry per algorithm, in listing order.

use super::{Accepts, Entry, Kind, Make};
use crate::bounding::{AxisAligned, Bounding, DynamicBox, FixedCubes, KDops, Oriented};
use crate::bounds::{Aabb, KDop, Obb, Sphere};
use crate::execution::{Execution, Serial};
#[cfg(feature = "parallel")]
use crate::execution::{FineGrain, Parallel, TwoPhases};
use crate::narrow::bvh::binary::{Builder, Split};
#[cfg(feature = "classic")]
use crate::narrow::bvh::classic::box_tree::{BoxTree, BoxTreeOptions, CutSearch};
#[cfg(feature = "classic")]
use crate::narrow::bvh::classic::interval_tree::{IntervalSplit, IntervalTree};
use crate::narrow::bvh::wide::{CompactTree, WideOptions};
#[cfg(feature = "classic")]
use crate::narrow::classic::{
    Arbitrary, ClosestFeatures, Combined, CyrusBeck, EdgeFaceTrees, InnerSpheres, MonteCarlo,
    PatchTrees, Perceptron, PerceptronOf1994, PreChecks, SeparatingVector, SphereLevels,
    SphereOctrees, Voxmap, ZBuffer,
};
use crate::narrow::combine::Auto;
use crate::narrow::compound::Compound;
use crate::narrow::convex::{Gjk, Hybrid, Sat};
use crate::narrow::mesh::{BinaryTrees, BruteForce, BvhPair, TreeBuilder, Wide};
use crate::narrow::{Guarantee, NarrowPhase};

type Text = &'static str;

const fn entry(kind: Kind, name: Text, source: Text, make: Make) -> Entry {
    let (accepts, guarantee, default) = (Accepts::Any, Guarantee::Exact, false);
    Entry { name, kind, accepts, guarantee, default, source, make }
}

const fn narrow(name: Text, source: Text, make: fn() -> Box<dyn NarrowPhase>) -> Entry {
    entry(Kind::Narrow, name, source, Make::Narrow(make))
}

/// A narrow phase for convex models.
const fn convex(name: Text, source: Text, make: fn() -> Box<dyn NarrowPhase>) -> Entry {
    Entry { accepts: Accepts::Convex, ..narrow(name, source, make) }
}

/// A narrow phase that looks for a common point of two closed bodies.
#[cfg(feature = "classic")]
const fn closed(name: Text, source: Text, make: fn() -> Box<dyn NarrowPhase>) -> Entry {
    let (accepts, guarantee) = (Accepts::ClosedManifold, Guarantee::Misses);
    Entry { accepts, guarantee, ..narrow(name, source, make) }
}

const fn build(name: Text, source: Text, make: fn() -> Vec<TreeBuilder>) -> Entry {
    entry(Kind::Build, name, source, Make::Build(make))
}

const fn bounds(name: Text, source: Text, make: fn() -> Box<dyn Bounding>) -> Entry {
    entry(Kind::Bounds, name, source, Make::Bounds(make))
}

const fn execution(name: Text, source: Text, make: fn() -> Box<dyn Execution>) -> Entry {
    entry(Kind::Execution, name, source, Make::Execution(make))
}

/// The narrow phases; the broad phases come from the catalogue of their crate.
pub(super) const NARROW: &[Entry] = &[
    Entry {
        default: true,
        ..narrow("auto", "chooses among those below, pair by pair; Zachmann 1994, 7.1", || {
            Box::new(Auto::new())
        })
    },
    narrow("wide-obb", "Gottschalk, Lin and Manocha 1996; Ylitie, Karras and Laine 2017", || {
        Box::new(Wide::new())
    }),
    convex("hybrid", "Chung 1996, 3.2; Gilbert, Johnson and Keerthi 1988", || {
        Box::new(Hybrid::default())
    }),
    #[cfg(feature = "classic")]
    convex("separating-vector", "Chung 1996, 3 and 4", || Box::new(SeparatingVector::default())),
    convex("gilbert", "Gilbert, Johnson and Keerthi 1988; Chung 1996, 5", || {
        Box::new(Gjk::default())
    }),
    convex("sat", "Gottschalk, Lin and Manocha 1996; Fogel and Halperin 2007", || {
        Box::new(Sat::default())
    }),
    #[cfg(feature = "classic")]
    convex("cyrus-beck", "Zachmann 1994, 3.4.1", || Box::new(CyrusBeck::default())),
    #[cfg(feature = "classic")]
    Entry {
        guarantee: Guarantee::FalseHits,
        ..narrow("separating-plane", "Zachmann 1994, 3.4.2", || Box::new(Perceptron::default()))
    },
    #[cfg(feature = "classic")]
    Entry {
        guarantee: Guarantee::FalseHits,
        ..narrow(
            "separating-plane-1994",
            "Zachmann 1994, 3.4.2 and 6.3.1: all vertices in every step",
            || Box::new(PerceptronOf1994::default()),
        )
    },
    #[cfg(feature = "classic")]
    convex("combined", "Chung 1996, 5.5", || Box::new(Combined::default())),
    #[cfg(feature = "classic")]
    convex(
        "closest-features",
        "Lin and Canny 1991; I-COLLIDE 1995, 3; Mirtich 1998 (V-Clip)",
        || Box::new(ClosestFeatures::default()),
    ),
    narrow("compound", "I-COLLIDE 1995, 3.4; Chung 1996, 5.6", || Box::new(Compound)),
    narrow("wide-compact", "as wide-obb, in 16 bits a number", || {
        Box::new(BvhPair::<CompactTree>::new())
    }),
    narrow("obb-tree", "Gottschalk, Lin and Manocha 1996 (RAPID)", || {
        Box::new(BinaryTrees::<Obb>::new())
    }),
    narrow("aabb-tree", "van den Bergen 1997 (SOLID)", || Box::new(BinaryTrees::<Aabb>::new())),
    narrow("kdop-tree", "Klosowski and others 1998 (QuickCD)", || {
        Box::new(BinaryTrees::<KDop<18>>::new())
    }),
    narrow("sphere-tree", "Hubbard 1993, by a generic builder", || {
        Box::new(BinaryTrees::<Sphere>::new())
    }),
    #[cfg(feature = "classic")]
    narrow("sphere-octree", "Hubbard 1993: sphere trees from octrees", || {
        Box::new(SphereOctrees::new())
    }),
    #[cfg(feature = "classic")]
    Entry {
        guarantee: Guarantee::FalseHits,
        ..narrow("sphere-levels", "Hubbard 1993: level by level, as long as there is time", || {
            Box::new(SphereLevels::default())
        })
    },
    #[cfg(feature = "classic")]
    narrow("box-tree", "Zachmann 1994, 3.6", || Box::new(BvhPair::<BoxTree>::new())),
    #[cfg(feature = "classic")]
    narrow(
        "box-tree-1994",
        "Zachmann 1994, 3.6.1 to 3.6.5: edges against faces, line tables",
        || Box::new(EdgeFaceTrees::default()),
    ),
    #[cfg(feature = "classic")]
    narrow(
        "box-tree-1994-turns",
        "Zachmann 1994, 3.6.1 and 3.6.4: both boxes cut by turns, phase after phase",
        || Box::new(EdgeFaceTrees::of_1994()),
    ),
    #[cfg(feature = "classic")]
    narrow("interval-tree", "Zachmann, lecture slides: restricted box-trees", || {
        Box::new(BvhPair::<IntervalTree>::new())
    }),
    #[cfg(feature = "classic")]
    narrow("patches", "Daneu 2002, chapter 3", || Box::new(PatchTrees::new())),
    #[cfg(feature = "classic")]
    Entry {
        guarantee: Guarantee::Misses,
        ..narrow("patches-2002", "Daneu 2002, 3.4.2: a queue of neighbours towards a plane", || {
            Box::new(PatchTrees::of_2002())
        })
    },
    #[cfg(feature = "classic")]
    narrow("arbitrary", "Zachmann 1994, 3.2", || Box::new(Arbitrary::default())),
    #[cfg(feature = "classic")]
    Entry {
        guarantee: Guarantee::Misses,
        accepts: Accepts::ClosedManifold,
        ..narrow("arbitrary-relaxed", "Zachmann 1994, 3.2.1", || Box::new(Arbitrary::relaxed()))
    },
    #[cfg(feature = "classic")]
    Entry {
        guarantee: Guarantee::FalseHits,
        ..narrow("arbitrary-boxes", "Zachmann 1994, 3.2.1: returning after pre-checks", || {
            Box::new(PreChecks::Arbitrary)
        })
    },
    #[cfg(feature = "classic")]
    Entry {
        guarantee: Guarantee::FalseHits,
        ..narrow("wide-obb-boxes", "as arbitrary-boxes, with the boxes of wide-obb", || {
            Box::new(PreChecks::Wide)
        })
    },
    #[cfg(feature = "classic")]
    Entry {
        guarantee: Guarantee::FalseHits,
        ..narrow(
            "wide-obb-coarse",
            "the same, down to boxes of a quarter of the model's size",
            || Box::new(PreChecks::coarse()),
        )
    },
    #[cfg(feature = "classic")]
    closed("inner-spheres", "Weller and Zachmann 2009; lecture slides", || {
        Box::new(InnerSpheres::default())
    }),
    #[cfg(feature = "classic")]
    closed("monte-carlo", "Zachmann 1994, 3.5", || Box::new(MonteCarlo::default())),
    #[cfg(feature = "classic")]
    closed("z-buffer", "Zachmann 1994, 3.7.1", || Box::new(ZBuffer::default())),
    #[cfg(feature = "classic")]
    closed("voxmap", "McNeely, Puterbaugh and Troy 1999; lecture slides", || {
        Box::new(Voxmap::default())
    }),
    narrow("brute-force", "every triangle against every triangle", || Box::new(BruteForce)),
];

/// The builders of hierarchies. A rule of several kinds of hierarchy is one entry.
pub(super) const BUILD: &[Entry] = &[
    Entry { default: true, ..build("auto", "each algorithm's own", Vec::new) },
    build("sah", "Goldsmith and Salmon 1987; Wald 2007", || {
        vec![
            TreeBuilder::Binary(Builder::new(Split::SurfaceArea { bins: 16 })),
            TreeBuilder::Wide(WideOptions::default()),
            #[cfg(feature = "classic")]
            TreeBuilder::Interval(IntervalSplit::Surface),
        ]
    }),
    build("median", "Kay and Kajiya 1986", || {
        vec![
            TreeBuilder::Binary(Builder::new(Split::Median)),
            #[cfg(feature = "classic")]
            TreeBuilder::Interval(IntervalSplit::Median),
        ]
    }),
    build("longest-axis", "van den Bergen 1997 (SOLID)", || {
        vec![TreeBuilder::Binary(Builder::new(Split::LongestAxis))]
    }),
    build("mean-variance", "Daneu 2002, 3.3.2", || {
        vec![TreeBuilder::Binary(Builder::new(Split::MeanVariance))]
    }),
    build("total-volume", "Zachmann, lecture slides: construction of hierarchies", || {
        vec![TreeBuilder::Binary(Builder::new(Split::TotalVolume))]
    }),
    build("morton", "Lauterbach and others 2009", || vec![TreeBuilder::Wide(WideOptions::fast())]),
    #[cfg(feature = "classic")]
    build("cut-bisection", "Zachmann 1994, 3.6.3", || {
        vec![TreeBuilder::BoxTree(BoxTreeOptions::OF_1994)]
    }),
    #[cfg(feature = "classic")]
    build("cut-empty", "Zachmann 1994, 3.6.3, other criteria: empty leaves", || {
        vec![TreeBuilder::BoxTree(BoxTreeOptions::default())]
    }),
    #[cfg(feature = "classic")]
    build("cut-sweep", "as cut-empty, over all planes that end a triangle", || {
        vec![TreeBuilder::BoxTree(BoxTreeOptions {
            search: CutSearch::Sweep,
            crossing_weight: 4.0,
            ..BoxTreeOptions::default()
        })]
    }),
];

/// The bounding strategies and the execution modes.
pub(super) const WORLD: &[Entry] = &[
    Entry {
        default: true,
        ..bounds("axis-aligned", "Zachmann 1994, 5.2.1", || Box::new(AxisAligned))
    },
    bounds("fixed-cube", "I-COLLIDE, 4.1; Zachmann 1994, 5.2", || Box::new(FixedCubes)),
    bounds("dynamic-box", "I-COLLIDE, 4.1", || Box::new(DynamicBox)),
    bounds("oriented", "Gottschalk, Lin and Manocha 1996; Zachmann 1994, 5.5.1", || {
        Box::new(Oriented)
    }),
    bounds("k-dop", "Zachmann 1994, 5.6; Klosowski and others 1998", || Box::new(KDops)),
    Entry { default: true, ..execution("serial", "one pair after the other", || Box::new(Serial)) },
    #[cfg(feature = "parallel")]
    execution("parallel", "Zachmann 1994, 6.2", || Box::new(Parallel::new())),
    #[cfg(feature = "parallel")]
    execution("fine-grain", "Zachmann 1994, 6.3.1", || Box::new(FineGrain::new())),
    #[cfg(feature = "parallel")]
    execution("two-phases", "Zachmann 1994, 6.3.2", || Box::new(TwoPhases::new())),
    entry(Kind::Execution, "concurrent", "Zachmann 1994, 6.4", Make::Concurrent),
];
