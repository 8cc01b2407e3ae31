//! How objects move from frame to frame.

use nalgebra::{Isometry3, Point3};
use proptest::prelude::*;
use xcollide_brep::PolygonMesh;
use xcollide_scenes::{
    CageBox, Ending, FilePart, Import, MeshSource, Motion, Object, Placement, Random, Recording,
    Rule, Scene, SceneFile, SceneFiles, Simulation, Speed, Start, Way, names, shape,
};

use super::{begin, bits, isometries, isometry, scene};

fn at(x: f64, y: f64, z: f64) -> Placement {
    Placement::at([x, y, z])
}

fn alone(motion: Motion) -> Scene {
    let mut scene = Scene::new("alone");
    let mut object = Object::new("one", "shape:octahedron");
    object.motion = motion;
    scene.objects.push(object);
    scene
}

#[test]
fn frame_0_is_that_of_the_initial_poses() {
    let recorded = Recording::Listed(vec![at(1.0, 2.0, 3.0), at(4.0, 5.0, 6.0)]);
    let mut scene = alone(Motion::Recorded { poses: recorded, ending: Ending::Stay });
    // The poses of a recording come before any start.
    let anywhere = Start::Random { within: Some([[5.0; 3], [6.0; 3]]), turned: true };
    for start in [Start::At(vec![at(7.0, 8.0, 9.0)]), anywhere] {
        scene.objects[0].start = start;
        let mut simulation = Simulation::new(&scene).unwrap();
        let x = |simulation: &Simulation| isometries(simulation)[0].translation.x;
        assert_eq!((simulation.frame(), x(&simulation)), (0, 1.0));
        simulation.advance();
        assert_eq!((simulation.frame(), x(&simulation)), (1, 4.0));
        simulation.advance();
        assert_eq!((simulation.frame(), x(&simulation)), (2, 4.0));
    }
}

#[test]
fn a_repeated_recording_begins_again() {
    let poses = Recording::Listed(vec![at(1.0, 0.0, 0.0), at(2.0, 0.0, 0.0), at(3.0, 0.0, 0.0)]);
    let scene = alone(Motion::Recorded { poses, ending: Ending::Repeat });
    let mut simulation = Simulation::new(&scene).unwrap();
    for frame in 0..20 {
        assert_eq!(isometries(&simulation)[0].translation.x, f64::from(frame % 3 + 1));
        simulation.advance();
    }
}

#[test]
fn a_free_body_goes_straight_on_and_turns_by_the_degrees_told() {
    let way = Way::Along([0.25, 0.0, -0.5]);
    let scene = alone(Motion::Free { way, axis: Some([0.0, 0.0, 7.0]), degrees: 15.0 });
    let mut simulation = Simulation::new(&scene).unwrap();
    for frame in 0..96 {
        let pose = isometries(&simulation)[0];
        let step = f64::from(frame);
        assert_eq!(pose.translation.vector.as_slice(), [0.25 * step, 0.0, -0.5 * step]);
        let angle = (15.0 * step).to_radians();
        let expected = Point3::new(angle.cos(), angle.sin(), 0.0);
        assert!((pose.rotation * Point3::new(1.0, 0.0, 0.0) - expected).norm() < 1e-12);
        simulation.advance();
    }
}

#[test]
fn an_orbit_keeps_its_distance_and_closes_near_its_start() {
    let (center, axis) = ([1.0, 2.0, 3.0], [1.0, 1.0, 0.0]);
    let mut scene = alone(Motion::Orbit { center, axis, degrees: 1.0 });
    scene.objects[0].start = Start::At(vec![at(4.0, 0.0, 3.5)]);
    let mut simulation = Simulation::new(&scene).unwrap();
    let start = isometries(&simulation)[0];
    let center = Point3::from(center).coords;
    let arm = (start.translation.vector - center).norm();
    for frame in 1..=3600 {
        simulation.advance();
        let now = isometries(&simulation)[0];
        assert!(((now.translation.vector - center).norm() - arm).abs() < 1e-12, "{frame}");
        let gap = (now.translation.vector - start.translation.vector).norm();
        assert_eq!(gap < 1e-9, frame % 360 == 0, "{frame}: {gap}");
    }
}

