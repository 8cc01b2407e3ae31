//! The tables of the registry: one entry per algorithm, in listing order.

use super::{Accepts, Entry, Kind, Make};
use crate::bounding::{AxisAligned, DynamicBox, FixedCubes, KDops, Oriented};
use crate::bounds::{Aabb, KDop, Obb, Sphere};
use crate::execution::{FineGrain, Parallel, Serial, TwoPhases};
use crate::narrow::Guarantee;
use crate::narrow::bvh::binary::{Builder, Split};
#[cfg(feature = "classic")]
use crate::narrow::bvh::classic::box_tree::{BoxTree, BoxTreeOptions, CutSearch};
#[cfg(feature = "classic")]
use crate::narrow::bvh::classic::interval_tree::{IntervalSplit, IntervalTree};
use crate::narrow::bvh::wide::{CompactTree, WideOptions};
#[cfg(feature = "classic")]
use crate::narrow::classic::{
    Arbitrary, ClosestFeatures, Combined, CyrusBeck, EdgeFaceTrees, PatchTrees, Perceptron,
    SeparatingVector,
};
use crate::narrow::combine::Auto;
use crate::narrow::compound::Compound;
use crate::narrow::convex::{Gjk, Hybrid, Sat};
use crate::narrow::mesh::{BinaryTrees, BruteForce, BvhPair, TreeBuilder, Wide};

