//! From how many polygons on a box-tree beats the algorithm for arbitrary polyhedra (Zachmann
//! 1994, 3.6.5): two equal objects fly about in a cage, turn, and bounce off its walls and off
//! each other. `cargo bench -p xcollide-benches --bench thresholds [-- --quick]` prints the
//! thesis's table with our figures beside it.
//!
//! The thesis does not say how large its cage was. Here the centres have a cube of one and a half
//! diameters, so the objects' boxes overlap in about half of the frames. Building is not timed, as
//! there.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::time::Duration;

use nalgebra::{Quaternion, Translation3, UnitQuaternion, Vector3};
use xcollide_benches::contest::{Contestant, Rules, contest};
use xcollide_benches::pairs::{model, placed};
use xcollide_narrow::mesh::{Arbitrary, BoxTrees, Wide};
use xcollide_narrow::{Model, NarrowPhase, PairCache, Pose, Query, Semantics};
use xcollide_scenes::Random;

/// One of the thesis's three objects: its name, our spec of so many polygons, and the thesis's
/// figures: the threshold, and how many times faster the box-tree is at 50, 100, 500 and 1000.
type Object = (&'static str, fn(usize) -> String, [f64; 5]);

const OBJECTS: [Object; 3] = [
    ("sphere", |n| format!("sphere?faces={n}"), [300.0, 0.47, 0.36, 1.18, 2.25]),
    ("torus", |n| format!("torus?faces={n}"), [60.0, 0.9, 1.58, 4.6, 200.0]),
    ("tetra-flake", |n| format!("tetraflake?depth={}", depth(n)), [300.0, 0.4, 0.5, 1.6, 2.1]),
];

/// Numbers of polygons; those of the thesis's table are among them.
const SIZES: [usize; 9] = [12, 25, 50, 100, 200, 500, 1000, 2000, 5000];

/// The tetra-flake of depth d has 12 · 3^d − 12 faces: the depth that is nearest in proportion.
fn depth(faces: usize) -> usize {
    let at = |d: usize| 12.0 * 3.0_f64.powi(d as i32) - 12.0;
    let off = |d: &usize| (at(*d) / faces as f64).ln().abs();
    (1..9).min_by(|d, e| off(d).total_cmp(&off(e))).unwrap_or(1)
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (frames, passes) = if quick { (200, 5) } else { (1000, 15) };
    let rules = Rules { passes, patience: Duration::from_millis(1000), cold: false };
    println!("Time of `arbitrary` over that of `box-tree`; the thesis's figures in brackets.\n");
    println!(
        "| | threshold | n = 50 | 100 | 500 | 1000 | `arbitrary`, `box-tree`, `wide-obb` at 1000 |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut curves = Vec::new();
    for (name, spec, thesis) in OBJECTS {
        let mut curve = Vec::new();
        let mut at_1000 = [0.0; 3];
        for size in SIZES {
            eprintln!("{name} {size}");
            let model = model(&spec(size));
            let poses = bounces(&model, frames);
            let algorithms: [Box<dyn NarrowPhase>; 3] =
                [Box::new(Arbitrary::default()), Box::new(BoxTrees::new()), Box::new(Wide::new())];
            let mut all: Vec<_> =
                algorithms.into_iter().map(|a| contestant(a, &model, &poses)).collect();
            let times = contest(&mut all, frames, rules);
            assert!(times.iter().all(|time| time.hits == times[0].hits), "{times:?}");
            curve.push((
                model.mesh().face_count() as f64,
                times[0].nanoseconds / times[1].nanoseconds,
            ));
            if size == 1000 {
                at_1000 = [0, 1, 2].map(|k| times[k].nanoseconds);
            }
        }
        let [threshold, shares @ ..] = thesis;
        print!("| {name} | {} ({threshold}) |", threshold_of(&curve));
        for (size, theirs) in [50, 100, 500, 1000].into_iter().zip(shares) {
            let ours = SIZES.iter().position(|&s| s == size).map_or(0.0, |k| curve[k].1);
            print!(" {ours:.2} ({theirs}) |");
        }
        println!(" {} µs |", at_1000.map(|t| format!("{:.1}", t / 1000.0)).join(" / "));
        curves.push((name, curve));
    }
    println!("\nAll that was measured, polygons: ratio.\n");
    for (name, curve) in curves {
        let points: Vec<_> = curve.iter().map(|(n, ratio)| format!("{n}: {ratio:.2}")).collect();
        println!("- {name}: {}", points.join(", "));
    }
}

/// Where the ratio comes to stay above 1, between sizes by a straight line over the logarithm.
fn threshold_of(curve: &[(f64, f64)]) -> String {
    let Some(below) = curve.iter().rposition(|&(_, ratio)| ratio < 1.0) else {
        return format!("under {}", curve[0].0);
    };
    let Some(&(n1, r1)) = curve.get(below + 1) else {
        return format!("over {}", curve[below].0);
    };
    let (n0, r0) = curve[below];
    let n = n0 * (n1 / n0).powf((1.0 - r0) / (r1 - r0));
    format!("{n:.0}")
}

fn contestant<'a>(
    algorithm: Box<dyn NarrowPhase>,
    model: &'a Model,
    poses: &'a [[Pose; 2]],
) -> Contestant<'a> {
    if let Err(error) = algorithm.prepare(model) {
        panic!("{error}");
    }
    let query = Query::new().semantics(Semantics::Surface);
    let mut cache = PairCache::new();
    Contestant::new(algorithm.name(), move |frame| {
        // Placing is part of a frame, for all alike.
        let [a, b] = poses[frame].each_ref().map(|pose| placed(model, pose));
        algorithm.test(a, b, &query, &mut cache).decided()
    })
}