#[test]
fn children_go_where_their_parents_take_them() {
    let mut scene = Scene::new("arm");
    let mut random = Random::new(8);
    let mut pose = || {
        let rotation = random.rotation();
        Placement::turned(rotation, random.in_ball().map(|value| 3.0 * value))
    };
    // Children before parents: the order must not matter.
    let mut hand = Object::new("hand", "shape:octahedron");
    hand.start = Start::At((0..3).map(|_| pose()).collect());
    hand.count = 3;
    hand.parent = Some("arm".to_owned());
    hand.motion = Motion::Orbit { center: [0.5, 0.0, 0.0], axis: [0.0, 1.0, 0.0], degrees: 7.0 };
    let mut arm = Object::new("arm", "shape:octahedron");
    arm.start = Start::At((0..3).map(|_| pose()).collect());
    arm.count = 3;
    arm.parent = Some("body".to_owned());
    let mut body = Object::new("body", "shape:octahedron");
    body.start = Start::At(vec![pose()]);
    body.motion = Motion::free(Speed::Units(0.3), 11.0);
    scene.objects = vec![hand, arm, body];
    let mut simulation = Simulation::new(&scene).unwrap();
    let parents: Vec<Option<usize>> =
        simulation.instances().iter().map(|instance| instance.parent).collect();
    assert_eq!(parents, [Some(3), Some(4), Some(5), Some(6), Some(6), Some(6), None]);
    for _ in 0..100 {
        for index in 0..3 {
            let local =
                [6, index + 3, index].map(|index| isometry(&simulation.relative_pose(index)));
            let expected: Isometry3<f64> = local[0] * local[1] * local[2];
            let found = isometries(&simulation)[index];
            assert!((found.translation.vector - expected.translation.vector).norm() < 1e-12);
            assert!(found.rotation.angle_to(&expected.rotation) < 1e-6);
            assert!(!simulation.is_wanted(index, 6), "one assembly");
        }
        simulation.advance();
    }
}

/// More bodies than one thread moves on end: free ones that bounce, their children on orbits, and static ones.
#[cfg(feature = "parallel")]
#[test]
fn several_threads_move_a_scene_with_the_same_bits() {
    const MANY: usize = 1500;
    let mut scene = Scene::new("moons");
    scene.cage = Some(CageBox::cube(60.0));
    let planet = Object::flying("planet", "shape:octahedron", MANY, Speed::Units(0.7), 5.0);
    let mut moon = Object::new("moon", "shape:octahedron");
    (moon.count, moon.parent) = (MANY, Some("planet".to_owned()));
    moon.start = Start::At(vec![at(2.0, 0.0, 0.0); MANY]);
    moon.motion = Motion::Orbit { center: [0.0; 3], axis: [0.0, 0.0, 1.0], degrees: 7.0 };
    let mut rock = Object::new("rock", "shape:octahedron");
    (rock.count, rock.is_static) = (MANY, true);
    rock.start = Start::At((0..MANY).map(|number| at(number as f64, 90.0, 0.0)).collect());
    scene.objects = vec![moon, planet, rock];
    let mut serial = Simulation::new(&scene).unwrap();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut parallel = serial.clone();
        for _ in 0..20 {
            let before = bits(&serial);
            serial.advance();
            pool.install(|| parallel.advance_in_parallel());
            assert_eq!(serial.frame(), parallel.frame());
            assert!(bits(&serial) == bits(&parallel) && serial.poses() == parallel.poses());
            assert_ne!(before[0], bits(&serial)[0]);
        }
    }
}

#[test]
fn an_assembly_stays_in_the_cage_as_a_whole() {
    let mut scene = Scene::new("moon");
    scene.cage = Some(CageBox::cube(10.0));
    let planet = Object::flying("planet", "shape:sphere?faces=50", 1, Speed::Units(0.2), 5.0);
    let mut moon = Object::new("moon", "shape:sphere?faces=50&radius=0.5");
    moon.parent = Some("planet".to_owned());
    moon.start = Start::At(vec![at(2.0, 0.0, 0.0)]);
    scene.objects = vec![planet, moon];
    let mut simulation = Simulation::new(&scene).unwrap();
    let mut nearest = f64::INFINITY;
    for _ in 0..10_000 {
        let out = isometries(&simulation)[1].translation.vector.amax() + 0.5;
        assert!(out <= 5.0 + 1e-12);
        nearest = nearest.min(5.0 - out);
        simulation.advance();
    }
    assert!(nearest < 0.1, "the walls were never near: {nearest}");
}

