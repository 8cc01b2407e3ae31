#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bounding;
pub mod execution;
pub mod interest;
pub mod prelude;
pub mod registry;
#[cfg(feature = "robot")]
pub mod robot;
mod world;

pub use world::{
    AssumedContact, Cause, Change, Collision, Concurrent, Degradation, DetectionError, Ended,
    Event, Failure, Frame, FrameStats, KindChange, ObjectId, ObjectPair, Order, Proof, RayTargets,
    Report, RestoreError, Schedule, StageTimes, World, WorldBuilder, WorldError, WorldSnapshot,
};

pub use xcollide_math::PoseError;
pub use xcollide_narrow::{
    Formula, Kind, Manifold, ManifoldPoint, Model, NearestPoint, OverlapVolume, Placed, Pose,
    QueryError, RayHit, Verdict, check, closest_points, contacts, contains_point, distance,
    intersects, intersects_many, kind, overlap_volume, penetration, ray_cast, signed_distance,
};

#[cfg(feature = "nalgebra")]
pub use nalgebra;
pub use xcollide_bounds as bounds;
pub use xcollide_brep as brep;
pub use xcollide_broad as broad;
pub use xcollide_convex as convex;
pub use xcollide_math as math;
pub use xcollide_narrow as narrow;
pub use xcollide_predicates as predicates;

/// Compiles and runs the program of the project's README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ProjectReadme;

/// Compiles the examples of the guide.
#[cfg(all(doctest, feature = "robot"))]
#[doc = include_str!("../../../docs/guide.md")]
struct Guide;
