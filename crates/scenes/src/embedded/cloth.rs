//! A cloth falls onto a ball that rests above a turntable, and the turntable winds it up: the test scene of cloth with
//! friction and self-contact since Bridson, Fedkiw and Anderson, *Robust Treatment of Collisions, Contact and Friction
//! for Cloth Animation*, 2002 (there the ball turns and the ground rests).

use super::{BLUE, EmbeddedScene, RED, YELLOW};
use crate::{Cloth, Flexible, Motion, Object, Parameter, Placement};

const TRIANGLES: Parameter =
    Parameter::count("triangles", "of the cloth, about", [20_000, 2, 2_000_000]);
const TWIST: Parameter =
    Parameter::number("twist", "of the turntable in a frame, in degrees", [1.0, -45.0, 45.0]);

/// The side of the cloth.
const SIDE: f64 = 5.5;

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "cloth",
    about: "a cloth falls onto a ball and is wound up by a turntable; nothing ever intersects",
    source: "own; cloth with friction and self-contact: Bridson, Fedkiw and Anderson 2002",
    parameters: &[TRIANGLES, TWIST],
    frames: 1000,
    build: |given, scene| {
        let cells = (0.5 * given.count(&TRIANGLES) as f64).sqrt().round().max(1.0);
        let mut cloth = Object::new("cloth", &format!("shape:sheet?cells={cells}&side={SIDE}"));
        cloth = Object { start: crate::Start::At(vec![Placement::at([0.05, 0.03, 1.1])]), ..cloth };
        // A third of an edge: thick enough for edges over a ridge, thin enough for folds.
        let thickness = 0.35 * SIDE / cells;
        let cloth_of = Cloth { thickness: thickness.min(0.05), friction: 1.0, ..Cloth::default() };
        cloth.flexible = Some(Flexible::Cloth(cloth_of));
        let ball = Object::new("ball", "shape:icosphere?frequency=12").fixed().colored(YELLOW);
        let mut table = Object::new("turntable", "shape:cylinder?faces=98&radius=3.5&height=0.4");
        table.start = crate::Start::At(vec![Placement::at([0.0, 0.0, -1.25])]);
        table.motion = Motion::Orbit {
            center: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            degrees: given.number(&TWIST),
        };
        scene.objects = vec![cloth.colored(RED), ball, table.colored(BLUE)];
    },
};
