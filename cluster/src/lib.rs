#![doc = include_str!("../README.md")]

mod box_join;
mod cell_pairs;
mod cell_plan;
#[cfg(feature = "program")]
mod clash_job;
#[cfg(feature = "program")]
mod cluster_process;
#[cfg(feature = "program")]
mod command_line;
#[cfg(feature = "program")]
mod engine;
#[cfg(feature = "program")]
mod fail_fast;
mod functions;
mod grid;
#[cfg(feature = "program")]
mod instance_table;
#[cfg(feature = "program")]
mod margins;
#[cfg(feature = "program")]
mod mesh_file;
#[cfg(feature = "program")]
mod model_cache;
mod session;
mod stored_box;
#[cfg(feature = "program")]
mod work_folder;

pub use box_join::{BoxStatistics, join_boxes, plan_join};
pub use cell_pairs::{CellEntry, Role, cell_pairs};
pub use cell_plan::{CellPlan, MAX_PARTS};
#[cfg(feature = "program")]
pub use command_line::run;
#[cfg(feature = "program")]
pub use engine::DataFusionEngine;
pub use functions::{aggregates, all as functions};
pub use grid::{BOTTOM, CellKey, Level, PART_BITS, TOP};
#[cfg(feature = "program")]
pub use margins::Margins;
pub use session::{Host, SessionOptions, open};
pub use stored_box::{STORED_BOX_BYTES, StoredBox};
