//! The simultaneous traversal of two hierarchies (slides, "The General Hierarchical Collision
//! Detection Algo"; Daneu 3.4.1).
//!
//! ```text
//! traverse(X, Y):
//!     X, Y do not overlap:   return
//!     X, Y are leaves:       hand their pairs of primitives to the visitor
//!     else:                  traverse the pairs of children of one of them, or of both
//! ```
//!
//! One recursion for all kinds of volume, queries ([`Visitor`]) and rules ([`DescentRule`]).

mod aabb_traversal;
mod best_first;
mod pair_traversal;
mod split_search;
mod visitor;

use std::ops::ControlFlow;

use xcollide_bounds::BoundingVolume;

use crate::binary::{Bvh, Node, NodeId};
use crate::{Counter, DescentRule};

pub use aabb_traversal::{AabbTest, AabbTraversal};
pub(crate) use pair_traversal::TRUSTED;
pub use pair_traversal::{Nearest, PairTraversal};
pub use visitor::{OverlapVisitor, Step, Visitor};

/// The two trees of a traversal.
#[derive(Debug)]
struct Descent<'a, V: BoundingVolume> {
    a: &'a Bvh<V>,
    b: &'a Bvh<V>,
    /// From the frame of b to that of a, with the margin.
    into_a: V::Prepared,
    rule: DescentRule,
}

/// Two nodes, and the volume of the second one in the frame of the first.
struct Nodes<'v, V> {
    a: u32,
    b: u32,
    moved_b: &'v V,
}

