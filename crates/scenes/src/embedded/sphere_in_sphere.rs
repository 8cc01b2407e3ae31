//! A sphere rotates inside a slightly larger one (Daneu 2002, 3.5.1, table 3): the worst case for hierarchies,
//! which overlap nearly everywhere while the surfaces do not. As surfaces the two are disjoint; as solids they
//! collide. The source's spheres have 1984 triangles of unknown size, these have 1980.

use super::{BLUE, EmbeddedScene, RED};
use crate::{Motion, Object, Parameter, Way};

const FACES: Parameter =
    Parameter::count("faces", "of each sphere, counted as polygons", [1035, 8, 1_000_000]);
const RATIO: Parameter =
    Parameter::number("ratio", "of the inner radius to the outer one", [0.95, 1e-3, 10.0]);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "sphere-in-sphere",
    about: "a sphere turns in one that is slightly larger",
    source: "Daneu 2002, 3.5.1, table 3",
    parameters: &[FACES, RATIO],
    frames: 360,
    build: |given, scene| {
        let spec = format!("shape:sphere?faces={}", given.count(&FACES));
        let outer = Object::new("outer", &spec).fixed().colored(BLUE);
        let mut inner = Object::new("inner", &spec).colored(RED);
        inner.scale = given.number(&RATIO);
        inner.motion =
            Motion::Free { way: Way::Along([0.0; 3]), axis: Some([1.0, 2.0, 3.0]), degrees: 1.0 };
        scene.objects = vec![outer, inner];
    },
};
