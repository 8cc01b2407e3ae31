//! The cut of two hierarchies of any kind at which a search ended, kept for the next search (Li and Chen 1998; the motion
//! against the gap: Mirtich 1996).
//!
//! ```text
//!        1  apart by 0.3            A search goes down until volumes are apart or leaves are reached. These pairs cut the tree
//!      /   \                        of all pairs: what meets is below one of them. Later, after the second hierarchy has moved
//!     ▪     2                       relative to the first, only those are tested again whose gap the motion may have closed.
//! ```
//!
//! # Why no colliding pair is lost
//!
//! Let M be the computed motion from the frame of the second tree into that of the first, and q a point of the second model.
//! Between two queries M(q) moves by less than |ΔR|·|q| + |Δt|, where |ΔR| is the root of the sum of squares. If volumes were
//! g apart, the second one enlarged by the margin of that query, and M has moved the points by d since, they are more than
//! g − d apart; triangles below them can meet only if that is within the margin of this query, by the
//! [proof](crate::binary#why-no-colliding-pair-is-lost). A pair is kept while g > d + margin, with 1e-4 of g taken off for
//! rounding. d is the sum over all queries since, as distances on the way add up.

use std::ops::ControlFlow;

use xcollide_bounds::BoundingVolume;
use xcollide_math::Pose;

use super::{Levels, Opening};
use crate::Counter;

/// The most pairs that are kept.
const MOST: usize = 1 << 15;
/// Volumes promise nothing beyond this magnitude.
pub(super) const TRUSTED: f64 = 1e100;
/// A front has paid for itself once it has saved work in this many queries.
const PAYS: u32 = 4;
/// The longest pause after a front that did not pay, in queries.
const LONGEST_PAUSE: u32 = 256;

/// What is kept of two hierarchies from query to query. It must be [cleared](Self::clear) for other hierarchies.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bounds::Obb;
/// use xcollide_bvh::Counts;
/// use xcollide_bvh::binary::{Builder, Bvh};
/// use xcollide_bvh::levels::LevelFront;
/// use xcollide_math::Pose;
///
/// let strip: Vec<[[f64; 3]; 3]> = (0..100)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i) + k, k % 2.0, 0.0]))
///     .collect();
/// let tree: Bvh<Obb> = Builder::default().build(&strip)?;
/// let mut front = LevelFront::default();
/// let mut tests = Vec::new();
/// for step in 0..3 {
///     let above = Pose::from_translation([0.0, 0.0, 0.5 - 0.001 * f64::from(step)]);
///     let mut counts = Counts::default();
///     let mut apart = |_, _| ControlFlow::Continue(());
///     let placed = [(&tree, &Pose::IDENTITY), (&tree, &above)];
///     let flow = front.search(placed, &mut counts, &mut apart, |_, _| ControlFlow::Continue(()));
///     assert!(flow.is_continue());
///     tests.push(counts.volumes);
/// }
/// assert!(tests[0] > 0);
/// assert_eq!(tests[1..], [0, 0]);
/// # Ok::<(), xcollide_bvh::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LevelFront<V> {
    pairs: Vec<FrontPair<V>>,
    /// The relative motion of the last query with this front.
    relative: Option<Pose>,
    /// How far the points of the second model have moved since the front was made, at most.
    travelled: f64,
    /// The primitives at which the last search broke.
    last: Option<(u32, u32)>,
    /// Whether the last search found nothing.
    was_apart: bool,
    /// The number of pairs when the front was made, and the queries since in which it spared work.
    made: usize,
    uses: u32,
    /// Queries until the next front is made, and the length of the next pause.
    waiting: u32,
    pause: u32,
}

impl<V> Default for LevelFront<V> {
    fn default() -> Self {
        Self {
            pairs: Vec::new(),
            relative: None,
            travelled: 0.0,
            last: None,
            was_apart: true,
            made: 0,
            uses: 0,
            waiting: 0,
            pause: 1,
        }
    }
}

#[derive(Clone, Debug)]
struct FrontPair<V> {
    a: Opening<V>,
    b: Opening<V>,
    /// The distance travelled up to which they are apart.
    until: f64,
}

