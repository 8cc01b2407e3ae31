#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "classic")]
pub mod classic;
pub mod combine;
pub mod compound;
mod containment;
pub mod continuous;
pub mod convex;
mod depth;
pub mod formula;
mod hierarchy;
mod manifold;
pub mod mesh;
mod model;
mod narrow_phase;
mod one_call;
mod pair_search;
mod parallel_for;
mod point_distance;
pub mod point_in_polyhedron;
mod proof;
pub mod proximity;
mod query;
mod query_error;
pub mod rays;
pub mod relation;
pub mod self_intersection;
mod volume;

pub use manifold::{Manifold, ManifoldPoint};
pub use model::{Formula, Model, ModelVersion, MovingMeshError, Placed, PreparedData};
pub use narrow_phase::{Guarantee, NarrowPhase, PrepareError};
pub use one_call::{
    check, closest_points, contacts, contains_point, distance, intersects, intersects_many, kind,
    penetration, penetration_limited,
};
pub use point_distance::{
    NearestPoint, nearest_point, nearest_points, signed_distance, signed_distances,
};
pub use proof::{
    Contact, Feature, Front, Listing, ProofError, Reason, Separation, Suspects, Verdict, Witness,
};
pub use query::{Certificate, Grain, PairCache, PairQuery, Query, Semantics, Stats, Stop};
pub use query_error::QueryError;
pub use rays::{RayHit, ray_cast};
pub use relation::Kind;
pub use volume::{OverlapVolume, overlap_volume};
pub use xcollide_bvh as bvh;
pub use xcollide_math::Pose;
