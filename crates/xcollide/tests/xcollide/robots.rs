//! Robots: verdicts by hand, by one-call functions over the placed links, and in bulk.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use xcollide::convex::shape::Cone;
use xcollide::narrow::Formula;
use xcollide::robot::{BodyId, Packages, Robot, RobotError, RobotState};
use xcollide::{Model, Pose, distance, intersects};
use xcollide_scenes::{Random, shape};

const PI: f64 = std::f64::consts::PI;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes").join(name)
}

fn arm() -> Robot {
    Robot::load(fixture("arm.urdf"), Some(fixture("arm.srdf")), &Packages::new()).unwrap()
}

/// A robot of a text, without meshes.
fn of_text(urdf: &str) -> Result<Robot, RobotError> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("robot.urdf");
    std::fs::write(&path, urdf).unwrap();
    Robot::load(path, None, &Packages::new())
}

fn link(name: &str, size: &str, x: f64) -> String {
    format!(
        "<link name='{name}'><collision><origin xyz='{x} 0 0'/>\
         <geometry><box size='{size}'/></geometry></collision></link>"
    )
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, x: f64, axis: &str) -> String {
    format!(
        "<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>\
         <origin xyz='{x} 0 0'/><axis xyz='{axis}'/><limit lower='-3' upper='3'/></joint>"
    )
}

/// A base of side 0.2, an upper arm to 1.1 and a lower one that hangs at 1.2 and is 1.3 long.
fn planar() -> Robot {
    let links = link("base", "0.2 0.2 0.2", 0.0)
        + &link("upper", "1 0.1 0.1", 0.6)
        + &link("lower", "1.2 0.1 0.1", 0.7);
    let joints = joint("shoulder", "revolute", "base", "upper", 0.0, "0 0 1")
        + &joint("elbow", "continuous", "upper", "lower", 1.2, "0 0 1");
    of_text(&format!("<robot name='planar'>{links}{joints}</robot>")).unwrap()
}

/// Two cubes of side 1 that slide along x on a base between them.
fn sleds() -> Robot {
    let links = link("base", "0.1 0.1 0.1", 0.0)
        + &link("left", "1 1 1", 0.0)
        + &link("right", "1 1 1", 0.0);
    let joints = joint("l", "prismatic", "base", "left", 0.0, "1 0 0")
        + &joint("r", "prismatic", "base", "right", 0.0, "1 0 0");
    of_text(&format!("<robot name='sleds'>{links}{joints}</robot>")).unwrap()
}

fn cube() -> Model {
    Model::from_mesh(shape("shape:box?x=1&y=1&z=1").unwrap()).unwrap()
}

fn names(robot: &Robot, pairs: &[[BodyId; 2]]) -> Vec<[String; 2]> {
    pairs.iter().map(|pair| pair.map(|body| robot.name(body).to_owned())).collect()
}

/// Configurations of the arm, within and around its limits.
fn configurations(count: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(11);
    let mut row = || {
        let mut value = |most: f64| random.between(-most, most);
        vec![value(3.1), value(3.1), value(3.1), value(0.1)]
    };
    (0..count).map(|_| row()).collect()
}

#[test]
fn a_planar_arm_meets_its_base_where_it_folds_back() {
    let robot = planar();
    let mut state = robot.state().unwrap();
    // The lower arm's axis passes the base's center at 1.2 sin(elbow), and the base reaches 0.1 to 0.142.
    let cases = [
        ([0.0, 0.0], false),
        ([1.0, PI], true),
        ([-2.0, PI - 0.05], true),
        ([0.5, 0.05 - PI], true),
        ([0.0, PI - 0.2], false),
        ([3.0, PI / 2.0], false),
    ];
    for (configuration, expected) in cases {
        state.set_joints(&configuration).unwrap();
        assert_eq!(state.collides().unwrap(), expected, "{configuration:?}");
        let pairs = names(&robot, &state.colliding_pairs().unwrap());
        let base = [["base", "lower"].map(str::to_owned)];
        assert_eq!(pairs, if expected { &base[..] } else { &[] });
    }
}

#[test]
fn touching_is_colliding_and_the_next_number_is_apart() {
    let robot = sleds();
    let mut state = robot.state().unwrap();
    for (right, expected) in [(1.25, true), (1.25_f64.next_up(), false), (1.0, true), (9.0, false)]
    {
        state.set_joints(&[0.25, right]).unwrap();
        assert_eq!(state.collides().unwrap(), expected, "{right:?}");
    }
}

