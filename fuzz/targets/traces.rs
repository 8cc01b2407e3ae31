//! Recorded motion in its four formats: boxes for `xcollide pairs`, poses by line, tables of joints, and poses in
//! a scene. Valid records come back as they were written; all broad phases find the pairs of brute force; damaged
//! texts are errors of one line.
#![no_main]

mod number;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use number::Number;
use xcollide::bounds::Aabb;
use xcollide::brep::PolygonMesh;
use xcollide::registry::{self, Kind};
use xcollide::robot::RobotDescription;
use xcollide_lab::pairs::{Frame, Trace, TracedBroadPhase};
use xcollide_lab::pose_line::{PoseLines, placement};
use xcollide_scenes::{Placement, Scene, SceneFiles, Simulation};

#[derive(Arbitrary, Debug)]
enum Recorded {
    Boxes(Vec<BoxFrame>, Damage),
    Poses(Vec<PoseText>, Damage),
    Joints(Vec<[Number; 3]>, Damage),
    Scene { poses: Vec<PoseText>, in_file: bool, repeats: bool, damage: Damage },
}

#[derive(Arbitrary, Debug)]
struct BoxFrame {
    gap: u8,
    boxes: Vec<(u8, [Number; 6])>,
}

/// The numbers of a pose: the first 3, 7, 12 or 16 are written. They may or may not form a rotation.
#[derive(Arbitrary, Debug)]
struct PoseText {
    form: u8,
    is_rotation: bool,
    is_pair: bool,
    numbers: [Number; 16],
}

/// Replaces bytes of a text that was written.
#[derive(Arbitrary, Debug)]
struct Damage(Vec<(u16, u8)>);

impl Damage {
    /// The text, and whether it was changed.
    fn apply(&self, text: String) -> (Vec<u8>, bool) {
        let mut bytes = text.clone().into_bytes();
        for &(at, byte) in self.0.iter().take(4) {
            if let Some(place) = bytes.get_mut(usize::from(at)) {
                *place = byte;
            }
        }
        let changed = bytes != text.as_bytes();
        (bytes, changed)
    }
}

