//! Tests of the promises of `xcollide-io`, one module a topic.

mod broken_files;
mod meshes;
mod mutated;
mod parts;
mod round_trips;
mod samples;
mod variants;
