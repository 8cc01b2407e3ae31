//! Best-first traversal: of all waiting pairs of nodes the one with the least priority is opened (Hart,
//! Nilsson and Raphael 1968; for distances of hierarchies Johnson and Cohen 1998).
//!
//! With lower bounds of a distance as priorities, no pair is opened whose bound exceeds the least distance.
//! Depth first opens up to twice as many pairs if the models are far apart. The price is a heap.

use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::slice::from_ref;

use xcollide_bounds::BoundingVolume;

use super::{Descent, Nodes, Step, Visitor, children};
use crate::Counter;

/// Waiting pairs at most. Beyond this number, which only surfaces that run close together everywhere reach,
/// opened pairs are finished depth first, so memory is bounded.
pub(super) const MOST: usize = 1 << 16;

/// A pair of nodes to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// The pair of greatest rank is opened first; no two are equal.
    rank: u128,
    a: u32,
    b: u32,
}

impl Waiting {
    /// `serial`: of equal priorities the newest pair is opened first, which is depth first.
    #[inline]
    fn new(priority: f64, serial: u32, turn: bool, [a, b]: [u32; 2]) -> Self {
        // Numbers above 0 have the order of their bits. NaN counts as 0, so that it does not expire.
        let bits = if priority > 0.0 { priority.to_bits() } else { 0 };
        let rank = u128::from(!bits) << 64 | u128::from(serial) << 1 | u128::from(turn);
        Self { rank, a, b }
    }

    #[inline]
    fn priority(&self) -> f64 {
        f64::from_bits(!((self.rank >> 64) as u64))
    }

    #[inline]
    fn turn(&self) -> bool {
        self.rank & 1 == 1
    }
}

/// The waiting pairs.
struct Queue {
    /// The best of the newest pairs. It is mostly the best of all, and then never enters the heap.
    next: Option<Waiting>,
    heap: BinaryHeap<Waiting>,
    serial: u32,
}