#[test]
fn walls_mirror_what_went_through_them() {
    let way = Way::Along([0.75, 0.25, 0.0]);
    let mut scene = alone(Motion::Free { way, axis: None, degrees: 0.0 });
    scene.objects[0].start = Start::At(vec![at(4.5, 0.0, 0.0)]);
    let mut cage = CageBox::cube(10.0);
    cage.keep = xcollide_scenes::Keep::Origin;
    scene.cage = Some(cage);
    let mut simulation = Simulation::new(&scene).unwrap();
    simulation.advance();
    let pose = isometries(&simulation)[0];
    assert_eq!(pose.translation.vector.as_slice(), [4.75, 0.25, 0.0]);
    assert_eq!(simulation.velocity(0), [-0.75, 0.25, 0.0]);
}

#[test]
fn scale_and_stretch_multiply_and_the_mass_is_the_volume() {
    let mut scene = alone(Motion::Fixed);
    scene.objects[0].mesh = MeshSource::from("shape:box?x=2&y=2&z=2");
    scene.objects[0].scale = 2.0;
    scene.objects[0].stretch = [2.0, -3.0, 0.5];
    let simulation = Simulation::new(&scene).unwrap();
    for position in simulation.meshes()[0].positions() {
        assert_eq!(position.map(f64::abs), [4.0, 6.0, 1.0]);
    }
    let mass = simulation.instances()[0].mass;
    assert!((mass - 8.0 * 12.0 * 2.0).abs() < 1e-9, "{mass}");
    scene.objects[0].mass = Some(5.0);
    assert_eq!(Simulation::new(&scene).unwrap().instances()[0].mass, 5.0);
}

#[test]
fn as_many_meshes_of_a_spec_differ_as_there_are_variants() {
    let mut scene = Scene::new("variants");
    let mut object = Object::new("stone", "shape:polytope?vertices=30&seed={}");
    object.count = 6;
    object.start = Start::At(vec![at(0.0, 0.0, 0.0); 6]);
    scene.objects.push(object);
    for (variants, expected) in [(0, [0, 1, 2, 3, 4, 5]), (4, [0, 1, 2, 3, 0, 1])] {
        scene.objects[0].variants = variants;
        let simulation = Simulation::new(&scene).unwrap();
        let found: Vec<usize> =
            simulation.instances().iter().map(|instance| instance.mesh).collect();
        assert_eq!(found, expected);
        let meshes = simulation.meshes();
        for (index, mesh) in meshes.iter().enumerate() {
            assert!(!meshes[..index].contains(mesh), "{variants}: {index}");
        }
    }
}

#[test]
fn a_joint_parts_rigid_pieces() {
    let mut scene = Scene::new("arm");
    for (name, parent, jointed) in
        [("base", None, false), ("arm", Some("base"), true), ("hand", Some("arm"), false)]
    {
        let mut object = Object::new(name, "shape:octahedron");
        object.parent = parent.map(str::to_owned);
        object.jointed = jointed;
        scene.objects.push(object);
    }
    let simulation = Simulation::new(&scene).unwrap();
    let wanted = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| simulation.is_wanted(a, b));
    assert_eq!(wanted, [true, true, false]);
}

