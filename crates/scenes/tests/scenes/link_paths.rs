//! Paths of links: the poses of configurations, and bounds on their speed against differences of poses.

use std::fmt::Write;

use proptest::prelude::*;
use xcollide_brep::PolygonMesh;
use xcollide_math::vector::{add, cross, length, scale, sub};
use xcollide_math::{Path, Pose};
use xcollide_scenes::robot::{ConfigurationError, RobotDescription};
use xcollide_scenes::{Placement, SceneFiles};

/// One text, without meshes.
struct Text(String);

impl SceneFiles for Text {
    fn mesh(&mut self, _: &str) -> Result<PolygonMesh, String> {
        Err("is not asked for".to_owned())
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        Err("is not asked for".to_owned())
    }

    fn text(&mut self, _: &str) -> Result<String, String> {
        Ok(self.0.clone())
    }
}

/// A joint of a chain: its kind, origin, turn and axis.
type Spec = (&'static str, [f64; 3], [f64; 3], [f64; 3]);

/// A chain of links; the last joint follows the first if `mimics`.
fn chain(specs: &[Spec], mimics: bool) -> RobotDescription {
    let mut text = String::from("<robot name='chain'><link name='link0'/>");
    for (number, (kind, [x, y, z], [r, p, w], [a, b, c])) in specs.iter().enumerate() {
        let mimic = if mimics && number > 0 && number + 1 == specs.len() {
            "<mimic joint='joint0' multiplier='-1.5' offset='0.25'/>"
        } else {
            ""
        };
        let child = number + 1;
        write!(
            text,
            "<link name='link{child}'><collision><geometry><sphere radius='1'/></geometry></collision></link>\
             <joint name='joint{number}' type='{kind}'><parent link='link{number}'/><child link='link{child}'/>\
             <origin xyz='{x} {y} {z}' rpy='{r} {p} {w}'/><axis xyz='{a} {b} {c}'/>\
             <limit lower='-9' upper='9'/>{mimic}</joint>"
        )
        .unwrap();
    }
    text += "</robot>";
    RobotDescription::read("chain.urdf", None, &mut Text(text)).unwrap()
}

fn vectors(most: f64) -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-most..most)
}

fn specs() -> impl Strategy<Value = Vec<Spec>> {
    let kind = prop::sample::select(vec!["revolute", "continuous", "prismatic", "fixed"]);
    let axis = vectors(1.0).prop_filter("a direction", |axis| length(*axis) > 0.1);
    prop::collection::vec((kind, vectors(1.0), vectors(3.0), axis), 1..7)
}

/// The velocity of a point at a time, by a difference.
fn velocity(path: &impl Path, point: [f64; 3], time: f64) -> [f64; 3] {
    const STEP: f64 = 1e-5;
    let at = |time: f64| path.at(time).apply(point);
    scale(sub(at(time + STEP), at(time - STEP)), 0.5 / STEP)
}

