//! Proofs of separation.

use xcollide_bounds::Aabb;
use xcollide_brep::VertexId;
use xcollide_convex::Plane;
use xcollide_math::vector::{dot, neg};
use xcollide_predicates::{Sign, plane_side};

use crate::proof::front::{self, Front};
use crate::proof::nested::nested;
use crate::query::{Deadline, OutOfTime};
use crate::{Certificate, Feature, Placed, ProofError, Query, Semantics};

/// Proof that two placed models have no point in common.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Separation {
    /// A plane between the two.
    Plane(Plane),
    /// A partition of all pairs of triangles into disjoint groups, for models whose convex hulls overlap.
    Front(Box<Front>),
    /// No proof was kept: no pair of faces meets. [`verify`](Separation::verify) repeats the search. Set
    /// [`Query::certificate`] to get a plane or a [`Front`], or call [`Separation::find_plane`].
    Pairwise,
}

impl Separation {
    /// [`verify`](Self::verify) of two meshes.
    pub(crate) fn verify_of_meshes(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        match self {
            Self::Plane(plane) => return verify_plane(plane, a, b),
            Self::Front(front) => front.verify(a, b)?,
            Self::Pairwise => {
                let built = front::build(a, b, &mut Deadline::never());
                if let Ok(Err((s, t))) = built {
                    return Err(front::faces_meet(a, s, b, t));
                }
            }
        }
        if semantics == Semantics::Solid
            && let Some(witness) = nested(a, b)
        {
            let (side, feature) = match witness.a {
                Feature::Vertex(_) => ("first", witness.a),
                _ => ("second", witness.b),
            };
            if let Feature::Vertex(vertex) = feature {
                return Err(ProofError::Nested { side, vertex });
            }
        }
        Ok(())
    }

    /// The proof that [`Query::certificate`] requests for two models that an exact algorithm found apart;
    /// [`Pairwise`](Self::Pairwise) if the time does not suffice.
    pub(crate) fn found(a: Placed<'_>, b: Placed<'_>, query: &Query, time: &mut Deadline) -> Self {
        let plane = match query.certificate {
            Certificate::Free => Ok(between_boxes(&a.world_box(), &b.world_box())),
            Certificate::Plane | Certificate::Full => find_plane(a, b, time),
        };
        match plane {
            Ok(Some(plane)) => Self::Plane(plane),
            Ok(None) if query.certificate == Certificate::Full => match front::build(a, b, time) {
                Ok(Ok(front)) => Self::Front(Box::new(front)),
                // Out of time, or the algorithm was wrong, which verification will detect.
                _ => Self::Pairwise,
            },
            _ => Self::Pairwise,
        }
    }
}

/// Verifies that a plane separates the two models. Exact, linear in the vertices.
///
/// # Errors
/// The first vertex that is on the wrong side, or two that both touch the plane.
pub(crate) fn verify_plane(plane: &Plane, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
    let mut touching = [None; 2];
    for (i, (placed, side, wrong)) in
        [(a, "first", Sign::Positive), (b, "second", Sign::Negative)].into_iter().enumerate()
    {
        touching[i] = verify_side(plane, placed, side, wrong)?;
    }
    match touching {
        [Some(a), Some(b)] => Err(ProofError::BothTouch { a, b }),
        _ => Ok(()),
    }
}

/// Verifies that no vertex of a model is on the wrong side of a plane. Returns one on the plane, if there is one.
pub(crate) fn verify_side(
    plane: &Plane,
    placed: Placed<'_>,
    side: &'static str,
    wrong: Sign,
) -> Result<Option<VertexId>, ProofError> {
    let mut touching = None;
    for &vertex in placed.model().used_vertices() {
        let sign = plane_side(plane.normal, plane.offset, placed.position(vertex));
        if sign == wrong {
            return Err(ProofError::WrongSide { side, vertex });
        }
        if sign == Sign::Zero {
            touching = Some(vertex);
        }
    }
    Ok(touching)
}

