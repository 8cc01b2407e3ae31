//! Robots as URDF and SRDF with all kinds of shapes and joints, odd numbers and unknown elements: an error of one
//! line, or a robot whose answers are those of its pairs of shapes, tested one by one.
#![no_main]

mod number;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use number::Number;
use xcollide::brep::PolygonMesh;
use xcollide::robot::{Robot, RobotDescription, RobotError, RobotState};
use xcollide::{Model, Pose, distance, intersects};
use xcollide_io::{Format, read_bytes};
use xcollide_scenes::{Placement, SceneFiles};

#[derive(Arbitrary, Debug)]
struct Case {
    links: Vec<Link>,
    srdf: Option<Vec<(u8, Name, Name)>>,
    configurations: Vec<[Number; 4]>,
    changes: Vec<Change>,
    margin: Option<Number>,
    mesh: Vec<[i8; 3]>,
}

/// A link, and the joint above it.
#[derive(Arbitrary, Debug)]
struct Link {
    name: Name,
    shapes: Vec<(Shape, Origin)>,
    unknown: u8,
    /// The link above it, among those before it.
    above: u8,
    kind: u8,
    origin: Origin,
    axis: Option<[Number; 3]>,
    limits: Option<[Number; 2]>,
    mimic: Option<(Name, Number, Option<Number>)>,
    /// Names the ends of the joint instead of the right ones.
    ends: Option<(Name, Name)>,
}

/// A number names the link or joint of this number, usually.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Name(u8);

#[derive(Arbitrary, Debug)]
enum Shape {
    Box([Number; 3]),
    Cube,
    Sphere(Number),
    Cylinder(Number, Number),
    Capsule(Number, Number),
    Mesh(Option<[Number; 3]>),
    Unknown(u8),
}

#[derive(Arbitrary, Debug)]
struct Origin {
    xyz: Option<[Number; 3]>,
    rpy: Option<[Number; 3]>,
}

#[derive(Arbitrary, Debug)]
enum Change {
    Allow(Name, Name),
    Disallow(Name, Name),
    Attach(Name, [Number; 3]),
    Detach,
    Obstacle([Number; 3]),
    RemoveObstacle,
}

impl Name {
    fn text(self, letter: char) -> String {
        const ODD: [&str; 6] = ["", " ", "a b", "&lt;&amp;&quot;", "\u{e9}\u{301}", "x0"];
        match self.0 {
            number @ 0..=249 => format!("{letter}{}", number % 5),
            number => ODD[usize::from(number - 250)].to_owned(),
        }
    }
}

impl Origin {
    fn write(&self) -> String {
        let attribute = |name: &str, value: Option<[Number; 3]>| {
            value.map_or_else(String::new, |value| format!(" {name}='{}'", numbers(&value)))
        };
        format!("<origin{}{}/>", attribute("xyz", self.xyz), attribute("rpy", self.rpy))
    }
}

fn numbers(values: &[Number]) -> String {
    values.iter().map(|value| format!("{:?}", value.0)).collect::<Vec<_>>().join(" ")
}

/// Small numbers as lengths, others as they are.
fn length(value: Number) -> Number {
    let size = value.0.abs();
    if size <= 4.0 { Number(size.max(0.125)) } else { value }
}

impl Shape {
    fn write(&self) -> String {
        let round = |name: &str, radius: Number, height: Number| {
            let (radius, height) = (length(radius).0, length(height).0);
            format!("<{name} radius='{radius:?}' length='{height:?}'/>")
        };
        match self {
            Self::Box(size) => format!("<box size='{}'/>", numbers(&size.map(length))),
            Self::Cube => "<box size='1 1 1'/>".to_owned(),
            Self::Sphere(radius) => format!("<sphere radius='{:?}'/>", length(*radius).0),
            Self::Cylinder(radius, height) => round("cylinder", *radius, *height),
            Self::Capsule(radius, height) => round("capsule", *radius, *height),
            Self::Mesh(scale) => {
                let scale = scale.map(|scale| format!(" scale='{}'", numbers(&scale)));
                format!("<mesh filename='m.off'{}/>", scale.unwrap_or_default())
            }
            Self::Unknown(0..=199) => "<box size='0.5 1 2'/>".to_owned(),
            Self::Unknown(_) => "<plane/>".to_owned(),
        }
    }
}

