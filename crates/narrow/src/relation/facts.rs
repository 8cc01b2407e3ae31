//! What two models have to do with each other, collected until it shows the kind.

use std::ops::ControlFlow;

use xcollide_brep::Interior;
use xcollide_bvh::wide::{Traversal, WideTree, candidates};
use xcollide_predicates::{
    ExactPoint, Point, Sign, TrianglePlane, ray_axis, segment_cells, triangle_pair_overlap,
    triangles_intersect,
};

use super::Kind;
use super::crossing::cross_each_other;
use super::operand::{Operand, Sides};
use crate::hierarchy::prepared::prepared;
use crate::point_in_polyhedron::{Location, locate};
use crate::{Placed, Semantics};

/// The triangles that meet, by their numbers.
pub(super) struct Contacts {
    /// Ordered by the numbers in the first model.
    of_first: Vec<[u32; 2]>,
    /// Swapped, ordered by the numbers in the second.
    of_second: Vec<[u32; 2]>,
}

impl Contacts {
    fn new(mut pairs: Vec<[u32; 2]>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut of_second: Vec<[u32; 2]> = pairs.iter().map(|&[s, t]| [t, s]).collect();
        of_second.sort_unstable();
        Self { of_first: pairs, of_second }
    }

    pub(super) fn pairs(&self) -> &[[u32; 2]] {
        &self.of_first
    }

    /// The triangles of the other model that meet triangle `number` of model `which`.
    pub(super) fn partners(&self, which: usize, number: u32) -> impl Iterator<Item = u32> + Clone {
        let list = if which == 0 { &self.of_first } else { &self.of_second };
        let start = list.partition_point(|pair| pair[0] < number);
        list[start..].iter().take_while(move |pair| pair[0] == number).map(|pair| pair[1])
    }
}

/// What was seen. Everything but `meet` is about one of the models, the first or the second.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// They have a point in common.
    pub(super) meet: bool,
    /// Their interiors do.
    pub(super) interiors_meet: bool,
    /// It has a point that is not in the other.
    pub(super) sticks_out: [bool; 2],
    /// It has a point in the interior of the other.
    pub(super) reaches_in: [bool; 2],
    /// It has an interior. Not looked at where other facts settle the kind.
    pub(super) has_interior: [bool; 2],
    /// Their surfaces have an area in common.
    pub(super) share_area: bool,
    /// They are surfaces, one of which continues on both sides of the other.
    pub(super) cross: bool,
}

