//! Measures the sizes by which `combine::Auto` chooses, on this machine, and stores them.
//!
//! Two algorithms answer the same queries in turns, and the median of their time ratios counts, so
//! disturbances affect both. Answers never depend on the result.

use std::fmt;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use xcollide_bvh::wide::CompactTree;
use xcollide_narrow::combine::Thresholds;
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::mesh::{BruteForce, BvhPair, Wide};
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide_scenes::Poses;

/// Time ratios of two algorithms over a size.
struct Series {
    key: &'static str,
    algorithms: [&'static str; 2],
    /// The unit of the sizes.
    unit: &'static str,
    /// Size and time ratio (second over first), ascending by size.
    ratios: Vec<(u64, f64)>,
}

/// Measures, prints tables and writes the file of sizes; `tables` is a file for the tables as Markdown.
///
/// # Errors
/// A model cannot be made, or a file not be written.
pub(crate) fn run(path: &Path, quick: bool, tables: Option<&Path>) -> Result<(), String> {
    let all = [convex(quick)?, few(quick)?, compact(quick)?];
    for series in &all {
        println!("{series}");
    }
    let thresholds = decide(&all);
    let text = format!(
        "# Sizes by which `combine::Auto` chooses; measured by `cargo xtask calibrate`.\n{thresholds}"
    );
    std::fs::write(path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{thresholds}\nwritten to {}", path.display());
    let Some(tables) = tables else { return Ok(()) };
    let text = all.each_ref().map(ToString::to_string).join("\n");
    std::fs::write(tables, format!("{text}\n```toml\n{thresholds}```"))
        .map_err(|error| format!("{}: {error}", tables.display()))
}

/// The thresholds that follow from the series.
fn decide([convex, few, compact]: &[Series; 3]) -> Thresholds {
    let mut thresholds = Thresholds::default();
    thresholds.convex_vertices = convex.last_of_first();
    thresholds.brute_force_pairs = match few.last_of_first() {
        // Larger pairs were not measured, and brute force is quadratic.
        Thresholds::NEVER => few.ratios.last().map_or(0, |&(pairs, _)| pairs),
        pairs => pairs,
    };
    thresholds.compact_triangles = match compact.last_of_first() {
        Thresholds::NEVER => Thresholds::NEVER,
        last => last + 1,
    };
    thresholds
}

impl Series {
    /// The largest size up to which the first algorithm is at least as fast at all measured sizes;
    /// unbounded if it always is.
    fn last_of_first(&self) -> u64 {
        let slower = self.ratios.iter().position(|&(_, ratio)| ratio < 1.0);
        match slower {
            None => Thresholds::NEVER,
            Some(0) => 0,
            Some(first) => self.ratios[first - 1].0,
        }
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.algorithms;
        writeln!(f, "{}: time of {second} over that of {first}\n", self.key)?;
        writeln!(f, "| {} | ratio |\n|---|---|", self.unit)?;
        for (size, ratio) in &self.ratios {
            writeln!(f, "| {size} | {ratio:.2} |")?;
        }
        Ok(())
    }
}

/// Convex bodies by vertices.
fn convex(quick: bool) -> Result<Series, String> {
    let sizes: &[u64] = if quick { &[8, 200] } else { &[4, 8, 20, 100, 1000, 10_000] };
    let ratio = |&vertices: &u64| {
        let model = model(&format!("polytope?vertices={vertices}&seed=1"))?;
        let size = 2 * vertices;
        Ok((size, compare(&Hybrid::default(), &Wide::new(), &model, quick)?))
    };
    Ok(Series {
        key: "convex_vertices",
        algorithms: ["hybrid", "wide-obb"],
        unit: "vertices, both together",
        ratios: sizes.iter().map(ratio).collect::<Result<_, String>>()?,
    })
}

/// Open strips of a few triangles.
fn few(quick: bool) -> Result<Series, String> {
    let sizes: &[u64] = if quick { &[8, 12] } else { &[8, 10, 12, 16, 24] };
    let ratio = |&faces: &u64| {
        let model = model(&format!("mobius?faces={faces}"))?;
        let triangles = model.triangulation().len() as u64;
        Ok((triangles * triangles, compare(&BruteForce, &Wide::new(), &model, quick)?))
    };
    Ok(Series {
        key: "brute_force_pairs",
        algorithms: ["brute-force", "wide-obb"],
        unit: "pairs of triangles",
        ratios: sizes.iter().map(ratio).collect::<Result<_, String>>()?,
    })
}

/// Large models, whose hierarchies may not fit the cache.
fn compact(quick: bool) -> Result<Series, String> {
    let sizes: &[u64] = if quick { &[1000, 5000] } else { &[10_000, 100_000, 500_000] };
    let ratio = |&faces: &u64| {
        let model = model(&format!("knot?faces={faces}"))?;
        let triangles = 2 * model.triangulation().len() as u64;
        Ok((triangles, compare(&Wide::new(), &BvhPair::<CompactTree>::new(), &model, quick)?))
    };
    Ok(Series {
        key: "compact_triangles",
        algorithms: ["wide-obb", "wide-compact"],
        unit: "triangles, both together",
        ratios: sizes.iter().map(ratio).collect::<Result<_, String>>()?,
    })
}

fn model(spec: &str) -> Result<Model, String> {
    let mesh = xcollide_scenes::shape(spec).map_err(|error| format!("{spec}: {error}"))?;
    Model::from_mesh(mesh).map_err(|error| format!("{spec}: {error}"))
}

/// Poses of a series, some of them in contact.
const POSES: usize = 64;

/// Time to measure a size.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The median time ratio of `second` over `first`, for a model and itself near contact.
fn compare(
    first: &dyn NarrowPhase,
    second: &dyn NarrowPhase,
    model: &Model,
    quick: bool,
) -> Result<f64, String> {
    let mut poses = Poses::new(9);
    let reach = 0.8 * model.local_box().size().into_iter().fold(0.0, f64::max);
    let poses: Vec<Pose> =
        (0..POSES).map(|_| Pose::from_translation(poses.translation(reach))).collect();
    let placed = poses.iter().map(|pose| Placed::new(model, pose)).collect::<Result<Vec<_>, _>>();
    let placed = placed.map_err(|error| error.to_string())?;
    let here = Placed::new(model, &Pose::IDENTITY).map_err(|error| error.to_string())?;
    let mut caches = [PairCache::new(), PairCache::new()];
    let mut ratios = Vec::new();
    let (began, patience) = (Instant::now(), if quick { PATIENCE / 30 } else { PATIENCE });
    for pass in 0.. {
        let mut seconds = [0.0; 2];
        for ((algorithm, cache), time) in
            [first, second].into_iter().zip(&mut caches).zip(&mut seconds)
        {
            let start = Instant::now();
            for &there in &placed {
                let _ = black_box(algorithm.test(here, there, &Query::new(), cache));
            }
            *time = start.elapsed().as_secs_f64();
        }
        // The first pass prepares the models.
        if pass > 0 {
            ratios.push(seconds[1] / seconds[0]);
        }
        if ratios.len() > 2 && began.elapsed() > patience {
            break;
        }
    }
    ratios.sort_unstable_by(f64::total_cmp);
    Ok(ratios[ratios.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(ratios: &[(u64, f64)]) -> Series {
        let algorithms = ["one", "other"];
        Series { key: "key", algorithms, unit: "size", ratios: ratios.to_vec() }
    }

    /// A threshold is where the first algorithm ceases to be the better one for the first time.
    #[test]
    fn thresholds_are_where_the_first_algorithm_ceases_to_win() {
        let first = [(1, 2.0), (5, 1.1)];
        let never = series(&first);
        let [middle, at_once] =
            [series(&[(1, 2.0), (5, 0.9), (9, 1.2)]), series(&[(1, 0.9), (5, 2.0)])];
        assert_eq!(never.last_of_first(), Thresholds::NEVER);
        assert_eq!((middle.last_of_first(), at_once.last_of_first()), (1, 0));
        let found = decide(&[series(&first), series(&first), series(&first)]);
        assert_eq!(found.convex_vertices, Thresholds::NEVER);
        assert_eq!(found.brute_force_pairs, 5, "no farther than was measured");
        assert_eq!(found.compact_triangles, Thresholds::NEVER);
        let found = decide(&[middle, at_once, series(&[(1, 2.0), (5, 0.9)])]);
        assert_eq!(found.convex_vertices, 1);
        assert_eq!(found.brute_force_pairs, 0);
        assert_eq!(found.compact_triangles, 2);
    }

    /// What is written is what the library reads.
    #[test]
    fn a_quick_run_writes_a_file_that_can_be_read() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let [path, tables] = ["sizes.toml", "tables.md"].map(|name| folder.path().join(name));
        run(&path, true, Some(&tables))?;
        let text = std::fs::read_to_string(&path)?;
        let thresholds: Thresholds = text.parse()?;
        // What it finds on a busy machine is anyone's guess, but all of it is there.
        assert!(text.ends_with(&thresholds.to_string()), "{text}");
        assert!(std::fs::read_to_string(&tables)?.contains(&thresholds.to_string()));
        assert!(
            run(&folder.path().join("no/such"), true, None)
                .is_err_and(|error| error.contains("no/such"))
        );
        Ok(())
    }
}
