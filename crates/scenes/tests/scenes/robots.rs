//! Robots: poses of links and motions of joints.

mod messages;
mod pairs;

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use proptest::prelude::*;
use xcollide_brep::PolygonMesh;
use xcollide_scenes::robot::{ConfigurationError, RobotDescription};
use xcollide_scenes::{
    Ending, Formula, Import, JointMotion, Placement, Robot, Rule, Scene, SceneError, SceneFile,
    SceneFiles, Simulation, shape,
};

use super::{bits, isometries, isometry};

const URDF: &str = include_str!("../../../../fixtures/scenes/arm.urdf");
const SRDF: &str = include_str!("../../../../fixtures/scenes/arm.srdf");
const TABLE: &str = include_str!("../../../../fixtures/scenes/arm.csv");
const SCENE: &str = include_str!("../../../../fixtures/scenes/arm.toml");

/// Texts by path; every mesh is a cube of side 2.
#[derive(Clone)]
struct Texts(BTreeMap<&'static str, String>);

impl Texts {
    fn new() -> Self {
        let texts = [("arm.urdf", URDF), ("arm.srdf", SRDF), ("arm.csv", TABLE)];
        Self(texts.map(|(path, text)| (path, text.to_owned())).into())
    }

    fn with(mut self, path: &'static str, text: &str) -> Self {
        self.0.insert(path, text.to_owned());
        self
    }
}

impl SceneFiles for Texts {
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String> {
        assert_eq!(path, "../meshes/cube.off");
        shape("box").map_err(|error| error.to_string())
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        Err("is not asked for".to_owned())
    }

    fn text(&mut self, path: &str) -> Result<String, String> {
        self.0.get(path).cloned().ok_or_else(|| "cannot be read: no such file".to_owned())
    }
}

/// The arm, its file changed in some places.
fn changed(changes: &[[&str; 2]]) -> Texts {
    let mut text = URDF.to_owned();
    for &[from, to] in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    Texts::new().with("arm.urdf", &text)
}

fn begin(scene: &Scene) -> (Scene, Simulation) {
    let resolved = scene.resolved(&mut Texts::new()).unwrap();
    let simulation = Simulation::with_files(scene, &mut Texts::new()).unwrap();
    assert_eq!(
        bits(&simulation),
        bits(&Simulation::with_files(&resolved, &mut Texts::new()).unwrap())
    );
    (resolved, simulation)
}

fn arm() -> (Scene, Simulation) {
    begin(&Scene::from_toml(SCENE, "arm.toml").unwrap())
}

/// The only instance of an object.
fn instance(scene: &Scene, name: &str) -> usize {
    scene.objects.iter().position(|object| object.name == name).unwrap()
}

fn moved(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Translation3::new(x, y, z).into()
}

fn turned(axis: Vector3<f64>, angle: f64) -> Isometry3<f64> {
    let rotation = UnitQuaternion::from_scaled_axis(axis * angle);
    Isometry3::from_parts(Translation3::identity(), rotation)
}

/// The kinematic chain of the file, joint by joint.
fn expected(frame: usize) -> Vec<(&'static str, Isometry3<f64>)> {
    let up = if frame <= 20 { frame } else { 40 - frame } as f64;
    let elbow: f64 = format!("{:.3}", 1.5 * up / 20.0).parse().unwrap();
    let finger = 0.01 * (frame % 10) as f64;
    let upper = moved(0.0, 0.0, 0.2) * turned(Vector3::z(), 0.01 * frame as f64);
    let lower = upper * moved(0.0, 0.0, 1.0) * turned(Vector3::y(), elbow);
    let hand = lower * moved(1.0, 0.0, 0.0);
    let fingers =
        [1.0, -1.0].map(|side| hand * moved(0.15, side * finger, 0.0) * moved(0.1, 0.0, 0.0));
    let quarter = turned(Vector3::y(), std::f64::consts::FRAC_PI_2);
    vec![
        ("base", moved(0.0, 0.0, 0.1)),
        ("upper", upper * moved(0.0, 0.0, 0.5)),
        ("lower", lower * moved(0.5, 0.0, 0.0) * quarter),
        ("lower#2", lower),
        ("hand", hand * moved(0.05, 0.0, 0.0)),
        ("left", fingers[0]),
        ("right", fingers[1]),
        // Fastened to the hand's geometry.
        ("cup", hand * moved(0.05, 0.0, 0.0) * moved(0.2, 0.0, 0.0)),
        ("table", moved(0.85, 0.0, 0.0)),
    ]
}

#[test]
fn links_are_where_the_joints_put_them() {
    let (scene, mut simulation) = arm();
    assert_eq!(simulation.instances().len(), 9);
    for frame in 0..45 {
        // After its last row the table stays there.
        for (name, pose) in expected(frame.min(40)) {
            let found = isometries(&simulation)[instance(&scene, name)];
            let gap = (found.translation.vector - pose.translation.vector).norm();
            let angle = found.rotation.angle_to(&pose.rotation);
            assert!(gap < 1e-14 && angle < 1e-7, "{name}, frame {frame}: {gap:e}, {angle:e}");
        }
        simulation.advance();
    }
}

fn description() -> RobotDescription {
    RobotDescription::read("arm.urdf", Some("arm.srdf"), &mut Texts::new()).unwrap()
}

/// By the joints of each row, without a scene.
#[test]
fn a_description_places_its_links_as_a_scene_does() {
    let robot = description();
    let joints: Vec<_> = robot.joints().map(|joint| (joint.name, joint.limits)).collect();
    let limits = [Some([-3.1, 3.1]), Some([-1.2, 1.55]), None, Some([0.0, 0.1])];
    assert_eq!(
        joints,
        ["shoulder", "elbow", "wrist", "finger"].into_iter().zip(limits).collect::<Vec<_>>()
    );
    let rows = robot.read_configurations(TABLE, "arm.csv").unwrap();
    assert_eq!(rows.len(), 41);
    let mut links = Vec::new();
    for (frame, row) in rows.iter().enumerate() {
        robot.place_links(row, &mut links).unwrap();
        for (name, pose) in expected(frame).into_iter().take(7) {
            let (link, number) = name.strip_suffix("#2").map_or((name, 0), |link| (link, 1));
            let index = robot.links().iter().position(|other| other == link).unwrap();
            let placed = links[index].after(&robot.geometries(index)[number].origin);
            let found = isometry(&placed);
            let gap = (found.translation.vector - pose.translation.vector).norm();
            let angle = found.rotation.angle_to(&pose.rotation);
            assert!(gap < 1e-14 && angle < 1e-7, "{name}, frame {frame}: {gap:e}, {angle:e}");
        }
    }
}

#[test]
fn values_that_are_no_configuration_are_refused() {
    let (robot, mut links) = (description(), Vec::new());
    for wrong in [f64::NAN, f64::INFINITY, 1.1e9] {
        let error = robot.place_links(&[0.0, 0.0, 0.0, wrong], &mut links).unwrap_err();
        assert!(matches!(error, ConfigurationError::Value { joint, .. } if joint == "finger"));
    }
    for count in [0, 3, 5] {
        let error = robot.place_links(&vec![0.0; count], &mut links).unwrap_err();
        assert!(
            matches!(error, ConfigurationError::Count { found, expected: 4, .. } if found == count)
        );
    }
}

/// Without a column a joint is as near to 0 as its limits allow, in random motion too; with one it has the value of the
/// table, whatever its limits.
#[test]
fn joints_rest_within_their_limits_and_a_table_may_leave_them() {
    let files =
        || changed(&[["lower=\"-1.2\"", "lower=\"0.5\""]]).with("arm.csv", "finger\n0.25\n");
    let of_table = JointMotion::File { path: "arm.csv".to_owned(), ending: Ending::Stay };
    for (joints, expected) in [(of_table, 0.25), (JointMotion::Random { steps: 1 }, 0.0)] {
        let mut scene = Scene::new("arm");
        scene.frames = 1;
        let mut robot = Robot::new("arm.urdf");
        robot.joints = joints;
        scene.imports.push(Import::from(robot));
        let resolved = scene.resolved(&mut files()).unwrap();
        let simulation = Simulation::with_files(&scene, &mut files()).unwrap();
        let [left, lower] = ["left", "lower#2"].map(|name| instance(&resolved, name));
        let slide = isometry(&simulation.relative_pose(left)).translation.y;
        assert!((slide - expected).abs() < 1e-12, "{slide}");
        let x = isometries(&simulation)[lower].rotation * Vector3::x();
        assert!(((-x.z).asin() - 0.5).abs() < 1e-12, "{x}");
    }
}

/// However wide the limits, a turning joint is at most a whole turn from 0, a sliding one at most a kilometre; the cycle
/// has twenty configurations.
#[test]
fn random_configurations_are_at_most_a_turn_or_a_kilometre_away() {
    // The right finger shows the angle of the shoulder.
    let files = || {
        changed(&[
            ["lower=\"-3.1\" upper=\"3.1\"", "lower=\"-99\" upper=\"99\""],
            ["lower=\"0\" upper=\"0.1\"", "lower=\"0\" upper=\"1e6\""],
            ["<mimic joint=\"finger\" multiplier=\"-1\"/>", "<mimic joint=\"shoulder\"/>"],
        ])
    };
    let mut scene = Scene::new("arm");
    let mut robot = Robot::new("arm.urdf");
    robot.joints = JointMotion::Random { steps: 1 };
    scene.imports.push(Import::from(robot));
    let resolved = scene.resolved(&mut files()).unwrap();
    let mut simulation = Simulation::with_files(&scene, &mut files()).unwrap();
    let first = bits(&simulation);
    let fingers = ["left", "right"].map(|name| instance(&resolved, name));
    let mut most = [0.0_f64; 2];
    let mut seen = BTreeSet::new();
    for _ in 0..20 {
        for (most, finger) in most.iter_mut().zip(fingers) {
            let value = isometry(&simulation.relative_pose(finger)).translation.y;
            *most = f64::max(*most, value.abs());
        }
        seen.insert(bits(&simulation));
        simulation.advance();
    }
    let [slide, angle] = most;
    assert!((500.0..=1000.0 + 1e-9).contains(&slide), "{slide}");
    let turn = std::f64::consts::TAU;
    assert!((0.5 * turn..=turn + 1e-9).contains(&angle), "{angle}");
    assert_eq!((seen.len(), bits(&simulation)), (20, first));
}

#[test]
fn floating_planar_and_spherical_joints_are_fixed() {
    for kind in ["floating", "planar", "spherical"] {
        let other = format!("type=\"{kind}\"");
        let mut files = changed(&[["type=\"continuous\"", other.as_str()]]);
        let robot = RobotDescription::read("arm.urdf", None, &mut files).unwrap();
        let joints: Vec<&str> = robot.joints().map(|joint| joint.name).collect();
        assert_eq!(joints, ["shoulder", "elbow", "finger"], "{kind}");
        let [hand, lower] =
            ["hand", "lower"].map(|name| robot.links().iter().position(|link| link == name));
        assert_eq!(robot.rigid_root(hand.unwrap()), lower.unwrap(), "{kind}");
    }
}

#[test]
fn round_geometries_are_formulas_and_boxes_are_meshes() {
    let (scene, simulation) = arm();
    for (name, expected) in [
        ("base", Some(Formula::Cylinder { radius: 0.3, height: 0.2 })),
        ("upper", None),
        ("lower", Some(Formula::Capsule { radius: 0.08, length: 0.7 })),
        ("lower#2", Some(Formula::Ball { radius: 0.15 })),
        ("hand", None),
    ] {
        let mesh = simulation.instances()[instance(&scene, name)].mesh;
        assert_eq!(simulation.formulas()[mesh], expected, "{name}");
    }
}

#[test]
fn a_table_may_begin_again() {
    let then = SCENE.replace("\"arm.csv\"", "\"arm.csv\"\nthen = \"repeat\"");
    let (_, mut simulation) = begin(&Scene::from_toml(&then, "arm.toml").unwrap());
    let first = bits(&simulation);
    for frame in 1..=41 {
        simulation.advance();
        assert_eq!(bits(&simulation) == first, frame == 41, "{frame}");
    }
}

#[test]
fn imports_have_defaults_and_keys_of_the_wrong_kind_or_size_are_refused() {
    let read =
        |keys: &str| Scene::from_toml(&format!("name = 'a'\n[[imports]]\n{keys}\n"), "a.toml");
    let robot = "robot = 'arm.urdf'";
    let mut scene = Scene::new("a");
    scene.imports.push(Import::from(Robot::new("arm.urdf")));
    assert_eq!(read(robot).unwrap(), scene);
    let told = "steps = 50\nadjacent = false\nname = ''\npose = [0, 0, 0]";
    assert_eq!(read(&format!("{robot}\n{told}")).unwrap(), scene);
    let table = format!("{robot}\njoints = 'q.csv'");
    assert_eq!(read(&table).unwrap(), read(&format!("{table}\nthen = 'stay'")).unwrap());

    let file = "file = 'a.glb'";
    scene.imports = vec![Import::from(SceneFile::new("a.glb"))];
    assert_eq!(read(file).unwrap(), scene);
    let told = "animation = 0\nrate = 30\nthen = 'stay'\nname = ''\npose = [0, 0, 0]";
    assert_eq!(read(&format!("{file}\n{told}")).unwrap(), scene);

    for (import, key) in [
        (robot, "steps = 1"),
        (robot, "steps = 1000"),
        (file, "rate = 0.001"),
        (file, "rate = 1e6"),
    ] {
        assert!(read(&format!("{import}\n{key}")).is_ok(), "{key}");
    }
    let rate = "expected a number of frames a second from 0.001 to 1000000";
    for (import, key, expected) in [
        (robot, "steps = 0", "key `imports[0].steps`: found 0, expected a whole number from 1 to"),
        (robot, "steps = 1001", "expected a whole number from 1 to 1000"),
        (robot, "steps = 5\njoints = 'q.csv'", "expected one of the two"),
        (robot, "then = 'stay'", "expected the path of a table beside `imports[0].then`"),
        (robot, "rate = 30", "key `imports[0].rate` is unknown"),
        (file, "steps = 5", "key `imports[0].steps` is unknown"),
        (file, "rate = 0.0009", rate),
        (file, "rate = 1000001", rate),
        ("", "steps = 5", "expected the path of a URDF file, or `file`"),
    ] {
        let message = read(&format!("{import}\n{key}")).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}, expected {expected}");
    }
}

