//! The names that nearly every program needs: `use xcollide::prelude::*;`.

pub use crate::brep::{Brep, PolygonMesh, Topology};
pub use crate::interest::{Ask, InterestMatrix};
pub use crate::narrow::{
    Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, Separation, Verdict, Witness,
};
pub use crate::registry;
pub use crate::{Collision, Frame, ObjectId, ObjectPair, World};