impl Facts {
    /// The facts about two models; `None` if they consist of the same triangles.
    pub(super) fn of(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Self> {
        let mut facts = Self::default();
        if !a.world_box().overlaps(&b.world_box()) {
            return Some(facts);
        }
        let mut operands = [a, b].map(|placed| Operand::new(placed, semantics));
        if operands[0].interior == operands[1].interior && are_same(a, b) {
            return if a.model().triangulation().is_empty() { Some(facts) } else { None };
        }
        // Crossings near each other show the same.
        let first = contacts(&operands, ENOUGH_TO_TRY);
        facts.meet = !first.is_empty();
        if facts.try_crossings(&mut operands, &first) {
            return Some(facts);
        }
        let is_all = first.len() < ENOUGH_TO_TRY;
        if parted_by_plane(&operands, &first) {
            facts.sticks_out = [true; 2];
            return Some(facts);
        }
        let pairs = if is_all { first } else { contacts(&operands, usize::MAX) };
        let contacts = Contacts::new(pairs);
        let _ = facts.collect(&mut operands, &contacts);
        Some(facts)
    }

    /// The kind, if all facts are known.
    pub(super) fn kind(&self) -> Kind {
        let is_part = |which: usize| !self.sticks_out[which];
        if !self.meet && self.reaches_in == [false; 2] {
            return Kind::Apart;
        }
        if is_part(0) && is_part(1) {
            return Kind::Equal;
        }
        for (which, kind) in [(0, Kind::Enclosed), (1, Kind::Enclosing)] {
            if is_part(which) {
                let reaches_in = self.interiors_meet || self.reaches_in[which];
                let is_boundary = self.has_interior[1 - which] && !reaches_in;
                return if is_boundary { Kind::Touching } else { kind };
            }
        }
        if self.interiors_meet {
            Kind::Overlapping
        } else if self.cross || self.reaches_in.contains(&true) {
            Kind::Piercing
        } else if self.share_area && self.has_interior == [false; 2] {
            Kind::Overlapping
        } else {
            Kind::Touching
        }
    }

    /// Whether nothing that is left to see could change the kind.
    fn is_settled(&self) -> ControlFlow<()> {
        if self.interiors_meet && self.sticks_out == [true; 2] {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Adds what a point on a triangle of model `which` shows, and both its sides.
    pub(super) fn add(&mut self, which: usize, own: Sides, other: Sides) {
        for (mine, others) in own.inside.into_iter().zip(other.inside) {
            self.interiors_meet |= mine && others;
            self.sticks_out[which] |= mine && !others;
            self.sticks_out[1 - which] |= others && !mine;
        }
        self.sticks_out[which] |= !other.contain();
        self.reaches_in[which] |= other.are_inside();
        self.reaches_in[1 - which] |= other.on && own.are_inside();
        self.share_area |= other.on;
    }

    /// Looks at points next to triangles that cross each other. Whether that settles the kind.
    fn try_crossings(&mut self, operands: &mut [Operand<'_>; 2], pairs: &[[u32; 2]]) -> bool {
        /// More do not help where these do not.
        const TRIES: usize = 6;
        if operands.iter().any(|operand| operand.interior == Interior::None) {
            return false;
        }
        let mut tries = 0;
        for &[s, t] in pairs {
            let (here, there) = (operands[0].triangle(s), operands[1].triangle(t));
            let Some(points) = points_beside_crossing(&here, &there) else { continue };
            let Some(axis) = ray_axis(&here) else { continue };
            for point in points.into_iter().flatten() {
                let [a, b] = &mut *operands;
                if !a.is_on_another(&point, Some(s)) && !b.is_on_another(&point, None) {
                    let (own, other) = (a.sides(&point, axis), b.sides(&point, axis));
                    self.add(0, own, other);
                }
            }
            tries += 1;
            if self.is_settled().is_break() {
                return true;
            }
            if tries == TRIES {
                break;
            }
        }
        false
    }

    /// Looks at all parts of both surfaces.
    fn collect(&mut self, operands: &mut [Operand<'_>; 2], contacts: &Contacts) -> ControlFlow<()> {
        for which in [0, 1] {
            self.collect_in_contact(which, operands, contacts)?;
        }
        for which in [0, 1] {
            self.collect_without_contact(which, operands, contacts)?;
        }
        if operands.iter().all(|operand| operand.interior == Interior::None) {
            self.cross = cross_each_other(operands, contacts);
        }
        let [first, second] = operands;
        self.has_interior = [has_interior(first), has_interior(second)];
        ControlFlow::Continue(())
    }

    /// The triangles that touch the other model: every part of them.
    fn collect_in_contact(
        &mut self,
        which: usize,
        operands: &mut [Operand<'_>; 2],
        contacts: &Contacts,
    ) -> ControlFlow<()> {
        for number in 0..operands[which].len() {
            if contacts.partners(which, number).next().is_none() {
                continue;
            }
            let triangle = operands[which].triangle(number);
            let [first, second] = operands;
            let (own, other) = if which == 0 { (first, second) } else { (second, first) };
            let partners: Vec<[Point; 3]> =
                contacts.partners(which, number).map(|t| other.triangle(t)).collect();
            match ray_axis(&triangle) {
                Some(axis) => own.cells(number, partners, &mut |own, point| {
                    self.add(which, own.sides(point, axis), other.sides(point, axis));
                    self.is_settled()
                })?,
                None => self.add_line(which, &triangle, &partners, other),
            }
        }
        ControlFlow::Continue(())
    }

    /// A triangle without area, a segment or a point, that meets some triangles.
    fn add_line(
        &mut self,
        which: usize,
        triangle: &[Point; 3],
        partners: &[[Point; 3]],
        other: &mut Operand<'_>,
    ) {
        let least = |p: Point, q: Point| if q < p { q } else { p };
        let most = |p: Point, q: Point| if q > p { q } else { p };
        let [a, b, c] = *triangle;
        let ends = [least(least(a, b), c), most(most(a, b), c)];
        let mut points = segment_cells(&ends, partners);
        if points.is_empty() {
            points.push(ExactPoint::from(a));
        }
        self.add_points(which, &points, partners, other);
    }

    /// Points of a model that has no inside there, one in each part into which triangles of the other one cut it.
    pub(super) fn add_points(
        &mut self,
        which: usize,
        points: &[ExactPoint],
        partners: &[[Point; 3]],
        other: &mut Operand<'_>,
    ) {
        for point in points {
            if !partners.iter().any(|partner| point.is_on_triangle(partner)) {
                let is_inside = other.sides(point, 0).inside[0];
                self.reaches_in[which] |= is_inside;
                self.sticks_out[which] |= !is_inside;
            }
        }
    }

    /// The triangles that do not touch the other model, by connected pieces: each is inside or outside.
    fn collect_without_contact(
        &mut self,
        which: usize,
        operands: &mut [Operand<'_>; 2],
        contacts: &Contacts,
    ) -> ControlFlow<()> {
        let free: Vec<u32> = (0..operands[which].len())
            .filter(|&number| contacts.partners(which, number).next().is_none())
            .collect();
        let model = operands[which].placed.model();
        let corners = |number: u32| model.triangulation().triangles()[number as usize];
        let mut parent: Vec<u32> = (0..model.mesh().positions().len() as u32).collect();
        for &number in &free {
            let [a, b, c] = corners(number).map(|vertex| vertex.0);
            for other in [b, c] {
                let (one, other) = (root(&mut parent, a), root(&mut parent, other));
                parent[one.max(other) as usize] = one.min(other);
            }
        }
        let mut by_piece: Vec<(u32, u32)> =
            free.iter().map(|&number| (root(&mut parent, corners(number)[0].0), number)).collect();
        by_piece.sort_unstable();
        for piece in by_piece.chunk_by(|p, q| p.0 == q.0) {
            let [first, second] = &mut *operands;
            let (own, other) = if which == 0 { (first, second) } else { (second, first) };
            let is_inside = other.interior != Interior::None && {
                let point = own.triangle(piece[0].1)[0];
                locate(other.placed, point) == Location::Inside
            };
            if !is_inside {
                self.sticks_out[which] = true;
                self.is_settled()?;
                continue;
            }
            self.reaches_in[which] = true;
            if own.interior == Interior::None {
                self.sticks_out[1 - which] = true;
                continue;
            }
            let is_known = |facts: &Self| facts.interiors_meet && facts.sticks_out[1 - which];
            for &(_, number) in piece {
                let Some(axis) = ray_axis(&own.triangle(number)) else { continue };
                let inside = Sides { on: false, inside: [true; 2] };
                let flow = own.cells(number, [], &mut |own, point| {
                    self.add(which, own.sides(point, axis), inside);
                    if is_known(self) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                self.is_settled()?;
                if flow.is_break() {
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
    while parent[vertex as usize] != vertex {
        let above = parent[parent[vertex as usize] as usize];
        parent[vertex as usize] = above;
        vertex = above;
    }
    vertex
}

/// Contacts among which some mostly show the kind.
const ENOUGH_TO_TRY: usize = 64;

/// Pairs of triangles that meet, at most `limit`.
fn contacts([a, b]: &[Operand<'_>; 2], limit: usize) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    let mut visit = |s: u32, t: u32| {
        if triangles_intersect(&a.triangle(s), &b.triangle(t)) {
            pairs.push([s, t]);
        }
        if pairs.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    if a.tree().is_some() || b.tree().is_some() {
        let [of_a, of_b] = [a, b].map(|operand| prepared::<WideTree>(operand.placed.model()));
        if let (Some(tree_a), Some(tree_b)) = (of_a, of_b) {
            let (at_a, at_b) = ((tree_a, a.placed.pose()), (tree_b, b.placed.pose()));
            // The kernels that serve any visitor.
            let visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()> = &mut visit;
            let _ = candidates(at_a, at_b, &mut Traversal::new(), &mut (), visit);
            return pairs;
        }
    }
    let bounds = b.placed.world_box();
    'all: for s in 0..a.len() {
        let here = boxes(&a.triangle(s));
        if !here.overlaps(&bounds) {
            continue;
        }
        for t in 0..b.len() {
            if here.overlaps(&boxes(&b.triangle(t))) && visit(s, t).is_break() {
                break 'all;
            }
        }
    }
    pairs
}

fn boxes(triangle: &[Point; 3]) -> xcollide_bounds::Aabb {
    xcollide_bounds::Aabb::from_points(*triangle)
}

/// Whether the models have the same triangles, in the same order and bit for bit.
fn are_same(a: Placed<'_>, b: Placed<'_>) -> bool {
    let [of_a, of_b] = [a, b].map(|placed| placed.model().triangulation().triangles());
    if a.model().is_same(b.model()) && a.pose() == b.pose() {
        return true;
    }
    of_a.len() == of_b.len() && (0..of_a.len()).all(|t| a.triangle(t) == b.triangle(t))
}

/// Points of a triangle on both sides of another one that crosses it, close to where they cross; `None` if they do not
/// cross each other's planes in a segment.
fn points_beside_crossing(
    here: &[Point; 3],
    there: &[Point; 3],
) -> Option<[Option<ExactPoint>; 2]> {
    /// How far from the crossing, relative to the triangle.
    const STEP: f64 = 1.0 / 256.0;
    let sides = |plane: &[Point; 3], corners: &[Point; 3]| {
        let plane = TrianglePlane::new(plane);
        corners.map(|corner| plane.side(corner))
    };
    let is_across =
        |sides: [Sign; 3]| sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative);
    let of_here = sides(there, here);
    if !is_across(of_here) || !is_across(sides(here, there)) {
        return None;
    }
    let overlap = triangle_pair_overlap(here, there)?;
    let &[start, end] = overlap.corners() else { return None };
    let middle = [0, 1, 2].map(|k| 0.5 * start[k] + 0.5 * end[k]);
    // Rounded barycentric coordinates of it; the exact location of what comes out is found afterwards.
    let weights = barycentric(here, middle);
    Some([Sign::Positive, Sign::Negative].map(|side| {
        let corner = of_here.iter().position(|&sign| sign == side)?;
        let mut moved = weights.map(|weight| weight.max(STEP * STEP) * (1.0 - STEP));
        moved[corner] += STEP;
        ExactPoint::in_triangle(here, moved)
    }))
}

/// Barycentric coordinates, rounded; of a point that is close to the plane of a triangle with area.
fn barycentric([a, b, c]: &[Point; 3], p: Point) -> [f64; 3] {
    use xcollide_math::vector::{cross, dot, sub};
    let (u, v, w) = (sub(*b, *a), sub(*c, *a), sub(p, *a));
    let normal = cross(u, v);
    let square = dot(normal, normal);
    let beta = dot(cross(w, v), normal) / square;
    let gamma = dot(cross(u, w), normal) / square;
    [1.0 - beta - gamma, beta, gamma]
}

/// Whether the plane of some triangle in contact has the first model on its one side, the second on its other, and a
/// vertex of each strictly: then no point of either is in the interior of the other. One of them at least has an interior.
fn parted_by_plane(operands: &[Operand<'_>; 2], pairs: &[[u32; 2]]) -> bool {
    /// The most planes that are tried.
    const PLANES: usize = 8;
    if pairs.is_empty() || operands.iter().all(|operand| operand.interior == Interior::None) {
        return false;
    }
    let mut planes: Vec<[Point; 3]> = Vec::new();
    for &[s, t] in pairs {
        for triangle in [operands[0].triangle(s), operands[1].triangle(t)] {
            let plane = TrianglePlane::new(&triangle);
            let is_new = planes
                .iter()
                .all(|known| known.iter().any(|&corner| !plane.side(corner).is_zero()));
            if is_new && ray_axis(&triangle).is_some() {
                planes.push(triangle);
            }
        }
        if planes.len() >= PLANES {
            break;
        }
    }
    planes.iter().any(|triangle| {
        let plane = TrianglePlane::new(triangle);
        let [first, second] = operands.each_ref().map(|operand| side_of_all(operand, &plane));
        matches!((first, second), (Some(first), Some(second)) if first == -second)
    })
}

/// The side of a plane on which all vertices are that are not on it, if there are some and all are on one side.
fn side_of_all(operand: &Operand<'_>, plane: &TrianglePlane<'_>) -> Option<Sign> {
    let mut all = Sign::Zero;
    for &vertex in operand.placed.model().used_vertices() {
        let side = plane.side(operand.placed.position(vertex));
        if side.is_zero() {
            continue;
        }
        if all == -side {
            return None;
        }
        all = side;
    }
    (!all.is_zero()).then_some(all)
}

/// Whether a model has an interior: some point next to its surface is inside.
pub(super) fn has_interior(operand: &mut Operand<'_>) -> bool {
    operand.interior != Interior::None
        && (0..operand.len()).any(|number| {
            let Some(axis) = ray_axis(&operand.triangle(number)) else { return false };
            let mut is_found = |own: &mut Operand<'_>, point: &ExactPoint| {
                if own.sides(point, axis).inside.contains(&true) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            operand.cells(number, [], &mut is_found).is_break()
        })
}