#[test]
fn interest_is_that_of_the_last_rule_that_speaks_of_a_pair() {
    let mut scene = Scene::new("rules");
    for (name, group) in [("a", "x"), ("b", "y"), ("c", "")] {
        let mut object = Object::new(name, "shape:octahedron");
        object.group = group.to_owned();
        scene.objects.push(object);
    }
    let pairs = |scene: &Scene| {
        let simulation = Simulation::new(scene).unwrap();
        [(0, 1), (1, 0), (0, 2), (1, 2), (1, 1)].map(|(a, b)| simulation.is_wanted(a, b))
    };
    assert_eq!(pairs(&scene), [true, true, true, true, false]);
    scene.interest = vec![Rule::new("*", "*", false), Rule::new("y", "x", true)];
    assert_eq!(pairs(&scene), [true, true, false, false, false]);
    let simulation = Simulation::new(&scene).unwrap();
    assert_eq!(simulation.groups(), ["", "x", "y"]);
    assert_eq!([0, 1, 2].map(|instance| simulation.group(instance)), [1, 2, 0]);
    assert!(simulation.are_groups_wanted(1, 2) && !simulation.are_groups_wanted(1, 1));
    scene.interest.push(Rule::new("x", "*", false));
    assert_eq!(pairs(&scene), [false; 5]);
    scene.interest.clear();
    scene.objects[0].is_static = true;
    scene.objects[2].is_static = true;
    assert_eq!(pairs(&scene), [true, true, false, true, false]);
}

#[test]
fn a_still_scene_stands_where_the_moving_one_was_bit_for_bit() {
    let moving = scene("qcollide");
    let mut simulation = begin("qcollide");
    (0..37).for_each(|_| simulation.advance());
    let instances = [3, 50, 99];
    let still = simulation.still(&moving, &instances);
    // By way of a file, as it would be kept.
    let again = Scene::from_toml(&still.to_toml(), "still.toml").unwrap();
    assert_eq!(again, still);
    let again = Simulation::new(&again).unwrap();
    let before = bits(&simulation);
    assert_eq!(bits(&again), instances.map(|index| before[index]));
    for (slot, index) in instances.into_iter().enumerate() {
        let mesh = |simulation: &Simulation, index: usize| {
            simulation.meshes()[simulation.instances()[index].mesh].clone()
        };
        assert_eq!(mesh(&again, slot), mesh(&simulation, index));
    }
}

/// Files that are at hand, and a count of how often each was asked for.
#[derive(Default)]
struct Drawer {
    asked: Vec<String>,
}

impl SceneFiles for Drawer {
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String> {
        self.asked.push(path.to_owned());
        match path {
            "off-center.obj" => {
                let mut mesh = PolygonMesh::new();
                for [x, y, z] in shape("box").unwrap().positions() {
                    mesh.push_vertex([x + 10.0, *y, z - 3.0]).unwrap();
                }
                mesh.push_face_with_holes(&[0, 4, 6, 2], &[&[1, 3, 7]]).unwrap();
                Ok(mesh)
            }
            "empty.obj" => Ok(PolygonMesh::new()),
            _ => Err("cannot be read: no such file".to_owned()),
        }
    }

    fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String> {
        self.asked.push(path.to_owned());
        match path {
            "way.txt" => Ok(vec![at(1.0, 0.0, 0.0), at(2.0, 0.0, 0.0)]),
            "long.txt" => Ok(vec![Placement::turned([0.0, 0.0, 0.0, 2.0], [0.0; 3])]),
            "none.txt" => Ok(Vec::new()),
            _ => Err("cannot be read: no such file".to_owned()),
        }
    }
}

#[test]
fn files_are_asked_for_once_and_their_meshes_centered_and_enlarged() {
    let mut scene = Scene::new("files");
    let mut object = Object::new("one", "off-center.obj");
    object.count = 4;
    object.start = Start::At(vec![at(0.0, 0.0, 0.0); 4]);
    object.scale = 2.0;
    object.centered = true;
    assert_eq!(object.mesh, MeshSource::File("off-center.obj".to_owned()));
    let mut mover = Object::new("two", "shape:octahedron");
    let poses = Recording::File("way.txt".to_owned());
    mover.motion = Motion::Recorded { poses, ending: Ending::Stay };
    scene.objects = vec![object, mover];
    let mut drawer = Drawer::default();
    let simulation = Simulation::with_files(&scene, &mut drawer).unwrap();
    assert_eq!(drawer.asked, ["off-center.obj", "way.txt"]);
    let mesh = &simulation.meshes()[0];
    assert!(mesh.positions().iter().flatten().all(|value| value.abs() == 2.0));
    let face = mesh.faces().next().unwrap();
    assert_eq!((face.outer().len(), face.holes().len()), (4, 1));
    assert_eq!(isometries(&simulation)[4].translation.x, 1.0);
}

