//! Temporal coherence (front tracking): results of a traversal, kept while the motion since then cannot have
//! changed them.
//!
//! A traversal ends at a cut through all pairs of boxes: opened pairs whose children are separated by a gap,
//! and pairs of leaves whose triangles are disjoint. While no point of one tree moves, relative to the other,
//! by more than the smallest gap, nothing needs another test. So each pair of the cut expires at a distance
//! travelled, and a query tests expired pairs only. (Cuts: Li and Chen, *Incremental 3D collision detection
//! with hierarchical data structures*, 1998. Motion against distance: Mirtich's conservative advancement,
//! 1996.)
//!
//! # Why no collision is lost
//!
//! Let X and Y be the two trees, Y the smaller one, M₀ and M₁ the motion from Y to X as
//! [`Pose::relative`](xcollide_math::Pose::relative) rounds it at two queries, taken as exact maps, and μ₀,
//! μ₁ its [margins](xcollide_math::Pose::relative_margin): if triangles have a common point in the rounded
//! world, they have points p, q with |p − M q| ≤ μ. As everywhere, the motions to the world are rotations up
//! to 10⁻⁵.
//!
//! 1. *A gap at the first query.* The kernel found a gap g > 0 along a direction L. Its margins (the head of
//!    `relative_transform`) cover all rounding except that in proportion to g (two subtractions), and
//!    |L| < 1 + 2⁻⁹ for matrices whose `RᵀR` is the identity up to 2⁻¹⁰. So any contents p, q of the two boxes
//!    have |p − M₀ q| ≥ (1 − 2⁻⁸)g if X is the frame of the test. If it is Y, they have this distance for the
//!    way back N₀, besides the part of its margin (point 7 there) by which |p − M₀ q| may be less than
//!    |N₀ p − q|, up to lengths that change by less than 2⁻¹⁰: hence
//!    |p − M₀ q| ≥ (1 − 2⁻⁸)(1 − 2⁻¹⁰)g − 3μ₀, the last term being rounding.
//! 2. *A gap between triangles* is measured in the rounded world; seen from X, their local points are no
//!    nearer, up to μ₀ and 2⁻⁸ of the gap (`triangle_gap` has the rest).
//! 3. *The motion.* With the matrices R₀, R₁, D = R₁ − R₀ and o the origin of Y, any q within ρ of o moves by
//!    |M₁ q − M₀ q| ≤ ‖D‖ρ + |D·o + t₁ − t₀|. The spectral norm ‖D‖ is at most F, the root of the sum of
//!    squares; as the difference of two rotations has singular values s, s, 0, it is also at most F/√2 plus
//!    2.23 times the sum of the skews by which R₀ and R₁ are no rotations: each is within its skew, the
//!    largest row sum of `|RᵀR − I|`, of its polar factor, in the root of squares within √3 times that, and
//!    the determinants have one sign if F < 1. The smaller bound counts, so that the bound is 0 without
//!    motion. Differences of floating-point numbers are rounded relative to the result, so the error is in
//!    proportion to the motion and the origin's coordinates, not to the distance from the world's origin.
//! 4. *Several steps* add up to the distance travelled, by the triangle inequality. It is counted from query
//!    to query only if the cut changes, else from where it changed last, so that trembling on the spot does
//!    not add up.
//! 5. *At the second query*, p and q with |p − M₁ q| ≤ μ₁ would have (1 − 2⁻⁷)g ≤ 3μ₀ + μ₁ + travel. A pair
//!    expires at `travelled + (1 − 2⁻⁷)g − 4μ₀`, rounded down, and is kept while that is at least
//!    `travelled + 4μ₁`, rounded up. So it is kept only if there is no such point. NaN, and matrices that are
//!    no rotations up to 2⁻¹⁰, expire everything.
//!
//! # When it pays
//!
//! Most pairs of a cut have small gaps, so it pays for small motion only (`docs/benchmarks.md`). A cut is made
//! only after a query without a hit; a cut that is half expired is dropped for an ordinary traversal; cuts
//! that do not pay are retried after longer and longer pauses. That limits the loss to a few percent. If
//! there are more pairs than the limit, the others are searched every time, and the next attempt is 255
//! queries later.