#[test]
fn bodies_within_the_margin_collide_exactly() {
    let mut robot = sleds();
    for (margin, expected) in [(1.0, true), (1.0_f64.next_down(), false), (0.0, false)] {
        robot.set_margin(margin).unwrap();
        let mut state = robot.state().unwrap();
        state.set_joints(&[0.5, 2.5]).unwrap();
        assert_eq!(state.collides().unwrap(), expected, "{margin:?}");
        let clearance = state.distance().unwrap().unwrap();
        assert_eq!(
            (clearance.distance, clearance.points[0][0]),
            (1.0, 1.0),
            "the margin is none of it"
        );
    }
    for margin in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(robot.set_margin(margin), Err(RobotError::Margin { .. })));
    }
}

/// Shape by shape, by the functions for single questions.
#[test]
fn every_answer_is_that_of_the_placed_links() {
    let mut robot = arm();
    let cup =
        Model::from_mesh(shape("shape:prism?sides=9&height=0.1&radius=0.05").unwrap()).unwrap();
    robot.attach("hand", "cup", &cup, &Pose::from_translation([0.5, 0.0, 0.0])).unwrap();
    robot.add_obstacle("crate", &cube(), &Pose::from_translation([1.5, 0.0, 0.5])).unwrap();
    let mut seen = [0; 2];
    let mut state = robot.state().unwrap();
    for configuration in configurations(150) {
        state.set_joints(&configuration).unwrap();
        let (mut colliding, mut nearest) = (Vec::new(), f64::INFINITY);
        for [a, b] in robot.tested_pairs() {
            let mut meets = false;
            for s in state.shapes(a) {
                for t in state.shapes(b) {
                    meets |= intersects(s, t).unwrap();
                    nearest = nearest.min(distance(s, t).unwrap());
                }
            }
            if meets {
                colliding.push([a, b]);
            }
        }
        assert_eq!(state.colliding_pairs().unwrap(), colliding, "{configuration:?}");
        assert_eq!(state.collides().unwrap(), !colliding.is_empty());
        let clearance = state.distance().unwrap().unwrap();
        assert_eq!(clearance.distance, if colliding.is_empty() { nearest } else { 0.0 });
        let [p, q] = clearance.points;
        let apart = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
        assert!((apart - clearance.distance).abs() < 1e-12, "{clearance:?}");
        seen[usize::from(colliding.is_empty())] += 1;
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

#[test]
fn many_configurations_are_answered_as_one_by_one_at_any_number_of_threads() {
    let mut robot = arm();
    robot.add_obstacle("crate", &cube(), &Pose::from_translation([1.5, 0.0, 0.5])).unwrap();
    for margin in [0.0, 0.05] {
        robot.set_margin(margin).unwrap();
        let rows = configurations(400);
        let answer = |state: &mut RobotState<'_>| {
            Ok((state.colliding_pairs()?, state.stats(), state.distance()?))
        };
        let alone: Vec<_> = rows
            .iter()
            .map(|row| {
                let mut state = robot.state().unwrap();
                state.set_joints(row).unwrap();
                answer(&mut state).unwrap()
            })
            .collect();
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(|| robot.query_many(&rows, answer)).unwrap() == alone);
        }
    }
}

#[test]
fn the_first_wrong_configuration_is_told() {
    let robot = arm();
    let mut rows = configurations(300);
    (rows[123][2], rows[250]) = (f64::NAN, vec![0.0; 3]);
    let error = robot.query_many(&rows, RobotState::collides).unwrap_err();
    assert_eq!(
        error.to_string(),
        "configuration 123: joint `wrist`: found NaN, expected a number from -1e9 to 1e9"
    );
    let mut state = robot.state().unwrap();
    let error = state.set_joints(&rows[250]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "found 3 values, expected 4, one for each of: shoulder, elbow, wrist, finger"
    );
    assert_eq!(state.collides(), Err(error.clone()), "no answer for no configuration");
    assert_eq!(state.distance(), Err(error));
    state.set_joints(&rows[0]).unwrap();
    assert!(state.collides().is_ok());
}