/// The narrow phases; the broad phases come from their crate's catalogue.
pub(super) const NARROW: &[Entry] = &[
    Entry {
        name: "auto",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: true,
        source: "chooses among those below, pair by pair; Zachmann 1994, 7.1",
        make: Make::Narrow(|| Box::new(Auto::new())),
    },
    Entry {
        name: "wide-obb",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Gottschalk, Lin and Manocha 1996; Ylitie, Karras and Laine 2017",
        make: Make::Narrow(|| Box::new(Wide::new())),
    },
    Entry {
        name: "hybrid",
        kind: Kind::Narrow,
        accepts: Accepts::Convex,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Chung 1996, 3.2; Gilbert, Johnson and Keerthi 1988",
        make: Make::Narrow(|| Box::new(Hybrid::default())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "separating-vector",
        kind: Kind::Narrow,
        accepts: Accepts::Convex,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Chung 1996, 3 and 4",
        make: Make::Narrow(|| Box::new(SeparatingVector::default())),
    },
    Entry {
        name: "gilbert",
        kind: Kind::Narrow,
        accepts: Accepts::Convex,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Gilbert, Johnson and Keerthi 1988; Chung 1996, 5",
        make: Make::Narrow(|| Box::new(Gjk::default())),
    },
    Entry {
        name: "sat",
        kind: Kind::Narrow,
        accepts: Accepts::Convex,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Gottschalk, Lin and Manocha 1996; Fogel and Halperin 2007",
        make: Make::Narrow(|| Box::new(Sat::default())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "cyrus-beck",
        kind: Kind::Narrow,
        accepts: Accepts::Convex,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 3.4.1",
        make: Make::Narrow(|| Box::new(CyrusBeck::default())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "separating-plane",
        kind: Kind::Narrow,
        accepts: Accepts::Convex,
        guarantee: Guarantee::FalseHits,
        default: false,
        source: "Zachmann 1994, 3.4.2",
        make: Make::Narrow(|| Box::new(Perceptron::default())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "combined",
        kind: Kind::Narrow,
        accepts: Accepts::Convex,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Chung 1996, 5.5",
        make: Make::Narrow(|| Box::new(Combined::default())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "closest-features",
        kind: Kind::Narrow,
        accepts: Accepts::Convex,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Lin and Canny 1991; I-COLLIDE 1995, 3; Mirtich 1998 (V-Clip)",
        make: Make::Narrow(|| Box::new(ClosestFeatures::default())),
    },
    Entry {
        name: "compound",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "I-COLLIDE 1995, 3.4; Chung 1996, 5.6",
        make: Make::Narrow(|| Box::new(Compound)),
    },
    Entry {
        name: "wide-compact",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "as wide-obb, in 16 bits a number",
        make: Make::Narrow(|| Box::new(BvhPair::<CompactTree>::new())),
    },
    Entry {
        name: "obb-tree",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Gottschalk, Lin and Manocha 1996 (RAPID)",
        make: Make::Narrow(|| Box::new(BinaryTrees::<Obb>::new())),
    },
    Entry {
        name: "aabb-tree",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "van den Bergen 1997 (SOLID)",
        make: Make::Narrow(|| Box::new(BinaryTrees::<Aabb>::new())),
    },
    Entry {
        name: "kdop-tree",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Klosowski and others 1998 (QuickCD)",
        make: Make::Narrow(|| Box::new(BinaryTrees::<KDop<18>>::new())),
    },
    Entry {
        name: "sphere-tree",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Hubbard 1993",
        make: Make::Narrow(|| Box::new(BinaryTrees::<Sphere>::new())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "box-tree",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 3.6",
        make: Make::Narrow(|| Box::new(BvhPair::<BoxTree>::new())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "box-tree-1994",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 3.6.1 to 3.6.5: edges against faces, line tables",
        make: Make::Narrow(|| Box::new(EdgeFaceTrees::default())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "interval-tree",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann, lecture slides: restricted box-trees",
        make: Make::Narrow(|| Box::new(BvhPair::<IntervalTree>::new())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "patches",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Daneu 2002, chapter 3",
        make: Make::Narrow(|| Box::new(PatchTrees::new())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "arbitrary",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 3.2",
        make: Make::Narrow(|| Box::new(Arbitrary::default())),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "arbitrary-relaxed",
        kind: Kind::Narrow,
        accepts: Accepts::ClosedManifold,
        guarantee: Guarantee::Misses,
        default: false,
        source: "Zachmann 1994, 3.2.1",
        make: Make::Narrow(|| Box::new(Arbitrary::relaxed())),
    },
    Entry {
        name: "brute-force",
        kind: Kind::Narrow,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "every triangle against every triangle",
        make: Make::Narrow(|| Box::new(BruteForce)),
    },
];

/// The builders of hierarchies. A rule of several kinds of hierarchy is one entry.
pub(super) const BUILD: &[Entry] = &[
    Entry {
        name: "auto",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: true,
        source: "each algorithm's own",
        make: Make::Build(Vec::new),
    },
    Entry {
        name: "sah",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Goldsmith and Salmon 1987; Wald 2007",
        make: Make::Build(|| {
            vec![
                TreeBuilder::Binary(Builder::new(Split::SurfaceArea { bins: 16 })),
                TreeBuilder::Wide(WideOptions::default()),
                #[cfg(feature = "classic")]
                TreeBuilder::Interval(IntervalSplit::Surface),
            ]
        }),
    },
    Entry {
        name: "median",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Kay and Kajiya 1986",
        make: Make::Build(|| {
            vec![
                TreeBuilder::Binary(Builder::new(Split::Median)),
                #[cfg(feature = "classic")]
                TreeBuilder::Interval(IntervalSplit::Median),
            ]
        }),
    },
    Entry {
        name: "longest-axis",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "van den Bergen 1997 (SOLID)",
        make: Make::Build(|| vec![TreeBuilder::Binary(Builder::new(Split::LongestAxis))]),
    },
    Entry {
        name: "mean-variance",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Daneu 2002, 3.3.2",
        make: Make::Build(|| vec![TreeBuilder::Binary(Builder::new(Split::MeanVariance))]),
    },
    Entry {
        name: "total-volume",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann, lecture slides: construction of hierarchies",
        make: Make::Build(|| vec![TreeBuilder::Binary(Builder::new(Split::TotalVolume))]),
    },
    Entry {
        name: "morton",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Lauterbach and others 2009",
        make: Make::Build(|| vec![TreeBuilder::Wide(WideOptions::fast())]),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "cut-bisection",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 3.6.3",
        make: Make::Build(|| vec![TreeBuilder::BoxTree(BoxTreeOptions::default())]),
    },
    #[cfg(feature = "classic")]
    Entry {
        name: "cut-sweep",
        kind: Kind::Build,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "as cut-bisection, over all planes that end a triangle",
        make: Make::Build(|| {
            vec![TreeBuilder::BoxTree(BoxTreeOptions {
                search: CutSearch::Sweep,
                crossing_weight: 4.0,
                ..BoxTreeOptions::default()
            })]
        }),
    },
];

/// The bounding strategies and the execution modes.
pub(super) const WORLD: &[Entry] = &[
    Entry {
        name: "axis-aligned",
        kind: Kind::Bounds,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: true,
        source: "Zachmann 1994, 5.2.1",
        make: Make::Bounds(|| Box::new(AxisAligned)),
    },
    Entry {
        name: "fixed-cube",
        kind: Kind::Bounds,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "I-COLLIDE, 4.1; Zachmann 1994, 5.2",
        make: Make::Bounds(|| Box::new(FixedCubes)),
    },
    Entry {
        name: "dynamic-box",
        kind: Kind::Bounds,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "I-COLLIDE, 4.1",
        make: Make::Bounds(|| Box::new(DynamicBox)),
    },
    Entry {
        name: "oriented",
        kind: Kind::Bounds,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Gottschalk, Lin and Manocha 1996; Zachmann 1994, 5.5.1",
        make: Make::Bounds(|| Box::new(Oriented)),
    },
    Entry {
        name: "k-dop",
        kind: Kind::Bounds,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 5.6; Klosowski and others 1998",
        make: Make::Bounds(|| Box::new(KDops)),
    },
    Entry {
        name: "serial",
        kind: Kind::Execution,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: true,
        source: "one pair after the other",
        make: Make::Execution(|| Box::new(Serial)),
    },
    Entry {
        name: "parallel",
        kind: Kind::Execution,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 6.2",
        make: Make::Execution(|| Box::new(Parallel::new())),
    },
    Entry {
        name: "fine-grain",
        kind: Kind::Execution,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 6.3.1",
        make: Make::Execution(|| Box::new(FineGrain::new())),
    },
    Entry {
        name: "two-phases",
        kind: Kind::Execution,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 6.3.2",
        make: Make::Execution(|| Box::new(TwoPhases::new())),
    },
    Entry {
        name: "concurrent",
        kind: Kind::Execution,
        accepts: Accepts::Any,
        guarantee: Guarantee::Exact,
        default: false,
        source: "Zachmann 1994, 6.4",
        make: Make::Concurrent,
    },
];
