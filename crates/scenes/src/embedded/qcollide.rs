//! The comparison of Q-COLLIDE (Chung 1996, 6.2.2): polytopes of three forms. Figures 6.6 and 6.7 vary the
//! velocity from 2 to 20 %, 6.8 and 6.9 the rotation from 5 to 40 degrees, 6.10 and 6.11 the density, at 20 and
//! 500 vertices. The first four do not state their density; the default is that of I-COLLIDE.

use super::{EmbeddedScene, density, objects, rotation, share, velocity};
use crate::{CageBox, Object, Parameter, Response, Speed};

const OBJECTS: Parameter = objects(100);
const VERTICES: Parameter = Parameter::count("vertices", "of a polytope", [20, 4, 100_000]);
const DENSITY: Parameter = density(1.0);
const VELOCITY: Parameter = velocity(5.0);
const ROTATION: Parameter = rotation(10.0);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "qcollide",
    about: "100 polytopes of 20 vertices: ellipsoids, rods and plates",
    source: "Chung 1996, 6.2.2, figures 6.6 to 6.11",
    parameters: &[OBJECTS, VERTICES, DENSITY, VELOCITY, ROTATION],
    frames: 500,
    build: |given, scene| {
        const KINDS: [&str; 3] = ["ellipsoid", "rod", "plate"];
        scene.cage = Some(CageBox::of_density(given.number(&DENSITY) / 100.0));
        scene.response = Response::Reverse;
        for (index, kind) in KINDS.into_iter().enumerate() {
            let share = share(given.count(&OBJECTS), KINDS.len(), index);
            if share == 0 {
                continue;
            }
            let vertices = given.count(&VERTICES);
            let spec = format!("shape:polytope?vertices={vertices}&kind={kind}&seed={{}}");
            let speed = Speed::Radii(given.number(&VELOCITY) / 100.0);
            let bodies = Object::flying(kind, &spec, share, speed, given.number(&ROTATION));
            scene.objects.push(bodies);
        }
    },
};
