//! The exact test of the pairs of triangles that a traversal finds.

use std::hint::black_box;
use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Triangulation, VertexId};
use xcollide_bvh::Counter;
use xcollide_bvh::wide::{Visit, each_pair};
use xcollide_predicates::{Point, triangle_pair_point, triangles_intersect};
use xcollide_simd::prefetch;

use crate::pair_search::Hit;
use crate::{Feature, Placed, Pose, Witness};

/// Two triangles that meet, in world coordinates, and their faces.
pub(crate) struct TriangleContact {
    pub(crate) faces: [FaceId; 2],
    pub(crate) triangles: [[[f64; 3]; 3]; 2],
    /// A common point, if it is known.
    pub(crate) point: Option<Point>,
}

impl Hit for TriangleContact {
    #[inline]
    fn witness(self, _: [Placed<'_>; 2]) -> Witness {
        let [a, b] = &self.triangles;
        let [face_a, face_b] = self.faces;
        let point = self.point.or_else(|| triangle_pair_point(a, b)).unwrap_or(a[0]);
        Witness { a: Feature::Face(face_a), b: Feature::Face(face_b), point }
    }

    #[inline]
    fn each_pair_of_faces(
        &self,
        _: [Placed<'_>; 2],
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit(self.faces[0], self.faces[1])
    }
}

/// References to the geometry of a placed model, for faster access in a traversal.
pub(crate) struct Corners<'p> {
    triangulation: &'p Triangulation,
    triangles: &'p [[VertexId; 3]],
    positions: &'p [[f64; 3]],
    transform: &'p Pose,
}

impl<'p> Corners<'p> {
    #[inline]
    pub(crate) fn of(placed: &'p Placed<'_>) -> Self {
        let triangulation = placed.model().triangulation();
        Self {
            triangulation,
            triangles: triangulation.triangles(),
            positions: placed.model().mesh().positions(),
            transform: placed.pose(),
        }
    }

    #[inline]
    pub(crate) fn face(&self, triangle: usize) -> FaceId {
        self.triangulation.face_of(triangle)
    }

    /// [`Placed::triangle`].
    #[inline(always)]
    pub(crate) fn triangle(&self, triangle: usize) -> [[f64; 3]; 3] {
        let [p, q, r] = self.triangles[triangle];
        [self.position(p), self.position(q), self.position(r)]
    }

    #[inline(always)]
    fn position(&self, vertex: VertexId) -> [f64; 3] {
        self.transform.apply(self.positions[vertex.index()])
    }

    /// Prefetches the corners.
    #[inline(always)]
    fn prefetch(&self, triangle: u32) {
        if let Some([p, q, r]) = self.triangles.get(triangle as usize) {
            for vertex in [p, q, r] {
                if let Some(position) = self.positions.get(vertex.index()) {
                    prefetch(position);
                }
            }
        }
    }
}

/// Shows `found` the pairs that meet; with `points`, with a common point, which is faster than to compute it
/// later. One type for all searches, as kernels are compiled for each type of visitor.
pub(crate) struct TriangleTests<'c, 'p> {
    corners: [&'c Corners<'p>; 2],
    points: bool,
    found: &'c mut dyn FnMut(TriangleContact) -> ControlFlow<()>,
    /// The last triangle of each model: of pairs shown one by one, successive ones mostly share a triangle.
    last: [Option<Moved>; 2],
}

/// A triangle in the world.
struct Moved {
    number: usize,
    face: FaceId,
    corners: [Point; 3],
}

impl Moved {
    /// Sets `kept` to this triangle, unless it is already.
    #[inline(always)]
    fn keep(kept: &mut Option<Self>, of: &Corners<'_>, number: usize) {
        if kept.as_ref().is_none_or(|kept| kept.number != number) {
            *kept = Some(Self { number, face: of.face(number), corners: of.triangle(number) });
        }
    }
}

impl<'c, 'p> TriangleTests<'c, 'p> {
    #[inline(always)]
    pub(crate) fn new(
        corners: [&'c Corners<'p>; 2],
        points: bool,
        found: &'c mut dyn FnMut(TriangleContact) -> ControlFlow<()>,
    ) -> Self {
        Self { corners, points, found, last: [None, None] }
    }

    /// `None` if two triangles have no common point; else, if points are wanted, one of these.
    #[inline(always)]
    fn common(points: bool, a: &[Point; 3], b: &[Point; 3]) -> Option<Option<Point>> {
        if points {
            triangle_pair_point(a, b).map(Some)
        } else {
            triangles_intersect(a, b).then_some(None)
        }
    }
}

impl Visit for TriangleTests<'_, '_> {
    #[inline(always)]
    fn pair(&mut self, s: u32, t: u32) -> ControlFlow<()> {
        let ([of_a, of_b], [last_a, last_b]) = (self.corners, &mut self.last);
        Moved::keep(last_a, of_a, s as usize);
        Moved::keep(last_b, of_b, t as usize);
        if let (Some(a), Some(b)) = (last_a, last_b)
            && let Some(point) = Self::common(self.points, &a.corners, &b.corners)
        {
            let (faces, triangles) = ([a.face, b.face], [a.corners, b.corners]);
            return (self.found)(TriangleContact { faces, triangles, point });
        }
        ControlFlow::Continue(())
    }

    /// Moves each triangle once, and prefetches all of them.
    #[inline(always)]
    fn leaves(
        &mut self,
        of_a: &[u32],
        of_b: &[u32],
        counter: &mut impl Counter,
    ) -> ControlFlow<()> {
        let [first, second] = match *of_a {
            [one] => [one; 2],
            [one, other] => [one, other],
            _ => return each_pair(self, of_a, of_b, counter),
        };
        let [corners_a, corners_b] = self.corners;
        for &t in of_b.iter().skip(1) {
            corners_b.prefetch(t);
        }
        // Loaded early, as this may take as long as the test.
        let faces = black_box([first, second].map(|s| corners_a.face(s as usize)));
        let moved = corners_a.triangle(first as usize);
        let other = if first == second { moved } else { corners_a.triangle(second as usize) };
        let moved = [moved, other];
        for &t in of_b {
            let face = black_box(corners_b.face(t as usize));
            let there = corners_b.triangle(t as usize);
            for (face_a, here) in faces.iter().zip(&moved).take(of_a.len()) {
                counter.primitives(1);
                if let Some(point) = Self::common(self.points, here, &there) {
                    let (faces, triangles) = ([*face_a, face], [*here, there]);
                    (self.found)(TriangleContact { faces, triangles, point })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
