//! Separates surfaces that meet in an edge or a vertex.
//!
//! At each edge the sides of the faces are paired, leaving at most one. The corners at a vertex are
//! joined across these pairs, and each connected group gets its own copy of the vertex.
//!
//! ```text
//!        outside                 Four faces around an edge that two bodies share, seen along it.
//!      A1  |  B2                 Walking around it, each face either enters a body or leaves one.
//!    body  |    outside          Matching these like parentheses pairs A1 with A2 and B1 with B2,
//!   A2 ----+---- B1              also when a whole body is inside out.
//! outside  |  body
//! ```

use super::cycles::{Cycles, NONE, NewVertices};
use super::{Change, Defect, RepairOptions, RepairReport};
use crate::VertexId;
use crate::disjoint_sets::DisjointSets;
use crate::projection::{newell_normal, unit_scale};
use xcollide_math::vector::{cross, dot, length, scale, sub};

/// Which sides of faces are paired.
pub(super) struct PairedSides {
    /// For each side its mate, or `NONE`.
    pub(super) mates: Vec<u32>,
    /// Whether an edge has more than two sides.
    pub(super) has_branches: bool,
}

/// Pairs the sides at each edge; where more than two meet, only if `split`.
pub(super) fn pair_sides(cycles: &Cycles<'_>, split: bool) -> PairedSides {
    let mut has_branches = false;
    let mut mates = vec![NONE; cycles.corner_count()];
    let mut pair = |a: u32, b: u32| {
        mates[a as usize] = b;
        mates[b as usize] = a;
    };
    let sides = sides_by_edge(cycles, |corner| cycles.place(corner));
    for group in sides.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, a), (_, b)] = *group {
            // A face that traverses an edge twice in the same direction cannot be paired with itself.
            if cycles.face(a) != cycles.face(b) || cycles.ends(a) != cycles.ends(b) {
                pair(a, b);
            }
        } else if split && group.len() > 2 {
            has_branches = true;
            let mut sides: Vec<u32> = group.iter().map(|&(_, side)| side).collect();
            pair_as_the_file_does(cycles, &mut sides, &mut pair);
            pair_around_edge(cycles, &sides, &mut pair);
        }
    }
    PairedSides { mates, has_branches }
}

/// All sides, grouped by the numbers of their two ends.
fn sides_by_edge(cycles: &Cycles<'_>, number: impl Fn(u32) -> u32) -> Vec<(u64, u32)> {
    let mut sides: Vec<(u64, u32)> = Vec::with_capacity(cycles.corner_count());
    for side in cycles.corners() {
        let (p, q) = (number(side), number(cycles.next(side)));
        if p != q {
            sides.push((u64::from(p.min(q)) << 32 | u64::from(p.max(q)), side));
        }
    }
    sides.sort_unstable();
    sides
}

/// Pairs the sides of an edge that the file joins: the two sides of a bridge, or the only two sides
/// between two vertex numbers. Leaves the others in `sides`.
fn pair_as_the_file_does(
    cycles: &Cycles<'_>,
    sides: &mut Vec<u32>,
    pair: &mut impl FnMut(u32, u32),
) {
    let ends = |side: u32| {
        let (p, q) = (cycles.vertex(side), cycles.vertex(cycles.next(side)));
        (p.min(q), p.max(q))
    };
    let face = |side: u32| cycles.face(side);
    pair_the_only_two(sides, face, |a, b| cycles.ends(a) != cycles.ends(b), pair);
    pair_the_only_two(sides, ends, |a, b| face(a) != face(b), pair);
}

/// Pairs two sides that match and are the only ones with their key. Leaves the others, sorted by key.
fn pair_the_only_two<K: Ord>(
    sides: &mut Vec<u32>,
    key: impl Fn(u32) -> K,
    matches: impl Fn(u32, u32) -> bool,
    pair: &mut impl FnMut(u32, u32),
) {
    sides.sort_unstable_by_key(|&side| (key(side), side));
    let mut left = Vec::with_capacity(sides.len());
    for group in sides.chunk_by(|&a, &b| key(a) == key(b)) {
        match *group {
            [a, b] if matches(a, b) => pair(a, b),
            _ => left.extend_from_slice(group),
        }
    }
    *sides = left;
}

#[derive(Clone, Copy, Debug)]
struct RadialSide {
    side: u32,
    /// The direction into the face, as an angle in [0, 4) that grows counter-clockwise.
    angle: f64,
    /// Whether the inside, according to the face's orientation, is on its counter-clockwise side.
    opens: bool,
}

