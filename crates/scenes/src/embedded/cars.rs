//! One car drives through another (Daneu 2002, 3.5.1, table 2): straight to the same position, a full turn
//! there, and straight on.

use super::{BLUE, EmbeddedScene, RED};
use crate::{Ending, Motion, Object, Parameter, Placement, Recording};

const MOVING: Parameter =
    Parameter::count("moving", "faces of the moving car", [905, 200, 100_000]);
const STANDING: Parameter =
    Parameter::count("standing", "faces of the standing car", [878, 200, 100_000]);
const STEPS: Parameter =
    Parameter::count("steps", "frames of the way there, and of the way on", [120, 1, 100_000]);
const TURN: Parameter = Parameter::count("turn", "frames of the full turn", [120, 1, 100_000]);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "cars",
    about: "a car of 905 faces drives through one of 878, and turns once inside of it",
    source: "Daneu 2002, 3.5.1, table 2",
    parameters: &[MOVING, STANDING, STEPS, TURN],
    frames: 361,
    build: |given, scene| {
        let car = |name: &str, faces: usize| Object::new(name, &format!("shape:car?faces={faces}"));
        let standing = car("standing", given.count(&STANDING)).fixed().colored(BLUE);
        let mut moving = car("moving", given.count(&MOVING)).colored(RED);
        let poses = course(given.count(&STEPS), given.count(&TURN));
        scene.frames = poses.len();
        let poses = Recording::Listed(poses);
        moving.motion = Motion::Recorded { poses, ending: Ending::Stay };
        scene.objects = vec![standing, moving];
    },
};

/// The path of the moving car along x; cars have length 4.
fn course(steps: usize, turns: usize) -> Vec<Placement> {
    const FAR: f64 = 8.0;
    let straight = |step: usize, sign: f64| {
        Placement::at([sign * FAR * (step as f64 / steps as f64), 0.0, 0.0])
    };
    let turned = |step: usize| {
        // Half the angle, as for quaternions.
        let [cosine, sine] = crate::circle::turn(step, 2 * turns);
        Placement::turned([0.0, 0.0, sine, cosine], [0.0; 3])
    };
    let there = (0..steps).map(|step| straight(steps - step, -1.0));
    let there_and_round = there.chain((0..turns).map(turned));
    there_and_round.chain((0..=steps).map(|step| straight(step, 1.0))).collect()
}
