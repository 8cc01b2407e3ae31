//! Triangle against triangle in motion.

use super::{ContactKind, Feature, MotionContact, MovingPoint, PrimitivePair, TimeInterval};
use crate::{Point, triangles_intersect};

/// The earliest contact of two moving triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TrianglesContact {
    /// Contains the earliest time of contact.
    pub time: TimeInterval,
    /// A vertex and a face, or two edges, that are in contact for the first time within the interval,
    /// and how. `None` if the triangles meet at time 0.
    pub primitives: Option<(TrianglePrimitives, ContactKind)>,
}

/// A vertex of one triangle and the face of the other, or an edge of each. Edge i is from corner i to
/// corner (i + 1) mod 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TrianglePrimitives {
    /// A corner of the first triangle and the face of the second.
    VertexFace(u8),
    /// The face of the first triangle and a corner of the second.
    FaceVertex(u8),
    /// An edge of the first and an edge of the second.
    EdgeEdge(u8, u8),
}

/// The earliest time in [0, 1] at which two moving triangles have a common point, in an interval not
/// wider than `width`, or as narrow as f64 can be; `None` if they have none. Exact for all finite
/// coordinates; the triangles may be or become segments or points.
///
/// At time 0 the exact test of resting triangles decides. Later, triangles that were disjoint begin
/// to meet with a vertex of one on the face of the other or with two edges: a point inside an edge that
/// is inside the other face, and not in its plane all along, was there before. So the fifteen pairs of
/// primitives decide; each is searched up to the earliest contact found before.
///
/// If contacts of several pairs are in the interval, `primitives` is one of them: see
/// [`MotionContact`] for their kinds.
///
/// ```
/// use xcollide_predicates::moving::{MovingPoint, TrianglePrimitives, triangles_contact};
///
/// let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(MovingPoint::resting);
/// let falling = [[1.0, 1.0, 1.0], [1.0, 2.0, 2.0], [2.0, 1.0, 2.0]]
///     .map(|[x, y, z]| MovingPoint::new([x, y, z], [x, y, z - 4.0]));
/// let contact = triangles_contact(&floor, &falling, 0.0).unwrap();
/// assert_eq!((contact.time.lo, contact.time.hi), (0.25, 0.25));
/// assert_eq!(contact.primitives.unwrap().0, TrianglePrimitives::FaceVertex(0));
/// ```
#[must_use]
pub fn triangles_contact(
    first: &[MovingPoint; 3],
    second: &[MovingPoint; 3],
    width: f64,
) -> Option<TrianglesContact> {
    if (0..3).any(|axis| apart_on_axis(first, second, axis)) {
        return None;
    }
    let [a, b] = [first, second].map(|triangle| triangle.map(|corner| corner.start));
    if triangles_intersect(&a, &b) {
        return Some(TrianglesContact {
            time: TimeInterval { lo: 0.0, hi: 0.0 },
            primitives: None,
        });
    }
    let mut earliest: Option<TrianglesContact> = None;
    for primitives in TrianglePrimitives::all() {
        let until = earliest.map_or(1.0, |contact| contact.time.hi);
        let pair = primitives.pair(first, second);
        let Some(MotionContact { time, kind }) = pair.earliest(until, width) else { continue };
        let found = TrianglesContact { time, primitives: Some((primitives, kind)) };
        earliest = Some(match earliest {
            Some(known) => {
                let first = if time.hi < known.time.hi { found } else { known };
                TrianglesContact { time: time.earlier(known.time), ..first }
            }
            None => found,
        });
    }
    earliest
}

/// Whether one triangle is beyond the other on an axis, at the start and at the end on the same side.
/// Then it is all the time, as differences of coordinates are linear.
fn apart_on_axis(first: &[MovingPoint; 3], second: &[MovingPoint; 3], axis: usize) -> bool {
    let below = |low: &[MovingPoint; 3], high: &[MovingPoint; 3]| {
        let is_below = |at: fn(&MovingPoint) -> &Point| {
            let coordinates = |t: &[MovingPoint; 3]| [0, 1, 2].map(|i| at(&t[i])[axis]);
            let ([a, b, c], [d, e, f]) = (coordinates(low), coordinates(high));
            a.max(b).max(c) < d.min(e).min(f)
        };
        is_below(|corner| &corner.start) && is_below(|corner| &corner.end)
    };
    below(first, second) || below(second, first)
}

impl TrianglePrimitives {
    fn all() -> impl Iterator<Item = Self> {
        let corners = (0..3).map(Self::VertexFace).chain((0..3).map(Self::FaceVertex));
        corners.chain((0..9).map(|i| Self::EdgeEdge(i / 3, i % 3)))
    }

    fn pair(self, first: &[MovingPoint; 3], second: &[MovingPoint; 3]) -> PrimitivePair {
        let corner = |t: &[MovingPoint; 3], i: u8| t[usize::from(i % 3)];
        match self {
            Self::VertexFace(i) => {
                let [a, b, c] = *second;
                PrimitivePair::new(Feature::VertexFace, [corner(first, i), a, b, c])
            }
            Self::FaceVertex(i) => {
                let [a, b, c] = *first;
                PrimitivePair::new(Feature::VertexFace, [corner(second, i), a, b, c])
            }
            Self::EdgeEdge(i, j) => {
                let ends = [(first, i), (first, i + 1), (second, j), (second, j + 1)];
                PrimitivePair::new(Feature::EdgeEdge, ends.map(|(t, i)| corner(t, i)))
            }
        }
    }
}
