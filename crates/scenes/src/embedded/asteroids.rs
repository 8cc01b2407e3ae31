//! A hundred thousand bodies, for broad phases that take nearly linear time.

use super::{EmbeddedScene, density, objects, rotation, velocity};
use crate::{CageBox, Object, Response, Speed};

const OBJECTS: crate::Parameter = objects(100_000);
const VELOCITY: crate::Parameter = velocity(5.0);
const ROTATION: crate::Parameter = rotation(2.0);
const DENSITY: crate::Parameter = density(1.0);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "asteroids",
    about: "100,000 tumbling rocks of 16 forms",
    source: "ours; the size is that of the goal for broad phases",
    parameters: &[OBJECTS, DENSITY, VELOCITY, ROTATION],
    frames: 100,
    build: |given, scene| {
        scene.cage = Some(CageBox::of_density(given.number(&DENSITY) / 100.0));
        scene.response = Response::Impulse;
        let speed = Speed::Radii(given.number(&VELOCITY) / 100.0);
        let spec = "shape:polytope?vertices=24&seed={}";
        let count = given.count(&OBJECTS);
        let rocks = Object::flying("rock", spec, count, speed, given.number(&ROTATION));
        scene.objects.push(Object { variants: 16, ..rocks.colored([0.55, 0.5, 0.45]) });
    },
};
