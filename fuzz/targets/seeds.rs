//! Writes the seeds of all targets to `corpus/`: the samples of the reader's own tests.

use std::fs;
use std::path::Path;

use samples::samples;
use xcollide_io::Format;

#[path = "../../crates/io/tests/io/samples/mod.rs"]
mod samples;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for sample in samples() {
        let target = match sample.format {
            Format::Obj => "obj",
            Format::Stl => "stl",
            Format::Ply => "ply",
            Format::Off => "off",
            _ => "gltf",
        };
        for target in [target, "detect"] {
            let folder = corpus.join(target);
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(sample.name), &sample.bytes)?;
        }
    }
    Ok(())
}
