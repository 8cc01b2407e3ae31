//! Trees of axis-aligned boxes, with the tests of SOLID (van den Bergen 1997).

use std::ops::ControlFlow;

use xcollide_bounds::{Aabb, AabbSat};
use xcollide_math::Pose;

use super::{PairTraversal, Visitor};
#[cfg(doc)]
use crate::Counts;
use crate::binary::Bvh;
use crate::{Candidates, Counter};

/// The axes on which a box of one tree is tested against a turned box of the other. An axis costs nine
/// multiplications; more axes reject more pairs. Van den Bergen found six the best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum AabbTest {
    /// The three axes of the first tree: the box of the second is re-enclosed (Zachmann 5.2.1).
    Three,
    /// The axes of both trees.
    #[default]
    Six,
    /// All lines on which two boxes can be apart: these and nine cross products.
    Fifteen,
}

/// A [`PairTraversal`] of two trees of axis-aligned boxes with a choice of the test.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_math::Pose;
/// use xcollide_bvh::{Candidates, Counts};
/// use xcollide_bvh::binary::{AabbTest, AabbTraversal, Builder, Bvh};
///
/// let cube = [[[-1.0; 3], [1.0; 3]]];
/// let tree: Bvh<Aabb> = Builder::default().build(&cube)?;
/// let turn = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
/// let aside = Pose::from_matrix(turn, [1.8, 2.2, 0.0])?;
/// let mut candidates = |test| {
///     AabbTraversal::new((&tree, &Pose::IDENTITY), (&tree, &aside)).test(test).count(|_, _| true)
/// };
/// assert_eq!([AabbTest::Three, AabbTest::Six].map(candidates), [1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AabbTraversal<'a, C = ()> {
    pairing: PairTraversal<'a, Aabb, C>,
    test: AabbTest,
    /// From the second frame into the first, and the margin.
    relation: (Pose, f64),
}

impl<'a> AabbTraversal<'a> {
    /// Two trees, each with the motion from its own frame into the world.
    #[must_use]
    pub fn new(a: (&'a Bvh<Aabb>, &Pose), b: (&'a Bvh<Aabb>, &Pose)) -> Self {
        let margin = Pose::relative_margin(a.1, b.1, a.0.reach(), b.0.reach());
        let relation = (Pose::relative(a.1, b.1), margin);
        Self { pairing: PairTraversal::new(a, b), test: AabbTest::default(), relation }
    }
}

impl<'a, C: Counter> AabbTraversal<'a, C> {
    /// With another test of boxes. The answers are the same.
    #[must_use]
    pub fn test(mut self, test: AabbTest) -> Self {
        self.test = test;
        self
    }

    /// Counts tests, in a `&mut` [`Counts`] or your own counter. Two boxes count once, on any number of axes.
    #[must_use]
    pub fn counting<D: Counter>(self, counter: D) -> AabbTraversal<'a, D> {
        let Self { pairing, test, relation } = self;
        AabbTraversal { pairing: pairing.counting(counter), test, relation }
    }
}

/// The pairs of primitives whose leaves overlap.
impl<C: Counter> Candidates for AabbTraversal<'_, C> {
    fn candidates(&mut self, pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let (motion, margin) = &self.relation;
        let lines = match self.test {
            AabbTest::Three => return self.pairing.candidates(pair),
            AabbTest::Six => AabbSat::normals(motion, *margin),
            AabbTest::Fifteen => AabbSat::all(motion, *margin),
        };
        self.pairing.visit(&mut OnLines { lines, pair })
    }
}

/// Visits the pairs whose leaves overlap, on all lines.
struct OnLines<F> {
    lines: AabbSat,
    pair: F,
}

impl<F: FnMut(u32, u32) -> ControlFlow<()>> Visitor<Aabb> for OnLines<F> {
    #[inline]
    fn confirm(&mut self, a: &Aabb, b: &Aabb) -> bool {
        self.lines.overlap(a, b)
    }

    #[inline]
    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        (self.pair)(a, b)
    }
}
