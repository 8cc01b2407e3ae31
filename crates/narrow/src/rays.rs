//! Ray casting: rays, segments and moving spheres against a placed model, for the first hit, any, or all.
//!
//! Whether a ray meets a triangle, and which of two it meets first, is exact for the ray as it is given
//! ([`xcollide_predicates::ray_triangle`]): no end of it is rounded. The hierarchy shows the triangles along it, with a margin
//! above all rounding.
//!
//! A model given by a formula is hit where the ray enters it and where it leaves it (`formula.rs`): whether and in which order is
//! exact, too, but for rounded polytopes; the parameter is certified.

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_brep::FaceId;
use xcollide_bvh::wide::{Traversal, WideTree, ordered_ray_query, swept_sphere_query};
use xcollide_math::vector::{cross, sub, unit};
use xcollide_predicates::{
    Point, RayContact, ray_order, ray_reaches, ray_triangle, triangles_within,
};

use crate::hierarchy::prepared::prepared;
use crate::parallel_for::answers;
use crate::point_distance::on_surface;
use crate::query_error::check_point;
use crate::{Placed, QueryError};

pub use sphere::{MovingSphere, SphereHit, sphere_cast, sphere_casts};

mod formula;
mod sphere;

/// A part of a ray: the points `origin + s · direction` for 0 ≤ s ≤ reach.
///
/// ```
/// use xcollide_narrow::rays::Ray;
///
/// let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -2.0])?;
/// assert_eq!(ray.up_to(2.0)?.reach(), 2.0);
/// assert_eq!(Ray::segment([0.0; 3], [1.0, 0.0, 0.0])?.reach(), 1.0);
/// assert!(Ray::new([0.0; 3], [0.0; 3]).is_err());
/// # Ok::<(), xcollide_narrow::QueryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ray {
    line: xcollide_predicates::Ray,
    reach: f64,
}

impl Ray {
    /// A ray without end.
    ///
    /// # Errors
    /// A number is not finite, or the direction is zero.
    pub fn new(origin: Point, direction: [f64; 3]) -> Result<Self, QueryError> {
        check_point("origin", origin)?;
        check_point("direction", direction)?;
        if direction == [0.0; 3] {
            return Err(QueryError::NoRay { what: "direction", value: direction });
        }
        Ok(Self { line: xcollide_predicates::Ray::new(origin, direction), reach: f64::INFINITY })
    }

    /// The segment from one point to another, both included: it reaches the second at parameter 1.
    ///
    /// # Errors
    /// A number is not finite, or the points are equal.
    pub fn segment(from: Point, to: Point) -> Result<Self, QueryError> {
        check_point("origin", from)?;
        check_point("end", to)?;
        if from == to {
            return Err(QueryError::NoRay { what: "direction", value: [0.0; 3] });
        }
        Ok(Self { line: xcollide_predicates::Ray::through(from, to), reach: 1.0 })
    }

    /// The same ray up to a parameter, which is included.
    ///
    /// # Errors
    /// The reach is negative or NaN.
    pub fn up_to(self, reach: f64) -> Result<Self, QueryError> {
        if reach.is_nan() || reach < 0.0 {
            return Err(QueryError::NoRay { what: "reach", value: [reach; 3] });
        }
        Ok(Self { reach, ..self })
    }

    /// Where it begins.
    #[must_use]
    pub fn origin(&self) -> Point {
        self.line.origin()
    }

    /// The direction, rounded for a segment.
    #[must_use]
    pub fn direction(&self) -> [f64; 3] {
        self.line.direction()
    }

    /// The last parameter.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The contact with a triangle, if it is within reach. Exact.
    #[inline(always)]
    fn contact(&self, triangle: &[Point; 3]) -> Option<RayContact> {
        let contact = ray_triangle(&self.line, triangle)?;
        ray_reaches(&self.line, triangle, &contact, self.reach).then_some(contact)
    }