impl PoseText {
    fn numbers(&self) -> Vec<f64> {
        const QUARTER_TURN: [[f64; 3]; 3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let count = [3, 7, 12, 16][usize::from(self.form % 4)];
        let mut numbers: Vec<f64> =
            self.numbers.iter().take(count).map(|number| number.0).collect();
        if !self.is_rotation || count == 3 {
            return numbers;
        }
        if count == 7 {
            numbers[3..].copy_from_slice(&[0.0, 0.6, 0.0, 0.8]);
            return numbers;
        }
        for (row, axis) in QUARTER_TURN.iter().enumerate() {
            numbers[4 * row..4 * row + 3].copy_from_slice(axis);
        }
        if count == 16 {
            numbers[12..].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
        }
        numbers
    }

    fn is_pose(&self) -> bool {
        let numbers = self.numbers();
        (self.is_rotation || numbers.len() == 3) && numbers.iter().all(|value| value.is_finite())
    }

    fn write(&self, separator: &str) -> String {
        let numbers = self.numbers().iter().map(|number| format!("{number:?}")).collect::<Vec<_>>();
        numbers.join(separator)
    }
}

fuzz_target!(|recorded: Recorded| match &recorded {
    Recorded::Boxes(frames, damage) => boxes(frames, damage),
    Recorded::Poses(lines, damage) => poses(lines, damage),
    Recorded::Joints(rows, damage) => joints(rows, damage),
    Recorded::Scene { poses, in_file, repeats, damage } => scene(poses, *in_file, *repeats, damage),
});

fn boxes(frames: &[BoxFrame], damage: &Damage) {
    let mut text = "frame,id,min_x,min_y,min_z,max_x,max_y,max_z\n".to_owned();
    let (mut written, mut number) = (Vec::new(), 0);
    for BoxFrame { gap, boxes } in frames.iter().take(16).filter(|frame| !frame.boxes.is_empty()) {
        number += 1 + u64::from(*gap);
        let mut frame = Frame { number, boxes: Vec::new() };
        for (id, sides) in boxes.iter().take(16) {
            let [a, b, c, d, e, f] = sides.map(|side| side.0);
            writeln!(text, "{number},{id},{a:?},{b:?},{c:?},{d:?},{e:?},{f:?}").expect("a string");
            frame.boxes.push((u64::from(*id), Aabb::new([a, b, c], [d, e, f])));
        }
        written.push(frame);
    }
    let has_nan = written.iter().flat_map(|frame| &frame.boxes).any(|(_, aabb)| {
        let Aabb { min, max, .. } = aabb;
        min.iter().chain(max).any(|side| side.is_nan())
    });
    let (bytes, changed) = damage.apply(text);
    let mut read = Vec::new();
    match read_boxes(&bytes, &mut read) {
        Ok(()) if !changed => assert_eq!(read, written),
        Ok(()) => {}
        Err(error) => {
            assert!(changed || has_nan, "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
    let all = registry::of_kind(Kind::Broad).filter_map(|entry| entry.broad_phase(false));
    let mut all: Vec<TracedBroadPhase> = all.map(TracedBroadPhase::new).collect();
    let mut now: BTreeMap<u64, Aabb> = BTreeMap::new();
    let mut before: Vec<(u64, u64)> = Vec::new();
    for frame in &read {
        now.extend(frame.boxes.iter().copied());
        let mut pairs = Vec::new();
        for (&a, one) in &now {
            let later = now.range(a + 1..).filter(|(_, other)| one.overlaps(other));
            pairs.extend(later.map(|(&b, _)| (a, b)));
        }
        let without = |all: &[(u64, u64)], others: &[(u64, u64)]| {
            all.iter().copied().filter(|pair| !others.contains(pair)).collect::<Vec<_>>()
        };
        for traced in &mut all {
            traced.frame(&frame.boxes).expect("proxies are issued in order");
            traced.translate();
            let (name, found) = (traced.name(), traced.pairs());
            assert_eq!(found.overlapping, pairs, "{name}");
            assert_eq!(found.appeared, without(&pairs, &before), "{name}");
            assert_eq!(found.vanished, without(&before, &pairs), "{name}");
        }
        before = pairs;
    }
}

/// Reads frames until the first error.
fn read_boxes(bytes: &[u8], frames: &mut Vec<Frame>) -> Result<(), String> {
    let mut trace = Trace::new("boxes.csv", bytes).map_err(|error| error.to_string())?;
    let mut frame = Frame::default();
    while trace.read(&mut frame).map_err(|error| error.to_string())? {
        frames.push(frame.clone());
    }
    Ok(())
}

/// Poses that are rotations, with finite numbers, are read; whatever is read is finite.
fn poses(lines: &[PoseText], damage: &Damage) {
    let mut text = String::new();
    for line in lines.iter().take(16) {
        text += &line.write(" ");
        if line.is_pair {
            text += " , ";
            text += &line.write(",");
        }
        text += "\n";
    }
    let (bytes, changed) = damage.apply(text);
    for (index, line) in PoseLines::new(&bytes[..]).enumerate() {
        match line {
            Ok(line) => {
                for pose in [line.poses.a, line.poses.b] {
                    let numbers = [pose.rotation().as_flattened(), &pose.translation()].concat();
                    assert!(numbers.iter().all(|number| number.is_finite()), "{pose:?}");
                }
            }
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "{error}");
                assert!(changed || !lines[index].is_pose(), "{error}");
            }
        }
    }
}

/// Texts as files of a scene.
struct Files<'a>(&'a str);

impl SceneFiles for Files<'_> {
    fn mesh(&mut self, _: &str) -> Result<PolygonMesh, String> {
        Err("is a file, and there are none here".to_owned())
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        let lines = self.0.lines().filter(|line| !line.trim_start().is_empty());
        lines.map(|line| placement(line).map_err(|error| error.to_string())).collect()
    }