mod backoff;
mod cut;
mod sighting;
mod triangle_gap;

use std::ops::ControlFlow;
use xcollide_math::Pose;

use xcollide_simd::dispatch_up_to;

use super::{Traversal, WideTree, candidates};
use crate::Counter;
use backoff::Backoff;
use cut::{Clock, Cut, Update};
use sighting::{Mover, Sighting};

use super::tree::Identity;
pub(super) use cut::Entry;

/// The cut of two trees, kept from query to query for [`TemporalFront::search`].
///
/// It may be used for any query: other, exchanged and refitted trees start a new cut. Memory: 24 bytes for
/// each pair of the cut (usual meshes near each other have 50 to 250), at most 1.6 MB.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_math::Pose;
/// use xcollide_predicates::triangles_intersect;
/// use xcollide_bvh::wide::{TemporalFront, Traversal, WideOptions, WideTree};
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
///
/// let here = (&tree, &Pose::IDENTITY);
/// let (mut front, mut traversal) = (TemporalFront::new(), Traversal::new());
/// // From a distance, step by step.
/// let meeting = (0..4096_u32).map(|step| 2.0 - f64::from(step) / 1024.0).find(|&x| {
///     let pose = Pose::from_translation([x, 0.0, 0.0]);
///     let there = (&tree, &pose);
///     let corners = |pose: &Pose, triangle: u32| {
///         triangles[triangle as usize].map(|corner| pose.apply(positions[corner as usize]))
///     };
///     let mut world = |s, t| [corners(here.1, s), corners(there.1, t)];
///     let mut exact = move |s, t| {
///         let [s, t] = world(s, t);
///         if triangles_intersect(&s, &t) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
///     };
///     front.search(here, there, &mut traversal, &mut (), &mut exact, &mut world).is_break()
/// });
/// assert_eq!(meeting, Some(1.0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TemporalFront {
    of: Option<[Identity; 2]>,
    mover: Option<Mover>,
    /// The pair of triangles at which the last query broke.
    last: Option<(u32, u32)>,
    retry_last: Backoff<1>,
    /// Whether the last query did not break.
    was_apart: bool,
    cut: Cut,
    /// The relative pose when the cut changed last, and the distance travelled until then.
    sighting: Option<Sighting>,
    travelled: f64,
    account: Account,
    retry_cut: Backoff<2>,
}

/// The cost and the savings of a cut, in tests of a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// The pairs of the new cut.
    made: usize,
    saved: i64,
}

impl Account {
    /// Whether the savings exceed the extra cost of making the cut.
    fn has_paid(&self) -> bool {
        2 * self.saved > self.made as i64
    }
}