#[test]
fn pairs_are_tested_unless_rigid_adjacent_disabled_or_allowed() {
    let mut robot = arm();
    let cup = robot.attach("hand", "cup", &cube(), &Pose::IDENTITY).unwrap();
    robot.attach("flange", "ring", &cube(), &Pose::IDENTITY).unwrap();
    robot.add_obstacle("floor", &cube(), &Pose::IDENTITY).unwrap();
    robot.add_obstacle("wall", &cube(), &Pose::IDENTITY).unwrap();
    let pairs = |robot: &Robot| {
        let pairs: Vec<_> = robot.tested_pairs().collect();
        names(robot, &pairs).iter().map(|[a, b]| format!("{a}-{b}")).collect::<Vec<_>>().join(" ")
    };
    // The base stands, as the obstacles do; cup and ring are carried by the hand and its flange.
    let expected = "base-hand base-left base-right base-cup base-ring \
        upper-hand upper-left upper-right upper-cup upper-ring upper-floor upper-wall \
        lower-cup lower-ring lower-floor lower-wall hand-floor hand-wall \
        left-right left-cup left-ring left-floor left-wall \
        right-cup right-ring right-floor right-wall cup-floor cup-wall ring-floor ring-wall";
    assert_eq!(pairs(&robot), expected);
    robot.allow("cup", "left").unwrap();
    robot.allow("left", "cup").unwrap();
    assert_eq!(pairs(&robot), expected.replace("left-cup ", ""));
    robot.disallow("cup", "left").unwrap();
    robot.disallow("floor", "base").unwrap();
    assert_eq!(pairs(&robot), expected.replace("base-ring ", "base-ring base-floor "));
    assert_eq!(robot.body("cup"), Some(cup));
}

