//! The cage of Zachmann 1994: objects fly around between six boxes, and a collision with another object or a
//! wall reverses them. Sections 3.2.1 (ten objects, 4121 polygons in all), 3.6.5 (two of a kind: spheres, tori,
//! tetra-flakes), 5.5.1 (tetrahedra in a cage of side 5; 30 objects of 50 to 750 polygons) and 6.6. The thesis
//! gives no speeds; here objects cross the cage in some 100 frames.
use super::{EmbeddedScene, GREEN, YELLOW, objects, share};
use crate::{CageBox, Keep, Object, Parameter, Placement, Response, Rule, Speed, Start};

const OBJECTS: Parameter = objects(10);
const FACES: Parameter = Parameter::count("faces", "of an object, about", [448, 4, 1_000_000]);
const SHAPE: Parameter = Parameter::choice(
    "shape",
    "which objects; mixed has spheres, tori, arrays of cubes and tetra-flakes",
    &["mixed", "sphere", "torus", "cubes", "tetraflake", "tetrahedron", "cone", "hyperboloid"],
);
const SIDE: Parameter = Parameter::length("side", "of the cage; objects are about 1 across", 5.0);
const SPEED: Parameter = Parameter::number("speed", "units a frame", [0.05, 0.0, 1e3]);
const ROTATION: Parameter = super::rotation(3.0);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "cage",
    about: "objects of several kinds fly around in a cage of six boxes",
    source: "Zachmann 1994, 3.2.1, 3.6.5, 5.5.1, 6.6",
    parameters: &[OBJECTS, FACES, SHAPE, SIDE, SPEED, ROTATION],
    frames: 1000,
    build: |given, scene| {
        let side = given.number(&SIDE);
        scene.response = Response::Reverse;
        // The boxes are the walls; this cage only prevents tunnelling through them.
        scene.cage = Some(CageBox { keep: Keep::Origin, ..CageBox::cube(side) });
        scene.interest.push(Rule::new("wall", "wall", false));
        let kinds: &[&str] = match given.choice(&SHAPE) {
            "mixed" => &["sphere", "torus", "cubes", "tetraflake"],
            kind => &[kind],
        };
        let (count, faces) = (given.count(&OBJECTS), given.count(&FACES));
        // Bounding spheres start inside the walls, unless the cage is small.
        let half = 0.5 * side;
        let inside = (half - 0.9).max(0.2 * half);
        for (index, kind) in kinds.iter().enumerate() {
            let share = share(count, kinds.len(), index);
            if share == 0 {
                continue;
            }
            let speed = Speed::Units(given.number(&SPEED));
            let spec = spec(kind, faces);
            let mut object = Object::flying(kind, &spec, share, speed, given.number(&ROTATION));
            object.start =
                Start::Random { within: Some([[-inside; 3], [inside; 3]]), turned: true };
            object.scale = 0.5;
            scene.objects.push(object.colored(COLORS[index]));
        }
        scene.objects.push(walls(side));
    },
};

const COLORS: [[f64; 3]; 4] = [[0.85, 0.35, 0.25], [0.25, 0.5, 0.85], YELLOW, GREEN];

fn spec(kind: &str, faces: usize) -> String {
    match kind {
        // 6 n³ faces.
        "cubes" => {
            let nearest = (1..=60_usize).min_by_key(|n| (6 * n * n * n).abs_diff(faces));
            format!("shape:cubes?n={}", nearest.unwrap_or(1))
        }
        // 12·3^depth − 12 faces (4 at depth 0).
        "tetraflake" => {
            let count = |depth: &u32| if *depth == 0 { 4 } else { 12 * 3usize.pow(*depth) - 12 };
            let nearest = (0..=10).min_by_key(|depth| count(depth).abs_diff(faces));
            format!("shape:tetraflake?depth={}", nearest.unwrap_or(0))
        }
        "tetrahedron" => "shape:tetrahedron".to_owned(),
        _ => format!("shape:{kind}?faces={}", faces.max(18)),
    }
}

/// Six boxes around an empty cube of this side.
fn walls(side: f64) -> Object {
    const THICKNESS: f64 = 0.5;
    let long = side + 2.0 * THICKNESS;
    let away = 0.5 * (side + THICKNESS);
    // A flat box, rotated to each side; cyclic permutations of the axes are exact.
    let turns = [[0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, -0.5, 0.5], [0.0, 0.0, 0.0, 1.0]];
    let mut at = Vec::new();
    for (axis, rotation) in turns.into_iter().enumerate() {
        for sign in [-1.0, 1.0] {
            let mut translation = [0.0; 3];
            translation[axis] = sign * away;
            at.push(Placement::turned(rotation, translation));
        }
    }
    let spec = format!("shape:box?x={long}&y={long}&z={THICKNESS}");
    let walls = Object::standing("wall", &spec, at).colored([0.8; 3]);
    Object { group: "wall".to_owned(), ..walls }
}
