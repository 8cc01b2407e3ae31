//! Orients faces consistently, and closed surfaces outward.
//!
//! Source: Zachmann 1994, 4.2.1, which detects inconsistent neighbours and suggests "some majority
//! decision", used here for open surfaces. A closed surface inside another may be a cavity, whose faces
//! point inward.

use std::cmp::Ordering;

use xcollide_predicates::ray_crossing;

use super::cycles::{Cycles, NONE};
use super::{Change, Defect, RepairReport};
use crate::FaceId;
use crate::projection::{bounds, unit_scale};

/// Which faces to reverse. `mates`: the neighbour of each side.
pub(super) fn orient(cycles: &Cycles<'_>, mates: &[u32], report: &mut RepairReport) -> Vec<bool> {
    let mut turned = vec![false; cycles.mesh.face_count()];
    let surfaces = surfaces(cycles, mates, &mut turned, report);
    let closed: Vec<Closed> = surfaces
        .into_iter()
        .filter(|surface| surface.is_closed && surface.is_orientable)
        .map(|surface| Closed::new(cycles, surface, &turned))
        .collect();
    for closed in turn_outward(cycles, &closed, &turned) {
        for &face in &closed.surface.faces {
            turned[face.index()] ^= true;
        }
    }
    let faces = cycles.faces().filter(|face| turned[face.index()]);
    report.changes.extend(faces.map(|face| Change::FaceTurned { face }));
    turned
}

struct Surface {
    /// In discovery order; the first has the lowest number.
    faces: Vec<FaceId>,
    is_closed: bool,
    is_orientable: bool,
    /// Whether its orientation was consistent before any face was turned.
    was_consistent: bool,
}

/// Finds the surfaces. Marks in `turned` the smallest set of faces to reverse so that each surface is
/// consistent.
fn surfaces(
    cycles: &Cycles<'_>,
    mates: &[u32],
    turned: &mut [bool],
    report: &mut RepairReport,
) -> Vec<Surface> {
    let mut seen = vec![false; cycles.mesh.face_count()];
    let mut surfaces = Vec::new();
    for face in cycles.faces() {
        if std::mem::replace(&mut seen[face.index()], true) {
            continue;
        }
        let mut surface = Surface {
            faces: vec![face],
            is_closed: true,
            is_orientable: true,
            was_consistent: true,
        };
        let mut next = 0;
        while let Some(&face) = surface.faces.get(next) {
            next += 1;
            for side in cycles.face_corners(face) {
                let mate = mates[side as usize];
                if mate == NONE {
                    surface.is_closed = false;
                    continue;
                }
                let neighbour = cycles.face(mate);
                let turn = turned[face.index()] ^ (cycles.ends(side) == cycles.ends(mate));
                if !std::mem::replace(&mut seen[neighbour.index()], true) {
                    turned[neighbour.index()] = turn;
                    surface.faces.push(neighbour);
                } else if turned[neighbour.index()] != turn {
                    surface.is_orientable = false;
                }
            }
        }
        let turns = surface.faces.iter().filter(|face| turned[face.index()]).count();
        surface.was_consistent = turns == 0;
        for &face in &surface.faces {
            if !surface.is_orientable {
                turned[face.index()] = false;
                report_clashes(cycles, mates, face, report);
            } else if 2 * turns > surface.faces.len() {
                turned[face.index()] ^= true;
            }
        }
        surfaces.push(surface);
    }
    surfaces
}

/// Reports the sides of a face that have the same direction as their mates, each pair once.
fn report_clashes(cycles: &Cycles<'_>, mates: &[u32], face: FaceId, report: &mut RepairReport) {
    for side in cycles.face_corners(face) {
        let mate = mates[side as usize];
        if mate != NONE && side < mate && cycles.ends(side) == cycles.ends(mate) {
            let edge = [cycles.vertex(side), cycles.vertex(cycles.next(side))];
            let neighbour = cycles.face(mate);
            report.defects.push(Defect::NotOrientable { face, neighbour, edge });
        }
    }
}

/// A consistently oriented closed surface.
struct Closed {
    surface: Surface,
    min: [f64; 3],
    max: [f64; 3],
    /// The sign of the volume; `Equal` if it does not exceed the rounding errors.
    volume: Ordering,
}

impl Closed {
    fn new(cycles: &Cycles<'_>, surface: Surface, turned: &[bool]) -> Self {
        let corners = surface.faces.iter().flat_map(|&face| cycles.face_corners(face));
        let [min, max] = bounds(corners.map(|corner| cycles.position(corner)));
        let volume = volume_sign(cycles, &surface, turned, [min, max]);
        Self { surface, min, max, volume }
    }

