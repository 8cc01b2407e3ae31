//! Errors of the perceptron: Zachmann's curves (1994, 3.4.2, figures 3.15 and 3.16 and the table of
//! initial planes) repeated. Counts only, the same on every machine. Prints Markdown tables.
//!
//! `cargo bench -p xcollide-benches --bench perceptron`
//!
//! An error is a separated pair without a plane found; errors are percentages of the separated
//! pairs, a stricter measure than the thesis's percentages of all frames. Pairs are two cones of
//! 100 faces, which "can be arranged in a hard case for this algorithm", turned at random in a cage
//! where about half of them meet. Caches are empty unless the table says otherwise, and the
//! bounding box phase is off.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use xcollide_benches::pairs::{model, placed};
use xcollide_convex::{Body, Pair};
use xcollide_narrow::classic::Perceptron;
use xcollide_narrow::convex::{Hybrid, polytope_of};
use xcollide_narrow::{Model, NarrowPhase, PairCache, Pose, Query};
use xcollide_scenes::{Placement, Poses};

const CAPS: [u32; 7] = [10, 20, 50, 100, 200, 500, 1000];

/// Half the side of the cage, for cones of height and width 2.
const CAGE: f64 = 1.3;

fn meet(cone: &Model, poses: &[Pose; 2]) -> bool {
    let [a, b] = poses.each_ref().map(|pose| placed(cone, pose));
    Hybrid::default().test(a, b, &Query::new(), &mut PairCache::new()).is_collision()
}

/// A perceptron without what is switched on in the rows of a table.
fn plain(rate: f64, most_iterations: u32) -> Perceptron {
    Perceptron::default().rate(rate).most_iterations(most_iterations).without_boxes()
}

/// The share of these pairs, all of them apart, for which no plane is found.
fn error(cone: &Model, pairs: &[[Pose; 2]], search: Perceptron) -> f64 {
    let query = Query::new();
    let wrong = pairs.iter().filter(|poses| {
        let [a, b] = poses.each_ref().map(|pose| placed(cone, pose));
        !search.test(a, b, &query, &mut PairCache::new()).is_apart()
    });
    100.0 * wrong.count() as f64 / pairs.len() as f64
}

fn header(first: &str, columns: &[String]) {
    println!("\n| {first} | {} |", columns.join(" | "));
    println!("|{}", "---:|".repeat(columns.len() + 1));
}

fn row(first: &str, cells: impl Iterator<Item = f64>) {
    let cells: Vec<String> = cells.map(|cell| format!("{cell:.2}")).collect();
    println!("| {first} | {} |", cells.join(" | "));
}

fn caps() -> Vec<String> {
    CAPS.iter().map(|cap| format!("≤ {cap}")).collect()
}

/// Pairs that are apart, out of `count` in the cage.
fn apart(cone: &Model, count: usize) -> Vec<[Pose; 2]> {
    let mut poses = Poses::new(4);
    let all = (0..count).map(|_| [poses.within(CAGE).pose(), poses.within(CAGE).pose()]);
    all.filter(|poses| !meet(cone, poses)).collect()
}

/// The same pairs, the second one shifted along the line between the nearest points until they are
/// this far apart.
fn at_gap(cone: &Model, pairs: &[[Pose; 2]], gap: f64) -> Vec<[Pose; 2]> {
    let polytope = polytope_of(cone);
    let shifted = pairs.iter().map(|poses| {
        let [a, b] = poses.each_ref().map(|pose| placed(cone, pose));
        let mut pair = Pair::new(Body::new(&polytope, a.pose()), Body::new(&polytope, b.pose()));
        let found = pair.nearest(&[]);
        let shift = found.direction.map(|d| d * (gap - found.distance));
        let t = nalgebra::Vector3::from(poses[1].translation()) + nalgebra::Vector3::from(shift);
        [poses[0], poses[1].with_translation(t.into())]
    });
    shifted.collect()
}