/// Pairs sides around an edge: first those with the inside between them, then those that make the
/// flattest pair. Leaves at most one.
fn pair_around_edge(cycles: &Cycles<'_>, sides: &[u32], pair: &mut impl FnMut(u32, u32)) {
    if sides.len() < 2 {
        return;
    }
    let mut radial_sides = radial_sides(cycles, sides);
    // Matches parentheses on a circle: the second round closes those left open by the first.
    let mut open: Vec<usize> = Vec::new();
    let mut paired = vec![false; radial_sides.len()];
    for round in 0..2 {
        for i in 0..radial_sides.len() {
            if paired[i] {
            } else if radial_sides[i].opens {
                if round == 0 {
                    open.push(i);
                }
            } else if let Some(opening) = open.pop() {
                pair(radial_sides[opening].side, radial_sides[i].side);
                (paired[opening], paired[i]) = (true, true);
            }
        }
    }
    let mut paired = paired.into_iter();
    radial_sides.retain(|_| paired.next() == Some(false));
    pair_flattest(radial_sides, pair);
}

/// Pairs sides of the same direction, the most nearly opposite ones first.
fn pair_flattest(mut radial_sides: Vec<RadialSide>, pair: &mut impl FnMut(u32, u32)) {
    /// Above this many, neighbours are paired in order.
    const MANY: usize = 32;
    while radial_sides.len() > 1 {
        let n = radial_sides.len();
        let bend =
            |i: usize, j: usize| ((radial_sides[j].angle - radial_sides[i].angle) - 2.0).abs();
        let candidates = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let best = candidates
            .take(if n > MANY { 1 } else { usize::MAX })
            .min_by(|&(i, j), &(k, l)| bend(i, j).total_cmp(&bend(k, l)));
        let Some((i, j)) = best else { break };
        pair(radial_sides[i].side, radial_sides[j].side);
        radial_sides.swap_remove(j);
        radial_sides.swap_remove(i);
        radial_sides.sort_unstable_by(RadialSide::order);
    }
}

impl RadialSide {
    /// Counter-clockwise order. Of the two sides of a wall, the one that leaves a body is first.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let order = self.angle.total_cmp(&other.angle).then(self.opens.cmp(&other.opens));
        order.then(self.side.cmp(&other.side))
    }
}

fn radial_sides(cycles: &Cycles<'_>, sides: &[u32]) -> Vec<RadialSide> {
    let (p, q) = (cycles.position(sides[0]), cycles.position(cycles.next(sides[0])));
    // The direction depends on positions, so that renumbering does not change the order.
    let forward = if p.map(|x| x + 0.0) < q.map(|x| x + 0.0) { (p, q) } else { (q, p) };
    let axis = sub(forward.1, forward.0);
    let axis = scale(axis, unit_scale([axis]));
    // Two orthogonal directions across the edge, each as long as the axis.
    let smallest =
        (1..3).fold(0, |least, k| if axis[k].abs() < axis[least].abs() { k } else { least });
    let mut unit = [0.0; 3];
    unit[smallest] = 1.0;
    let (axis_length, across) = (length(axis), cross(axis, unit));
    let x_axis = scale(across, axis_length / length(across));
    let y_axis = scale(cross(axis, x_axis), 1.0 / axis_length);
    let mut radial_sides: Vec<RadialSide> = sides
        .iter()
        .map(|&side| {
            let along = cycles.position(side) == forward.0;
            let normal = normal(cycles, side);
            let into = if along { cross(normal, axis) } else { cross(axis, normal) };
            RadialSide { side, angle: angle(dot(into, x_axis), dot(into, y_axis)), opens: !along }
        })
        .collect();
    radial_sides.sort_unstable_by(RadialSide::order);
    radial_sides
}

/// A monotone function of the angle of a direction, from 0 to 4, without trigonometry.
fn angle(x: f64, y: f64) -> f64 {
    let size = x.abs() + y.abs();
    if size == 0.0 || !size.is_finite() {
        return 0.0;
    }
    match (x >= 0.0, y >= 0.0) {
        (true, true) => y / size,
        (false, true) => 1.0 - x / size,
        (false, false) => 2.0 - y / size,
        (true, false) => 3.0 + x / size,
    }
}

/// The normal direction of a side's face, after Newell.
fn normal(cycles: &Cycles<'_>, side: u32) -> [f64; 3] {
    let face = cycles.mesh.face(cycles.face(side));
    let contour: Vec<VertexId> =
        cycles.face_corners(face.id()).map(|corner| VertexId(cycles.place(corner))).collect();
    newell_normal(cycles.mesh.positions(), &contour)
}