#[test]
fn what_is_wrong_with_files_and_shapes_is_told_with_the_key() {
    let mut messages = Vec::new();
    for mesh in ["missing.obj", "empty.obj", "shape:spher", "shape:sphere?faces=3"] {
        let mut scene = alone(Motion::Fixed);
        scene.objects[0].mesh = MeshSource::from(mesh);
        messages
            .push(Simulation::with_files(&scene, &mut Drawer::default()).unwrap_err().to_string());
        messages.push(Simulation::new(&scene).unwrap_err().to_string());
    }
    for file in ["missing.txt", "none.txt", "long.txt"] {
        let poses = Recording::File(file.to_owned());
        let scene = alone(Motion::Recorded { poses, ending: Ending::Stay });
        messages
            .push(Simulation::with_files(&scene, &mut Drawer::default()).unwrap_err().to_string());
        messages.push(Simulation::new(&scene).unwrap_err().to_string());
    }
    messages.dedup();
    insta::assert_snapshot!("files", messages.join("\n"));
}

/// A file with these parts, each of them a cube.
struct Shown(Vec<FilePart>);

impl SceneFiles for Shown {
    fn mesh(&mut self, _: &str) -> Result<PolygonMesh, String> {
        shape("box").map_err(|error| error.to_string())
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        Err("is not asked for".to_owned())
    }

    fn parts(&mut self, _: &SceneFile) -> Result<Vec<FilePart>, String> {
        Ok(self.0.clone())
    }
}

fn part(name: &str, parent: Option<usize>, poses: &[Placement]) -> FilePart {
    let (name, mesh) = (name.to_owned(), "a.glb#0".to_owned());
    FilePart { name, mesh, parent, poses: poses.to_vec(), color: None }
}

/// Begins a scene that imports the parts, again and again, as `hall` at a height of 5.
fn hall(parts: &[FilePart]) -> (Scene, Simulation) {
    let mut file = SceneFile::new("a.glb");
    file.ending = Ending::Repeat;
    let mut import = Import::from(file);
    import.name = "hall".to_owned();
    import.pose = at(0.0, 0.0, 5.0);
    let mut scene = Scene::new("parts");
    scene.imports.push(import);
    let resolved = scene.resolved(&mut Shown(parts.to_vec())).unwrap();
    (resolved, Simulation::with_files(&scene, &mut Shown(parts.to_vec())).unwrap())
}

#[test]
fn parts_of_a_file_are_named_grouped_jointed_and_static() {
    let way = [at(0.0, 0.0, 0.0), at(3.0, 0.0, 0.0)];
    let stands = [at(0.0, 9.0, 0.0)];
    let (resolved, mut simulation) = hall(&[
        part("wheel", None, &way),
        part("wheel", Some(0), &way),
        part("hub", Some(1), &stands),
        part("stand", None, &stands),
        part("foot", Some(3), &stands),
    ]);
    let names: Vec<&str> = resolved.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["hall/wheel", "hall/wheel#2", "hall/hub", "hall/stand", "hall/foot"]);
    assert!(resolved.objects.iter().all(|object| object.group == "hall"));
    let unwanted: Vec<_> = (0..5)
        .flat_map(|b| (0..b).map(move |a| (a, b)))
        .filter(|&(a, b)| !simulation.is_wanted(a, b))
        .collect();
    // The hub does not move on its wheel; stand and foot are static.
    assert_eq!(unwanted, [(1, 2), (3, 4)]);
    for x in [0.0, 3.0, 0.0, 3.0] {
        let expected = [(x, 0.0), (2.0 * x, 0.0), (2.0 * x, 9.0), (0.0, 9.0), (0.0, 18.0)];
        let found = isometries(&simulation);
        let found: Vec<_> = found.iter().map(|pose| pose.translation.vector).collect();
        assert_eq!(found, expected.map(|(x, y)| nalgebra::Vector3::new(x, y, 5.0)));
        simulation.advance();
    }
    // Where nothing moves, nothing is static.
    let (_, simulation) = hall(&[part("a", None, &stands), part("b", None, &stands)]);
    assert!(simulation.is_wanted(0, 1));
}

