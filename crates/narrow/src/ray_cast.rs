//! The first face that a ray meets.

use xcollide_brep::FaceId;
use xcollide_bvh::wide::{Traversal, WideTree};
use xcollide_predicates::triangle_pair_overlap;

use crate::hierarchy::rays::triangles_along;
use crate::{Placed, QueryError};

/// Where a ray first meets a placed model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayHit {
    /// The face.
    pub face: FaceId,
    /// The point, in world coordinates, rounded.
    pub point: [f64; 3],
    /// The point is `origin + parameter · direction`, rounded.
    pub parameter: f64,
}

/// The face of a placed model that the ray `origin + s · direction`, 0 ≤ s ≤ `reach`, meets first;
/// `None` if it meets none. `reach` may be infinite. From inside a body the ray meets the surface on its
/// way out.
///
/// Whether a face is met is exact for the closed segment from the origin to the rounded end of the ray. For
/// an infinite reach the end is beyond the model's box, a power of two times the direction away, so it is
/// not rounded if coordinates have few bits. Rounded parameters decide which face is first; if they are
/// equal, the lower face number does.
///
/// Takes some dozen box tests for a million triangles. The first ray of a model builds its hierarchy.
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
    let is_finite = |v: [f64; 3]| v.iter().all(|value| value.is_finite());
    if !is_finite(origin) {
        return Err(QueryError::NoRay { what: "origin", value: origin });
    }
    if !is_finite(direction) || direction == [0.0; 3] {
        return Err(QueryError::NoRay { what: "direction", value: direction });
    }
    if reach.is_nan() || reach < 0.0 {
        return Err(QueryError::NoRay { what: "reach", value: [reach; 3] });
    }
    let placed = a.try_into()?;
    let Some(end) = end_of_ray(placed, origin, direction, reach) else { return Ok(None) };
    let mut candidates = Vec::new();
    let scratch = &mut Traversal::new();
    if !triangles_along::<WideTree>(placed, None, [origin, end], scratch, &mut candidates) {
        // The model is too large for a hierarchy.
        candidates.extend(0..placed.model().triangulation().len() as u32);
    }
    candidates.sort_unstable();
    candidates.dedup();
    let ray = [origin, end, end];
    let hits = candidates.into_iter().filter_map(|triangle| {
        let common = triangle_pair_overlap(&ray, &placed.triangle(triangle as usize))?;
        let at = |point: [f64; 3]| (parameter(origin, direction, point), point);
        let first = common.corners().iter().map(|&point| at(point));
        let (parameter, point) = first.min_by(|p, q| p.0.total_cmp(&q.0))?;
        let face = placed.model().triangulation().face_of(triangle as usize);
        Some(RayHit { face, point, parameter })
    });
    Ok(hits.min_by(|p, q| p.parameter.total_cmp(&q.parameter)))
}

/// The end of the part of the ray that can meet the model; `None` if no part can.
fn end_of_ray(
    placed: Placed<'_>,
    origin: [f64; 3],
    direction: [f64; 3],
    reach: f64,
) -> Option<[f64; 3]> {
    let bounds = placed.world_box();
    // The parameter at which the ray leaves the box.
    let mut leaves = f64::INFINITY;
    for axis in 0..3 {
        let d = direction[axis];
        if d != 0.0 {
            let side = if d > 0.0 { bounds.max[axis] } else { bounds.min[axis] };
            leaves = leaves.min((side - origin[axis]) / d);
        }
    }
    if leaves.is_nan() || leaves < 0.0 {
        return None;
    }
    // Beyond the box by more than the rounding errors.
    let size = (0..3).fold(0.0_f64, |size, k| {
        size.max(origin[k].abs()).max(bounds.min[k].abs()).max(bounds.max[k].abs())
    });
    let fastest = direction.iter().fold(0.0_f64, |fastest, d| fastest.max(d.abs()));
    let beyond = power_of_two_above(leaves + (leaves + size / fastest) * 1e-12);
    let last = reach.min(beyond);
    let end = [0, 1, 2].map(|k| origin[k] + last * direction[k]);
    Some(end.map(|value| value.clamp(-f64::MAX, f64::MAX)))
}

/// The smallest power of two above a number that is not negative: multiplying by it does not round.
fn power_of_two_above(number: f64) -> f64 {
    if !number.is_finite() {
        return f64::MAX;
    }
    let exponent = number.abs().to_bits() >> 52;
    f64::from_bits((exponent + 1) << 52).min(f64::MAX)
}

/// The parameter of a point of the ray, by the axis along which the ray is fastest.
fn parameter(origin: [f64; 3], direction: [f64; 3], point: [f64; 3]) -> f64 {
    let faster = |i: usize, j: usize| if direction[j].abs() > direction[i].abs() { j } else { i };
    let axis = faster(faster(0, 1), 2);
    ((point[axis] - origin[axis]) / direction[axis]).max(0.0)
}