    /// A range of parameters that contains all at which the ray is in a box; `None` only if there are none.
    #[must_use]
    pub fn range_in(&self, bounds: &Aabb) -> Option<[f64; 2]> {
        /// More than the rounding of the bounds, the quotients and, for a segment, the direction.
        const SLACK: f64 = 1e-12;
        let (origin, direction) = (self.origin(), self.direction());
        let [mut from, mut to] = [0.0_f64, self.reach];
        for axis in 0..3 {
            let (start, d) = (origin[axis], direction[axis]);
            let [low, high] = [bounds.min[axis], bounds.max[axis]];
            if d == 0.0 {
                if !(low..=high).contains(&start) {
                    return None;
                }
                continue;
            }
            let [near, far] = if d > 0.0 { [low, high] } else { [high, low] };
            // Nothing is rounded on the way to an infinite side.
            let size = |side: f64| if side.is_finite() { side.abs() } else { 0.0 };
            let slack = SLACK * (start.abs() + size(low).max(size(high))) / d.abs();
            from = from.max((near - start) / d - slack);
            to = to.min((far - start) / d + slack);
        }
        (from <= to).then_some([from, to])
    }
}

/// Where a ray meets a triangle of a placed model, or the surface of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RayHit {
    /// The face; `None` on a [formula](crate::Formula).
    pub face: Option<FaceId>,
    /// The triangle of the model's [triangulation](crate::Model::triangulation); `None` on a formula.
    pub triangle: Option<u32>,
    /// The point, in world coordinates, rounded.
    pub point: [f64; 3],
    /// The point is `origin + parameter · direction`, rounded.
    pub parameter: f64,
    /// A bound on the error of the parameter, proved.
    pub error: f64,
    /// The barycentric coordinates of the point in the triangle, rounded; zeros on a formula.
    pub barycentric: [f64; 3],
}

impl RayHit {
    fn new(placed: Placed<'_>, ray: &Ray, triangle: u32, contact: &RayContact) -> Self {
        Self {
            face: Some(placed.model().triangulation().face_of(triangle as usize)),
            triangle: Some(triangle),
            point: ray.line.at(contact.parameter),
            parameter: contact.parameter,
            error: contact.error,
            barycentric: contact.barycentric,
        }
    }

    /// The normal of the surface there, of length 1, rounded: of a formula outward, of a mesh that of the triangle, to the side
    /// from which its corners run counter-clockwise. Zero for a triangle without area. `placed` is what was hit.
    ///
    /// ```
    /// use xcollide_convex::shape::Ball;
    /// use xcollide_narrow::rays::{Ray, first_hit};
    /// use xcollide_narrow::{Formula, Model, Placed, Pose};
    ///
    /// let ball = Model::from_formula(Formula::Ball(Ball::new(2.0)?));
    /// let placed = Placed::new(&ball, &Pose::IDENTITY)?;
    /// let hit = first_hit(placed, &Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0])?).ok_or("missed")?;
    /// assert_eq!((hit.parameter, hit.normal(placed)), (3.0, [0.0, 0.0, 1.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn normal(&self, placed: Placed<'_>) -> [f64; 3] {
        let Some(triangle) = self.triangle else {
            return on_surface(placed, self.point).map_or([0.0; 3], |found| found.normal);
        };
        let [p, q, r] = placed.triangle(triangle as usize);
        unit(cross(sub(q, p), sub(r, p))).unwrap_or([0.0; 3])
    }
}

/// Shows `visit` the triangles that a ray meets, roughly in the order in which it does. `visit` breaks, or tells up to which
/// parameter others matter; those that are met up to there are shown.
fn each_contact(
    placed: Placed<'_>,
    ray: &Ray,
    scratch: &mut Traversal,
    mut visit: impl FnMut(u32, &[Point; 3], RayContact) -> ControlFlow<(), f64>,
) {
    let count = placed.model().triangulation().len() as u32;
    let mut reach = f64::INFINITY;
    let test = |number: u32| {
        // Not by a call: the coordinates stay in registers.
        let corners = placed.model().triangulation().triangles()[number as usize];
        let triangle = corners.map(|corner| placed.position(corner));
        if let Some(contact) = ray.contact(&triangle) {
            reach = visit(number, &triangle, contact)?;
        }
        ControlFlow::Continue(reach)
    };
    let tree = if count > FEW { prepared::<WideTree>(placed.model()) } else { None };
    let _ = match tree {
        Some(tree) => {
            let line = [ray.origin(), ray.direction()];
            ordered_ray_query((tree, placed.pose()), line, ray.reach, scratch, test)
        }
        None => (0..count).map(test).try_for_each(|told| told.map_continue(|_| ())),
    };
}