    fn may_contain(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.min[axis] < other.min[axis] && other.max[axis] < self.max[axis])
    }

    fn contains(&self, cycles: &Cycles<'_>, other: &Self, turned: &[bool]) -> bool {
        /// Corners to try, because some may lie on the surface.
        const TRIES: usize = 8;
        let corners = other.surface.faces.iter().flat_map(|&face| cycles.face_corners(face));
        self.may_contain(other)
            && corners
                .take(TRIES)
                .find_map(|corner| self.winding(cycles, cycles.position(corner), turned))
                .is_some_and(|winding| winding != 0)
    }

    /// The exact winding number around a point; `None` on the surface.
    fn winding(&self, cycles: &Cycles<'_>, p: [f64; 3], turned: &[bool]) -> Option<i32> {
        let mut winding = 0;
        for &face in &self.surface.faces {
            for triangle in fans(cycles, face) {
                let crossing = ray_crossing(p, &triangle);
                if crossing.on_surface {
                    return None;
                }
                winding += if turned[face.index()] { -crossing.winding } else { crossing.winding };
            }
        }
        Some(winding)
    }
}

/// The closed surfaces to reverse as a whole; see [`repair`](crate::repair).
fn turn_outward<'a>(cycles: &Cycles<'_>, closed: &'a [Closed], turned: &[bool]) -> Vec<&'a Closed> {
    let around = |inner: &Closed| -> Vec<&'a Closed> {
        closed.iter().filter(|outer| outer.contains(cycles, inner, turned)).collect()
    };
    let mut turn = Vec::new();
    let mut inside_out = Vec::new();
    for part in closed {
        if part.surface.was_consistent {
            if part.volume == Ordering::Less && around(part).is_empty() {
                turn.push(part);
                inside_out.push(part);
            }
        } else if part.volume != Ordering::Equal {
            let is_cavity = around(part).len() % 2 == 1;
            if (part.volume == Ordering::Less) != is_cavity {
                turn.push(part);
            }
        }
    }
    // Consistent surfaces inside a body that is reversed are reversed with it.
    for part in closed.iter().filter(|part| part.surface.was_consistent) {
        if inside_out.iter().any(|outer| outer.may_contain(part)) {
            let around = around(part);
            let outermost = around.iter().find(|a| !around.iter().any(|b| b.may_contain(a)));
            if outermost.is_some_and(|a| inside_out.iter().any(|b| std::ptr::eq(*a, *b))) {
                turn.push(part);
            }
        }
    }
    turn
}

fn volume_sign(
    cycles: &Cycles<'_>,
    surface: &Surface,
    turned: &[bool],
    corners_of_box: [[f64; 3]; 2],
) -> Ordering {
    // Relative to a corner and scaled, against over- and underflow.
    let scale = unit_scale(corners_of_box);
    let origin = cycles
        .face_corners(surface.faces[0])
        .next()
        .map_or([0.0; 3], |corner| cycles.position(corner).map(|x| x * scale));
    let (mut sum, mut sum_of_sizes) = (0.0, 0.0);
    for &face in &surface.faces {
        let sign = if turned[face.index()] { -1.0 } else { 1.0 };
        for triangle in fans(cycles, face) {
            let [a, b, c] = triangle.map(|p| [0, 1, 2].map(|k| p[k] * scale - origin[k]));
            for k in 0..3 {
                let (u, v) = ((k + 1) % 3, (k + 2) % 3);
                let (plus, minus) = (a[k] * b[u] * c[v], a[k] * b[v] * c[u]);
                sum += sign * (plus - minus);
                sum_of_sizes += f64::abs(plus) + f64::abs(minus);
            }
        }
    }
    // If the sum is this small, as for a flat pillow, it consists of rounding errors.
    let size = if f64::abs(sum) <= 1e-12 * sum_of_sizes { 0.0 } else { sum };
    size.partial_cmp(&0.0).unwrap_or(Ordering::Less)
}

/// Triangles with the same boundary as the face: the fans of its contours.
fn fans<'a>(cycles: &'a Cycles<'_>, face: FaceId) -> impl Iterator<Item = [[f64; 3]; 3]> + 'a {
    cycles.contours(face).flat_map(move |contour| {
        let points: Vec<[f64; 3]> = contour.iter().map(|&corner| cycles.position(corner)).collect();
        (2..points.len()).map(move |i| [points[0], points[i - 1], points[i]]).collect::<Vec<_>>()
    })
}