    fn text(&mut self, _: &str) -> Result<String, String> {
        Ok(self.0.to_owned())
    }
}

static ROBOT: LazyLock<RobotDescription> = LazyLock::new(|| {
    let link = "<collision><geometry><box size='1 1 1'/></geometry></collision></link>";
    let mut text = format!("<robot name='r'><link name='base'>{link}");
    for (number, kind) in ["revolute", "prismatic", "continuous"].into_iter().enumerate() {
        let above = if number == 0 { "base".to_owned() } else { format!("l{}", number - 1) };
        let ends = format!("<parent link='{above}'/><child link='l{number}'/>");
        text += &format!("<link name='l{number}'>{link}");
        text += &format!("<joint name='j{number}' type='{kind}'>{ends}<limit upper='1'/></joint>");
    }
    let mut files = Files(&format!("{text}</robot>"));
    RobotDescription::read("r.urdf", None, &mut files).expect("it is valid")
});

/// Rows come back as they were written, unless they have a number that no joint takes; links can be placed at
/// whatever is read.
fn joints(rows: &[[Number; 3]], damage: &Damage) {
    let rows: Vec<[f64; 3]> = rows.iter().take(16).map(|row| row.map(|value| value.0)).collect();
    let mut text = "time,j2,j0,j1\n".to_owned();
    for [a, b, c] in &rows {
        writeln!(text, "0,{c:?},{a:?},{b:?}").expect("a string");
    }
    let (bytes, changed) = damage.apply(text);
    let Ok(text) = String::from_utf8(bytes) else { return };
    let is_valid = !rows.is_empty() && rows.iter().flatten().all(|value| value.abs() <= 1e9);
    match ROBOT.read_configurations(&text, "joints.csv") {
        Ok(read) => {
            assert!(changed || read == rows);
            let mut links = Vec::new();
            for row in &read {
                ROBOT.place_links(row, &mut links).expect("what is read is a configuration");
                let numbers = links.iter().flat_map(Placement::numbers);
                assert!(numbers.into_iter().all(|number| number.is_finite()));
            }
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            assert!(changed || !is_valid, "{error}");
        }
    }
}

/// A scene of one recorded object runs along its poses, whether they are listed or in a file.
fn scene(poses: &[PoseText], in_file: bool, repeats: bool, damage: &Damage) {
    let lines: Vec<String> = poses.iter().take(16).map(|pose| pose.write(", ")).collect();
    let recording = match in_file {
        true => "file = 'way'".to_owned(),
        false => format!("poses = [[{}]]", lines.join("], [")),
    };
    let then = if repeats { "repeat" } else { "stay" };
    let text = format!(
        "name = 'way'\n[[objects]]\nmesh = 'shape:box'\nmotion = {{ kind = 'recorded', \
         then = '{then}', {recording} }}\n[[objects]]\nmesh = 'shape:box'\n"
    );
    let way = lines.join("\n");
    let (text, way) = if in_file { (text, damage.apply(way).0) } else { (text, Vec::new()) };
    let text = if in_file { text.into_bytes() } else { damage.apply(text).0 };
    let (Ok(text), Ok(way)) = (String::from_utf8(text), String::from_utf8(way)) else { return };
    let scene = match Scene::from_toml(&text, "way.toml") {
        Ok(scene) => scene,
        Err(error) => return assert!(!error.to_string().contains('\n'), "{error}"),
    };
    if scene.instance_count() > 16 || text.contains('?') {
        // Large shapes only take time.
        return;
    }
    let mut simulation = match Simulation::with_files(&scene, &mut Files(&way)) {
        Ok(simulation) => simulation,
        Err(error) => return assert!(!error.to_string().contains('\n'), "{error}"),
    };
    for _ in 0..lines.len() + 2 {
        for pose in simulation.poses() {
            let numbers = [pose.rotation().as_flattened(), &pose.translation()].concat();
            assert!(numbers.iter().all(|number| number.is_finite()), "{pose:?}");
        }
        simulation.advance();
    }
}