/// So few triangles are tested one by one.
const FEW: u32 = 8;

/// The answers for some items, in their order, on the threads of rayon's current pool.
fn each<I: Sync, T: Send>(
    placed: Placed<'_>,
    items: &[I],
    answer: impl Fn(&mut Traversal, &I) -> T + Sync,
) -> Vec<T> {
    // Built once, not by each thread.
    if !items.is_empty() && placed.model().triangulation().len() as u32 > FEW {
        let _ = prepared::<WideTree>(placed.model());
    }
    answers(items, Traversal::new, answer)
}

/// Shows `visit` all triangles that are at most `radius` from a segment, and others.
fn each_near(
    placed: Placed<'_>,
    segment: [Point; 2],
    radius: f64,
    scratch: &mut Traversal,
    mut visit: impl FnMut(u32, &[Point; 3]) -> ControlFlow<()>,
) {
    let count = placed.model().triangulation().len() as u32;
    let mut visit = |number: u32| visit(number, &placed.triangle(number as usize));
    let is_useful = count > FEW && radius.is_finite();
    let tree = if is_useful { prepared::<WideTree>(placed.model()) } else { None };
    let _ = match tree {
        Some(tree) => swept_sphere_query((tree, placed.pose()), segment, radius, scratch, visit),
        None => (0..count).try_for_each(&mut visit),
    };
}

/// The triangle that a ray meets first; the one with the lowest number if there are several. Exact: `None` if and only if the
/// ray meets no triangle within its reach, and no other triangle is met earlier. From inside a body it meets the
/// surface on its way out.
///
/// So it is for a formula; see `docs/semantics.md`. Of a rounded polytope that the ray passes so closely that rounding hides
/// whether it touches, it counts as touched.
///
/// Takes about a microsecond for a hundred thousand triangles. The first ray of a model builds its hierarchy.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::rays::{Ray, first_hit};
/// use xcollide_narrow::{Model, Placed, Pose};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// let model = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let placed = Placed::new(&model, &Pose::IDENTITY)?;
/// let hit = first_hit(placed, &Ray::segment([0.25, 0.25, 2.5], [0.25, 0.25, 0.5])?);
/// let hit = hit.ok_or("touching is hitting")?;
/// assert_eq!((hit.point, hit.parameter), ([0.25, 0.25, 0.5], 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn first_hit(placed: Placed<'_>, ray: &Ray) -> Option<RayHit> {
    first_hit_with(placed, ray, &mut Traversal::new())
}

fn first_hit_with(placed: Placed<'_>, ray: &Ray, scratch: &mut Traversal) -> Option<RayHit> {
    if let Some(formula) = placed.model().formula() {
        return formula::hits(placed, formula, ray).first().copied();
    }
    let mut first: Option<(u32, RayContact)> = None;
    let mut reach = f64::INFINITY;
    each_contact(placed, ray, scratch, |number, triangle, contact| {
        let is_earlier = first.as_ref().is_none_or(|(least, known)| {
            let other = placed.triangle(*least as usize);
            let order = ray_order(&ray.line, (triangle, &contact), (&other, known));
            order.then(number.cmp(least)).is_lt()
        });
        if is_earlier {
            reach = contact.parameter + contact.error;
            first = Some((number, contact));
        }
        ControlFlow::Continue(reach)
    });
    first.map(|(number, contact)| RayHit::new(placed, ray, number, &contact))
}

/// [`first_hit`] of each of some rays, in their order: with the feature `parallel` on the threads of rayon's current pool. The same
/// at any number of threads.
#[must_use]
pub fn first_hits(placed: Placed<'_>, rays: &[Ray]) -> Vec<Option<RayHit>> {
    each(placed, rays, |scratch, ray| first_hit_with(placed, ray, scratch))
}

/// Some triangle that a ray meets, not the first one; `None` exactly if there is none.
#[must_use]
pub fn any_hit(placed: Placed<'_>, ray: &Ray) -> Option<RayHit> {
    any_hit_with(placed, ray, &mut Traversal::new())
}