impl<V: BoundingVolume> Descent<'_, V> {
    fn run<W: Visitor<V>, C: Counter>(&self, visitor: &mut W, counter: &mut C) -> ControlFlow<()> {
        let (Some(root_a), Some(root_b)) = (self.a.nodes.first(), self.b.nodes.first()) else {
            return ControlFlow::Continue(());
        };
        let moved = root_b.volume.moved(&self.into_a);
        counter.moved(1);
        counter.volumes(1);
        match visitor.step(&root_a.volume, &moved) {
            Step::Prune => ControlFlow::Continue(()),
            Step::Stop => ControlFlow::Break(()),
            Step::Open(_) if !visitor.confirm(&root_a.volume, &root_b.volume) => {
                ControlFlow::Continue(())
            }
            Step::Open(_) => {
                self.open(&Nodes { a: 0, b: 0, moved_b: &moved }, false, visitor, counter)
            }
        }
    }

    /// Continues below a pair of nodes that passed its test. `turn`: whether it is b's turn, for the
    /// alternating rule. The recursion is no deeper than the two trees together.
    fn open<W: Visitor<V>, C: Counter>(
        &self,
        nodes: &Nodes<'_, V>,
        turn: bool,
        visitor: &mut W,
        counter: &mut C,
    ) -> ControlFlow<()> {
        let &Nodes { a, b, moved_b } = nodes;
        if counter.go_on().is_break() {
            counter.left(1, || self.first_below([a, b]));
            return ControlFlow::Break(());
        }
        let (node_a, node_b) = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
        if let (Some(of_a), Some(of_b)) = (node_a.primitives(), node_b.primitives()) {
            for &i in &self.a.order[of_a] {
                for &j in &self.b.order[of_b.clone()] {
                    counter.primitives(1);
                    visitor.pair(i, j)?;
                }
            }
            return ControlFlow::Continue(());
        }
        let [opens_a, opens_b] = self.opens([node_a, node_b], turn);
        let [a0, a1] = children(a, node_a);
        if !opens_b {
            let pairs = [Nodes { a: a0, b, moved_b }, Nodes { a: a1, b, moved_b }];
            return self.test(pairs, !turn, visitor, counter);
        }
        let [b0, b1] = children(b, node_b);
        // One by one: mapping an array would copy the large volumes.
        let first = self.b.nodes[b0 as usize].volume.moved(&self.into_a);
        let second = self.b.nodes[b1 as usize].volume.moved(&self.into_a);
        counter.moved(2);
        let with =
            |a: u32| [Nodes { a, b: b0, moved_b: &first }, Nodes { a, b: b1, moved_b: &second }];
        if opens_a {
            let ([p, q], [r, s]) = (with(a0), with(a1));
            self.test([p, q, r, s], !turn, visitor, counter)
        } else {
            self.test(with(a), !turn, visitor, counter)
        }
    }

    /// A primitive below each of two nodes.
    #[cold]
    fn first_below(&self, [a, b]: [u32; 2]) -> Option<(u32, u32)> {
        Some((*self.a.below(NodeId(a)).first()?, *self.b.below(NodeId(b)).first()?))
    }

    /// Which of two nodes to open; none of two leaves.
    #[inline]
    fn opens(&self, [a, b]: [&Node<V>; 2], turn: bool) -> [bool; 2] {
        match (a.primitives(), b.primitives()) {
            (Some(_), of_b) => [false, of_b.is_none()],
            (None, Some(_)) => [true, false],
            (None, None) => match self.rule {
                DescentRule::LargerFirst => {
                    let larger_a = a.size >= b.size;
                    [larger_a, !larger_a]
                }
                DescentRule::Alternate => [!turn, turn],
                DescentRule::Both => [true, true],
            },
        }
    }

    /// Tests all pairs of children, then opens those that pass, least priority first, equal ones in the
    /// order given.
    #[inline]
    fn test<W: Visitor<V>, C: Counter, const N: usize>(
        &self,
        pairs: [Nodes<'_, V>; N],
        turn: bool,
        visitor: &mut W,
        counter: &mut C,
    ) -> ControlFlow<()> {
        if !visitor.ordered() {
            return self.test_in_order(pairs, turn, visitor, counter);
        }
        let mut waiting = [None; N];
        for (priority, nodes) in waiting.iter_mut().zip(&pairs) {
            counter.volumes(1);
            let volume_a = &self.a.nodes[nodes.a as usize].volume;
            *priority = match visitor.step(volume_a, nodes.moved_b) {
                Step::Prune => None,
                Step::Open(priority) => visitor
                    .confirm(volume_a, &self.b.nodes[nodes.b as usize].volume)
                    .then_some(priority),
                Step::Stop => return ControlFlow::Break(()),
            };
        }
        while let Some((next, priority)) = least(&waiting) {
            waiting[next] = None;
            // A result found meanwhile may have made this pair obsolete.
            if !visitor.expired(priority)
                && self.open(&pairs[next], turn, visitor, counter).is_break()
            {
                counter.left(waiting.iter().flatten().count(), || None);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// The same without priorities.
    #[inline]
    fn test_in_order<W: Visitor<V>, C: Counter, const N: usize>(
        &self,
        pairs: [Nodes<'_, V>; N],
        turn: bool,
        visitor: &mut W,
        counter: &mut C,
    ) -> ControlFlow<()> {
        let mut opens = [false; N];
        for (opens, nodes) in opens.iter_mut().zip(&pairs) {
            counter.volumes(1);
            let volume_a = &self.a.nodes[nodes.a as usize].volume;
            *opens = match visitor.step(volume_a, nodes.moved_b) {
                Step::Prune => false,
                Step::Open(_) => visitor.confirm(volume_a, &self.b.nodes[nodes.b as usize].volume),
                Step::Stop => return ControlFlow::Break(()),
            };
        }
        for (number, nodes) in pairs.iter().enumerate() {
            if opens[number] && self.open(nodes, turn, visitor, counter).is_break() {
                counter.left(opens[number + 1..].iter().filter(|&&opens| opens).count(), || None);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// The first pair with the least priority, and the priority.
#[inline]
fn least<const N: usize>(waiting: &[Option<f64>; N]) -> Option<(usize, f64)> {
    let mut least: Option<(usize, f64)> = None;
    for (index, priority) in waiting.iter().enumerate() {
        if let Some(priority) = *priority
            && least.is_none_or(|(_, best)| priority < best)
        {
            least = Some((index, priority));
        }
    }
    least
}

fn children<V>(index: u32, node: &Node<V>) -> [u32; 2] {
    [index + 1, node.link]
}
