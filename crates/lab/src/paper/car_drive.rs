//! One car through another, and a sphere turning in a larger one, by the size of convex patches
//! (Daneu 2002, 3.5.1, tables 2 and 3).

use xcollide::brep::Topology;
use xcollide::narrow::classic::PatchTrees;
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Semantics, Verdict,
};

use super::experiment::{Stage, Tables, counts_of_a_test, played, scene, with_registered};
use super::{Cell, Effort, FigureTable};
use crate::compare::{Algorithm, CompareError, Comparison, Figures, Motion};

/// Milliseconds on a 433 MHz Celeron for patches of at most 1, 2, … 10 triangles: with a collision,
/// without, on average.
const TABLE_2: [[f64; 3]; 10] = [
    [0.626, 0.033, 0.429],
    [0.475, 0.034, 0.320],
    [0.553, 0.030, 0.349],
    [0.459, 0.032, 0.296],
    [0.513, 0.031, 0.333],
    [0.422, 0.033, 0.274],
    [0.460, 0.037, 0.296],
    [0.459, 0.035, 0.297],
    [0.467, 0.032, 0.309],
    [0.469, 0.033, 0.313],
];

const TABLE_3: [f64; 10] = [2.614, 1.819, 1.767, 1.266, 2.419, 1.537, 3.030, 1.792, 3.240, 2.590];

/// Daneu's patches of at most this many triangles.
struct PatchesOf(usize);

impl NarrowPhase for PatchesOf {
    fn name(&self) -> &'static str {
        "patches"
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        PatchTrees::new().accepts(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        PatchTrees::prepare_with(model, self.0)
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        PatchTrees::new().prepared_bytes(model)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        PatchTrees::new().test(a, b, query, cache)
    }
}

/// Patches of 1 to 10 triangles, and the default algorithm.
fn contestants(effort: &Effort) -> Result<Comparison, CompareError> {
    let mut comparison = Comparison::new().rounds(effort.rounds);
    for most in 1..=10 {
        let name = format!("at most {most}");
        comparison = comparison.narrow(Algorithm::own_narrow_phase(name, move || PatchesOf(most)));
    }
    with_registered(comparison, [&[], &["wide-obb"], &[]])
}

pub(super) fn cars(effort: &Effort, stage: Stage<'_>) -> Tables {
    stage("the cars");
    // Approach, full turn, departure: a third of the frames each.
    let third = effort.frames_or(361).div_ceil(3);
    let spec = format!("cars?steps={third}&turn={third}");
    let scene = scene(&spec, 3 * third + 1)?;
    let (motion, outcome) = played(&scene, Semantics::Surface, &contestants(effort)?)?;
    let caption = "Time of a test in ms, where the cars collide, where they do not, and on average \
                   (in brackets: Daneu's, on a Celeron of 433 MHz), and memory in kB";
    let columns = ["collision", "no collision", "average", "kB"];
    let mut table = FigureTable::new(caption, "triangles of a patch", columns);
    for (number, figures) in outcome.figures.iter().enumerate() {
        let [hits, misses, all] = means(&motion, figures);
        let theirs = TABLE_2.get(number);
        let cells = [hits, misses, all].into_iter().enumerate().map(|(column, ours)| {
            Cell::ours(ours / 1e6).beside(theirs.map(|figures| figures[column]))
        });
        let memory =
            Cell { ours: figures.prepared_bytes.map(|b| b as f64 / 1024.0), ..Cell::default() };
        table = table.row(figures.names[1].as_str(), cells.chain([memory]));
    }
    let table = with_best(table, "average", "6").because(counts_of_a_test(&outcome));
    Ok(vec![
        table
            .remark("Daneu found patches of 6 triangles to be the best, as are those taken here by default.")
            .remark(
                "The cars are generated, with his numbers of triangles but not his shape. Where their \
                 boxes are apart nothing is tested.",
            ),
    ])
}

/// Mean nanoseconds of the narrow phase: with a collision, without, over all.
fn means(motion: &Motion, figures: &Figures) -> [f64; 3] {
    let skipped = motion.frames() - figures.narrow_ns.len();
    let frames = figures.narrow_ns.iter().enumerate();
    let hit = |number: usize| !motion.colliding(number + skipped).is_empty();
    let mean = |wanted: &dyn Fn(usize) -> bool| {
        let selected = frames.clone().filter(|(number, _)| wanted(*number));
        let (count, sum) =
            selected.fold((0.0, 0.0), |(count, sum), (_, ns)| (count + 1.0, sum + ns));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    [mean(&hit), mean(&|number| !hit(number)), mean(&|_| true)]
}

/// Which patches are the fastest.
fn with_best(table: FigureTable, column: &str, daneus: &str) -> FigureTable {
    let mut times: Vec<(f64, &str)> = table
        .cells()
        .filter(|(row, of, _)| *of == column && row.starts_with("at most"))
        .filter_map(|(row, _, cell)| Some((cell.ours?, row)))
        .collect();
    times.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let best = times.first().copied().unwrap_or((f64::NAN, "–"));
    let own = times.iter().find(|(_, row)| row.strip_prefix("at most ") == Some(daneus));
    let share = own.map_or(f64::NAN, |(time, _)| time / best.0);
    let measured = format!("{} is the fastest; these take {share:.2} times its time", best.1);
    let expected = format!(
        "patches of at most {daneus} triangles are the fastest, or within a twentieth of that"
    );
    table.finding(expected, share <= 1.05, measured)
}

pub(super) fn spheres(effort: &Effort, stage: Stage<'_>) -> Tables {
    stage("the spheres");
    let scene = scene("sphere-in-sphere", effort.frames_or(90))?;
    let (motion, outcome) = played(&scene, Semantics::Surface, &contestants(effort)?)?;
    let caption = "Time of a test in ms (in brackets: Daneu's, on a Celeron of 433 MHz), and tests a \
                   frame";
    let columns = ["time", "tests of volumes", "of primitives"];
    let mut table = FigureTable::new(caption, "triangles of a patch", columns);
    let frames = motion.frames() as f64;
    for (number, figures) in outcome.figures.iter().enumerate() {
        let [_, _, all] = means(&motion, figures);
        let time = Cell::ours(all / 1e6).beside(TABLE_3.get(number).copied());
        let [volumes, primitives] = [figures.volume_tests, figures.primitive_tests];
        let counts = [volumes, primitives].map(|count| Cell::ours(count as f64 / frames));
        table = table.row(figures.names[1].as_str(), [time, counts[0], counts[1]]);
    }
    let table = with_best(table, "time", "4").because(counts_of_a_test(&outcome));
    let remark = "How much smaller the inner sphere was is not told; here its radius is 95 % of the \
                  outer one's.";
    Ok(vec![table.remark(remark)])
}