/// Numbers at the ends of what a scene may hold.
fn extreme() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1e-300), Just(1e100), Just(-1e100), Just(-1.0), Just(3.0)]
}

proptest! {
    #[test]
    fn whatever_passes_the_check_moves_without_a_panic(
        scene in super::round_trip::any_scene(),
        pairs in prop::collection::vec((0..12usize, 0..12usize), 0..8),
    ) {
        let mut scene = scene;
        for object in &mut scene.objects {
            object.mesh = MeshSource::from("shape:octahedron");
            if matches!(&object.motion, Motion::Recorded { poses: Recording::File(_), .. }) {
                object.motion = Motion::Fixed;
            }
        }
        // What does not fit its cage is refused.
        if let Ok(mut simulation) = Simulation::new(&scene) {
            for _ in 0..5 {
                simulation.respond(&pairs);
                simulation.advance();
                for pose in isometries(&simulation) {
                    prop_assert!(pose.translation.vector.iter().all(|value| value.is_finite()));
                    prop_assert!((pose.rotation.norm() - 1.0).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn the_largest_and_smallest_numbers_do_no_harm(
        (corner, velocity, center) in ([extreme(), extreme(), extreme()], [extreme(), extreme(), extreme()], [extreme(), extreme(), extreme()]),
        (scale, density, degrees) in (prop_oneof![Just(1e-100), Just(1.0), Just(1e100)], prop_oneof![Just(1e-300), Just(1.0)], extreme()),
        boxed in any::<bool>(),
    ) {
        let mut scene = Scene::new("extremes");
        scene.response = xcollide_scenes::Response::Impulse;
        scene.cage = Some(CageBox::of_density(density));
        let mut flyer = Object::new("flyer", "shape:octahedron");
        flyer.motion = Motion::Free { way: Way::Along(velocity), axis: None, degrees: 1e9 };
        flyer.start = if boxed {
            let within = [[-1e100; 3], corner.map(f64::abs)];
            Start::Random { within: Some(within), turned: true }
        } else {
            Start::anywhere()
        };
        flyer.scale = scale;
        let mut moon = Object::new("moon", "shape:octahedron");
        moon.start = Start::At(vec![at(corner[0], corner[1], corner[2])]);
        let degrees = degrees.clamp(-1e9, 1e9);
        moon.motion = Motion::Orbit { center, axis: [1e-100, 0.0, 0.0], degrees };
        scene.objects = vec![flyer, moon];
        scene.check().unwrap();
        if let Ok(mut simulation) = Simulation::new(&scene) {
            for _ in 0..3 {
                simulation.respond(&[(0, 1)]);
                simulation.advance();
                for pose in isometries(&simulation) {
                    prop_assert!(pose.translation.vector.iter().all(|value| !value.is_nan()));
                }
            }
        }
    }

    #[test]
    fn walls_keep_the_speed_of_what_they_turn_back(seed in any::<u64>(), speed in 0.0..2.0f64) {
        let mut scene = Scene::new("box");
        scene.seed = seed;
        scene.cage = Some(CageBox::cube(5.0));
        let ball = Object::flying("ball", "shape:octahedron", 3, Speed::Units(speed), 3.0);
        scene.objects.push(ball);
        let mut simulation = Simulation::new(&scene).unwrap();
        for _ in 0..100 {
            simulation.advance();
            for index in 0..3 {
                let [x, y, z] = simulation.velocity(index);
                prop_assert!(((x * x + y * y + z * z).sqrt() - speed).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn static_objects_and_what_is_fixed_never_move() {
    for name in names() {
        let scene = scene(name);
        let mut simulation = begin(name);
        let start = bits(&simulation);
        (0..50).for_each(|_| simulation.advance());
        for ((now, start), instance) in
            bits(&simulation).iter().zip(&start).zip(simulation.instances())
        {
            let object = &scene.objects[instance.object];
            let is_fixed = object.motion == Motion::Fixed && instance.parent.is_none();
            assert_eq!(now == start, is_fixed, "{name}, {}", object.name);
            assert!(!instance.is_static || now == start);
        }
    }
}
