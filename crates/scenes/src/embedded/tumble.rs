//! Two equal objects at a distance, one of which tumbles: the protocol of Zachmann's comparisons of hierarchies
//! (*Rapid Collision Detection by Dynamically Aligned DOP-Trees*, VRAIS 1998; *Minimal Hierarchical Collision
//! Detection*, VRST 2002; most details in the additional material of Zachmann and Knittel, *An Architecture for
//! Hierarchical Collision Detection*, WSCG 2003).
//!
//! The objects are scaled uniformly to fit a cube of side 2. The distance is that of their boxes' centers. At
//! each distance one object makes a full turn about z and x at once (5000 steps in the source, fewer here by
//! default), then comes nearer. The source reports averages and maxima of time and nodes over the turn; its
//! queries end at the first pair of polygons.

use super::{BLUE, EmbeddedScene, RED};
use crate::circle::turn;
use crate::placement::product;
use crate::simulation::bounds_of;
use crate::{Ending, Motion, Object, Parameter, Placement, Recording, shape};

const SHAPE: Parameter = Parameter::choice(
    "shape",
    "the objects",
    &["torus", "sphere", "knot", "hyperboloid", "icosphere"],
);
const FACES: Parameter = Parameter::count("faces", "of each object", [5000, 20, 1_000_000]);
const FAR: Parameter = Parameter::number("far", "the first distance", [2.5, 0.0, 1e3]);
const NEAR: Parameter = Parameter::number("near", "the last distance", [0.5, 0.0, 1e3]);
const DISTANCES: Parameter = Parameter::count("distances", "how many, evenly spaced", [9, 1, 1000]);
const STEPS: Parameter = Parameter::count("steps", "of the turn at a distance", [50, 1, 10_000]);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "tumble",
    about: "two equal objects, one tumbling, nearer and nearer: 9 distances of 50 steps",
    source: "Zachmann 1998 and 2002",
    parameters: &[SHAPE, FACES, FAR, NEAR, DISTANCES, STEPS],
    frames: 450,
    build: |given, scene| {
        let spec = match given.choice(&SHAPE) {
            // 20 frequency² faces.
            "icosphere" => {
                let frequency = (given.count(&FACES) as f64 / 20.0).sqrt().round();
                format!("shape:icosphere?frequency={frequency}")
            }
            kind => format!("shape:{kind}?faces={}", given.count(&FACES).max(100)),
        };
        let scale = fitting(&spec);
        let object = |name| Object { scale, centered: true, ..Object::new(name, &spec) };
        let standing = object("standing").fixed().colored(BLUE);
        let mut tumbling = object("tumbling").colored(RED);
        let [far, near] = [given.number(&FAR), given.number(&NEAR)];
        let poses = course([far, near], given.count(&DISTANCES), given.count(&STEPS));
        scene.frames = poses.len();
        let poses = Recording::Listed(poses);
        tumbling.motion = Motion::Recorded { poses, ending: Ending::Repeat };
        scene.objects = vec![standing, tumbling];
    },
};

/// The scale at which the longest side of a shape's box is 2.
fn fitting(spec: &str) -> f64 {
    // Invalid specs are reported when the simulation starts.
    let Ok(mesh) = shape(spec) else { return 1.0 };
    let [min, max] = bounds_of(mesh.positions().iter().copied());
    2.0 / (0..3).map(|k| max[k] - min[k]).fold(f64::MIN_POSITIVE, f64::max)
}

fn course([far, near]: [f64; 2], distances: usize, steps: usize) -> Vec<Placement> {
    let mut poses = Vec::with_capacity(distances * steps);
    for index in 0..distances {
        let part = if distances == 1 { 0.0 } else { index as f64 / (distances - 1) as f64 };
        let distance = far + part * (near - far);
        for step in 0..steps {
            let [cosine, sine] = turn(step, 2 * steps);
            let [about_z, about_x] = [[0.0, 0.0, sine, cosine], [sine, 0.0, 0.0, cosine]];
            let rotation = product(about_z, about_x);
            poses.push(Placement::turned(rotation, [distance, 0.0, 0.0]));
        }
    }
    poses
}
