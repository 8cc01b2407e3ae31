//! Benchmarks of X-COLLIDE, one file per layer; run them with `cargo bench -p xcollide-benches`.
//!
//! Most use criterion. Those that compare algorithms in a table of `docs/benchmarks.md` (`mesh`)
//! take turns, see [`contest`], and print the table.

pub mod cage;
pub mod contest;
pub mod crowd;
pub mod environment;
pub mod frames;
pub mod pairs;
pub mod parry;
pub mod rank;
pub mod subject;
pub mod table;
pub mod turns;
