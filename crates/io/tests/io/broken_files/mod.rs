//! Error messages for broken files.

#![allow(clippy::unwrap_used)]

mod gltf;
mod obj;
mod off;
mod ply;
mod stl;

use xcollide_io::{Format, read_bytes, read_path};

/// The message for the bytes.
pub(crate) fn refused(format: Format, bytes: &[u8]) -> String {
    match read_bytes(bytes, Some(format)) {
        Err(error) => error.to_string(),
        Ok(mesh) => panic!(
            "{format} with {} vertices and {} faces was made of {}",
            mesh.vertex_count(),
            mesh.face_count(),
            bytes.escape_ascii()
        ),
    }
}

/// Checks texts and their messages.
#[track_caller]
pub(crate) fn check(format: Format, table: &[(&str, &str)]) {
    for (text, message) in table {
        assert_eq!(refused(format, text.as_bytes()), *message, "{text:?}");
    }
}

#[test]
fn unknown_content_and_files_that_cannot_be_opened() {
    let message = read_bytes(b"<!DOCTYPE html>", None).unwrap_err().to_string();
    assert_eq!(message, "`<!DOCTYPE html>`, expected a mesh as OBJ, STL, PLY, OFF or glTF");
    let message = read_bytes(b"", None).unwrap_err().to_string();
    assert_eq!(message, "the file is empty, expected a mesh");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.obj");
    let error = read_path(&path).unwrap_err();
    assert_eq!(error.path(), Some(&*path));
    let message = error.to_string();
    assert!(message.starts_with(&format!("{}: cannot be read: ", path.display())), "{message}");
    std::fs::write(&path, "v 0 0 0\nf 1 2 1\n").unwrap();
    assert_eq!(
        read_path(&path).unwrap_err().to_string(),
        format!("{}: line 2: vertex number 2 in a face, expected 1..=1", path.display())
    );
}
