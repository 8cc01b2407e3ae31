//! The same answer by each engine: in memory, embedded, and on a cluster.

mod executors;
mod join;
mod programs;
mod random;
mod same_answer;
mod tables;