impl<V: BoundingVolume> LevelFront<V> {
    /// Forgets all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.pairs.len() * size_of::<FrontPair<V>>()
    }

    /// Calls `exact` with pairs of primitives until it breaks: all that have a point in common in the world, and others,
    /// some repeatedly; first the pair at which the last search broke. Where a front does not pay, `plain` searches instead.
    pub fn search<T: Levels<Volume = V>, C: Counter>(
        &mut self,
        placed: [(&T, &Pose); 2],
        counter: &mut C,
        exact: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
        plain: impl FnOnce(&mut C, &mut dyn FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some((s, t)) = self.last.take() {
            counter.primitives(1);
            if exact(s, t).is_break() {
                self.last = Some((s, t));
                return ControlFlow::Break(());
            }
        }
        let mut last = None;
        let mut noting = |s, t| {
            let flow = exact(s, t);
            if flow.is_break() {
                last = Some((s, t));
            }
            flow
        };
        let flow = match self.begin(placed) {
            Some(query) => self.update(placed, &query, counter, &mut noting),
            None => plain(counter, &mut noting),
        };
        self.was_apart = flow.is_continue();
        self.last = last;
        flow
    }

    /// What a query with the front needs; `None` if there shall be none.
    fn begin<T: Levels<Volume = V>>(&mut self, placed: [(&T, &Pose); 2]) -> Option<FrontQuery<V>> {
        let [(a, pose_a), (b, pose_b)] = placed;
        let reach = [a.magnitude(), b.magnitude()];
        let translations = [pose_a, pose_b].map(Pose::translation);
        let mut coordinates = translations.as_flattened().iter().chain(&reach);
        if !coordinates.all(|value| value.abs() < TRUSTED) {
            return None;
        }
        let relative = Pose::relative(pose_a, pose_b);
        let slack = 2.0 * (a.slack() + b.slack());
        let margin = Pose::relative_margin(pose_a, pose_b, reach[0], reach[1]) + slack;
        let into_a = V::prepare(&relative, margin);
        if self.pairs.is_empty() {
            if !self.was_apart {
                return None;
            }
            if self.waiting > 0 {
                self.waiting -= 1;
                return None;
            }
            let until = f64::NEG_INFINITY;
            self.pairs.push(FrontPair { a: a.root()?, b: b.root()?, until });
            (self.travelled, self.made, self.uses) = (0.0, 0, 0);
        } else {
            self.travelled +=
                self.relative.as_ref().map_or(0.0, |then| motion(then, &relative, reach[1]));
            let now = self.travelled + margin;
            // False for what is not a number.
            let kept = self.pairs.iter().filter(|pair| pair.until > now).count();
            if 2 * kept < self.pairs.len() {
                self.drop_pairs();
                return None;
            }
        }
        self.relative = Some(relative);
        Some(FrontQuery { into_a, margin })
    }

    /// Tests what the motion may have changed, and goes down where volumes overlap.
    fn update<T: Levels<Volume = V>>(
        &mut self,
        [(a, _), (b, _)]: [(&T, &Pose); 2],
        query: &FrontQuery<V>,
        counter: &mut impl Counter,
        exact: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let now = self.travelled + query.margin;
        let before = std::mem::take(&mut self.pairs);
        let count = before.len();
        let (mut stack, mut flow, mut tested) = (Vec::new(), ControlFlow::Continue(()), 0);
        let [mut children_a, mut children_b] = [Vec::new(), Vec::new()];
        let [mut items_a, mut items_b] = [Vec::new(), Vec::new()];
        for pair in before {
            if pair.until > now {
                self.pairs.push(pair);
                continue;
            }
            stack.push((pair.a, pair.b));
            while let Some((of_a, of_b)) = stack.pop() {
                let until = f64::NEG_INFINITY;
                if flow.is_break() || counter.go_on().is_break() {
                    // What is left is tested the next time.
                    flow = ControlFlow::Break(());
                    self.pairs.push(FrontPair { a: of_a, b: of_b, until });
                    continue;
                }
                counter.volumes(1);
                tested += 1;
                let moved = of_b.volume.moved(&query.into_a);
                if !of_a.volume.overlaps(&moved) {
                    let gap = 0.9999 * of_a.volume.distance_squared(&moved).sqrt();
                    let until = self.travelled + gap;
                    self.pairs.push(FrontPair { a: of_a, b: of_b, until });
                    continue;
                }
                a.open(&of_a, &mut children_a, &mut items_a);
                b.open(&of_b, &mut children_b, &mut items_b);
                let opens_b = children_a.is_empty()
                    || !children_b.is_empty() && of_b.volume.bulk() > of_a.volume.bulk();
                if children_a.is_empty() && children_b.is_empty() {
                    for (s, t) in items_a.iter().flat_map(|s| items_b.iter().map(move |t| (*s, *t)))
                    {
                        counter.primitives(1);
                        flow = exact(s, t);
                        if flow.is_break() {
                            break;
                        }
                    }
                    self.pairs.push(FrontPair { a: of_a, b: of_b, until });
                } else if opens_b {
                    stack.extend(children_b.drain(..).rev().map(|child| (of_a.clone(), child)));
                } else {
                    stack.extend(children_a.drain(..).rev().map(|child| (child, of_b.clone())));
                }
                children_a.clear();
                children_b.clear();
                items_a.clear();
                items_b.clear();
            }
        }
        let is_new = self.made == 0;
        if is_new {
            self.made = self.pairs.len();
        } else if 2 * tested < count {
            self.uses += 1;
        }
        // A descent to a hit is short, so a front that would have to be completed by the next query is none.
        if is_new && flow.is_break() || self.pairs.len() > MOST.min(2 * self.made + 64) {
            self.drop_pairs();
        }
        flow
    }

    /// Drops the pairs; the next front comes the later, the less often this one was of use.
    fn drop_pairs(&mut self) {
        self.pairs.clear();
        self.pause = if self.uses >= PAYS { 1 } else { (2 * self.pause).min(LONGEST_PAUSE) };
        self.waiting = self.pause - 1;
    }
}

struct FrontQuery<V: BoundingVolume> {
    into_a: V::Prepared,
    margin: f64,
}

/// A bound of how far points with coordinates up to `reach` move between two motions.
pub(super) fn motion(then: &Pose, now: &Pose, reach: f64) -> f64 {
    let change =
        |row: usize, column: usize| now.rotation()[row][column] - then.rotation()[row][column];
    let squares: f64 = (0..9).map(|k| change(k / 3, k % 3).powi(2)).sum();
    let (from, to) = (then.translation(), now.translation());
    let shift: f64 = (0..3).map(|k| (to[k] - from[k]).powi(2)).sum();
    // More than the square root of three, and than all rounding.
    1.7321 * (squares.sqrt() * reach) + 1.0001 * shift.sqrt()
}
