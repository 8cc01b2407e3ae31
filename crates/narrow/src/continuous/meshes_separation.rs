//! Proofs about models whose vertices move linearly.

use xcollide_bounds::Obb;
use xcollide_bvh::binary::{Bvh, NodeId};
use xcollide_math::vector::{dot, unit};
use xcollide_predicates::moving::{MovingPoint, triangles_contact};

use super::entry_time::{Margin, entry_of_boxes, entry_of_triangles, largest_of};
use super::meshes_contact::{MeshesContact, MeshesVerdict, triangle_at};
use super::motion_front::{MotionFront, MovingPair, PartedNodes, Parting, is_unit};
use super::moving_mesh::MovingMesh;
use super::separation::broken_place;
use crate::proof::witness::{is_near, point_tolerance};
use crate::query::Deadline;
use crate::{Feature, ProofError, Semantics, Separation};

/// Proof that two models whose vertices move linearly have no point in common from time 0 on, up to some time.
///
/// At time 0 the models are apart by a [`Separation`]. Then all pairs of triangles are parted: ranges of them along a
/// direction in which there is a gap at both ends of the time, and so at all times between; the others by the exact test
/// of each pair. So no surface meets the other, and no body gets into the other without that.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshesSeparation {
    /// That the models are apart at time 0.
    start: Separation,
    before: Option<f64>,
    /// The proof for the time after, if it was asked for.
    front: Option<MotionFront>,
}

impl MeshesSeparation {
    /// Without the proof for the time after the start.
    pub(super) fn new(start: Separation, before: Option<f64>) -> Self {
        Self { start, before, front: None }
    }

    /// Keeps the proof, if the time suffices.
    pub(super) fn certify(&mut self, meshes: [&MovingMesh; 2], deadline: &mut Deadline) {
        let until = Until::new(meshes, self.before);
        self.front = until.and_then(|until| MotionFront::build(&until, deadline));
    }

    /// The models are apart at all times before this one; `None` if they are apart at all times from 0 to 1.
    #[must_use]
    pub fn before(&self) -> Option<f64> {
        self.before
    }

    /// Verifies the proof, without the search that found it where [`Query::certificate`](crate::Query::certificate)
    /// asked for it. Takes the time of a [`Front`](crate::Front).
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: &MovingMesh,
        b: &MovingMesh,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        let broken = |what| ProofError::BrokenFront { what };
        if !self.before.is_none_or(|before| (0.0..=1.0).contains(&before)) {
            return Err(broken("it ends at no time from 0 to 1"));
        }
        let of_a = a.at_start().map_err(broken_place)?;
        let of_b = b.at_start().map_err(broken_place)?;
        self.start.verify(of_a, of_b, semantics)?;
        let until = Until::new([a, b], self.before).ok_or(broken("a model is too large"))?;
        match &self.front {
            Some(front) => front.verify(&until),
            None => MotionFront::build(&until, &mut Deadline::never())
                .ok_or(broken("two triangles meet before its end"))?
                .verify(&until),
        }
    }
}

/// Two moving meshes and their hierarchies.
pub(super) struct SweptPair<'a> {
    meshes: [&'a MovingMesh; 2],
    pub(super) trees: [&'a Bvh<Obb>; 2],
    /// Bounds the error of a gap between boxes.
    margin: Margin,
}

impl<'a> SweptPair<'a> {
    pub(super) fn new(meshes: [&'a MovingMesh; 2], trees: [&'a Bvh<Obb>; 2]) -> Self {
        let size = meshes[0].size() + meshes[1].size();
        Self { meshes, trees, margin: Margin::new(size, 1.0 / (1_u64 << 41) as f64) }
    }

    /// The direction that parts two nodes longest, and a time up to which they are certainly apart: see
    /// [`entry_of_boxes`].
    #[inline]
    pub(super) fn entry_of_nodes(&self, nodes: [NodeId; 2], enough: f64) -> ([f64; 3], f64) {
        let boxes = [0, 1].map(|k| self.meshes[k].swept_box(self.trees[k], nodes[k]));
        entry_of_boxes(&boxes, self.margin, enough)
    }

    fn triangles(&self, [s, t]: [u32; 2]) -> [[MovingPoint; 3]; 2] {
        [self.meshes[0].triangle(s), self.meshes[1].triangle(t)]
    }
}

/// Two moving meshes up to a time.
struct Until<'a> {
    pair: SweptPair<'a>,
    /// `None`: all times from 0 to 1.
    before: Option<f64>,
}

impl<'a> Until<'a> {
    fn new(meshes: [&'a MovingMesh; 2], before: Option<f64>) -> Option<Self> {
        let [a, b] = meshes.map(MovingMesh::tree);
        Some(Self { pair: SweptPair::new(meshes, [a?, b?]), before })
    }

    /// Whether two triangles are apart by the exact test. A contact at the end itself does not count if the proof is of
    /// the times before: the interval of width 0 begins at the exact time, or just before it.
    fn is_apart_exactly(&self, numbers: [u32; 2]) -> bool {
        let [first, second] = self.pair.triangles(numbers);
        let contact = triangles_contact(&first, &second, 0.0);
        contact.is_none_or(|found| self.before.is_some_and(|before| found.time.lo >= before))
    }
}

impl MovingPair for Until<'_> {
    fn trees(&self) -> Option<[&Bvh<Obb>; 2]> {
        Some(self.pair.trees)
    }

    fn end(&self) -> f64 {
        self.before.unwrap_or(1.0)
    }