/// Errors and steps of a flight of `frames` frames: with a memory, and with none.
fn flight(cone: &Model, step: f64, frames: usize, search: Perceptron) -> [[f64; 2]; 2] {
    let mut poses = Poses::new(9);
    let mut pair = [poses.within(CAGE), poses.within(CAGE)];
    let mut memory = PairCache::new();
    let query = Query::new().stats(true);
    let (mut wrong, mut probes, mut apart) = ([0, 0], [0, 0], 0);
    let mut velocities = [(); 2].map(|()| poses.direction().map(|x| step * x));
    for _ in 0..frames {
        for (placement, velocity) in pair.iter_mut().zip(&mut velocities) {
            *placement = poses.nudged(placement, 0.0, 2.0 * step);
            for (x, speed) in placement.translation.iter_mut().zip(velocity) {
                *x += *speed;
                // Back from the walls of the cage.
                if x.abs() > CAGE {
                    *speed = -speed.abs() * x.signum();
                }
            }
        }
        let at = pair.each_ref().map(Placement::pose);
        if meet(cone, &at) {
            continue;
        }
        apart += 1;
        let [a, b] = at.each_ref().map(|pose| placed(cone, pose));
        for (index, cache) in [&mut memory, &mut PairCache::new()].into_iter().enumerate() {
            let verdict = search.test(a, b, &query, cache);
            wrong[index] += u32::from(!verdict.is_apart());
            probes[index] += cache.stats().probes;
        }
    }
    [0, 1].map(|index| {
        [
            100.0 * f64::from(wrong[index]) / f64::from(apart),
            probes[index] as f64 / f64::from(apart),
        ]
    })
}

fn main() {
    let cone = model("shape:cone?faces=100");
    let count = 10_000;
    let pairs = apart(&cone, count);
    println!("{} of {count} pairs are apart.", pairs.len());

    println!("\nη against the most iterations (figure 3.15):");
    header("η", &caps());
    let rates = [0.007, 0.03, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0];
    let mut best = [(f64::INFINITY, 0.0); CAPS.len()];
    for rate in rates {
        let errors = CAPS.map(|cap| error(&cone, &pairs, plain(rate, cap)));
        for (best, error) in best.iter_mut().zip(errors) {
            if error < best.0 {
                *best = (error, rate);
            }
        }
        row(&rate.to_string(), errors.into_iter());
    }
    let best = best.map(|(_, rate)| rate);
    row("best η", best.into_iter());

    println!("\nInitial plane, at the best η:");
    header("initial plane", &caps());
    type Setting = fn(Perceptron) -> Perceptron;
    let initial_planes: [(&str, Setting); 3] = [
        ("trivial", Perceptron::from_trivial_plane),
        ("barycenters", |search| search),
        ("box centers", Perceptron::from_box_centers),
    ];
    for (name, initial) in initial_planes {
        let with = |(cap, rate)| initial(plain(rate, cap));
        row(name, CAPS.into_iter().zip(best).map(|at| error(&cone, &pairs, with(at))));
    }

    println!("\nRelaxation, from the best η (figure 3.16):");
    header("factor", &caps());
    for factor in [0.9, 0.95, 0.97, 0.99, 0.999, 1.0] {
        let with = |(cap, rate)| plain(rate, cap).relaxation(factor);
        row(
            &factor.to_string(),
            CAPS.into_iter().zip(best).map(|at| error(&cone, &pairs, with(at))),
        );
    }
    let adaptive = |cap| plain(1.0, cap).adaptive();
    row("adaptive", CAPS.into_iter().map(|cap| error(&cone, &pairs, adaptive(cap))));

    println!("\nDistance, in sizes of a cone, at the best η:");
    header("distance", &caps());
    let some = &pairs[..1000];
    for exponent in 1..=6 {
        let gap = 10_f64.powi(-exponent);
        let near = at_gap(&cone, some, 2.0 * gap);
        let errors = CAPS.into_iter().zip(best);
        row(
            &format!("1e-{exponent}"),
            errors.map(|(cap, rate)| error(&cone, &near, plain(rate, cap))),
        );
    }

    println!(
        "\nIncremental use, at most 100 iterations; with the plane of the last frame, and without:"
    );
    let columns = ["errors", "steps a query", "errors, forgetting", "steps, forgetting"];
    header("motion a frame", &columns.map(str::to_owned));
    for percent in [0.5, 2.0, 5.0, 20.0] {
        let [kept, forgot] = flight(&cone, 0.02 * percent, 10_000, plain(best[3], 100));
        row(&format!("{percent} %"), kept.into_iter().chain(forgot));
    }
}
