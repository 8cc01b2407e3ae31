//! The Potter: a turning lump of clay that a virtual hand models (Zachmann 1994, chapter 8). The thesis modelled with a
//! data glove; here the hand is on a path: it comes close three times, deeper each time, while it goes up and down. How the
//! hand looked is not told, only that it had 16 objects, and the forefinger 3.

use core::f64::consts::FRAC_1_SQRT_2;

use super::{BLUE, EmbeddedScene, YELLOW};
use crate::circle::turn;
use crate::{Clay, Ending, Flexible, Motion, Object, Parameter, Placement, Recording, Rule, Start};

const SHAPE: Parameter =
    Parameter::choice("shape", "of the lump", &["sphere", "torus", "cylinder", "hyperboloid"]);
const FACES: Parameter = Parameter::count("faces", "of the lump", [4220, 10, 10_000]);
const TOOL: Parameter = Parameter::choice("tool", "that models", &["hand", "forefinger"]);
const TURN: Parameter =
    Parameter::number("turn", "of the lump in a frame, in degrees; 0: static", [3.0, -45.0, 45.0]);
const DEPTH: Parameter = Parameter::length("depth", "by which a face is pushed", 0.01);

/// The frames of the path, which repeats.
const PATH: usize = 240;

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "potter",
    about: "a hand models a turning lump of clay",
    source: "Zachmann 1994, 8",
    parameters: &[SHAPE, FACES, TOOL, TURN, DEPTH],
    frames: PATH,
    build: |given, scene| {
        let faces = given.count(&FACES);
        let mesh = match given.choice(&SHAPE) {
            "torus" => format!("shape:torus?faces={faces}&radius=0.7&tube=0.3"),
            "hyperboloid" => format!("shape:hyperboloid?faces={faces}&waist=0.8"),
            kind => format!("shape:{kind}?faces={faces}"),
        };
        let mut lump = Object::new("lump", &mesh).colored(YELLOW);
        let clay = Clay { depth: given.number(&DEPTH), ..Clay::default() };
        lump.flexible = Some(Flexible::Clay(clay));
        match given.number(&TURN) {
            0.0 => lump.is_static = true,
            degrees => {
                let axis = [0.0, 0.0, 1.0];
                lump.motion = Motion::Orbit { center: [0.0; 3], axis, degrees };
            }
        }
        scene.objects.push(lump);
        let parts = if given.choice(&TOOL) == "hand" { hand() } else { finger(0) };
        scene.objects.extend(on_path(parts));
        scene.interest.push(Rule::new("hand", "hand", false));
    },
};

/// Palm, four fingers and a thumb, in the frame of the tip of the forefinger; fingers point along −x.
fn hand() -> Vec<(Object, Placement)> {
    let palm = Object::new("palm", "shape:box?x=0.5&y=0.2&z=0.7");
    let mut parts = vec![(palm, Placement::at([1.0, 0.0, -0.25]))];
    parts.extend((0..5).flat_map(finger));
    parts
}

/// The three phalanges of a finger, from the palm to the tip.
fn finger(number: usize) -> Vec<(Object, Placement)> {
    const NAMES: [&str; 5] = ["forefinger", "middle", "ring", "little", "thumb"];
    /// Where the fingers are, and how far their tips are behind that of the forefinger.
    const PLACES: [[f64; 3]; 5] =
        [[0.0; 3], [-0.04, 0.0, -0.17], [0.0, 0.0, -0.34], [0.08, 0.0, -0.5], [0.2, -0.15, 0.15]];
    /// The centers of the phalanges behind the tip, and the distances between the ends' centers.
    const PHALANGES: [[f64; 2]; 3] = [[0.6, 0.18], [0.35, 0.14], [0.135, 0.13]];

    let [x, y, z] = PLACES[number];
    let along_x = [0.0, FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2];
    PHALANGES
        .iter()
        .enumerate()
        .map(|(phalanx, [behind, length])| {
            let name = format!("{} {}", NAMES[number], phalanx + 1);
            let mesh = format!("shape:capsule?sides=8&radius=0.07&length={length}");
            let place = Placement::turned(along_x, [x + behind, y, z]);
            (Object::new(&name, &mesh), place)
        })
        .collect()
}

/// The parts as an assembly on the path: the first one moves, the others hang on it.
fn on_path(parts: Vec<(Object, Placement)>) -> Vec<Object> {
    let Some((root, first)) = parts.first().map(|(root, at)| (root.name.clone(), *at)) else {
        return Vec::new();
    };
    let poses: Vec<_> = (0..PATH).map(|frame| Placement::at(tip(frame)).after(&first)).collect();
    let place = |(number, (mut part, at)): (usize, (Object, Placement))| {
        "hand".clone_into(&mut part.group);
        if number == 0 {
            let poses = Recording::Listed(poses.clone());
            part.motion = Motion::Recorded { poses, ending: Ending::Repeat };
        } else {
            part.start = Start::At(vec![first.inverse().after(&at)]);
            part.parent = Some(root.clone());
        }
        part.colored(BLUE)
    };
    parts.into_iter().enumerate().map(place).collect()
}

/// Where the tip of the forefinger is.
fn tip(frame: usize) -> [f64; 3] {
    const STROKES: usize = 3;
    let stroke = PATH / STROKES;
    // From 0 far away to 1 and back.
    let near = 0.5 - 0.5 * turn(frame, stroke)[0];
    let reach = 0.12 * (1 + frame / stroke) as f64;
    let [_, up] = turn(frame, PATH);
    [1.05 - near * (0.05 + reach), 0.0, 0.25 * up + 0.15]
}
