//! Recorded first frames of every embedded scene.

use std::fmt::Write as _;

use xcollide_scenes::{Scene, Simulation, scenes};

use super::{begin, bits, isometries, overlapping, scene};

/// Too many for comparing all with all.
const MANY: usize = 3000;

#[test]
fn scenes_are_what_they_were() {
    let mut log = String::new();
    for known in scenes() {
        let mut simulation = begin(known.name);
        let faces =
            |instance: &xcollide_scenes::Instance| simulation.meshes()[instance.mesh].face_count();
        let total: usize = simulation.instances().iter().map(faces).sum();
        writeln!(
            log,
            "{known}\n  {} instances of {} meshes, {total} faces, {} without room",
            simulation.instances().len(),
            simulation.meshes().len(),
            simulation.crowded()
        )
        .unwrap();
        if let Some([min, max]) = simulation.cage() {
            writeln!(log, "  cage {min:?} to {max:?}").unwrap();
        }
        for frame in 0..=20 {
            let few = simulation.instances().len() <= MANY;
            let pairs = if few { overlapping(&simulation) } else { vec![(0, 1), (2, 3)] };
            if [0, 1, 5, 20].contains(&frame) {
                let hash = hash(&bits(&simulation));
                writeln!(log, "  frame {frame}: {hash:016x}, {} pairs", pairs.len()).unwrap();
            }
            simulation.respond(&pairs);
            simulation.advance();
        }
    }
    insta::assert_snapshot!("first_frames", log);
}

/// FNV-1a (Fowler, Noll and Vo) of all bytes.
fn hash(poses: &[[u64; 7]]) -> u64 {
    let bytes = poses.iter().flatten().flat_map(|bits| bits.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn a_scene_begun_twice_runs_alike_and_another_seed_does_not() {
    let mut twins = [begin("cage"), begin("cage")];
    let mut other = begin("cage?seed=2");
    for _ in 0..200 {
        assert_eq!(bits(&twins[0]), bits(&twins[1]));
        assert_ne!(bits(&twins[0]), bits(&other));
        for simulation in twins.iter_mut().chain([&mut other]) {
            let pairs = overlapping(simulation);
            simulation.respond(&pairs);
            simulation.advance();
        }
    }
}

#[test]
fn an_object_keeps_its_rotations_and_ways_when_another_has_more_instances() {
    let mut few = scene("qcollide?objects=30");
    let mut many = few.clone();
    many.objects[0].count += 5;
    // One cage for both, as its size would follow the number.
    for scene in [&mut few, &mut many] {
        scene.cage = Some(xcollide_scenes::CageBox::cube(40.0));
    }
    let [few, many] = [few, many].map(|scene: Scene| Simulation::new(&scene).unwrap());
    for index in 10..30 {
        assert_eq!(few.velocity(index), many.velocity(index + 5));
        assert_eq!(isometries(&few)[index].rotation, isometries(&many)[index + 5].rotation);
    }
}

#[test]
fn parameters_are_those_of_the_sources() {
    // I-COLLIDE: 1000 polytopes of 36 faces, all different; 1 % of the volume; 10 % and 10 degrees.
    let simulation = begin("icollide");
    assert_eq!((simulation.instances().len(), simulation.meshes().len()), (1000, 1000));
    assert!(simulation.meshes().iter().all(|mesh| mesh.face_count() == 36));
    let [min, max] = simulation.cage().unwrap();
    let room: f64 = (0..3).map(|k| max[k] - min[k]).product();
    let volume: f64 = simulation.instances().iter().map(|instance| instance.volume).sum();
    assert!((volume / room - 0.01).abs() < 1e-9);
    for (index, instance) in simulation.instances().iter().enumerate() {
        let [x, y, z] = simulation.velocity(index);
        assert!(((x * x + y * y + z * z).sqrt() - 0.1 * instance.radius).abs() < 1e-12);
    }
    let (before, mut after) = (simulation.clone(), simulation);
    after.advance();
    for (a, b) in isometries(&before).iter().zip(isometries(&after)) {
        assert!((a.rotation.angle_to(&b.rotation).to_degrees() - 10.0).abs() < 1e-6);
    }
    // Q-COLLIDE: 100 of n vertices.
    for vertices in [20, 500] {
        let simulation = begin(&format!("qcollide?vertices={vertices}"));
        assert_eq!(simulation.instances().len(), 100);
        assert!(simulation.meshes().iter().all(|mesh| mesh.vertex_count() == vertices));
    }
    // The thesis: ten objects and six walls, 4121 polygons with those of the walls.
    let simulation = begin("cage");
    assert_eq!(simulation.instances().len(), 10 + 6);
    let faces =
        |instance: &xcollide_scenes::Instance| simulation.meshes()[instance.mesh].face_count();
    let total: usize = simulation.instances().iter().map(faces).sum();
    assert!(total.abs_diff(4121) < 10, "{total}");
    // 20 polygons among 500.
    let simulation = begin("tetra-flakes");
    assert_eq!((simulation.instances().len(), simulation.meshes()[0].face_count()), (501, 20));
    // Zachmann's protocol: a cube of side 2, the given distances, a full turn at each.
    for shape in ["torus", "sphere", "knot", "hyperboloid", "icosphere"] {
        let mut simulation = begin(&format!("tumble?shape={shape}&faces=400&distances=3&steps=4"));
        let positions = simulation.meshes()[0].positions();
        let extent = |k: usize| {
            let values = || positions.iter().map(|position| position[k]);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        };
        let longest = (0..3).map(extent).fold(0.0, f64::max);
        assert!((longest - 2.0).abs() < 1e-12, "{shape}: {longest}");
        for distance in [2.5, 1.5, 0.5] {
            let upright = isometries(&simulation)[1].rotation;
            assert!(upright.angle() < 1e-12, "each turn begins upright");
            for _ in 0..4 {
                let [a, b] = [0, 1].map(|index| isometries(&simulation)[index].translation.vector);
                assert!(((a - b).norm() - distance).abs() < 1e-12);
                simulation.advance();
            }
        }
    }
    // Daneu's cars.
    let faces: Vec<usize> =
        begin("cars").meshes().iter().map(xcollide_brep::PolygonMesh::face_count).collect();
    assert_eq!(faces, [878, 905]);
    // The Potter's hand and forefinger, and the lump.
    for (tool, parts) in [("hand", 16), ("forefinger", 3)] {
        assert_eq!(begin(&format!("potter?tool={tool}")).instances().len(), parts + 1);
    }
}
