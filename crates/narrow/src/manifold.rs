//! Contact manifolds: the few points that a solver of rigid bodies needs of two bodies that overlap a little.
//!
//! The normal is that of the [penetration depth](crate::penetration). Candidates are the deepest point and all points in
//! which triangles of both surfaces meet: those outline the patch in contact. The depth of one is how far A reaches down
//! and B reaches up along the normal from there. Of a model given by a formula the candidates are the corners of its face towards the
//! other and those of the other's, and where their edges cross. Of many the deepest is kept, the farthest from it, and the farthest
//! from the line through both on either side, as physics engines do (van den Bergen, *Collision Detection in Interactive 3D Environments*, 2003).

use arrayvec::ArrayVec;
use xcollide_math::vector::{add, cross, dot, length, length_squared, neg, scale, sub};
use xcollide_predicates::Point;

use crate::formula::{any_formula, contact_points};
use crate::rays::{Ray, all_hits};
use crate::{Placed, QueryError, contacts, penetration};

/// The points by which two bodies in contact push each other apart.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Manifold {
    /// The contact normal in the world, of length 1, from B to A.
    pub normal: [f64; 3],
    /// One to four points, the deepest first.
    pub points: Vec<ManifoldPoint>,
    /// The id of the next new point.
    next: u32,
}

/// A point of a [`Manifold`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ManifoldPoint {
    /// In the world, rounded.
    pub point: Point,
    /// How deep the bodies are in each other there, along the normal, rounded; not negative.
    pub depth: f64,
    /// The same number as in the manifold before, if the point stayed about where it was on one of the bodies, or if it is
    /// the only one now and was before: for impulses that are kept from frame to frame.
    pub id: u32,
    /// In the frames of both models.
    local: [Point; 2],
}

/// A point that stays within this part of the extent of the patch on one of the bodies keeps its id.
const STAYS: f64 = 0.1;

/// Points nearer than this part of the smaller body are one, if formulas give them.
const SAME: f64 = 1e-3;

impl Manifold {
    /// The manifold of two placed bodies; `None` if they are apart. `before` is that of the same two some time ago, or
    /// `None`: points that stayed keep their ids.
    ///
    /// Rounded; for overlaps that are small beside the bodies. Takes the time of [`penetration`](crate::penetration) and
    /// [`contacts`](crate::contacts).
    ///
    /// ```
    /// # use xcollide_brep::PolygonMesh;
    /// use xcollide_narrow::{Manifold, Model, Placed, Pose};
    ///
    /// # let (corners, faces) = xcollide_fixtures::cube();
    /// let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
    /// let (above, more) = ([0.25, 0.0, 0.99], [0.26, 0.0, 0.98]);
    /// let [pose, later] = [above, more].map(Pose::from_translation);
    /// let floor = Placed::new(&cube, &Pose::IDENTITY)?;
    /// let first = Manifold::of(Placed::new(&cube, &pose)?, floor, None)?.ok_or("apart")?;
    /// assert_eq!((first.normal, first.points.len()), ([0.0, 0.0, 1.0], 4));
    /// assert!(first.points.iter().all(|point| (point.depth - 0.01).abs() < 1e-12));
    ///
    /// let second = Manifold::of(Placed::new(&cube, &later)?, floor, Some(&first))?.ok_or("apart")?;
    /// let ids = |manifold: &Manifold| {
    ///     let mut ids: Vec<u32> = manifold.points.iter().map(|point| point.id).collect();
    ///     ids.sort_unstable();
    ///     ids
    /// };
    /// assert_eq!(ids(&second), ids(&first));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`penetration`](crate::penetration).
    pub fn of(
        a: Placed<'_>,
        b: Placed<'_>,
        before: Option<&Self>,
    ) -> Result<Option<Self>, QueryError> {
        let Some(deepest) = penetration(a, b)? else { return Ok(None) };
        let (normal, most) = (deepest.direction, deepest.at_most);
        let middle = scale(add(deepest.points[0], deepest.points[1]), 0.5);
        let mut candidates = vec![(middle, most)];
        let mut apart = 0.0;
        if any_formula(a, b) {
            // Round bodies have the same point by different computations.
            let size = |placed: Placed<'_>| length(placed.world_box().size());
            apart = SAME * size(a).min(size(b));
            candidates.extend(contact_points(a, b, normal));
        } else {
            for contact in contacts(a, b)? {
                let corners = contact.overlap.corners();
                candidates.extend(corners.iter().map(|&p| (p, depth_at([a, b], normal, most, p))));
            }
        }
        let chosen = chosen(&candidates, normal, apart);
        let extent = chosen.iter().flat_map(|p| chosen.iter().map(|q| length(sub(p.0, q.0))));
        let patch = STAYS * extent.fold(0.0, f64::max);
        let back = [a, b].map(|placed| placed.pose().inverse());
        let mut known: Vec<ManifoldPoint> =
            before.map_or_else(Vec::new, |before| before.points.to_vec());
        // A single point, as of a ball that rolls, stays the same wherever it is: there is no patch to compare with.
        let near = if chosen.len() == 1 && known.len() == 1 { f64::INFINITY } else { patch };
        let mut next = before.map_or(0, |before| before.next);
        let mut points = Vec::with_capacity(4);
        for (point, depth) in chosen {
            let local = [0, 1].map(|body: usize| back[body].apply(point));
            let id = known_id(&mut known, local, near).unwrap_or_else(|| {
                next = next.wrapping_add(1);
                next.wrapping_sub(1)
            });
            points.push(ManifoldPoint { point, depth, id, local });
        }
        Ok(Some(Self { normal, points, next }))
    }
}

