//! Which pre-check of the point-in-polygon test decides an edge (Zachmann 1994, 3.2.2, the table of pre-checks). The counts are
//! the same on every machine.
//!
//! As in the algorithm for arbitrary polyhedra, the points are those where an edge of one object crosses the plane of a polygon
//! of another one; pairs of an edge and a polygon whose boxes do not overlap are left out. The thesis tells neither objects nor
//! whether its tests had that pre-check; here both are counted, in the cage of its other experiments.

use xcollide::bounds::Aabb;
use xcollide::math::vector::{cross, dot, sub};
use xcollide::narrow::{Placed, Semantics};
use xcollide::predicates::polygon::Projection;

use super::encounters::Encounters;
use super::experiment::{Stage, Tables, scene};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};

const SPEC: &str = "cage?objects=10&faces=412&side=4";

/// The pre-checks in their order, and the thesis's percentages.
const RULES: [(&str, f64); 7] = [
    ("1: edge left of the point", 50.0),
    ("2: above", 22.0),
    ("3: below", 26.0),
    ("4: right, crossed", 1.0),
    ("5: left of the rising diagonal", 0.000_03),
    ("6: left of the falling diagonal", 0.000_02),
    ("remaining: the side is computed", 1.0),
];

const COLUMNS: [&str; 2] = ["boxes overlap, %", "any edge in the box of the other object, %"];

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    stage("the cage");
    let scene = scene(SPEC, effort.frames_or(40))?;
    let encounters = Encounters::record(&scene, Semantics::Surface)?;
    let mut decided = [[0; 7]; 2];
    encounters.each(|[a, b], _, _| {
        count(a, b, &mut decided);
        count(b, a, &mut decided);
    })?;
    let sums = decided.map(|of| of.iter().sum::<u64>());
    let caption = format!(
        "Edges of polygons against a ray from a point, by the pre-check that decided ({} and {} of them; in brackets: the thesis's \
         3 million)",
        sums[0], sums[1]
    );
    let mut table = FigureTable::new(caption, "pre-check", COLUMNS);
    for (rule, (name, published)) in RULES.into_iter().enumerate() {
        let share = |of: usize| 100.0 * decided[of][rule] as f64 / sums[of].max(1) as f64;
        table = table.row(name, [Cell::ours(share(0)), Cell::ours(share(1)).published(published)]);
    }
    let [with_boxes, without] = COLUMNS.map(|name| table.column(name));
    let first_three = without.iter().take(3).sum::<f64>();
    let remaining = without.last().copied().unwrap_or(f64::NAN);
    Ok(vec![
        table
            .finding(
                "for 1 % of the edges the line parameter has to be computed (at most 2 %)",
                remaining <= 2.0,
                format!("{} %; where boxes overlap {} %", listed([remaining]), listed(with_boxes.last().copied())),
            )
            .finding(
                "the first three pre-checks, left, above and below, decide nearly all edges (at least 90 %)",
                first_three >= 90.0,
                format!("{} %", listed([first_three])),
            )
            .because(format!("{} edges were decided, of few polygons where there are few frames", sums[1]))
            .remark(
                "Two pre-checks differ from the printed ones, which miss points on vertical edges and have one diagonal three times.",
            ),
    ])
}

/// Edges of `a` against polygons of `b`.
fn count(a: Placed<'_>, b: Placed<'_>, decided: &mut [[u64; 7]; 2]) {
    let region = a.world_box().intersection(&b.world_box());
    let dcel = a.model().brep().dcel();
    let inside = dcel.edges().filter_map(|edge| {
        let side = dcel.first_side(edge);
        let ends = [dcel.origin(side), dcel.target(side)].map(|vertex| a.position(vertex));
        let bounds = Aabb::from_points(ends);
        bounds.overlaps(&region).then_some((ends, bounds))
    });
    let inside: Vec<_> = inside.collect();
    for face in b.model().mesh().faces() {
        let contours: Vec<Vec<[f64; 3]>> = face
            .contours()
            .map(|contour| contour.iter().map(|&vertex| b.position(vertex)).collect())
            .collect();
        let [p, q, r] = match contours.first().map(Vec::as_slice) {
            Some(&[p, q, r, ..]) => [p, q, r],
            _ => continue,
        };
        let normal = cross(sub(q, p), sub(r, p));
        let projection = Projection::of(&contours);
        let bounds = Aabb::from_points(contours.iter().flatten().copied());
        for ([tail, head], of_edge) in &inside {
            let [below, above] = [*tail, *head].map(|end| dot(normal, sub(end, p)));
            if (below < 0.0) == (above < 0.0) {
                continue;
            }
            let t = below / (below - above);
            let point = [0, 1, 2].map(|k| tail[k] + t * (head[k] - tail[k]));
            let mut of_point = [0; 7];
            projection.locate_by_ray_counted(point, &contours, &mut of_point);
            let counts =
                if of_edge.overlaps(&bounds) { &mut decided[..] } else { &mut decided[1..] };
            for (all, one) in counts.iter_mut().flat_map(|of| of.iter_mut().zip(of_point)) {
                *all += one;
            }
        }
    }
}
