//! Tests of the promises of `xcollide-io`, one module a topic.

mod binary_off;
mod broken_files;
mod deformation;
mod gltf_extensions;
mod gltf_poses;
mod meshes;
mod mutated;
mod parts;
mod reports;
mod round_trips;
mod samples;
mod stored;
mod variants;

/// The samples that the crate reads with its features.
fn readable_samples() -> Vec<samples::Sample> {
    let is_read = |sample: &samples::Sample| {
        (cfg!(feature = "draco") || sample.name != "draco.glb")
            && (cfg!(feature = "meshopt") || sample.name != "meshopt.glb")
    };
    samples::samples().into_iter().filter(is_read).collect()
}
