//! Tests of the promises of `xcollide-io`, one module a topic.

mod broken_files;
mod gltf_extensions;
mod gltf_poses;
mod meshes;
mod mutated;
mod parts;
mod reports;
mod round_trips;
mod samples;
mod variants;