/// The vertices of the new mesh: one for each group of connected corners. Reports split, welded and
/// unused vertices, and the edges that still have more than two faces.
pub(super) fn vertices(
    cycles: &Cycles<'_>,
    mates: &[u32],
    options: &RepairOptions,
    report: &mut RepairReport,
) -> NewVertices {
    let mut groups = DisjointSets::new(cycles.corner_count());
    if options.split_non_manifold {
        join_across_pairs(cycles, mates, &mut groups);
    } else {
        join_at_places(cycles, &mut groups);
    }
    let (new, used) = number(cycles, &mut groups, options, report);
    report_non_manifold_edges(cycles, &new, report);
    for (vertex, &used) in used.iter().enumerate() {
        let vertex = VertexId::from_index(vertex);
        if !used && options.drop_unused {
            report.changes.push(Change::VertexDropped { vertex });
        }
    }
    new
}

fn join_across_pairs(cycles: &Cycles<'_>, mates: &[u32], groups: &mut DisjointSets) {
    for side in cycles.corners() {
        let (p, q) = cycles.ends(side);
        if p == q {
            groups.join(side, cycles.next(side));
        }
        let mate = mates[side as usize];
        if mate == NONE {
            continue;
        }
        let (end, mate_end) = (cycles.next(side), cycles.next(mate));
        if cycles.place(side) == cycles.place(mate_end) {
            groups.join(side, mate_end);
            groups.join(end, mate);
        } else {
            groups.join(side, mate);
            groups.join(end, mate_end);
        }
    }
}

fn join_at_places(cycles: &Cycles<'_>, groups: &mut DisjointSets) {
    let mut first = vec![NONE; cycles.mesh.vertex_count()];
    for corner in cycles.corners() {
        let first = &mut first[cycles.place(corner) as usize];
        if *first == NONE {
            *first = corner;
        }
        groups.join(corner, *first);
    }
}

/// Numbers the groups by the first old vertex in each, and reports welded and split vertices. Also
/// returns which old vertices are used.
fn number(
    cycles: &Cycles<'_>,
    groups: &mut DisjointSets,
    options: &RepairOptions,
    report: &mut RepairReport,
) -> (NewVertices, Vec<bool>) {
    let old_count = cycles.mesh.vertex_count();
    let mut origin_of_root = vec![NONE; cycles.corner_count()];
    let mut used = vec![false; old_count];
    // Old vertex and root of each corner, without duplicates.
    let mut parts: Vec<(u32, u32)> = Vec::with_capacity(cycles.corner_count());
    for corner in cycles.corners() {
        let (vertex, root) = (cycles.vertex(corner).0, groups.root(corner));
        used[vertex as usize] = true;
        let origin = &mut origin_of_root[root as usize];
        *origin = vertex.min(*origin);
        parts.push((vertex, root));
    }
    // The root of a group is its first corner, so the order is deterministic.
    parts.sort_unstable();
    parts.dedup();
    let mut new_of_root = vec![NONE; cycles.corner_count()];
    let mut origin = Vec::new();
    let mut next_part = parts.iter().peekable();
    for vertex in 0..old_count as u32 {
        let mut copies = 0;
        let mut into = None;
        while let Some(&(_, root)) = next_part.next_if(|part| part.0 == vertex) {
            copies += 1;
            let first = origin_of_root[root as usize];
            if first == vertex {
                new_of_root[root as usize] = origin.len() as u32;
                origin.push(VertexId(vertex));
            } else {
                into = Some(VertexId(first));
            }
        }
        let vertex = VertexId(vertex);
        if copies > 1 {
            report.changes.push(Change::VertexSplit { vertex, copies });
        } else if let Some(into) = into {
            report.changes.push(Change::VertexWelded { vertex, into });
        } else if copies == 0 && !options.drop_unused {
            origin.push(vertex);
        }
    }
    let mut of_corner = vec![NONE; cycles.corner_count()];
    for corner in cycles.corners() {
        of_corner[corner as usize] = new_of_root[groups.root(corner) as usize];
    }
    (NewVertices { of_corner, origin }, used)
}

/// Reports edges with more than two faces in the new numbering.
fn report_non_manifold_edges(cycles: &Cycles<'_>, new: &NewVertices, report: &mut RepairReport) {
    let sides = sides_by_edge(cycles, |corner| new.of_corner[corner as usize]);
    for group in sides.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 2) {
        let side = group[0].1;
        let edge = [cycles.vertex(side), cycles.vertex(cycles.next(side))];
        report.defects.push(Defect::NonManifoldEdge { edge, faces: group.len() as u32 });
    }
}