/// How far A reaches against the normal from a point of both surfaces, and B along it; together `most` at most.
fn depth_at(bodies: [Placed<'_>; 2], normal: [f64; 3], most: f64, point: Point) -> f64 {
    let mut hits = Vec::new();
    let mut sum = 0.0;
    for (placed, way) in bodies.into_iter().zip([neg(normal), normal]) {
        let Ok(ray) = Ray::new(point, way).and_then(|ray| ray.up_to(most * (1.0 + 1e-9))) else {
            continue;
        };
        all_hits(placed, &ray, &mut hits);
        sum += hits.last().map_or(0.0, |hit| hit.parameter);
    }
    sum.min(most)
}

/// The deepest candidate, the farthest from it, and the farthest from the line through both on either side, as the normal
/// shows them, each by more than `apart`. Of equal ones the first.
fn chosen(candidates: &[(Point, f64)], normal: [f64; 3], apart: f64) -> ArrayVec<(Point, f64), 4> {
    let mut chosen: ArrayVec<(Point, f64), 4> = ArrayVec::new();
    // Of the corners of a round face rounding does not choose others in each frame.
    let tie = if apart > 0.0 { 1.0 + 1e-6 } else { 1.0 };
    let flat = |v: [f64; 3]| sub(v, scale(normal, dot(v, normal)));
    let add_best = |chosen: &mut ArrayVec<(Point, f64), 4>, rank: &dyn Fn(&Point) -> f64| {
        let mut best: Option<(f64, usize)> = None;
        for (number, (point, _)) in candidates.iter().enumerate() {
            let value = rank(point);
            if value > best.map_or(0.0, |(value, _)| value * tie) {
                best = Some((value, number));
            }
        }
        if let Some((_, number)) = best {
            chosen.push(candidates[number]);
        }
    };
    // Of as deep ones the outermost: the middle of a flat patch would waste a point.
    let deepest = candidates.iter().map(|candidate| candidate.1).fold(0.0, f64::max);
    let center = scale(
        candidates.iter().fold([0.0; 3], |sum, (point, _)| add(sum, *point)),
        1.0 / candidates.len() as f64,
    );
    let is_deep = |point: &Point| {
        candidates.iter().any(|(p, depth)| p == point && *depth >= deepest * (1.0 - 1e-9))
    };
    add_best(&mut chosen, &|p| {
        if is_deep(p) { f64::MIN_POSITIVE + length_squared(flat(sub(*p, center))) } else { 0.0 }
    });
    let Some(&(first, _)) = chosen.first() else { return chosen };
    add_best(&mut chosen, &|p| length_squared(flat(sub(*p, first))) - apart * apart);
    let Some(&(second, _)) = chosen.get(1) else { return chosen };
    let across = cross(normal, sub(second, first));
    let least = (1e-6 * length_squared(across)).max(apart * length(across));
    add_best(&mut chosen, &|p| dot(sub(*p, first), across) - least);
    add_best(&mut chosen, &|p| -dot(sub(*p, first), across) - least);
    chosen
}

/// The id of the point that stayed nearest on one of the bodies, which is taken from the list.
fn known_id(known: &mut Vec<ManifoldPoint>, local: [Point; 2], near: f64) -> Option<u32> {
    let distance = |point: &ManifoldPoint| {
        let [of_a, of_b] = [0, 1].map(|body: usize| length(sub(point.local[body], local[body])));
        of_a.min(of_b)
    };
    let distances = known.iter().map(distance).enumerate();
    let (number, least) = distances.min_by(|one, other| one.1.total_cmp(&other.1))?;
    (least <= near).then(|| known.swap_remove(number).id)
}
