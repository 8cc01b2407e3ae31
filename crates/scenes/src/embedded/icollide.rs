//! The multi-body simulation of I-COLLIDE (Cohen, Lin, Manocha and Ponamgi 1995, 5.3 and 7): a thousand random
//! polytopes exchange their velocities on collision. Its graphs vary one parameter each: number (20 to 2000),
//! faces, density, rotation, velocity.

use super::{EmbeddedScene, density, objects, rotation, velocity};
use crate::{CageBox, Object, Parameter, Response, Speed};

const OBJECTS: Parameter = objects(1000);
const FACES: Parameter =
    Parameter::count("faces", "of a polytope; an odd number is one less", [36, 4, 100_000]);
const DENSITY: Parameter = density(1.0);
const VELOCITY: Parameter = velocity(10.0);
const ROTATION: Parameter = rotation(10.0);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "icollide",
    about: "1000 polytopes of 36 faces fill 1 % of their cage",
    source: "I-COLLIDE 1995, 5.3 and 7, the defaults of graphs 1 to 6",
    parameters: &[OBJECTS, FACES, DENSITY, VELOCITY, ROTATION],
    frames: 100,
    build: |given, scene| {
        scene.cage = Some(CageBox::of_density(given.number(&DENSITY) / 100.0));
        scene.response = Response::Exchange;
        // v vertices make 2 v − 4 triangles.
        let vertices = given.count(&FACES) / 2 + 2;
        let spec = format!("shape:polytope?vertices={vertices}&kind=sphere&seed={{}}");
        let speed = Speed::Radii(given.number(&VELOCITY) / 100.0);
        let count = given.count(&OBJECTS);
        let polytopes = Object::flying("polytope", &spec, count, speed, given.number(&ROTATION));
        scene.objects.push(polytopes);
    },
};