fn any_hit_with(placed: Placed<'_>, ray: &Ray, scratch: &mut Traversal) -> Option<RayHit> {
    if placed.model().formula().is_some() {
        return first_hit_with(placed, ray, scratch);
    }
    let mut found = None;
    each_contact(placed, ray, scratch, |number, _, contact| {
        found = Some(RayHit::new(placed, ray, number, &contact));
        ControlFlow::Break(())
    });
    found
}

/// [`any_hit`] of each of some rays; like [`first_hits`] on several threads.
#[must_use]
pub fn any_hits(placed: Placed<'_>, rays: &[Ray]) -> Vec<Option<RayHit>> {
    each(placed, rays, |scratch, ray| any_hit_with(placed, ray, scratch))
}

/// Writes all triangles that a ray meets to `hits`, which is cleared first: exactly those, in the exact order in which the ray
/// meets them, then of their numbers. Where the ray passes an edge, both triangles at it are met; where it runs within
/// a triangle, the point is the first one. A formula is met where the ray enters it and where it leaves it; once, if rounding does
/// not tell the two apart, as where it only touches.
pub fn all_hits(placed: Placed<'_>, ray: &Ray, hits: &mut Vec<RayHit>) {
    all_hits_with(placed, ray, &mut Traversal::new(), hits);
}

/// [`all_hits`] of each of some rays; like [`first_hits`] on several threads.
#[must_use]
pub fn all_hits_of_each(placed: Placed<'_>, rays: &[Ray]) -> Vec<Vec<RayHit>> {
    each(placed, rays, |scratch, ray| {
        let mut hits = Vec::new();
        all_hits_with(placed, ray, scratch, &mut hits);
        hits
    })
}

fn all_hits_with(placed: Placed<'_>, ray: &Ray, scratch: &mut Traversal, hits: &mut Vec<RayHit>) {
    if let Some(formula) = placed.model().formula() {
        hits.clear();
        hits.extend(formula::hits(placed, formula, ray));
        return;
    }
    let mut found = Vec::new();
    each_contact(placed, ray, scratch, |number, triangle, contact| {
        found.push((number, *triangle, contact));
        ControlFlow::Continue(f64::INFINITY)
    });
    found.sort_by(|(i, s, at_s), (j, t, at_t)| {
        ray_order(&ray.line, (s, at_s), (t, at_t)).then(i.cmp(j))
    });
    found.dedup_by_key(|(number, ..)| *number);
    hits.clear();
    hits.extend(found.iter().map(|(i, _, contact)| RayHit::new(placed, ray, *i, contact)));
}

/// The face of a placed model that the ray `origin + s · direction`, 0 ≤ s ≤ `reach`, meets first;
/// `None` if it meets none. `reach` may be infinite. Exact; see [`first_hit`].
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Pose, ray_cast};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// let model = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let down = [0.0, 0.0, -2.0];
/// let hit = ray_cast((&model, &Pose::IDENTITY), [0.25, 0.25, 5.0], down, f64::INFINITY)?;
/// let hit = hit.ok_or("missed")?;
/// assert_eq!((hit.point, hit.parameter), ([0.25, 0.25, 0.5], 2.25));
/// assert!(ray_cast((&model, &Pose::IDENTITY), [0.25, 0.25, 5.0], down, 2.0)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The pose cannot place the model; a number is not finite; the direction is zero; the reach is
/// negative or NaN.
pub fn ray_cast<'a, A>(
    a: A,
    origin: [f64; 3],
    direction: [f64; 3],
    reach: f64,
) -> Result<Option<RayHit>, QueryError>
where
    A: TryInto<Placed<'a>>,
    QueryError: From<A::Error>,
{
    let ray = Ray::new(origin, direction)?.up_to(reach)?;
    Ok(first_hit(a.try_into()?, &ray))
}

/// Whether some triangle is at most `radius` from a segment, exactly.
fn is_within(segment: [Point; 2], radius: f64, triangle: &[Point; 3]) -> bool {
    let [from, to] = segment;
    triangles_within(&[from, to, to], triangle, radius)
}