#[test]
fn an_attached_object_moves_with_its_link() {
    let mut robot = sleds();
    // It reaches from 0.5 to 1.5 before the left one's center.
    robot.attach("left", "load", &cube(), &Pose::from_translation([1.0, 0.0, 0.0])).unwrap();
    robot.add_obstacle("wall", &cube(), &Pose::from_translation([0.0, 5.0, 0.0])).unwrap();
    let pairs = |robot: &Robot, configuration: [f64; 2]| {
        let mut state = robot.state().unwrap();
        state.set_joints(&configuration).unwrap();
        let pairs = names(robot, &state.colliding_pairs().unwrap());
        pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(pairs(&robot, [2.0, 4.0]), "right-load");
    assert_eq!(pairs(&robot, [1.75, 4.0]), "");
    assert_eq!(pairs(&robot, [-1.0, 4.0]), "base-load");
    robot.allow("load", "right").unwrap();
    assert_eq!(pairs(&robot, [2.0, 4.0]), "");
}

/// Whatever is attached and detached between, in the same or another order.
#[test]
fn a_detached_object_is_as_if_it_had_never_been_there() {
    let mut robot = arm();
    let place = Pose::from_translation([1.5, 0.0, 0.5]);
    robot.add_obstacle("crate", &cube(), &place).unwrap();
    let before = robot.clone();
    let cup = robot.attach("hand", "cup", &cube(), &Pose::IDENTITY).unwrap();
    robot.attach("lower", "ring", &cube(), &place).unwrap();
    let wall = robot.add_obstacle("wall", &cube(), &Pose::IDENTITY).unwrap();
    robot.allow("cup", "left").unwrap();
    robot.detach("cup").unwrap();
    assert_eq!((robot.body("cup"), robot.name(cup), robot.name(wall)), (None, "", "wall"));
    assert!(robot.tested_pairs().flatten().all(|body| body != cup));
    // The place of the cup is taken by another, which is tested against the same bodies as any other.
    let plate = robot.attach("hand", "plate", &cube(), &Pose::IDENTITY).unwrap();
    assert_eq!((plate, robot.name(plate), robot.name(wall)), (cup, "plate", "wall"));
    let mut fresh = before.clone();
    fresh.attach("hand", "plate", &cube(), &Pose::IDENTITY).unwrap();
    fresh.attach("lower", "ring", &cube(), &place).unwrap();
    fresh.add_obstacle("wall", &cube(), &Pose::IDENTITY).unwrap();
    assert!(robot.tested_pairs().eq(fresh.tested_pairs()));
    let answers = |robot: &Robot| {
        robot
            .query_many(&configurations(60), |state| {
                Ok((state.colliding_pairs()?, state.stats(), state.distance()?))
            })
            .unwrap()
    };
    assert!(answers(&robot) == answers(&fresh));
    robot.detach("plate").unwrap();
    robot.remove_obstacle("wall").unwrap();
    robot.detach("ring").unwrap();
    assert!(robot.bodies().eq(before.bodies()) && robot.tested_pairs().eq(before.tested_pairs()));
    assert!(answers(&robot) == answers(&before));
    robot.remove_obstacle("crate").unwrap();
    let messages = [robot.detach("hand"), robot.detach("crate"), robot.remove_obstacle("cup")];
    let messages = messages.map(|result| result.unwrap_err().to_string());
    assert_eq!(messages[0], "`hand` is no attached object, expected none, as there are none");
    assert_eq!(messages[1], "`crate` is no attached object, expected none, as there are none");
    assert_eq!(messages[2], "`cup` is no obstacle, expected none, as there are none");
    robot.attach("hand", "cup", &cube(), &Pose::IDENTITY).unwrap();
    let message = robot.detach("ring").unwrap_err().to_string();
    assert_eq!(message, "`ring` is no attached object, expected one of: cup");
}

/// A configuration that never moved a body near another one prepares nothing either.
#[test]
fn models_are_prepared_when_they_are_added() {
    let mut robot = arm();
    let knot = Model::from_mesh(shape("shape:knot?faces=600").unwrap()).unwrap();
    robot.attach("hand", "knot", &knot, &Pose::IDENTITY).unwrap();
    let bytes = |robot: &Robot| -> Vec<usize> {
        let state = robot.state().unwrap();
        let models = robot.bodies().flat_map(|body| state.shapes(body).map(|(model, _)| model));
        // A formula needs nothing.
        models.filter(|model| model.formula().is_none()).map(Model::prepared_bytes).collect()
    };
    let before = bytes(&robot);
    assert!(before.iter().all(|&bytes| bytes > 0), "{before:?}");
    robot.query_many(&configurations(40), RobotState::colliding_pairs).unwrap();
    assert_eq!(bytes(&robot), before);
}

#[test]
fn what_is_skipped_in_meshes_is_in_the_reports() {
    let place = tempfile::tempdir().unwrap();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n";
    std::fs::write(place.path().join("lines.obj"), text).unwrap();
    std::fs::write(place.path().join("plain.obj"), &text[..text.len() - 6]).unwrap();
    let mesh = |file: &str| {
        format!("<collision><geometry><mesh filename='{file}.obj'/></geometry></collision>")
    };
    let urdf = format!("<link name='a'>{}{}{}</link>", mesh("lines"), mesh("plain"), mesh("lines"));
    let path = place.path().join("robot.urdf");
    std::fs::write(&path, format!("<robot name='r'>{urdf}</robot>")).unwrap();
    let robot = Robot::load(path, None, &Packages::new()).unwrap();
    let [report] = robot.mesh_reports() else { panic!("{:?}", robot.mesh_reports()) };
    assert!(report.path.ends_with("lines.obj"), "{report:?}");
    let warnings: Vec<String> = report.report.warnings().map(ToString::to_string).collect();
    assert_eq!(warnings, ["skipped 1 statement `l` in line 5"]);
}

#[test]
fn what_cannot_be_added_is_refused_with_a_reason() {
    let mut robot = arm();
    let empty = Model::from_mesh(xcollide::brep::PolygonMesh::new()).unwrap();
    let far = Pose::from_translation([f64::MAX; 3]);
    let at = Pose::IDENTITY;
    let messages = [
        robot.attach("thumb", "cup", &cube(), &at).unwrap_err(),
        robot.attach("hand", "flange", &cube(), &at).unwrap_err(),
        robot.add_obstacle("left", &cube(), &at).unwrap_err(),
        robot.add_obstacle("nothing", &empty, &at).unwrap_err(),
        robot.add_obstacle("star", &cube(), &far).unwrap_err(),
        robot.allow("hand", "flange").unwrap_err(),
        robot.disallow("hand", "hand").unwrap_err(),
        of_text("<robot name='none'>").unwrap_err(),
        Robot::load(fixture("leg.urdf"), None, &Packages::new()).unwrap_err(),
    ]
    .map(|error| error.to_string());
    let parts = [
        "`thumb` is no link with collision geometry and no object, expected one of: world, base, ",
        "`flange` is the name of a link or another object already",
        "`left` is the name of a link",
        "the model of `nothing` has no faces",
        "`star` cannot be placed",
        "expected one of: base, upper, lower, hand, left, right",
        "`hand` and `hand` are no pair, expected two bodies",
        "robot.urdf: line 1: found ",
        "leg.urdf: cannot be read: ",
    ];
    for (message, part) in messages.iter().zip(parts) {
        assert!(message.contains(part) && !message.contains('\n'), "{message}");
    }
    assert_eq!(robot.bodies().count(), 6);
}

/// Links of a robot of another's making may be moved beyond the range of f64.
#[test]
fn a_body_beyond_all_numbers_is_a_failure() {
    let mut robot = sleds();
    let far = Pose::from_translation([0.0, 4e307, 0.0]);
    robot.attach("left", "star", &cube(), &far).unwrap();
    let mut state = robot.state().unwrap();
    state.set_joints(&[1e9, 0.0]).unwrap();
    assert_eq!(state.collides(), Ok(false));
    let far = Pose::from_translation([0.0, 1e308, 0.0]);
    assert!(matches!(
        robot.attach("left", "galaxy", &cube(), &far),
        Err(RobotError::Pose { name, .. }) if name == "galaxy"
    ));
}

/// Round links are no polyhedra: at no turn do they come closer to a wall than their radius, and touching counts.
#[test]
fn cylinders_and_spheres_are_round() {
    let geometries = [
        "<cylinder radius='0.5' length='1'/>",
        "<capsule radius='0.5' length='1'/>",
        "<sphere radius='0.5'/>",
    ];
    for geometry in geometries {
        let links = link("base", "0.1 0.1 0.1", 5.0)
            + &format!(
                "<link name='round'><collision><geometry>{geometry}</geometry></collision></link>"
            );
        let joints = joint("turn", "continuous", "base", "round", 0.0, "0 0 1");
        let mut robot = of_text(&format!("<robot name='r'>{links}{joints}</robot>")).unwrap();
        let wall = Model::from_mesh(shape("box?x=1&y=4&z=4").unwrap()).unwrap();
        robot.add_obstacle("wall", &wall, &Pose::from_translation([1.0 + 1e-7, 0.0, 0.0])).unwrap();
        let mut state = robot.state().unwrap();
        for step in 0..32 {
            state.set_joints(&[f64::from(step) * PI / 101.0]).unwrap();
            assert!(!state.collides().unwrap(), "{geometry} {step}");
            let clearance = state.distance().unwrap().unwrap();
            assert!((clearance.distance - 1e-7).abs() < 1e-10, "{geometry} {clearance:?}");
        }
        robot.remove_obstacle("wall").unwrap();
        robot.add_obstacle("wall", &wall, &Pose::from_translation([1.0, 0.0, 0.0])).unwrap();
        let mut state = robot.state().unwrap();
        assert!(state.collides().unwrap(), "touching");
        assert!(state.proof(state_pair(&robot)).unwrap().is_some());
    }
}

/// The round link and the wall.
fn state_pair(robot: &Robot) -> [BodyId; 2] {
    [robot.body("round").unwrap(), robot.body("wall").unwrap()]
}

/// A cylinder and a cone touch at fifths, so that f64 has no common point; a unit in the last place beyond they do not.
#[test]
fn what_touches_where_rounding_hides_it_collides() {
    let links = link("base", "0.1 0.1 0.1", -9.0)
        + "<link name='can'><collision><geometry><cylinder radius='2' length='2'/></geometry>\
           </collision></link>";
    let joints = joint("turn", "continuous", "base", "can", 0.0, "0 0 1");
    let mut robot = of_text(&format!("<robot name='r'>{links}{joints}</robot>")).unwrap();
    let cone = Model::from_formula(Formula::Cone(Cone::new(0.5, 3.0).unwrap()));
    robot.add_obstacle("cone", &cone, &Pose::from_translation([3.0, 4.0, 0.0])).unwrap();
    let pair = ["can", "cone"].map(|name| robot.body(name).unwrap());
    let mut state = robot.state().unwrap();
    let [a, b] = pair.map(|body| state.shapes(body).next().unwrap());
    assert_eq!(intersects(a, b), Ok(true));
    assert!(state.collides().unwrap());
    assert_eq!(state.colliding_pairs().unwrap(), [pair]);
    assert_eq!(state.distance().unwrap().unwrap().distance, 0.0);
    drop(state);
    robot.remove_obstacle("cone").unwrap();
    let beyond = Pose::from_translation([3.0, 4.0_f64.next_up(), 0.0]);
    robot.add_obstacle("cone", &cone, &beyond).unwrap();
    assert!(!robot.state().unwrap().collides().unwrap());
}
