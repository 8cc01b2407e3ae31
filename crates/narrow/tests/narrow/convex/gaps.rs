//! Bodies at constructed gaps, from none to a thousandth, in front of each other and in each other.

use nalgebra::Translation3;
use xcollide_brep::ConvexHull;
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};

use super::panel::Panel;
use crate::support::{Random, cuboid, model, random_pose, shape};
use xcollide_fixtures::long_run;

pub(crate) fn hull(points: &[[f64; 3]]) -> Model {
    Model::from_mesh(ConvexHull::of(points).unwrap().into_mesh()).unwrap()
}

/// Pairs that touch in the plane x = 0 as they stand, the second on the positive side.
pub(crate) fn touching_pairs() -> Vec<(&'static str, Model, Model)> {
    let boxed = |min, max| Model::from_mesh(cuboid(min, max)).unwrap();
    let unit = |x: f64| boxed([x, -0.5, -0.5], [x + 1.0, 0.5, 0.5]);
    let octahedron = |x: f64| {
        hull(&[
            [x - 1.0, 0.0, 0.0],
            [x + 1.0, 0.0, 0.0],
            [x, 1.0, 0.0],
            [x, -1.0, 0.0],
            [x, 0.0, 1.0],
            [x, 0.0, -1.0],
        ])
    };
    // A wedge whose edge lies in the plane, along y or along z.
    let wedge = |x: f64, along: usize| {
        let mut points = Vec::new();
        for (dx, across) in [(0.0, 0.0), (x, 1.0), (x, -1.0)] {
            for end in [-1.0, 1.0] {
                let mut point = [dx, 0.0, 0.0];
                point[along] = end;
                point[3 - along] = across;
                points.push(point);
            }
        }
        hull(&points)
    };
    vec![
        ("face on face", unit(-1.0), unit(0.0)),
        ("face on face, aside", unit(-1.0), boxed([0.0, 0.3, 0.1], [2.0, 1.3, 0.7])),
        ("edge across edge", wedge(-1.0, 1), wedge(1.0, 2)),
        ("edge on edge", wedge(-1.0, 1), wedge(1.0, 1)),
        ("edge on face", unit(-1.0), wedge(1.0, 2)),
        ("vertex on vertex", octahedron(-1.0), octahedron(1.0)),
        ("vertex on face", unit(-1.0), octahedron(1.0)),
        ("vertex on edge", wedge(-1.0, 2), octahedron(1.0)),
        ("point on face", unit(-1.0), hull(&[[0.0, 0.1, 0.2]])),
        ("segment on face", unit(-1.0), hull(&[[0.0, 0.1, 0.2], [0.0, -0.3, 0.7]])),
        (
            "polygon on face",
            unit(-1.0),
            hull(&[[0.0, 0.1, 0.2], [0.0, -0.3, 0.7], [0.0, 0.4, 0.4]]),
        ),
        ("point on point", hull(&[[0.0; 3]]), hull(&[[0.0; 3]])),
        (
            "plate on plate",
            boxed([-1e-9, -1.0, -1.0], [0.0, 1.0, 1.0]),
            boxed([0.0, -1.0, -0.9], [1e-9, 1.0, 1.1]),
        ),
        (
            "needle on needle",
            hull(&[[0.0; 3], [-50.0, 1e-3, 0.0], [-50.0, -1e-3, 0.0], [-50.0, 0.0, 1e-3]]),
            hull(&[[0.0; 3], [50.0, 1e-3, 0.0], [50.0, -1e-3, 0.0], [50.0, 0.0, 1e-3]]),
        ),
        ("needle across needle", needle(-1.0, 1), needle(1.0, 2)),
        ("needle along needle", needle(-1.0, 1), needle(1.0, 1)),
        ("tip of a needle on a plate", boxed([-1e-3, -9.0, -9.0], [0.0, 9.0, 9.0]), spike()),
        ("edge of a plate across that of another", plate(-1.0, 1), plate(1.0, 2)),
        ("edge of a plate on a plate", boxed([-1e-3, -9.0, -9.0], [0.0, 9.0, 9.0]), plate(1.0, 2)),
        ("needle on segment", needle(-1.0, 1), hull(&[[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])),
        ("needle on point", needle(-1.0, 1), hull(&[[0.0, 0.5, 0.0]])),
    ]
}

/// Long and thin, one edge in the plane x = 0, the rest on one side.
fn needle(side: f64, along: usize) -> Model {
    let mut points = Vec::new();
    for (x, across) in [(0.0, 0.0), (side * 1e-3, 1e-3), (side * 1e-3, -1e-3)] {
        for end in [-40.0, 40.0] {
            let mut point = [x, 0.0, 0.0];
            (point[along], point[3 - along]) = (end, across);
            points.push(point);
        }
    }
    hull(&points)
}

/// A needle that points at the origin, from the positive side.
fn spike() -> Model {
    hull(&[[0.0; 3], [50.0, 1e-3, 0.0], [50.0, -1e-3, 0.0], [50.0, 0.0, 1e-3]])
}

/// A thin plate that stands on the plane x = 0 with a sharp edge.
fn plate(side: f64, along: usize) -> Model {
    let mut points = Vec::new();
    for (x, across) in [(0.0, 0.0), (side * 9.0, 1e-3), (side * 9.0, -1e-3)] {
        for end in [-9.0, 9.0] {
            let mut point = [x, 0.0, 0.0];
            (point[along], point[3 - along]) = (end, across);
            points.push(point);
        }
    }
    hull(&points)
}

/// Pairs without thickness in the plane x = 0: they touch as they stand, and nowhere else.
fn flat_pairs() -> Vec<(&'static str, Model, Model)> {
    let triangle = [[0.0, 0.1, 0.2], [0.0, -0.3, 0.7], [0.0, 0.4, 0.4]];
    let square = [[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]];
    let along = |y: f64, z: f64| [[0.0, -y, -z], [0.0, y, z]];
    vec![
        ("point on segment", hull(&[[0.0, 0.25, 0.5]]), hull(&along(0.5, 1.0))),
        ("point on the end of a segment", hull(&[[0.0, 0.5, 1.0]]), hull(&along(0.5, 1.0))),
        ("point on polygon", hull(&[[0.0, 0.0, 0.5]]), hull(&triangle)),
        ("point on the corner of a polygon", hull(&[[0.0, 0.4, 0.4]]), hull(&triangle)),
        ("segment across segment", hull(&along(1.0, 0.25)), hull(&along(-0.5, 1.0))),
        ("segment on segment", hull(&along(1.0, 0.5)), hull(&along(0.5, 0.25))),
        ("segment after segment", hull(&[[0.0; 3], [0.0, 1.0, 1.0]]), hull(&along(1.0, 1.0))),
        ("segment on polygon", hull(&along(0.5, 0.25)), hull(&square)),
        ("polygon on polygon", hull(&triangle), hull(&square)),
        ("a polygon on itself", hull(&triangle), hull(&triangle)),
    ]
}

fn gaps() -> Vec<f64> {
    let mut gaps = vec![0.0, 5e-324, -5e-324, 1e-300, -1e-300];
    for exponent in 3..=16 {
        let gap = 10_f64.powi(-exponent);
        gaps.extend([gap, -gap]);
    }
    gaps
}

#[test]
fn the_sign_of_the_gap_decides() {
    for (name, a, b) in touching_pairs() {
        let mut panel = Panel::new(true);
        for gap in gaps() {
            let pose = Pose::from_translation([gap, 0.0, 0.0]);
            // The second is moved alone, so the gap is what it says, but for the far end.
            let (a, b) =
                (Placed::new(&a, &Pose::IDENTITY).unwrap(), Placed::new(&b, &pose).unwrap());
            let hit = panel.ask(a, b);
            assert_eq!(hit, gap <= 0.0 && gap >= -thickness(name), "{name} at {gap:e}");
        }
        panel.report(name);
    }
}

/// How far the second can be pushed before it comes out on the other side of the first.
pub(crate) fn thickness(name: &str) -> f64 {
    match name {
        "point on point" => 0.0,
        "plate on plate" => 2.1e-9,
        _ => f64::INFINITY,
    }
}

#[test]
fn what_has_no_thickness_meets_in_its_plane_only() {
    for (name, a, b) in flat_pairs() {
        let mut panel = Panel::new(true);
        for gap in gaps() {
            let pose = Pose::from_translation([gap, 0.0, 0.0]);
            let (a, b) =
                (Placed::new(&a, &Pose::IDENTITY).unwrap(), Placed::new(&b, &pose).unwrap());
            assert_eq!(panel.ask(a, b), gap == 0.0, "{name} at {gap:e}");
        }
        panel.report(name);
    }
}

/// Where coordinates are not small, the least gap is one unit in their last place. It decides, too.
#[test]
fn one_unit_in_the_last_place_decides() {
    for (name, a, b) in touching_pairs() {
        let mut panel = Panel::new(true);
        // Each place is such that no coordinate of the features in contact is rounded.
        for place in [1.0, 3.0, -3.0, 1024.0, 1e6] {
            let steps =
                |count: i32| {
                    (0..count.abs()).fold(place, |x: f64, _| {
                        if count < 0 { x.next_down() } else { x.next_up() }
                    })
                };
            for count in [-3, -2, -1, 0, 1, 2, 3] {
                let poses = [place, steps(count)].map(|x| Pose::from_translation([x, 0.0, 0.0]));
                let a = Placed::new(&a, &poses[0]).unwrap();
                let b = Placed::new(&b, &poses[1]).unwrap();
                let hit = panel.ask(a, b);
                let through = steps(count) - place < -thickness(name);
                assert_eq!(hit, count <= 0 && !through, "{name} at {place} and {count} steps");
            }
        }
        panel.report(name);
    }
}

/// A body meets itself wherever it is put a little aside, and so do bodies of any shape.
#[test]
fn identical_bodies_meet_at_all_small_distances() {
    let mut random = Random::new(61);
    for model in convex_shapes() {
        let mut panel = Panel::new(false);
        for gap in gaps() {
            let pose = random_pose(&mut random, 1.0);
            let direction =
                nalgebra::Vector3::from(random_pose(&mut random, 1.0).rotate([1.0, 0.0, 0.0]));
            let aside =
                Translation3::from(nalgebra::Vector3::from(pose.translation()) + gap * direction);
            let there = pose.with_translation(aside.vector.into());
            let a = Placed::new(&model, &pose).unwrap();
            let b = Placed::new(&model, &there).unwrap();
            assert!(panel.ask(a, b), "{model:?} at {gap:e}");
        }
        panel.report(&format!("{model:?} on itself"));
    }
}

#[test]
fn turned_pairs_at_all_gaps_agree() {
    let mut random = Random::new(8);
    for (name, a, b) in touching_pairs() {
        let mut panel = Panel::new(true);
        for round in 0..3 {
            let pose = random_pose(&mut random, [0.5, 3.0, 1e5][round]);
            let [x, y, z] =
                [0, 1, 2].map(|k| (nalgebra::Vector3::from(pose.rotate([1.0, 0.0, 0.0])))[k]);
            let here = Placed::new(&a, &pose).unwrap();
            for gap in gaps() {
                let t = nalgebra::Vector3::from(pose.translation());
                let shifted = Translation3::new(t.x + gap * x, t.y + gap * y, t.z + gap * z);
                let there = pose.with_translation(shifted.vector.into());
                panel.ask(here, Placed::new(&b, &there).unwrap());
            }
        }
        panel.report(name);
    }
}

/// Shapes that are approached from random sides: round, thin, flat, with tips, tessellated.
const SHAPES: [&str; 8] = [
    "shape:box",
    "shape:polytope?vertices=12&kind=plate&seed=3",
    "shape:polytope?vertices=30&kind=rod&seed=4",
    "shape:polytope?vertices=250&seed=5",
    "shape:sphere?faces=500",
    "shape:cone?faces=60",
    "shape:cylinder?faces=400",
    "shape:icosahedron",
];

fn collides(a: &Model, b: &Model, pose: &Pose) -> bool {
    let (a, b) = (Placed::new(a, &Pose::IDENTITY).unwrap(), Placed::new(b, pose).unwrap());
    Wide::new().test(a, b, &Query::new(), &mut PairCache::new()).is_collision()
}

fn at(pose: &Pose, direction: [f64; 3], along: f64) -> Pose {
    pose.with_translation(direction.map(|d| d * along))
}

/// The greatest distance along the direction at which the pair still collides, to the last bit.
fn contact(a: &Model, b: &Model, pose: &Pose, direction: [f64; 3]) -> f64 {
    let hit = |along: f64| collides(a, b, &at(pose, direction, along));
    let (mut inside, mut outside) = (0.0, 8.0);
    assert!(hit(inside) && !hit(outside));
    loop {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside {
            return inside;
        }
        if hit(middle) { inside = middle } else { outside = middle }
    }
}

pub(crate) fn convex_shapes() -> Vec<Model> {
    SHAPES.iter().map(|spec| shape(spec)).chain([tessellated_box()]).collect()
}

/// A cube whose sides are 3 × 3 squares each: convex, with vertices in the middle of its sides.
pub(crate) fn tessellated_box() -> Model {
    let mut positions: Vec<[f64; 3]> = Vec::new();
    let mut faces = Vec::new();
    for axis in 0..3 {
        for side in [0, 3] {
            for (i, j) in (0..9).map(|square| (square / 3, square % 3)) {
                let corner = |i: usize, j: usize| {
                    let mut at = [side; 3];
                    (at[(axis + 1) % 3], at[(axis + 2) % 3]) = (i, j);
                    at.map(|step| step as f64 / 3.0 - 0.5)
                };
                let mut square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                if side == 0 {
                    square.reverse();
                }
                faces.push(square.map(|(i, j)| {
                    let p = corner(i, j);
                    let known = positions.iter().position(|q| *q == p);
                    known.unwrap_or_else(|| {
                        positions.push(p);
                        positions.len() - 1
                    }) as u32
                }));
            }
        }
    }
    let faces: Vec<Vec<u32>> = faces.iter().map(|face| face.to_vec()).collect();
    model(positions, &faces)
}

fn approach(rounds: usize, seed: u64) {
    let models = convex_shapes();
    let mut random = Random::new(seed);
    for (i, a) in models.iter().enumerate() {
        let mut panel = Panel::new(false);
        for b in &models[i..] {
            for round in 0..rounds {
                panel.forget();
                let mut pose = random_pose(&mut random, 1.0);
                if round % 4 == 3 {
                    // Turned by 120° about a diagonal: faces stay parallel.
                    pose = Pose::from_quaternion([0.5; 4], pose.translation()).unwrap();
                }
                let direction =
                    nalgebra::Vector3::from(random_pose(&mut random, 1.0).rotate([1.0, 0.0, 0.0]));
                let direction = [direction.x, direction.y, direction.z];
                let last = contact(a, b, &pose, direction);
                let mut steps = vec![last, last.next_up(), last.next_down()];
                for exponent in [15, 14, 13, 12, 10, 8, 6, 4, 3] {
                    let gap = 10_f64.powi(-exponent);
                    steps.extend([last + gap, last - gap]);
                }
                steps.push(0.0);
                for along in steps {
                    let there = at(&pose, direction, along);
                    let here = Placed::new(a, &Pose::IDENTITY).unwrap();
                    let hit = panel.ask(here, Placed::new(b, &there).unwrap());
                    // Nearer than that the rounding of the vertices is no longer monotone.
                    if (along - last).abs() > 1e-14 {
                        assert_eq!(hit, along < last);
                    }
                }
            }
        }
        panel.report(&format!("{a:?}"));
    }
}

#[test]
fn approaching_shapes_agree_down_to_one_unit_in_the_last_place() {
    approach(1, 21);
}

#[test]
fn approaching_shapes_agree_soak() {
    let run = long_run(1, 60);
    approach(run.cases as usize, 22 + run.seed);
}