impl Queue {
    #[inline]
    fn push(&mut self, priority: f64, turn: bool, nodes: [u32; 2]) {
        self.serial = self.serial.wrapping_add(1);
        let new = Waiting::new(priority, self.serial, turn, nodes);
        match &mut self.next {
            None => self.next = Some(new),
            Some(next) => {
                let later = if new > *next { std::mem::replace(next, new) } else { new };
                self.heap.push(later);
            }
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Waiting> {
        let Some(mut next) = self.next.take() else { return self.heap.pop() };
        if let Some(mut first) = self.heap.peek_mut()
            && *first > next
        {
            std::mem::swap(&mut *first, &mut next);
        }
        Some(next)
    }
}

impl<V: BoundingVolume> Descent<'_, V> {
    /// As [`run`](Self::run), for a visitor for which all pairs of greater priority have expired once one
    /// has. At most `most` pairs wait, plus those that one more opens.
    pub(super) fn run_best_first<W: Visitor<V>, C: Counter>(
        &self,
        most: usize,
        visitor: &mut W,
        counter: &mut C,
    ) -> ControlFlow<()> {
        if self.a.nodes.is_empty() || self.b.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut queue = Queue { next: None, heap: BinaryHeap::with_capacity(64), serial: 0 };
        let whole = self.b.nodes[0].volume.moved(&self.into_a);
        counter.moved(1);
        self.wait(&Nodes { a: 0, b: 0, moved_b: &whole }, false, visitor, counter, &mut queue)?;
        while let Some(waiting) = queue.pop() {
            if visitor.expired(waiting.priority()) {
                break;
            }
            let (Waiting { a, b, .. }, turn) = (waiting, waiting.turn());
            let (node_a, node_b) = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
            let [opens_a, opens_b] = self.opens([node_a, node_b], turn);
            if !opens_a && !opens_b || queue.heap.len() >= most {
                let moved_b = &node_b.volume.moved(&self.into_a);
                self.open(&Nodes { a, b, moved_b }, turn, visitor, counter)?;
                continue;
            }
            counter.go_on()?;
            let (halves_a, halves_b) = (children(a, node_a), children(b, node_b));
            let of_a = if opens_a { &halves_a[..] } else { from_ref(&a) };
            let of_b = if opens_b { &halves_b[..] } else { from_ref(&b) };
            for &b in of_b {
                let moved_b = &self.b.nodes[b as usize].volume.moved(&self.into_a);
                counter.moved(1);
                for &a in of_a {
                    self.wait(&Nodes { a, b, moved_b }, !turn, visitor, counter, &mut queue)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Tests a pair, and adds it to the queue if it is to be opened.
    #[inline]
    fn wait<W: Visitor<V>, C: Counter>(
        &self,
        nodes: &Nodes<'_, V>,
        turn: bool,
        visitor: &mut W,
        counter: &mut C,
        queue: &mut Queue,
    ) -> ControlFlow<()> {
        let &Nodes { a, b, moved_b } = nodes;
        let (volume_a, volume_b) =
            (&self.a.nodes[a as usize].volume, &self.b.nodes[b as usize].volume);
        counter.volumes(1);
        match visitor.step(volume_a, moved_b) {
            Step::Prune => {}
            Step::Stop => return ControlFlow::Break(()),
            Step::Open(priority) => {
                if visitor.confirm(volume_a, volume_b) {
                    queue.push(priority, turn, [a, b]);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use xcollide_bounds::Obb;
    use xcollide_math::Pose;

    use super::*;
    use crate::Counts;
    use crate::binary::traverse::visitor::Near;
    use crate::binary::{Builder, Bvh};

    type Point = [f64; 3];

    /// Points of a bumpy sheet, each in a leaf of its own.
    fn sheet(count: u32) -> Vec<[Point; 1]> {
        let square = |x: f64| (x - 5.0) * (x - 5.0);
        let at = |i: u32| [f64::from(i % 11), f64::from(i / 11), f64::from(i * i % 7)];
        (0..count)
            .map(|i| [at(i)])
            .map(|[[x, y, z]]| [[x, y, 0.1 * square(x) + 0.05 * z]])
            .collect()
    }

    fn distance([[x, y, z]]: &[Point; 1], [[u, v, w]]: &[Point; 1], off: Point) -> f64 {
        let d = [u + off[0] - x, v + off[1] - y, w + off[2] - z];
        (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
    }

    /// However few may wait, the nearest pair is found; where all may, nothing is looked at that one who
    /// knew the answer would not have looked at.
    #[test]
    fn the_nearest_is_found_with_any_memory_and_with_all_of_it_nothing_is_opened_in_vain()
    -> Result<(), crate::BuildError> {
        let points = sheet(100);
        let tree: Bvh<Obb> = Builder::default().leaf_size(1).build(&points)?;
        for off in [[0.0, 0.0, 0.4], [30.0, 2.0, 1.0], [3.5, -9.0, 20.0], [0.0; 3]] {
            let all = points.iter().flat_map(|p| points.iter().map(move |q| distance(p, q, off)));
            let least = all.fold(f64::INFINITY, f64::min);
            let motion = Pose::from_translation(off);
            let into_a = Obb::prepare(&Pose::relative(&Pose::IDENTITY, &motion), 1e-9);
            let rule = crate::DescentRule::default();
            let descent = Descent { a: &tree, b: &tree, into_a, rule };
            let found = |most: usize, limit: f64| {
                let (mut best, mut counts) = (limit, Counts::default());
                let mut visitor = Near::new(limit, 1e-9, |s: u32, t: u32| {
                    let found = distance(&points[s as usize], &points[t as usize], off);
                    best = if found < best { found } else { best };
                    ControlFlow::Continue(Some(best))
                });
                let flow = descent.run_best_first(most, &mut visitor, &mut counts);
                assert!(flow.is_continue());
                (best, counts)
            };
            for most in [0, 1, 5, 30, MOST] {
                assert_eq!(found(most, f64::INFINITY).0, least, "{most} may wait, {off:?}");
            }
            let (known, counts) = found(MOST, least);
            assert_eq!(known, least);
            assert_eq!(found(MOST, f64::INFINITY).1, counts, "{off:?}");
            assert!(counts.primitives < found(0, f64::INFINITY).1.primitives || least == 0.0);
        }
        Ok(())
    }
}
