#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod attached;
mod convert;
mod error;
mod motion;
mod path;
mod pose;
mod rounding;
#[cfg(feature = "serde")]
mod stored;
pub mod vector;

pub use attached::Attached;
pub use error::PoseError;
pub use motion::Motion;
pub use path::{Path, Progress, Speed};
pub use pose::Pose;
pub use rounding::{f32_above, f32_below};