impl Link {
    fn write(&self, number: usize) -> String {
        const KINDS: [&str; 7] =
            ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];
        const UNKNOWN: [&str; 5] = [
            "<inertial><mass value='x'/></inertial>",
            "<visual><geometry/><material name='m'><color rgba='0.5 2 nan 1'/></material></visual>",
            "<!-- link --><gazebo><link name='l0'/></gazebo>",
            "text",
            "<x:y xmlns:x='z'/>",
        ];
        let name = match self.name.0 {
            0..=239 => format!("l{number}"),
            _ => self.name.text('l'),
        };
        let unknown = UNKNOWN.get(usize::from(self.unknown)).copied().unwrap_or_default();
        let shapes = self.shapes.iter().take(2).map(|(shape, origin)| {
            let (shape, origin) = (shape.write(), origin.write());
            format!("<collision>{origin}<geometry>{shape}</geometry></collision>")
        });
        let shapes: String = shapes.collect();
        let mut text = format!("<link name='{name}'>{unknown}{shapes}</link>\n");
        if number == 0 {
            return text;
        }
        let (parent, child) = match self.ends {
            Some((parent, child)) if child.0 >= 192 => (parent.text('l'), child.text('l')),
            _ => (format!("l{}", usize::from(self.above) % number), name),
        };
        let kind = if self.kind > 248 { "screw" } else { KINDS[usize::from(self.kind % 7)] };
        let axis = self.axis.map(|axis| format!("<axis xyz='{}'/>", numbers(&axis)));
        let limits = self.limits.map(|[lower, upper]| {
            let is_swapped = (0.0..4.0).contains(&(lower.0 - upper.0));
            let [lower, upper] = if is_swapped { [upper, lower] } else { [lower, upper] };
            format!("<limit lower='{:?}' upper='{:?}' effort='x'/>", lower.0, upper.0)
        });
        let mimic = self.mimic.filter(|(leader, ..)| leader.0 % 4 == 0);
        let mimic = mimic.map(|(leader, factor, offset)| {
            let offset = offset.map(|offset| format!(" offset='{:?}'", offset.0));
            let (leader, offset) = (leader.text('j'), offset.unwrap_or_default());
            format!("<mimic joint='{leader}' multiplier='{:?}'{offset}/>", factor.0)
        });
        text += &format!(
            "<joint name='j{number}' type='{kind}'><parent link='{parent}'/>\
             <child link='{child}'/>{}{}{}{}{unknown}</joint>\n",
            self.origin.write(),
            axis.unwrap_or_default(),
            limits.unwrap_or_default(),
            mimic.unwrap_or_default()
        );
        text
    }
}

struct Files {
    urdf: String,
    srdf: String,
    mesh: String,
}

impl SceneFiles for Files {
    fn mesh(&mut self, _: &str) -> Result<PolygonMesh, String> {
        read_bytes(self.mesh.as_bytes(), Some(Format::Off)).map_err(|error| error.to_string())
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        Err("is no file of a robot".to_owned())
    }

    fn text(&mut self, path: &str) -> Result<String, String> {
        Ok(if path == "r.urdf" { self.urdf.clone() } else { self.srdf.clone() })
    }
}

impl Case {
    fn files(&self) -> Files {
        const RULES: [&str; 4] = [
            "disable_collisions",
            "enable_collisions",
            "disable_default_collisions",
            "group_state",
        ];
        let links = self.links.iter().take(5).enumerate();
        let links: String = links.map(|(number, link)| link.write(number)).collect();
        let rules = self.srdf.iter().flatten().take(6).map(|&(rule, a, b)| {
            let (rule, a, b) = (RULES[usize::from(rule % 4)], a.text('l'), b.text('l'));
            format!("<{rule} link='{a}' link1='{a}' link2='{b}' reason='Never'/>\n")
        });
        let count = self.mesh.len().min(6);
        let mut mesh = format!("OFF {count} {} 0\n", count.saturating_sub(2));
        for [x, y, z] in &self.mesh[..count] {
            mesh += &format!("{} {} {}\n", x % 3, y % 3, z % 3);
        }
        for corner in 2..count {
            mesh += &format!("3 0 {} {corner}\n", corner - 1);
        }
        Files {
            urdf: format!("<?xml version='1.0'?>\n<robot name='r'>\n{links}</robot>"),
            srdf: format!("<robot name='r'>\n{}</robot>", rules.collect::<String>()),
            mesh,
        }
    }
}

