//! All contacts of vertices and faces, and of edges, of meshes whose vertices move linearly: between two meshes, and within
//! one. What a response to collisions works with.
//!
//! The hierarchies of the meshes give the pairs of triangles whose swept boxes meet. Each vertex and each edge belongs to
//! one of its triangles, its *representative* (Curtis, Tamstorf and Manocha, *Fast Collision Detection for Deformable
//! Models using Representative-Triangles*, 2008), so no pair comes twice.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use xcollide_brep::VertexId;
use xcollide_bvh::wide::{SweptTrees, swept_self_candidates};
use xcollide_predicates::moving::{
    MotionContact, MovingPoint, edge_edge_contact, vertex_face_contact,
};

use super::MovingMesh;
use crate::proof::Primitives;
use crate::query::Deadline;
use crate::{Model, PairCache, PreparedData, ProofError, Query, QueryError, Reason};

/// Primitives that touch, and when first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PrimitiveContact {
    /// What touches.
    pub primitives: Primitives,
    /// When first, and how.
    pub contact: MotionContact,
}

/// The contacts of [`PrimitivePairs::contacts`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct PrimitiveContacts {
    /// The contacts, in ascending order of their primitives.
    pub contacts: Vec<PrimitiveContact>,
    /// Why the list may lack some; `None` if these are all.
    pub undecided: Option<Reason>,
}

impl PrimitiveContacts {
    /// The contact whose time ends first: the earliest, up to the width that was asked for.
    #[must_use]
    pub fn earliest(&self) -> Option<&PrimitiveContact> {
        let end = |contact: &&PrimitiveContact| contact.contact.time.hi;
        self.contacts.iter().min_by(|one, other| end(one).total_cmp(&end(other)))
    }

