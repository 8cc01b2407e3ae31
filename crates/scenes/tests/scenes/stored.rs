//! Scenes and placements go through serde and come back the same.
#![cfg(feature = "serde")]

use xcollide_fixtures::assert_comes_back;
use xcollide_scenes::{Placement, PolytopeKind, Poses, Simulation, names};

use super::scene;

#[test]
fn embedded_scenes_and_their_instances_come_back_as_they_were() {
    for name in names() {
        let scene = scene(name);
        assert_eq!(assert_comes_back(&scene), scene, "{name}");
    }
    let simulation = Simulation::new(&scene("icollide")).unwrap_or_else(|error| panic!("{error}"));
    assert_comes_back(&simulation.instances().to_vec());
}

#[test]
fn placements_come_back_as_they_were() {
    let mut poses = Poses::new(3);
    for number in 0..100 {
        let turned = poses.at_distance(f64::from(number) / 3.0);
        assert_eq!(assert_comes_back(&turned), turned);
        let matrix = Placement::from(turned.pose());
        assert_eq!(assert_comes_back(&matrix), matrix);
    }
    assert_comes_back(&[PolytopeKind::Rod, PolytopeKind::Plate].to_vec());
}
