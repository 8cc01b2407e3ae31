//! Inner sphere trees: the time of a proximity query, whole and with a limit of a millisecond, on one thread.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench inner_spheres [-- --quick]
//! ```
//!
//! A knotted tube goes through a torus in steps, and turns. *apart* and *overlap* are the steps at which the spheres are so.
//! With the limit the search ends with a wider interval of the volume in common; its width is given as a part of the whole
//! volume, the median of the steps at which they overlap.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use xcollide_bvh::classic::inner_spheres::Proximity;
use xcollide_narrow::classic::{InnerSpheres, PackingOptions};
use xcollide_narrow::{Model, PairCache, Placed, Pose, Query};

const LIMIT: Duration = Duration::from_millis(1);

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let steps = if quick { 40 } else { 400 };
    println!(
        "| spheres of both | packed in | | steps | whole, median | longest | limited, median | longest | done | width |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let sizes: &[usize] = if quick { &[1000] } else { &[1000, 10_000, 50_000] };
    for &most_spheres in sizes {
        rows(most_spheres, steps)?;
    }
    println!("\nMilliseconds; packing of both in seconds.");
    Ok(())
}

/// What a step took, with and without the limit.
struct Step {
    whole: Proximity,
    limited: Proximity,
    milliseconds: [f64; 2],
}

fn rows(most_spheres: usize, steps: u32) -> Result<(), Failure> {
    let model = |spec: &str| -> Result<Model, Failure> {
        Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
    };
    let models = [model("torus?faces=5000")?, model("knot?faces=5000")?];
    let packing = PackingOptions { most_spheres, least_radius: 1e-5 };
    let spheres = InnerSpheres { packing };
    let began = Instant::now();
    let packed = models.each_ref().map(|model| spheres.packing_of(model).tree().spheres().len());
    let seconds = began.elapsed().as_secs_f64();
    let (mut cache, mut limited) = (PairCache::new(), PairCache::new());
    let mut taken = Vec::new();
    for step in 0..steps {
        let time = f64::from(step) / f64::from(steps);
        let away = [6.0 * time - 3.0, 0.4, 0.2];
        let pose = Pose::from_axis_angle([0.3, 1.0, 0.2], 3.0 * time, away)?;
        let placed = (Placed::new(&models[0], &Pose::IDENTITY)?, Placed::new(&models[1], &pose)?);
        let ask = |query: &Query, cache: &mut PairCache| {
            let began = Instant::now();
            let found = black_box(spheres.proximity(placed.0, placed.1, query, cache));
            (found, began.elapsed().as_secs_f64() * 1e3)
        };
        let (whole, first) = ask(&Query::new(), &mut cache);
        let (limited, second) = ask(&Query::new().budget(LIMIT), &mut limited);
        taken.push(Step { whole, limited, milliseconds: [first, second] });
    }
    let (overlapping, apart): (Vec<_>, Vec<_>) =
        taken.into_iter().partition(|step| step.whole.distance_at_most == 0.0);
    for (state, steps) in [("apart", apart), ("overlap", overlapping)] {
        row([packed, [most_spheres; 2]], seconds, state, &steps);
    }
    Ok(())
}

fn row([packed, asked]: [[usize; 2]; 2], seconds: f64, state: &str, steps: &[Step]) {
    let sorted = |of: &dyn Fn(&Step) -> f64| {
        let mut all: Vec<f64> = steps.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let median = |all: &[f64]| all.get(all.len() / 2).copied().unwrap_or(f64::NAN);
    let longest = |all: &[f64]| all.last().copied().unwrap_or(f64::NAN);
    let (whole, limited) = (sorted(&|s| s.milliseconds[0]), sorted(&|s| s.milliseconds[1]));
    let widths = sorted(&|step| {
        let Proximity { volume_at_least, volume_at_most, .. } = step.limited;
        (volume_at_most - volume_at_least) / step.whole.volume_at_most.max(f64::MIN_POSITIVE)
    });
    let done = steps.iter().filter(|step| step.limited.complete).count();
    let width = if state == "apart" { String::new() } else { format!("{:.1e}", median(&widths)) };
    let few = if packed < asked { " (no more found room)" } else { "" };
    println!(
        "| {} + {}{few} | {seconds:.1} | {state} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {done} | {width} |",
        packed[0],
        packed[1],
        steps.len(),
        median(&whole),
        longest(&whole),
        median(&limited),
        longest(&limited),
    );
}
