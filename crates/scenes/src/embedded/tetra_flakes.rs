//! One object moves among 500 static ones (Zachmann 1994, 5.5.1): the cost of objects that do not move. The
//! moving object has 20 polygons. The source's tetra-flakes have 52; those of the same depth here have 96
//! triangles, because faces with holes are cut. The size of the space is not given; here it is a cage of side 20
//! with flakes about 1 across.

use super::{EmbeddedScene, GREEN, RED};
use crate::{CageBox, Object, Parameter, Response, Speed, Start};

const OBSTACLES: Parameter =
    Parameter::count("obstacles", "how many tetra-flakes stand", [500, 1, 100_000]);
const DEPTH: Parameter = Parameter::count("depth", "of the tetra-flakes", [2, 0, 8]);
const SIDE: Parameter = Parameter::length("side", "of the cage", 20.0);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "tetra-flakes",
    about: "one icosahedron flies among 500 fixed tetra-flakes",
    source: "Zachmann 1994, 5.5.1",
    parameters: &[OBSTACLES, DEPTH, SIDE],
    frames: 1000,
    build: |given, scene| {
        scene.cage = Some(CageBox::cube(given.number(&SIDE)));
        scene.response = Response::Reverse;
        let speed = Speed::Units(0.1);
        let mut mover = Object::flying("mover", "shape:icosahedron", 1, speed, 3.0).colored(RED);
        mover.scale = 0.5;
        let spec = format!("shape:tetraflake?depth={}", given.count(&DEPTH));
        let mut flakes = Object::new("flake", &spec).fixed().colored(GREEN);
        flakes.count = given.count(&OBSTACLES);
        flakes.scale = 0.5;
        flakes.start = Start::anywhere();
        scene.objects = vec![mover, flakes];
    },
};