/// One of the two objects.
struct Flyer {
    center: [f64; 3],
    velocity: [f64; 3],
    turn: UnitQuaternion<f64>,
    /// What a frame adds to the turn.
    spin: UnitQuaternion<f64>,
}

/// The poses of two objects in their cage, frame by frame.
fn bounces(model: &Model, frames: usize) -> Vec<[Pose; 2]> {
    let bounds = model.local_box();
    let diameter = bounds.size().into_iter().fold(0.0, f64::max);
    let half = 0.75 * diameter;
    let mut random = Random::new(17);
    let mut flyers = [-0.5, 0.5].map(|x| Flyer {
        center: [x * half, 0.0, 0.0],
        velocity: random.direction().map(|v| 0.02 * diameter * v),
        turn: rotation(random.rotation()),
        spin: {
            let axis = random.direction();
            rotation(unit([0.03 * axis[0], 0.03 * axis[1], 0.03 * axis[2], 1.0]))
        },
    });
    let query = Query::new().semantics(Semantics::Surface);
    let (algorithm, mut cache) = (Wide::new(), PairCache::new());
    let mut poses = Vec::with_capacity(frames);
    for _ in 0..frames {
        for flyer in &mut flyers {
            for axis in 0..3 {
                flyer.center[axis] += flyer.velocity[axis];
                let inward = flyer.center[axis] * flyer.velocity[axis] < 0.0;
                if flyer.center[axis].abs() > half && !inward {
                    flyer.velocity[axis] = -flyer.velocity[axis];
                }
            }
            flyer.turn = UnitQuaternion::new_normalize((flyer.spin * flyer.turn).into_inner());
        }
        let pair = flyers
            .each_ref()
            .map(|flyer| Pose::from_parts(Translation3::from(flyer.center), flyer.turn));
        let [a, b] = pair.each_ref().map(|pose| placed(model, pose));
        if algorithm.test(a, b, &query, &mut cache).is_collision() {
            bounce(&mut flyers);
        }
        poses.push(pair);
    }
    poses
}

/// Equal masses exchange their speeds along the line of the centres, if they approach.
fn bounce([a, b]: &mut [Flyer; 2]) {
    let line = Vector3::from(b.center) - Vector3::from(a.center);
    let along = line / line.norm().max(f64::MIN_POSITIVE);
    let approach = (Vector3::from(a.velocity) - Vector3::from(b.velocity)).dot(&along);
    if approach > 0.0 {
        a.velocity = (Vector3::from(a.velocity) - along * approach).into();
        b.velocity = (Vector3::from(b.velocity) + along * approach).into();
    }
}

fn rotation([x, y, z, w]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}
