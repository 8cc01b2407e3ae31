//! The frame of the exact algorithms: a search for parts of two surfaces that meet, and the verdict on what it
//! found. A query takes the first such pair or all of them.

use std::ops::ControlFlow;

use xcollide_brep::FaceId;
use xcollide_predicates::triangle_pair_point;

use crate::containment::conclude;
use crate::formula::refusal;
use crate::query::Deadline;
use crate::{Feature, Listing, PairCache, Placed, Query, Reason, Suspects, Verdict, Witness};

/// Parts of two surfaces that meet.
pub(crate) trait Hit {
    /// The proof of contact.
    fn witness(self, pair: [Placed<'_>; 2]) -> Witness;

    /// Shows `visit` the pairs of faces that meet here.
    fn each_pair_of_faces(
        &self,
        pair: [Placed<'_>; 2],
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The search was complete, or the visitor ended it.
    Done,
    /// Before anything was searched, or nothing is known about what is left.
    OutOfTime,
    Unfinished(Left),
    /// A model is too large for the algorithm's hierarchy.
    TooLarge,
}

/// What a search of two hierarchies had left when its time was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    /// Pairs of nodes that were not opened.
    pub(crate) parts: u32,
    /// A triangle of each model below the one that would have been opened next.
    pub(crate) triangles: [u32; 2],
}

impl Left {
    pub(crate) fn reason(self, pair: [Placed<'_>; 2]) -> Reason {
        let [s, t] = self.triangles.map(|triangle| triangle as usize);
        let near = Suspects::of_triangles(pair, [s, t]);
        Reason::Unfinished { near, parts: self.parts }
    }
}

/// A search for parts of two surfaces that meet.
pub(crate) trait PairSearch {
    type Hit: Hit;

    /// Shows `found` hits, among them every pair of faces that meet, until it breaks. `FIRST`: it breaks
    /// at the first hit.
    fn search<const FIRST: bool>(
        &self,
        pair: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        found: impl FnMut(Self::Hit) -> ControlFlow<()>,
    ) -> End;

    /// Whether the search may miss a pair of faces.
    fn may_miss(&self) -> bool {
        false
    }

    /// The verdict after a search that was complete and found nothing.
    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        let _ = cache;
        conclude(a, b, query, deadline)
    }

    /// [`NarrowPhase::test`](crate::NarrowPhase::test).
    #[inline]
    fn verdict(&self, pair: [Placed<'_>; 2], query: &Query, cache: &mut PairCache) -> Verdict {
        if let Some(refusal) = refusal(pair) {
            return refusal;
        }
        let mut first = None;
        let mut deadline = Deadline::of(query, cache);
        let end = self.search::<true>(pair, query, cache, &deadline, |hit| {
            first = Some(hit);
            ControlFlow::Break(())
        });
        self.verdict_of(first, end, pair, query, cache, &mut deadline)
    }

    /// [`NarrowPhase::each_contact`](crate::NarrowPhase::each_contact).
    fn listing(
        &self,
        pair: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        if let Some(verdict) = refusal(pair) {
            return Listing { verdict, complete: false };
        }
        let mut first = None;
        let mut stopped = false;
        let mut deadline = Deadline::of(query, cache);
        let end = self.search::<false>(pair, query, cache, &deadline, |hit| {
            let flow = hit.each_pair_of_faces(pair, visit);
            stopped = flow.is_break();
            first.get_or_insert(hit);
            flow
        });
        let complete = end == End::Done && !stopped && !self.may_miss();
        let verdict = self.verdict_of(first, end, pair, query, cache, &mut deadline);
        Listing { verdict, complete }
    }

    #[inline]
    fn verdict_of(
        &self,
        first: Option<Self::Hit>,
        end: End,
        pair: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        match (first, end) {
            (Some(hit), _) => Verdict::Collides(hit.witness(pair)),
            (None, End::Done) => self.conclude(pair, query, cache, deadline),
            (None, End::OutOfTime) => Verdict::Undecided(Reason::OutOfTime),
            (None, End::Unfinished(left)) => Verdict::Undecided(left.reason(pair)),
            (None, End::TooLarge) => Verdict::Undecided(Reason::NotAccepted),
        }
    }
}

/// The methods of a [`NarrowPhase`](crate::NarrowPhase) that a [`PairSearch`] answers.
macro_rules! answers_by_search {
    () => {
        fn test(
            &self,
            a: crate::Placed<'_>,
            b: crate::Placed<'_>,
            query: &crate::Query,
            cache: &mut crate::PairCache,
        ) -> crate::Verdict {
            self.verdict([a, b], query, cache)
        }

        fn each_contact(
            &self,
            a: crate::Placed<'_>,
            b: crate::Placed<'_>,
            query: &crate::Query,
            cache: &mut crate::PairCache,
            visit: &mut dyn FnMut(
                xcollide_brep::FaceId,
                xcollide_brep::FaceId,
            ) -> std::ops::ControlFlow<()>,
        ) -> crate::Listing {
            self.listing([a, b], query, cache, visit)
        }
    };
}
pub(crate) use answers_by_search;

/// The numbers of two triangles that meet.
#[derive(Clone, Copy)]
pub(crate) struct TrianglePair(pub(crate) usize, pub(crate) usize);

impl Hit for TrianglePair {
    fn witness(self, [a, b]: [Placed<'_>; 2]) -> Witness {
        let (s, t) = (a.triangle(self.0), b.triangle(self.1));
        let [of_a, of_b] = [a, b].map(|placed| placed.model().triangulation());
        Witness {
            a: Feature::Face(of_a.face_of(self.0)),
            b: Feature::Face(of_b.face_of(self.1)),
            point: triangle_pair_point(&s, &t).unwrap_or(s[0]),
        }
    }

    fn each_pair_of_faces(
        &self,
        [a, b]: [Placed<'_>; 2],
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [of_a, of_b] = [a, b].map(|placed| placed.model().triangulation());
        visit(of_a.face_of(self.0), of_b.face_of(self.1))
    }
}