fuzz_target!(|case: Case| {
    let mut files = case.files();
    let srdf = case.srdf.is_some().then_some("r.srdf");
    let read = RobotDescription::read("r.urdf", srdf, &mut files).map_err(RobotError::from);
    let mut robot = match read.and_then(Robot::new) {
        Ok(robot) => robot,
        Err(error) => return one_line(&error),
    };
    for change in case.changes.iter().take(6) {
        if let Err(error) = apply(change, &mut robot) {
            one_line(&error);
        }
    }
    let margin = case.margin.map_or(0.0, |margin| margin.0);
    let margin = if robot.set_margin(margin).is_ok() { margin } else { 0.0 };
    let joints = robot.description().joints().len();
    let mut state = match robot.state() {
        Ok(state) => state,
        Err(error) => return one_line(&error),
    };
    for configuration in case.configurations.iter().take(3) {
        let values: Vec<f64> = configuration.iter().take(joints).map(|value| value.0).collect();
        match state.set_joints(&values) {
            Ok(()) => check(&robot, &mut state, margin),
            Err(error) => {
                one_line(&error);
                assert!(state.collides().is_err());
            }
        }
    }
});

fn one_line(error: &RobotError) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text}");
}

fn apply(change: &Change, robot: &mut Robot) -> Result<(), RobotError> {
    let cube = || {
        let mesh = xcollide_scenes::shape("shape:box?x=1&y=1&z=1").expect("it is a shape");
        Model::from_mesh(mesh).expect("it is small")
    };
    let at = |place: &[Number; 3]| Pose::from_translation(place.map(|value| value.0));
    match change {
        Change::Allow(a, b) => robot.allow(&a.text('l'), &b.text('l')),
        Change::Disallow(a, b) => robot.disallow(&a.text('l'), &b.text('l')),
        Change::Attach(link, place) => {
            robot.attach(&link.text('l'), "load", &cube(), &at(place)).map(drop)
        }
        Change::Detach => robot.detach("load"),
        Change::RemoveObstacle => robot.remove_obstacle("wall"),
        Change::Obstacle(place) => robot.add_obstacle("wall", &cube(), &at(place)).map(drop),
    }
}

/// Every answer is that of the pairs of shapes.
fn check(robot: &Robot, state: &mut RobotState<'_>, margin: f64) {
    let (mut touching, mut near, mut least) = (Vec::new(), Vec::new(), f64::INFINITY);
    for [a, b] in robot.tested_pairs() {
        let mut nearest = f64::INFINITY;
        for s in state.shapes(a) {
            for t in state.shapes(b) {
                let meets = intersects(s, t).expect("they can be placed");
                let apart = distance(s, t).expect("they can be placed");
                assert_eq!(meets, apart == 0.0, "{}: {apart:?}", robot.name(a));
                nearest = nearest.min(apart);
            }
        }
        touching.extend((nearest == 0.0).then_some([a, b]));
        near.extend((nearest <= margin * (1.0 - 1e-9)).then_some([a, b]));
        least = least.min(nearest);
    }
    let pairs = state.colliding_pairs().expect("the default narrow phase decides");
    if margin == 0.0 {
        assert_eq!(pairs, touching);
    } else {
        assert!(near.iter().all(|pair| pairs.contains(pair)), "{pairs:?} without {near:?}");
    }
    assert_eq!(state.collides(), Ok(!pairs.is_empty()));
    match state.distance().expect("the default narrow phase decides") {
        Some(clearance) => assert_eq!(clearance.distance, least),
        None => assert_eq!(robot.tested_pairs().count(), 0),
    }
}
