//! Read files, with their reports, go through serde and come back the same.
#![cfg(feature = "serde")]

use xcollide_fixtures::assert_comes_back;
use xcollide_io::glb::Material;
use xcollide_io::gltf::{self, PartOptions};
use xcollide_io::{Format, MeshFile, NoFaces, Position, ReadError, RemarkKind, ply};

#[test]
fn files_come_back_as_they_were() -> Result<(), ReadError> {
    let text = b"v 0 0 .1\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nfacet 7\nf 1 2 3\n";
    let file = MeshFile::from_bytes(text, Some(Format::Obj))?;
    let again = assert_comes_back(&file);
    assert_eq!(again, file);
    let warnings: Vec<String> = again.report.warnings().map(ToString::to_string).collect();
    assert_eq!(warnings, ["skipped 1 statement `facet` in line 5"]);
    assert_comes_back(&MeshFile::from_bytes(b"v 0 0 .1\n", Some(Format::Obj))?);

    let clock = include_bytes!("../../../../fixtures/scenes/clock.gltf");
    let options = PartOptions::new(0, 29.97);
    assert_comes_back(&options);
    let parts = gltf::parts(clock, None, &options)?;
    assert_eq!(assert_comes_back(&parts), parts);
    Ok(())
}

#[test]
fn words_come_back_as_they_were() {
    assert_comes_back(&Position::Element { name: "vertex".into(), index: 7, byte: Some(3) });
    assert_comes_back(&[RemarkKind::Attribute, RemarkKind::Pose].to_vec());
    assert_comes_back(&[NoFaces::Empty, NoFaces::Splats(3)].to_vec());
    assert_comes_back(&[ply::Encoding::Text, ply::Encoding::BigEndian].to_vec());
    assert_comes_back(&Material::new("red", [0.1, 1.0 / 3.0, 0.0]).opacity(0.3).glow(0.1));
}
