//! Paths to the octants of a box (Dai 1994, in Zachmann 1994, 5.4.5).
//!
//! A box is attached to its octants as ever, and noted in all octants on the way to them. When it moves, these tell where
//! it was. The thesis expects more memory, as boxes are noted in more octants, and time for searching the arrays.

use super::tree::{Entrant, NONE, Reference, Tree};
use crate::classic::object_array::ObjectArray;

/// What a box has to do with an octant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    None,
    /// It is attached only to octants within.
    Passing,
    Attached,
}

impl<R: Reference> Tree<R> {
    /// Moves a box within an octant in which it was or will be noted; without an entrant it is removed.
    pub(super) fn follow(&mut self, node: u32, entrant: Option<&Entrant<'_>>, object: u32) {
        let place = node as usize;
        if self.passing.len() <= place {
            self.passing.resize_with(self.nodes.len(), ObjectArray::default);
        }
        let octant = self.nodes[place].octant;
        let wanted = match entrant {
            None => Tie::None,
            Some(entrant) if entrant.stops_at(&octant) => Tie::Attached,
            Some(_) => Tie::Passing,
        };
        let attached = self.nodes[place].objects.iter().position(|entry| entry.object() == object);
        let passing = self.passing[place].iter().position(|&other| other == object);
        match (attached, entrant) {
            (Some(at), Some(entrant)) if wanted == Tie::Attached => {
                let reference = self.refer(entrant.proxies, object, &octant);
                self.nodes[place].objects[at] = reference;
            }
            (Some(at), _) => {
                self.nodes[place].objects.take(at);
                self.moves += 1;
            }
            (None, Some(entrant)) if wanted == Tie::Attached => {
                let reference = self.refer(entrant.proxies, object, &octant);
                self.nodes[place].objects.push(reference);
                self.moves += 1;
            }
            _ => {}
        }
        match passing {
            Some(at) if wanted != Tie::Passing => {
                self.passing[place].take(at);
            }
            None if wanted == Tie::Passing => self.passing[place].push(object),
            _ => {}
        }
        let below = match (entrant, wanted) {
            (Some(entrant), Tie::Passing) => octant.decide(&entrant.cells.common(&octant.cells())),
            _ => 0,
        };
        for which in 0..8 {
            let is_wanted = below >> which & 1 == 1;
            let child = self.nodes[place].children[which];
            // Only a box that passed was noted below.
            let was_there = passing.is_some() && child != NONE && self.holds(child, object);
            if is_wanted {
                let child = self.child_or_new(node, which);
                self.follow(child, entrant, object);
            } else if was_there {
                self.follow(child, None, object);
            }
        }
        if wanted == Tie::None {
            self.prune(node);
        }
    }

    /// Whether a box is noted in an octant because it is attached only below.
    pub(super) fn is_passed_by(&self, node: u32, object: u32) -> bool {
        self.passing.get(node as usize).is_some_and(|list| list.contains(&object))
    }

    /// Whether a box is noted in an octant.
    pub(super) fn holds(&self, node: u32, object: u32) -> bool {
        let objects = &self.nodes[node as usize].objects;
        objects.iter().any(|entry| entry.object() == object) || self.is_passed_by(node, object)
    }
}
