//! Approximate tests that return after the pre-checks (Zachmann 1994, 3.2.1, "returning after pre-checks").
//!
//! "The idea is to skip the point-in-polygon test, i.e., when an edge bounding volume overlaps with a polygon's bounding
//! volume, we assume that the edge will intersect with the polygon itself." The thesis did not implement it. Here the answer
//! is [`Reason::MayTouch`] with two faces and a bound on the distance of the models, so the error of the assumption is known.
//! If no boxes overlap, no surfaces meet, and what follows is exact.

use std::ops::ControlFlow;

use xcollide_bvh::wide::{WideTree, first_small_overlap};

use super::Arbitrary;
use crate::containment::conclude;
use crate::formula::refusal;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::prepared::{Memory, prepared};
use crate::hierarchy::work::Monitor;
use crate::mesh::Wide;
use crate::pair_search::{End, PairSearch};
use crate::query::Deadline;
use crate::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Suspects,
    Verdict,
};

/// The pre-checks of another algorithm, and nothing else: `Apart` is right, and so is `Collides` (one body contains the
/// other); pairs whose faces are close are [`Undecided`](Verdict::Undecided) for [`Reason::MayTouch`].
///
/// For worlds that test approximately under load, or where a false alarm within a known distance is cheap.
///
/// ```
/// use xcollide_narrow::classic::PreChecks;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Verdict};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let ask = |x: f64| -> Result<Verdict, Box<dyn std::error::Error>> {
///     let pose = Pose::from_translation([x, x, 0.0]);
///     let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?);
///     Ok(PreChecks::Arbitrary.test(a, b, &Query::new(), &mut PairCache::new()))
/// };
/// assert!(ask(1.5)?.is_apart());
/// // Apart by 0.14, but boxes overlap.
/// let Verdict::Undecided(Reason::MayTouch(near)) = ask(0.6)? else { panic!() };
/// assert!((0.14..1.0).contains(&near.at_most));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PreChecks {
    /// Those of [`Arbitrary`]: the boxes of an edge and of a face. O(edges in the common region · log faces).
    Arbitrary,
    /// Those of [`Wide`]: the boxes of its hierarchies, down to two leaves.
    Wide,
    /// The same, but it also ends at two boxes that are no larger than that of the smaller model after so many halvings. Where
    /// surfaces are near that saves most of the descent, and [`at_most`](Suspects::at_most) is the larger: two faces in such
    /// boxes, which may be as far apart as both boxes are wide.
    Coarse {
        /// Of the longest side.
        halvings: u8,
    },
}

impl PreChecks {
    /// [`Coarse`](Self::Coarse) with two halvings: boxes of a quarter of the model's size.
    #[must_use]
    pub const fn coarse() -> Self {
        Self::Coarse { halvings: 2 }
    }
}

impl NarrowPhase for PreChecks {
    fn name(&self) -> &'static str {
        match self {
            Self::Arbitrary => "arbitrary-boxes",
            Self::Wide => "wide-obb-boxes",
            Self::Coarse { .. } => "wide-obb-coarse",
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::FalseHits
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        if *self == Self::Arbitrary {
            Arbitrary::default().prepare(model)?;
        }
        // Contacts are listed by this one.
        Wide::new().prepare(model)
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        match self {
            Self::Arbitrary => Arbitrary::default().prepared_bytes(model),
            Self::Wide | Self::Coarse { .. } => Wide::new().prepared_bytes(model),
        }
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let pair = [a, b];
        if let Some(refusal) = refusal(pair) {
            return refusal;
        }
        let mut deadline = Deadline::of(query, cache);
        let mut monitor = Monitor::always(&deadline);
        let mut near = None;
        let mut transforms = 0;
        if monitor.in_time().is_continue() {
            match self {
                Self::Arbitrary => {
                    let (suspects, all) = Arbitrary::default().suspects(pair, cache, &mut monitor);
                    near = suspects.map(|hit| hit.suspects(pair));
                    transforms = all;
                }
                Self::Wide | Self::Coarse { .. } => {
                    match self.of_trees(pair, cache, &mut monitor) {
                        Ok(suspects) => near = suspects,
                        Err(refused) => return refused,
                    }
                }
            }
        }
        let end = monitor.finish(transforms, query, cache);
        match (near, end) {
            (Some(near), _) => Verdict::Undecided(Reason::MayTouch(near)),
            (None, End::OutOfTime) => Verdict::Undecided(Reason::OutOfTime),
            (None, End::Unfinished(left)) => Verdict::Undecided(left.reason(pair)),
            (None, _) => match self {
                Self::Arbitrary => conclude(a, b, query, &mut deadline),
                Self::Wide | Self::Coarse { .. } => {
                    Wide::new().conclude(pair, query, cache, &mut deadline)
                }
            },
        }
    }
}

impl PreChecks {
    /// Two triangles in the first boxes at which the descent of two wide hierarchies ends.
    fn of_trees(
        self,
        pair: [Placed<'_>; 2],
        cache: &mut PairCache,
        monitor: &mut Monitor,
    ) -> Result<Option<Suspects>, Verdict> {
        let trees = pair.map(|placed| prepared::<WideTree>(placed.model()));
        let [Some(of_a), Some(of_b)] = trees else {
            return Err(Verdict::Undecided(Reason::NotAccepted));
        };
        let Memory::<WideTree> { scratch, .. } = cache.get_or_default();
        let placed = [(of_a, pair[0].pose()), (of_b, pair[1].pose())];
        let mut first = None;
        if let Self::Coarse { halvings } = self {
            first = first_small_overlap(placed[0], placed[1], halvings, scratch, monitor);
        } else {
            WideTree::candidates(placed[0], placed[1], scratch, monitor, |s, t| {
                first = Some((s, t));
                ControlFlow::Break(())
            });
        }
        Ok(first.map(|(s, t)| Suspects::of_triangles(pair, [s as usize, t as usize])))
    }
}
