#![doc = include_str!("../README.md")]

pub mod batch;
mod gjk;
mod mpr;
mod normal_fan;
mod point_set;

pub use gjk::boolean::{BooleanGjk, GjkOutcome, GjkResult, GjkStart, SupportPair};
pub use mpr::{Mpr, MprBatch, MprBatchResult, MprOutcome, MprResult};
pub use normal_fan::{FanArc, NormalFan};
pub use point_set::PointSet;