/// [`Separation::find_plane`] of two meshes, checking the time for every pass over the vertices.
pub(crate) fn find_plane(
    a: Placed<'_>,
    b: Placed<'_>,
    time: &mut Deadline,
) -> Result<Option<Plane>, OutOfTime> {
    // The world boxes take no time, and decide if the models are far apart.
    if let Some(plane) = between_boxes(&a.world_box(), &b.world_box()) {
        return Ok(Some(plane));
    }
    let vertices = |placed: Placed<'_>| placed.model().used_vertices().len();
    let pass = vertices(a) + vertices(b);
    time.check_for(pass)?;
    let points = |placed: Placed<'_>| -> Vec<[f64; 3]> {
        placed.model().used_vertices().iter().map(|&v| placed.position(v)).collect()
    };
    let (points_a, points_b) = (points(a), points(b));
    let box_a = Aabb::from_points(points_a.iter().copied());
    let box_b = Aabb::from_points(points_b.iter().copied());
    if let Some(plane) = between_boxes(&box_a, &box_b) {
        return Ok(Some(plane));
    }
    // Scaled to about 1, so that products neither overflow nor underflow.
    let whole = box_a.merged(&box_b);
    let scale = whole.size().into_iter().fold(0.0, f64::max);
    if !(scale > 0.0 && scale.is_finite()) {
        return Ok(None);
    }
    let (from, to) = (box_a.center(), box_b.center());
    let mut next = unit([0, 1, 2].map(|k| (to[k] - from[k]) / scale));
    for _ in 0..MOST_DIRECTIONS {
        time.check_for(pass)?;
        let Some(direction) = next else { return Ok(None) };
        let (top, bottom) = (support(&points_a, direction), support(&points_b, neg(direction)));
        if dot(direction, top) < dot(direction, bottom) {
            let offset = 0.5 * dot(direction, top) + 0.5 * dot(direction, bottom);
            let plane = Plane { normal: direction, offset };
            return Ok(verify_plane(&plane, a, b).is_ok().then_some(plane));
        }
        next = unit([0, 1, 2].map(|k| (top[k] - bottom[k]) / scale)).and_then(|line| {
            let along = 2.0 * dot(direction, line);
            unit([0, 1, 2].map(|k| direction[k] - along * line[k]))
        });
    }
    Ok(None)
}

/// A plane perpendicular to an axis between two boxes. A model without vertices is apart from everything.
pub(crate) fn between_boxes(a: &Aabb, b: &Aabb) -> Option<Plane> {
    let along = |axis: usize, sign: f64, offset: f64| {
        let mut normal = [0.0; 3];
        normal[axis] = sign;
        Plane { normal, offset }
    };
    if a.is_empty() || b.is_empty() {
        let offset = if b.is_empty() { a.max[0] } else { b.min[0] };
        return Some(along(0, 1.0, if offset.is_finite() { offset } else { 0.0 }));
    }
    (0..3).find_map(|axis| {
        if a.max[axis] < b.min[axis] {
            Some(along(axis, 1.0, a.max[axis]))
        } else if b.max[axis] < a.min[axis] {
            Some(along(axis, -1.0, -a.min[axis]))
        } else {
            None
        }
    })
}

/// The most directions; 99 % of Chung's cases need at most four (1996, 6.2.1).
const MOST_DIRECTIONS: usize = 24;

fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(v, v).sqrt();
    (length > 0.0 && length.is_finite()).then(|| v.map(|x| x / length))
}

/// The first of the farthest points along a direction.
fn support(points: &[[f64; 3]], direction: [f64; 3]) -> [f64; 3] {
    let mut best = (f64::NEG_INFINITY, [0.0; 3]);
    for &point in points {
        let height = dot(direction, point);
        if height > best.0 {
            best = (height, point);
        }
    }
    best.1
}
