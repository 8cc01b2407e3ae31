//! Algorithms that the sources describe and no default uses.

pub mod arbitrary;
mod closest_features;
mod combined;
mod cyrus_beck;
mod edge_face;
mod edge_hit;
mod edges;
mod feature_walk;
mod half_space;
mod patches;
mod perceptron;
mod separating_vector;
mod volume_variants;

pub use arbitrary::Arbitrary;
pub use closest_features::{
    ClosestFeatures, ClosestFeaturesMemory, ClosestFeaturesSearch, FeatureDistance,
    closest_features,
};
pub use combined::{Combined, CombinedMemory, CombinedSearch, LastApart};
pub use cyrus_beck::{CyrusBeck, CyrusBeckMemory, CyrusBeckSearch};
pub use edge_face::EdgeFaceTrees;
pub use half_space::CollisionCondition;
pub use patches::PatchTrees;
pub use perceptron::{InitialPlane, Perceptron, PerceptronMemory, PerceptronSearch, Step};
pub use separating_vector::{
    FirstDirection, SeparatingVector, SeparatingVectorMemory, SeparatingVectorSearch, VertexSearch,
};
pub use volume_variants::{
    AabbTreeAlternate, AabbTreeBoth, AabbTreeFifteenLines, AabbTreeSixAxes, KDop6Tree, KDop14Tree,
    KDop26Tree, KDopTreeAlternate, KDopTreeBoth, ObbTreeAlternate, ObbTreeBoth, volume_choices,
};