    /// Verifies the list without the hierarchies that found it: that all that it tells touch, within its times, and, if it
    /// is complete, that of all other pairs none does. Takes the time of all pairs of triangles.
    ///
    /// # Errors
    /// The first pair for which that does not hold.
    pub fn verify(&self, pairs: &PrimitivePairs<'_>) -> Result<(), ProofError> {
        for PrimitiveContact { primitives, contact } in &self.contacts {
            let found = pairs.earliest(*primitives, 0.0);
            let holds = found.is_some_and(|MotionContact { time, .. }| {
                contact.time.lo <= time.lo && time.hi <= contact.time.hi
            });
            if !holds {
                return Err(ProofError::NoSuchContact { primitives: *primitives });
            }
        }
        if self.undecided.is_some() {
            return Ok(());
        }
        let mut left_out = None;
        let _ = pairs.of_all_triangles(&mut |primitives| {
            let of = |contact: &PrimitiveContact| contact.primitives;
            let is_told = self.contacts.binary_search_by_key(&primitives, of).is_ok();
            if !is_told && pairs.earliest(primitives, f64::INFINITY).is_some() {
                left_out = Some(primitives);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        left_out.map_or(Ok(()), |primitives| Err(ProofError::ContactLeftOut { primitives }))
    }
}

/// The pairs of primitives of two meshes in linear motion, or of one mesh and itself.
///
/// Within one mesh, primitives with a common vertex are no pair: they touch in it. If a mesh does not
/// [intersect itself](crate::self_intersection) at time 0 and has no contact later, it does not intersect itself at any
/// time, unless triangles lose their area.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::continuous::{MovingMesh, PrimitivePairs, Primitives};
/// use xcollide_narrow::{Model, Pose, Query};
///
/// // A strip of three triangles, whose last vertex goes through the first.
/// let start = vec![[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 0.0], [1.0, 1.0, 8.0]];
/// let mesh = PolygonMesh::from_polygons(start.clone(), [[0, 1, 2], [2, 1, 3], [2, 3, 4]])?;
/// let strip = Model::from_mesh(mesh)?;
/// let mut end = start;
/// end[4][2] = -8.0;
/// let moving = MovingMesh::deforming(&strip, &Pose::IDENTITY, &end)?;
/// let pairs = PrimitivePairs::within(&moving);
/// let found = pairs.contacts(0.0, &Query::new())?;
/// // That vertex and the face, and an edge at it and one of the face.
/// assert_eq!(found.contacts.len(), 2);
/// assert_eq!(found.contacts[0].primitives, Primitives::VertexFace(4.into(), 0));
/// assert_eq!(found.contacts[0].contact.time.lo, 0.5);
/// found.verify(&pairs)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PrimitivePairs<'a> {
    meshes: [&'a MovingMesh; 2],
    /// The two are one.
    is_one: bool,
}

impl<'a> PrimitivePairs<'a> {
    /// Those of two meshes.
    #[must_use]
    pub fn between(first: &'a MovingMesh, second: &'a MovingMesh) -> Self {
        Self { meshes: [first, second], is_one: false }
    }

    /// Those within one mesh.
    #[must_use]
    pub fn within(mesh: &'a MovingMesh) -> Self {
        Self { meshes: [mesh, mesh], is_one: true }
    }

    /// The points of primitives: a vertex and the corners of the face, or the ends of both edges.
    ///
    /// # Panics
    /// The meshes do not have them.
    #[must_use]
    pub fn points(&self, primitives: Primitives) -> [MovingPoint; 4] {
        let [first, second] = self.meshes;
        let vertex_face = |mesh: &MovingMesh, vertex, other: &MovingMesh, number| {
            let [a, b, c] = other.triangle(number);
            [mesh.vertex(vertex), a, b, c]
        };
        match primitives {
            Primitives::VertexFace(vertex, number) => vertex_face(first, vertex, second, number),
            Primitives::FaceVertex(number, vertex) => vertex_face(second, vertex, first, number),
            Primitives::EdgeEdge([a, b], [c, d]) => {
                [first.vertex(a), first.vertex(b), second.vertex(c), second.vertex(d)]
            }
        }
    }

    /// When primitives first touch, exactly, in an interval not wider than `width`, or as narrow as f64 can be; `None` if
    /// they never do.
    ///
    /// # Panics
    /// The meshes do not have them.
    #[must_use]
    pub fn earliest(&self, primitives: Primitives, width: f64) -> Option<MotionContact> {
        let [a, b, c, d] = self.points(primitives);
        match primitives {
            Primitives::EdgeEdge(..) => edge_edge_contact(&[a, b], &[c, d], width),
            _ => vertex_face_contact(&a, &[b, c, d], width),
        }
    }

    /// Calls `visit` with pairs of primitives until it breaks, each pair at most once; among them are all that come within
    /// a margin of each other, up to rounding of the margin. The order is always the same.
    ///
    /// Some hundred nanoseconds for each triangle and each pair that is shown; linear memory. `None` if a model is too
    /// large for a hierarchy, and nothing was shown.
    pub fn candidates(
        &self,
        margin: f64,
        mut visit: impl FnMut(Primitives) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let triangles = TrianglePairs::new(*self, margin);
        let [first, second] = self.meshes;
        let mut visit = |s, t| triangles.visit(s, t, &mut visit);
        Some(if self.is_one {
            let nodes = 0..first.wide_tree()?.node_count();
            swept_self_candidates(first.swept_tree()?, nodes, margin, visit)
        } else {
            SweptTrees::new(first.swept_tree()?, second.swept_tree()?)
                .candidates(margin, &mut visit)
        })
    }

    /// All pairs of primitives that touch at some time from 0 to 1, with the time at which they do first, in an interval
    /// not wider than `width`, or as narrow as f64 can be.
    ///
    /// Exact, for all finite coordinates: no contact is missed and none is invented. An edge that is through a face already
    /// at time 0 touches nothing by that; the tests of models at rest tell it. [`Query::budget`] ends the search.
    ///
    /// The list does not depend on the hierarchies. Takes the time of the [`candidates`](Self::candidates), and of an exact
    /// test for each.
    ///
    /// # Errors
    /// The width is NaN or negative.
    pub fn contacts(&self, width: f64, query: &Query) -> Result<PrimitiveContacts, QueryError> {
        if width.is_nan() || width < 0.0 {
            return Err(QueryError::Width { width });
        }
        let mut deadline = Deadline::of(query, &PairCache::new());
        let mut contacts = Vec::new();
        let end = self.candidates(0.0, |primitives| {
            if deadline.passed() {
                return ControlFlow::Break(());
            }
            let contact = self.earliest(primitives, width);
            contacts.extend(contact.map(|contact| PrimitiveContact { primitives, contact }));
            ControlFlow::Continue(())
        });
        contacts.sort_unstable_by_key(|contact| contact.primitives);
        let undecided = match end {
            None => Some(Reason::NotAccepted),
            Some(ControlFlow::Break(())) => Some(Reason::OutOfTime),
            Some(ControlFlow::Continue(())) => None,
        };
        Ok(PrimitiveContacts { contacts, undecided })
    }

    /// Shows all pairs.
    fn of_all_triangles(
        &self,
        visit: &mut impl FnMut(Primitives) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let triangles = TrianglePairs::new(*self, f64::INFINITY);
        let [of_first, of_second] = self.meshes.map(|mesh| mesh.model().triangulation().len());
        for s in 0..of_first as u32 {
            for t in if self.is_one { s + 1 } else { 0 }..of_second as u32 {
                triangles.visit(s, t, visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Which vertices and edges each triangle of a model represents: bit k is for its corner k, bit 3 + k for the side from
/// that corner on.
struct Representatives(Vec<u8>);

impl PreparedData for Representatives {
    fn refitted(
        self: std::sync::Arc<Self>,
        _moved: &Model,
        triangles_kept: bool,
    ) -> Option<std::sync::Arc<Self>> {
        triangles_kept.then_some(self)
    }

    fn bytes(&self) -> usize {
        size_of_val(self) + self.0.capacity()
    }
}

impl Representatives {
    fn new(model: &Model) -> Self {
        let mut vertices = vec![false; model.mesh().vertex_count()];
        let mut edges = FxHashSet::default();
        let bits = |corners: &[VertexId; 3]| {
            let mut bits = 0;
            for k in 0..3 {
                let is_first = !std::mem::replace(&mut vertices[corners[k].index()], true);
                bits |= u8::from(is_first) << k;
                bits |= u8::from(edges.insert(side(*corners, k))) << (3 + k);
            }
            bits
        };
        Self(model.triangulation().triangles().iter().map(bits).collect())
    }
}

/// The side of a triangle from a corner on, the smaller vertex first.
fn side(corners: [VertexId; 3], from: usize) -> [VertexId; 2] {
    let [a, b] = [corners[from], corners[(from + 1) % 3]];
    [a.min(b), a.max(b)]
}

/// Shows the primitives of two triangles that these represent, if they may come within the margin.
struct TrianglePairs<'a> {
    pairs: PrimitivePairs<'a>,
    represented: [&'a [u8]; 2],
    margin: f64,
}

/// A triangle with the way of its corners.
struct MovingTriangle {
    corners: [VertexId; 3],
    points: [MovingPoint; 3],
    represented: u8,
}

impl MovingTriangle {
    fn vertices(&self) -> impl Iterator<Item = (VertexId, MovingPoint)> {
        let own = (0..3).filter(|k| self.represented >> k & 1 == 1);
        own.map(|k| (self.corners[k], self.points[k]))
    }

    fn edges(&self) -> impl Iterator<Item = ([VertexId; 2], [MovingPoint; 2])> {
        let own = (0..3).filter(|k| self.represented >> (3 + k) & 1 == 1);
        own.map(|k| (side(self.corners, k), [self.points[k], self.points[(k + 1) % 3]]))
    }
}

impl<'a> TrianglePairs<'a> {
    fn new(pairs: PrimitivePairs<'a>, margin: f64) -> Self {
        let represented =
            pairs.meshes.map(|mesh| mesh.model().data(Representatives::new).0.as_slice());
        Self { pairs, represented, margin }
    }

    fn triangle(&self, of: usize, number: u32) -> MovingTriangle {
        let mesh = self.pairs.meshes[of];
        let corners = mesh.model().triangulation().triangles()[number as usize];
        let points = corners.map(|vertex| mesh.vertex(vertex));
        MovingTriangle { corners, points, represented: self.represented[of][number as usize] }
    }

    fn visit(
        &self,
        s: u32,
        t: u32,
        visit: &mut impl FnMut(Primitives) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (first, second) = (self.triangle(0, s), self.triangle(1, t));
        if self.stay_apart(&first.points, &second.points) {
            return ControlFlow::Continue(());
        }
        let is_one = self.pairs.is_one;
        for (vertex, point) in first.vertices() {
            let is_shared = is_one && second.corners.contains(&vertex);
            if !is_shared && !self.stay_apart(&[point], &second.points) {
                visit(Primitives::VertexFace(vertex, t))?;
            }
        }
        for (vertex, point) in second.vertices() {
            let is_shared = is_one && first.corners.contains(&vertex);
            if !is_shared && !self.stay_apart(&first.points, &[point]) {
                visit(match is_one {
                    true => Primitives::VertexFace(vertex, s),
                    false => Primitives::FaceVertex(s, vertex),
                })?;
            }
        }
        for (edge, ends) in first.edges() {
            for (other, other_ends) in second.edges() {
                let is_shared = is_one && edge.iter().any(|vertex| other.contains(vertex));
                if !is_shared && !self.stay_apart(&ends, &other_ends) {
                    visit(match is_one && other < edge {
                        true => Primitives::EdgeEdge(other, edge),
                        false => Primitives::EdgeEdge(edge, other),
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether two sets of points are farther apart than the margin on one axis, at both ends on the same side. Then they
    /// are so all the time, as differences of coordinates are linear.
    #[inline]
    fn stay_apart(&self, first: &[MovingPoint], second: &[MovingPoint]) -> bool {
        let is_below = |low: &[MovingPoint], high: &[MovingPoint], axis: usize| {
            let is_below_at = |at: fn(&MovingPoint) -> &[f64; 3]| {
                let most = low.iter().fold(f64::NEG_INFINITY, |most, p| most.max(at(p)[axis]));
                let least = high.iter().fold(f64::INFINITY, |least, p| least.min(at(p)[axis]));
                most + self.margin < least
            };
            is_below_at(|point| &point.start) && is_below_at(|point| &point.end)
        };
        (0..3).any(|axis| is_below(first, second, axis) || is_below(second, first, axis))
    }
}
