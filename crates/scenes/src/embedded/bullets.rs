//! Small fast bodies between thin walls. In a frame a bullet flies many times its size and farther than from wall to wall, so
//! at the poses of the frames it is hardly ever in a wall: only the whole way from frame to frame shows what it went
//! through.

use super::{BLUE, EmbeddedScene, RED, objects};
use crate::{CageBox, Object, Parameter, Placement, Rule, Speed};

const OBJECTS: Parameter = objects(200);
const WALLS: Parameter = Parameter::count("walls", "how many, side by side", [5, 1, 1000]);
const THICKNESS: Parameter = Parameter::length("thickness", "of a wall", 0.01);
const SIDE: Parameter = Parameter::length("side", "of the cage", 10.0);
const SIZE: Parameter = Parameter::length("size", "of a bullet", 0.05);
const SPEED: Parameter = Parameter::number("speed", "units a frame", [3.0, 0.0, 1e3]);
const ROTATION: Parameter = super::rotation(25.0);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "bullets",
    about: "small fast bodies fly through thin walls, and none is missed",
    source: "own; bodies that are too fast for poses alone: Zachmann 1994, 2.9",
    parameters: &[OBJECTS, WALLS, THICKNESS, SIDE, SIZE, SPEED, ROTATION],
    frames: 100,
    build: |given, scene| {
        let (side, thickness) = (given.number(&SIDE), given.number(&THICKNESS));
        scene.continuous = true;
        scene.cage = Some(CageBox::cube(side));
        scene.interest.push(Rule::new("wall", "wall", false));
        let count = given.count(&WALLS);
        let pitch = side / (count + 1) as f64;
        let at = |number: usize| [pitch * (number + 1) as f64 - 0.5 * side, 0.0, 0.0];
        let places = (0..count).map(|number| Placement::at(at(number))).collect();
        let spec = format!("shape:box?x={thickness}&y={side}&z={side}");
        let walls = Object::standing("wall", &spec, places).colored(BLUE);
        let size = given.number(&SIZE);
        let (speed, turn) = (Speed::Units(given.number(&SPEED)), given.number(&ROTATION));
        let mesh = format!("shape:box?x={size}&y={size}&z={size}");
        let bullets = Object::flying("bullet", &mesh, given.count(&OBJECTS), speed, turn);
        scene.objects = vec![
            Object { group: "wall".to_owned(), ..walls },
            Object { group: "bullet".to_owned(), ..bullets }.colored(RED),
        ];
    },
};
