//! A world gives the collision log of brute force, whatever its layers are.
#![allow(clippy::unwrap_used)]

mod assemblies;
mod attached_motions;
mod batches;
mod cage;
mod callbacks;
mod concurrent;
mod deforming;
mod degradation;
mod formulas;
mod grain;
mod kinds;
mod layers;
mod many_poses;
mod motion_bounds;
mod motions;
mod moving_vertices;
mod objects;
mod panics;
mod queries;
mod rays;
mod schedules;
mod snapshots;
mod threads;

type Outcome = Result<(), Box<dyn std::error::Error>>;
