//! Drops degenerate and duplicate faces without disconnecting others; [`repair`](crate::repair) states
//! the rules.

use rustc_hash::FxHashMap;

use super::cycles::Cycles;
use super::{Change, Defect, DropReason, RepairOptions, RepairReport};
use crate::FaceId;
use crate::cyclic_order::rotate_to_least;
use crate::edge_chain::EdgeChain;
use crate::planarity::collinear;

type Edge = (u32, u32);

/// Drops corners that repeat the previous one, then holes and faces that have fewer than three
/// vertices or whose edges cancel.
pub(super) fn collapse(cycles: &mut Cycles<'_>, report: &mut RepairReport) {
    let mut chain = EdgeChain::default();
    for face in cycles.mesh.faces().map(|face| face.id()) {
        let (mut corners, mut holes) = (0, 0);
        let contours: Vec<Vec<u32>> = cycles.contours(face).collect();
        for (i, contour) in contours.iter().enumerate() {
            let kept = without_repeats(cycles, contour);
            let reason = reason_to_drop(cycles, &mut chain, &kept);
            if i == 0
                && let Some(reason) = reason
            {
                cycles.drop_face(face);
                report.changes.push(Change::FaceDropped { face, reason });
                break;
            }
            if reason.is_some() {
                cycles.keep_only(contour, &[]);
                holes += 1;
            } else if kept.len() < contour.len() {
                cycles.keep_only(contour, &kept);
                corners += (contour.len() - kept.len()) as u32;
            }
        }
        if contours.len() > 1 && cycles.has_face(face) && cancels(cycles, &mut chain, face) {
            cycles.drop_face(face);
            report.changes.push(Change::FaceDropped { face, reason: DropReason::EdgesCancel });
        }
        if !cycles.has_face(face) {
            continue;
        }
        if corners > 0 {
            report.changes.push(Change::CornersDropped { face, corners });
        }
        if holes > 0 {
            report.changes.push(Change::HolesDropped { face, holes });
        }
    }
}

/// Whether the contours of a face traverse every edge equally often in both directions.
fn cancels(cycles: &Cycles<'_>, chain: &mut EdgeChain, face: FaceId) -> bool {
    chain.clear();
    for contour in cycles.contours(face) {
        chain.add_cycle(contour.iter().map(|&corner| cycles.place(corner)));
    }
    chain.cancel().is_empty()
}

/// The contour without corners at the place of the previous one; the first corner stays.
fn without_repeats(cycles: &Cycles<'_>, contour: &[u32]) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(contour.len());
    for &corner in contour {
        if kept.last().is_none_or(|&last| cycles.place(last) != cycles.place(corner)) {
            kept.push(corner);
        }
    }
    while kept.len() > 1 && cycles.place(kept[0]) == cycles.place(kept[kept.len() - 1]) {
        kept.pop();
    }
    kept
}

fn reason_to_drop(
    cycles: &Cycles<'_>,
    chain: &mut EdgeChain,
    contour: &[u32],
) -> Option<DropReason> {
    let mut places: Vec<u32> = contour.iter().map(|&corner| cycles.place(corner)).collect();
    places.sort_unstable();
    places.dedup();
    if places.len() < 3 {
        return Some(DropReason::TooFewVertices);
    }
    if places.len() < contour.len() {
        chain.clear();
        chain.add_cycle(contour.iter().map(|&corner| cycles.place(corner)));
        return chain.cancel().is_empty().then_some(DropReason::EdgesCancel);
    }
    None
}

/// Drops duplicate and collinear faces repeatedly, until none can be dropped.
pub(super) fn drop_faces(
    cycles: &mut Cycles<'_>,
    options: &RepairOptions,
    report: &mut RepairReport,
) {
    let collinear: Vec<FaceId> = if options.drop_degenerate {
        cycles.faces().filter(|&face| is_collinear(cycles, face)).collect()
    } else {
        Vec::new()
    };
    let groups = if options.drop_duplicates { duplicates(cycles) } else { Vec::new() };
    loop {
        let before = report.changes.len();
        drop_duplicates(cycles, &groups, report);
        drop_collinear(cycles, &collinear, report);
        if report.changes.len() == before {
            break;
        }
    }
    for &face in collinear.iter().filter(|&&face| cycles.has_face(face)) {
        report.defects.push(Defect::CollinearKept { face });
    }
    for group in &groups {
        let mut kept = group.iter().copied().filter(|&face| cycles.has_face(face));
        if let Some(of) = kept.next() {
            report.defects.extend(kept.map(|face| Defect::DuplicateKept { face, of }));
        }
    }
}