impl TemporalFront {
    /// An empty front; allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.cut.bytes()
    }

    /// Empties the front.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Calls `exact` with pairs of triangles until it breaks: all pairs with a common point in the world, and
    /// others. Order and other pairs depend on earlier queries. The pair at which the last query broke may be
    /// passed twice.
    ///
    /// `world` returns the corners of two triangles in the world, by
    /// [`Pose::apply`](xcollide_math::Pose::apply), for pairs at which `exact` did not break.
    pub fn search<T: Counter>(
        &mut self,
        a: (&WideTree, &Pose),
        b: (&WideTree, &Pose),
        traversal: &mut Traversal,
        counter: &mut T,
        exact: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
        world: &mut dyn FnMut(u32, u32) -> [[[f64; 3]; 3]; 2],
    ) -> ControlFlow<()> {
        if a.0.nodes.is_empty() || b.0.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        self.start_on(a, b);
        if let Some((s, t)) = self.last
            && self.retry_last.is_due()
        {
            counter.primitives(1);
            if exact(s, t).is_break() {
                self.retry_last.paid();
                self.was_apart = false;
                return ControlFlow::Break(());
            }
            self.retry_last.in_vain();
        }
        let mut last = None;
        let mut noting = |s, t| {
            let flow = exact(s, t);
            if flow.is_break() {
                last = Some((s, t));
            }
            flow
        };
        let flow = self.search_cut(a, b, traversal, counter, &mut noting, world);
        self.was_apart = flow.is_continue();
        self.last = last;
        flow
    }

    /// Empties the front if it belongs to other trees.
    fn start_on(&mut self, a: (&WideTree, &Pose), b: (&WideTree, &Pose)) {
        let known = self
            .of
            .as_ref()
            .is_some_and(|[of_a, of_b]| *of_a == a.0.identity && *of_b == b.0.identity);
        if !known {
            self.clear();
            self.of = Some([a.0.identity.clone(), b.0.identity.clone()]);
            self.mover = Mover::of(a, b);
        }
    }

    /// Searches by the cut if that promises to pay, else by an ordinary descent.
    fn search_cut<T: Counter>(
        &mut self,
        a: (&WideTree, &Pose),
        b: (&WideTree, &Pose),
        traversal: &mut Traversal,
        counter: &mut T,
        exact: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
        world: &mut dyn FnMut(u32, u32) -> [[[f64; 3]; 3]; 2],
    ) -> ControlFlow<()> {
        let Some(mover) = self.mover else {
            return candidates(a, b, traversal, counter, exact);
        };
        let mut fresh = self.cut.is_empty();
        if fresh && !(self.was_apart && self.retry_cut.is_due()) {
            return candidates(a, b, traversal, counter, exact);
        }
        let here = mover.sight(a, b);
        let mut travelled = 0.0;
        if let Some(there) = &self.sighting
            && !fresh
        {
            travelled = self.travelled + mover.motion_between(there, &here);
        }
        let clock_at = |travelled| Clock::new(travelled, here.noise, mover.scale);
        let mut clock = clock_at(travelled);
        let mut expired = 0;
        if !fresh {
            expired = self.cut.expired(clock.now);
            if expired == 0 {
                self.account.saved += self.account.made as i64;
                return ControlFlow::Continue(());
            }
            if self.cut.is_of_roots() {
                // Two boxes: just test them again.
                self.cut.clear();
                (fresh, travelled) = (true, 0.0);
                clock = clock_at(travelled);
            } else if 2 * expired > self.cut.len() {
                self.drop_cut();
                return candidates(a, b, traversal, counter, exact);
            }
            if travelled > REBASE {
                self.cut.rebase(travelled);
                travelled = 0.0;
                clock = clock_at(travelled);
            }
        }
        let before = self.cut.len();
        let limit = traversal.limit();
        let update = Update {
            cut: &mut self.cut,
            clock,
            placed: [a, b],
            stack: &mut traversal.stack,
            counter,
            exact,
            world,
        };
        let flow = dispatch_up_to(limit, update);
        self.sighting = Some(here);
        self.travelled = travelled;
        if fresh {
            self.account = Account { made: self.cut.len(), saved: 0 };
            if self.cut.is_of_roots() {
                return flow;
            }
            if flow.is_break() {
                self.drop_cut();
            }
        } else {
            // A descent to a hit is short, so it saves nothing that counts.
            let work = expired + self.cut.len() - before;
            let otherwise = if flow.is_break() { 0 } else { self.account.made };
            self.account.saved += otherwise as i64 - work as i64;
        }
        if self.cut.is_full() && !self.account.has_paid() {
            // Surfaces that run along each other have more pairs than the limit.
            self.cut.clear();
            self.retry_cut.hopeless();
        } else if self.cut.is_full() || self.cut.len() > 2 * self.account.made + 64 {
            self.drop_cut();
        }
        flow
    }

    /// Drops the cut, and retries sooner if it has paid.
    fn drop_cut(&mut self) {
        if self.account.has_paid() {
            self.retry_cut.paid();
        } else {
            self.retry_cut.in_vain();
        }
        self.cut.clear();
    }
}

/// The distance after which the clock is set back, in the unit of the first tree.
const REBASE: f64 = 4.0;