proptest! {
    /// At any moment of an interval each point of a body is as fast as the bounds say, and poses are those of the
    /// configuration.
    #[test]
    fn bounds_hold_of_every_moment(
        specs in specs(),
        mimics in any::<bool>(),
        ends in [prop::array::uniform7(-3.0..3.0), prop::array::uniform7(-3.0..3.0)],
        origin in vectors(1.0),
        turn in -3.0..3.0_f64,
        center in vectors(1.0),
        points in [vectors(1.0), vectors(3.0)],
        from in 0.0..0.7_f64,
        share in prop::sample::select(vec![1.0, 0.1, 1e-3]),
        moment in 0.0..1.0_f64,
    ) {
        let robot = chain(&specs, mimics);
        let count = robot.joints().len();
        let path = robot.joint_path(&ends[0][..count], &ends[1][..count]).unwrap();
        let origin = Placement::from(Pose::from_axis_angle([0.0, 0.6, 0.8], turn, origin).unwrap());
        let link = robot.links().len() - 1;
        let of_link = path.link(link, &origin, center);
        let to = from + share * (1.0 - from);
        let time = f64::clamp(from + moment * (to - from), 1e-4, 1.0 - 1e-4);

        let mut links = Vec::new();
        robot.place_links(&path.configuration(time), &mut links).unwrap();
        prop_assert_eq!(links[link].after(&origin).pose(), of_link.at(time));
        for (end, time) in ends.iter().zip([0.0, 1.0]) {
            prop_assert_eq!(path.configuration(time), &end[..count]);
        }

        let speed = of_link.speed(from, to);
        let velocity_of_center = velocity(&of_link, center, time);
        // The error of the difference.
        let slack = 1e-6 * (1.0 + length(speed.spin) + length(speed.velocity)).powi(3);
        let off = length(sub(velocity_of_center, speed.velocity));
        prop_assert!(off <= speed.velocity_error + slack, "{off} {speed:?}");
        for point in points {
            let arm = sub(of_link.at(time).apply(point), of_link.at(time).apply(center));
            let expected = add(speed.velocity, cross(speed.spin, arm));
            let off = length(sub(velocity(&of_link, point, time), expected));
            let most = speed.velocity_error + 1.002 * speed.spin_error * length(arm);
            prop_assert!(off <= most + slack, "{off} {most} {speed:?}");
        }
    }
}

/// One joint that turns: the angular velocity is known, and the bounds shrink with the interval.
#[test]
fn bounds_shrink_with_the_interval() {
    let robot = chain(&[("revolute", [0.0; 3], [0.0; 3], [0.0, 0.0, 2.0])], false);
    let path = robot.joint_path(&[-1.0], &[1.0]).unwrap();
    let link = path.link(1, &Placement::at([3.0, 0.0, 0.0]), [0.0; 3]);
    for (from, to) in [(0.0, 1.0), (0.25, 0.5), (0.5, 0.501)] {
        let speed = link.speed(from, to);
        assert!(length(sub(speed.spin, [0.0, 0.0, 2.0])) < 1e-14 && speed.spin_error < 1e-12);
        // An acceleration of 2² · 3.
        assert!((speed.velocity_error - 6.0 * (to - from)).abs() < 1e-11, "{speed:?}");
    }
    assert!(link.rounding(1.0) < 1e-12 && !link.is_translation());
}

/// Joints that slide translate, also beside one that rests at a turn.
#[test]
fn sliding_is_a_translation() {
    let turn = ("revolute", [1.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let slide = ("prismatic", [0.0; 3], [0.0, 0.7, 0.0], [1.0, 1.0, 0.0]);
    let robot = chain(&[turn, slide], false);
    let at = |ends: [[f64; 2]; 2]| {
        let path = robot.joint_path(&ends[0], &ends[1]).unwrap();
        path.link(2, &Placement::at([0.1, 0.2, 0.3]), [0.0; 3])
    };
    let sliding = at([[0.4, -1.0], [0.4, 2.0]]);
    assert!(sliding.is_translation() && !at([[0.4, -1.0], [0.5, 2.0]]).is_translation());
    let [start, end] = [0.0, 1.0].map(|time| sliding.at(time));
    for time in [0.1, 0.5, 0.9] {
        let pose = sliding.at(time);
        assert_eq!(pose.rotation(), start.rotation());
        let way = sub(end.translation(), start.translation());
        let even = add(start.translation(), scale(way, time));
        assert!(length(sub(pose.translation(), even)) <= sliding.rounding(0.0));
    }
    assert_eq!(end.rotation(), start.rotation());
}

#[test]
fn ends_that_are_no_configurations_are_told() {
    let robot = chain(&[("revolute", [0.0; 3], [0.0; 3], [0.0, 0.0, 1.0])], false);
    let count = robot.joint_path(&[0.0], &[1.0, 2.0]).unwrap_err();
    assert!(matches!(count, ConfigurationError::Count { found: 2, expected: 1, .. }), "{count}");
    let value = robot.joint_path(&[f64::NAN], &[1.0]).unwrap_err();
    assert!(matches!(value, ConfigurationError::Value { .. }), "{value}");
}