    /// For all the time, or none of it.
    fn part_nodes(&self, nodes: [NodeId; 2], _: f64) -> Option<PartedNodes> {
        let (direction, entry) = self.pair.entry_of_nodes(nodes, self.end());
        let is_enough = entry > 0.0 && entry >= self.end();
        let direction = unit(direction).filter(|&unit| is_enough && is_unit(unit))?;
        Some(PartedNodes { direction, until: self.end(), is_loose: false })
    }

    fn part_triangles(&self, numbers: [u32; 2], from: f64) -> Option<(Parting, f64)> {
        let [first, second] = self.pair.triangles(numbers);
        let (direction, _) = entry_of_triangles(&first, &second, self.end());
        let [s, t] = numbers;
        if let Some(direction) = unit(direction).filter(|&unit| is_unit(unit))
            && self.are_apart_along([&[s], &[t]], direction, [from, self.end()])
        {
            return Some((Parting::Along(direction), self.end()));
        }
        self.is_apart_exactly(numbers).then_some((Parting::Exact, self.end()))
    }

    /// A corner's height is a mean of its heights at time 0 and 1.
    fn are_apart_along(
        &self,
        triangles: [&[u32]; 2],
        direction: [f64; 3],
        times: [f64; 2],
    ) -> bool {
        let heights = |k: usize| {
            let corners = triangles[k].iter().flat_map(|&t| self.pair.meshes[k].triangle(t));
            let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
            let mut largest = 0.0_f64;
            for corner in corners {
                largest = largest.max(largest_of(&[corner]));
                let MovingPoint { start, end: last } = corner;
                let (first, last) = (dot(direction, start), dot(direction, last));
                for (side, time) in times.into_iter().enumerate() {
                    let height = (1.0 - time) * first + time * last;
                    low[side] = low[side].min(height);
                    high[side] = high[side].max(height);
                }
            }
            (low, high, largest)
        };
        let ((low_a, high_a, of_a), (low_b, high_b, of_b)) = (heights(0), heights(1));
        let margin = Margin::of_points([of_a, of_b]).along(direction);
        let is_above = |low: [f64; 2], high: [f64; 2]| (0..2).all(|k| low[k] - high[k] > margin);
        is_above(low_a, high_b) || is_above(low_b, high_a)
    }

    fn are_apart_exactly(&self, [of_a, of_b]: [&[u32]; 2]) -> bool {
        of_a.iter().all(|&s| of_b.iter().all(|&t| self.is_apart_exactly([s, t])))
    }
}

impl MeshesContact {
    /// Verifies the contact: the exact times of the two triangles, their faces, and the point, which is near both at the
    /// end of the interval.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: &MovingMesh,
        b: &MovingMesh,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        let Some(in_contact) = self.triangles else {
            if self.time.hi > 0.0 || self.time.lo < 0.0 {
                return Err(ProofError::FeaturesDisjoint);
            }
            let of_a = a.at_start().map_err(broken_place)?;
            let of_b = b.at_start().map_err(broken_place)?;
            return self.witness.verify(of_a, of_b, semantics);
        };
        let features = [self.witness.a, self.witness.b];
        for ((mesh, number), feature) in [a, b].into_iter().zip(in_contact.numbers).zip(features) {
            let triangulation = mesh.model().triangulation();
            let is_known = (number as usize) < triangulation.len();
            if !is_known || feature != Feature::Face(triangulation.face_of(number as usize)) {
                return Err(ProofError::UnknownElement { element: format!("triangle {number}") });
            }
        }
        let [s, t] = in_contact.numbers;
        let (first, second) = (a.triangle(s), b.triangle(t));
        let is_within = triangles_contact(&first, &second, 0.0)
            .is_some_and(|exact| self.time.lo <= exact.time.lo && exact.time.hi <= self.time.hi);
        if !is_within {
            return Err(ProofError::FeaturesDisjoint);
        }
        let [of_a, of_b] = [&first, &second].map(|triangle| [triangle_at(triangle, self.time.hi)]);
        // What the corners may have moved since they touched.
        let reach = largest_of(&first).max(largest_of(&second));
        let way = 4.0 * reach * (self.time.hi - self.time.lo);
        let tolerance = point_tolerance(&of_a, &of_b) + way + reach / (1_u64 << 38) as f64;
        if !is_near(self.witness.point, &of_a, tolerance)
            || !is_near(self.witness.point, &of_b, tolerance)
        {
            return Err(ProofError::PointOff { point: self.witness.point });
        }
        Ok(())
    }
}

impl MeshesVerdict {
    /// Verifies the proofs of this verdict: the separation, and the contact. What is undecided has the proof of its times.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: &MovingMesh,
        b: &MovingMesh,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        let broken = |what| Err(ProofError::BrokenFront { what });
        match self {
            Self::Apart(apart) => {
                if apart.before().is_some() {
                    return broken("it ends before time 1");
                }
                apart.verify(a, b, semantics)
            }
            Self::Collides { contact, apart } => {
                contact.verify(a, b, semantics)?;
                match apart {
                    Some(apart) if apart.before().is_none_or(|before| before < contact.time.lo) => {
                        broken("it does not end where the interval of the contact begins")
                    }
                    Some(apart) => apart.verify(a, b, semantics),
                    None if contact.time.hi > 0.0 => broken("there is none"),
                    None => Ok(()),
                }
            }
            Self::Undecided { apart, .. } => {
                apart.as_ref().map_or(Ok(()), |apart| apart.verify(a, b, semantics))
            }
        }
    }
}
