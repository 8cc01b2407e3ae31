//! What holds for every input: a mesh that can be written and comes back, or an error of one
//! line.

use xcollide_io::{Format, read_bytes, write_bytes};

pub fn read(bytes: &[u8], format: Option<Format>) {
    match read_bytes(bytes, format) {
        Err(error) => assert!(!error.to_string().contains('\n')),
        // Large ones come from scenes that repeat meshes, and only take time.
        Ok(mesh) if mesh.corner_count() > 100_000 => {}
        Ok(mesh) => {
            for format in [Format::Obj, Format::Off, Format::Ply] {
                let written = write_bytes(&mesh, format).expect("these formats hold every mesh");
                let back = read_bytes(&written, Some(format)).expect("what was written is read");
                assert!(back == mesh);
            }
        }
    }
}
