//! A pile of touching cubes, and a ball that passes through it. Every cube touches four others face to face at
//! exact coordinates. Touching counts as colliding, and no contact may be missed or invented.

use super::{EmbeddedScene, RED};
use crate::{Ending, Motion, Object, Parameter, Placement, Recording};

const LAYERS: Parameter =
    Parameter::count("layers", "of cubes; the lowest is a square of so many", [8, 1, 60]);
const FACES: Parameter = Parameter::count("faces", "of the ball", [500, 8, 100_000]);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "pile",
    about: "a pyramid of 204 cubes that touch each other, and a ball that goes through it",
    source: "ours",
    parameters: &[LAYERS, FACES],
    frames: 241,
    build: |given, scene| {
        let layers = given.count(&LAYERS);
        // Not static, because contacts between static objects are not tested.
        let cubes = Object::standing("cube", "shape:box?x=1&y=1&z=1", pyramid(layers));
        let cubes = Object { is_static: false, ..cubes.colored([0.75, 0.6, 0.4]) };
        let spec = format!("shape:sphere?faces={}&radius=0.75", given.count(&FACES));
        let mut ball = Object::new("ball", &spec).colored(RED);
        let far = layers as f64;
        let poses = (-120..=120)
            .map(|step| Placement::at([far * (f64::from(step) / 100.0), 0.25, 0.5 * far]));
        let poses = Recording::Listed(poses.collect());
        ball.motion = Motion::Recorded { poses, ending: Ending::Stay };
        scene.objects = vec![ball, cubes];
    },
};

/// Layers of unit cubes from z = 0 upwards, each a row shorter than the one below.
fn pyramid(layers: usize) -> Vec<Placement> {
    let mut at = Vec::new();
    for layer in 0..layers {
        let side = layers - layer;
        let place = |i: usize| i as f64 - 0.5 * (side - 1) as f64;
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
            at.push(Placement::at([place(i), place(j), layer as f64 + 0.5]));
        }
    }
    at
}