/// Joints without a column are at 0, whatever their limits.
#[test]
fn rows_of_a_table_are_configurations() {
    let robot = description();
    let read = |text: &str| robot.read_configurations(text, "q.csv");
    assert_eq!(read("time;finger;shoulder\n7;0.25;-1\n").unwrap(), [[-1.0, 0.0, 0.0, 0.25]]);
    let error = read("finger\n0\n0 1\n").unwrap_err().to_string();
    assert!(error.starts_with("q.csv: line 3: row: found 2 numbers"), "{error}");
}

#[test]
fn a_mesh_that_cannot_be_read_is_told_with_its_link() {
    struct NoMesh(Texts);
    impl SceneFiles for NoMesh {
        fn mesh(&mut self, _: &str) -> Result<PolygonMesh, String> {
            Ok(PolygonMesh::new())
        }
        fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String> {
            self.0.poses(path)
        }
        fn text(&mut self, path: &str) -> Result<String, String> {
            self.0.text(path)
        }
    }
    let error = RobotDescription::read("arm.urdf", None, &mut NoMesh(Texts::new())).unwrap_err();
    let expected = "arm.urdf: link `hand`: the mesh `../meshes/cube.off` has no faces";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn random_motion_is_smooth_within_limits_and_returns() {
    let mut scene = Scene::new("arm");
    let mut robot = Robot::new("arm.urdf");
    robot.joints = JointMotion::Random { steps: 40 };
    scene.imports.push(Import::from(robot));
    let (resolved, mut simulation) = begin(&scene);
    let (first, finger, lower) =
        (bits(&simulation), instance(&resolved, "left"), instance(&resolved, "lower#2"));
    let mut elbows = Vec::new();
    let mut before = simulation.clone();
    for frame in 1..=800 {
        simulation.advance();
        let slide = isometry(&simulation.relative_pose(finger)).translation.y
            - isometry(&before.relative_pose(finger)).translation.y;
        // A smooth step goes at most 1.5 times as fast as a straight one.
        assert!(slide.abs() <= 1.5 * 0.1 / 40.0 + 1e-12, "frame {frame}");
        // The slide along the hand's own axis is the value of the joint.
        let value = isometry(&simulation.relative_pose(finger)).translation.y;
        assert!((-1e-12..=0.1 + 1e-12).contains(&value), "{value}");
        let x = isometries(&simulation)[lower].rotation * Vector3::x();
        elbows.push((-x.z).asin());
        before.clone_from(&simulation);
    }
    let (low, high) = elbows
        .iter()
        .fold((9.0_f64, -9.0_f64), |(low, high), &angle| (low.min(angle), high.max(angle)));
    assert!(low >= -1.2 - 1e-9 && high <= 1.55 + 1e-9, "{low} {high}");
    assert!(high - low > 1.0, "{low} {high}");
    assert_eq!(bits(&simulation), first, "the twentieth configuration leads back to the first");
    let mut other = scene.clone();
    other.seed = 2;
    let (_, mut other) = begin(&other);
    assert_eq!(bits(&other), first);
    for _ in 0..40 {
        other.advance();
    }
    let (_, mut same) = begin(&scene);
    for _ in 0..40 {
        same.advance();
    }
    assert_ne!(bits(&other), bits(&same));
}

/// Also of a scene that is not resolved, whose objects are none of the robot's.
#[test]
fn links_can_be_kept_as_they_stand() {
    let scene = Scene::from_toml(SCENE, "arm.toml").unwrap();
    let (resolved, mut simulation) = arm();
    simulation.advance();
    let [hand, left] = ["hand", "left"].map(|name| instance(&resolved, name));
    let still = simulation.still(&scene, &[hand, left]);
    assert_eq!(still, simulation.still(&resolved, &[hand, left]));
    let again = Simulation::with_files(&still, &mut Texts::new()).unwrap();
    assert_eq!(bits(&again), [hand, left].map(|index| bits(&simulation)[index]));
    for (slot, index) in [hand, left].into_iter().enumerate() {
        let mesh = &simulation.meshes()[simulation.instances()[index].mesh];
        assert_eq!(&again.meshes()[again.instances()[slot].mesh], mesh);
    }
}

#[test]
fn a_mirrored_mesh_still_looks_outward() {
    let (scene, simulation) = arm();
    let hand = &simulation.instances()[instance(&scene, "hand")];
    let mesh = &simulation.meshes()[hand.mesh];
    let volume: f64 = mesh
        .faces()
        .map(|face| {
            let corner = |k: usize| Vector3::from(mesh.position(face.outer()[k]));
            // Twice the pyramid under half the square.
            corner(0).dot(&corner(1).cross(&corner(2))) / 3.0
        })
        .sum();
    assert!((volume - 0.2 * 0.4 * 0.1).abs() < 1e-15, "{volume}");
    assert_eq!(scene.objects[hand.object].stretch, [0.1, -0.2, 0.05]);
}