/// Drops collinear faces that share at most one edge with other faces, until each one left shares two.
fn drop_collinear(cycles: &mut Cycles<'_>, collinear: &[FaceId], report: &mut RepairReport) {
    let mut candidates: Vec<FaceId> =
        collinear.iter().copied().filter(|&face| cycles.has_face(face)).collect();
    if candidates.is_empty() {
        return;
    }
    let mut uses = count_uses(cycles, &candidates, cycles.faces());
    loop {
        let before = candidates.len();
        candidates.retain(|&face| {
            let edges = face_edges(cycles, face);
            let shared = edges.iter().filter(|edge| uses[edge] > 1).count();
            if shared <= 1 {
                for edge in &edges {
                    uses.entry(*edge).and_modify(|faces| *faces -= 1);
                }
                cycles.drop_face(face);
                report.changes.push(Change::FaceDropped { face, reason: DropReason::Collinear });
            }
            shared > 1
        });
        if candidates.len() == before {
            break;
        }
    }
}

/// Keeps the first face of each group, and the second if an edge of the face has at least three faces,
/// counting duplicates once. Ignores orientation: the two sides of a wall between open surfaces may have
/// the same.
fn drop_duplicates(cycles: &mut Cycles<'_>, groups: &[Vec<FaceId>], report: &mut RepairReport) {
    if groups.is_empty() {
        return;
    }
    let present = |group: &Vec<FaceId>| -> Vec<FaceId> {
        group.iter().copied().filter(|&face| cycles.has_face(face)).collect()
    };
    let groups: Vec<Vec<FaceId>> = groups.iter().map(present).filter(|g| !g.is_empty()).collect();
    let firsts: Vec<FaceId> = groups.iter().map(|group| group[0]).collect();
    let mut is_double = vec![false; cycles.mesh.face_count()];
    for face in groups.iter().flat_map(|group| &group[1..]) {
        is_double[face.index()] = true;
    }
    let uses = count_uses(cycles, &firsts, cycles.faces().filter(|f| !is_double[f.index()]));
    for (group, of) in groups.iter().zip(firsts) {
        let is_wall = face_edges(cycles, of).iter().any(|edge| uses[edge] > 2);
        for &face in group.iter().skip(if is_wall { 2 } else { 1 }) {
            cycles.drop_face(face);
            report.changes.push(Change::DuplicateDropped { face, of });
        }
    }
}

/// The groups of faces with the same places in cyclic order, each in the order of the faces.
fn duplicates(cycles: &Cycles<'_>) -> Vec<Vec<FaceId>> {
    let mut prints: Vec<(u64, FaceId)> = Vec::new();
    for face in cycles.faces() {
        let mix =
            |place: u32| (u64::from(place) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let print = cycles.face_corners(face).fold(0u64, |sum, corner| {
            let mixed = mix(cycles.place(corner));
            sum.wrapping_add(mixed.wrapping_mul(mixed | 1))
        });
        prints.push((print, face));
    }
    prints.sort_unstable();
    let mut groups = Vec::new();
    for candidates in prints.chunk_by(|a, b| a.0 == b.0).filter(|candidates| candidates.len() > 1) {
        let mut named: Vec<(Vec<Vec<u32>>, FaceId)> =
            candidates.iter().map(|&(_, face)| (canonical_contours(cycles, face), face)).collect();
        named.sort_unstable();
        for group in named.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            groups.push(group.iter().map(|&(_, face)| face).collect::<Vec<_>>());
        }
    }
    groups.sort_unstable();
    groups
}

/// The contours of a face in places: equal for faces with the same places in either direction.
fn canonical_contours(cycles: &Cycles<'_>, face: FaceId) -> Vec<Vec<u32>> {
    let canonical = |backward: bool| {
        let mut contours: Vec<Vec<u32>> = cycles.contours(face).collect();
        for contour in &mut contours {
            for corner in contour.iter_mut() {
                *corner = cycles.place(*corner);
            }
            if backward {
                contour.reverse();
            }
            rotate_to_least(contour);
        }
        contours[1..].sort_unstable();
        contours
    };
    canonical(false).min(canonical(true))
}

fn face_edges(cycles: &Cycles<'_>, face: FaceId) -> Vec<Edge> {
    let mut edges: Vec<Edge> =
        cycles.face_corners(face).map(|corner| cycles.edge(corner)).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// For each edge of the faces `of`, the number of faces in `users` that have it.
fn count_uses(
    cycles: &Cycles<'_>,
    of: &[FaceId],
    users: impl Iterator<Item = FaceId>,
) -> FxHashMap<Edge, u32> {
    let edges = of.iter().flat_map(|&face| face_edges(cycles, face));
    let mut uses: FxHashMap<Edge, u32> = edges.map(|edge| (edge, 0)).collect();
    for edge in users.flat_map(|face| face_edges(cycles, face)) {
        uses.entry(edge).and_modify(|faces| *faces += 1);
    }
    uses
}

fn is_collinear(cycles: &Cycles<'_>, face: FaceId) -> bool {
    let mut points = cycles.face_corners(face).map(|corner| cycles.position(corner));
    let Some(a) = points.next() else { return false };
    let Some(b) = points.by_ref().find(|b| *b != a) else { return true };
    points.all(|c| collinear(a, b, c))
}
