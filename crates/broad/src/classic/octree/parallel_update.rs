//! Many boxes that move, on several threads (Zachmann 1994, 6).
//!
//! The thesis updates its octree on one thread, as each access to an octant would need a lock. Here none is needed. Threads
//! first *plan* the changes of some boxes each, and the tree does not change meanwhile: the octants to leave and those to enter. Then the
//! missing octants are made, one after the other; these are few, as boxes move little. Last each thread makes the changes
//! of some octants, in the order of the boxes, and octants without boxes are removed. The tree holds the same as after one box
//! after the other; only the numbers of its nodes differ.

use super::method::OctreeMethod;
use super::octant::Octant;
use super::tree::{NONE, Node, Place, ROOT, Reference, Tree, is_attached};
use crate::Proxies;
use crate::classic::lattice::CellBox;
use crate::classic::object_array::ObjectArray;
use crate::overlap::Bits;
use crate::parallel::{HEAVY, for_shares, map_chunks, share_count};

/// The changes of one box.
struct Plan {
    object: u32,
    cells: Option<CellBox>,
    bottom: u8,
    /// Places in its array of octants, descending.
    leaves: Vec<usize>,
    enters: Vec<Entry>,
}

/// An octant to enter.
struct Entry {
    /// It, or the nearest existing octant around it.
    node: u32,
    octant: Octant,
}

impl<R: Reference> Tree<R> {
    /// Whether [`put_many`](Self::put_many) applies: the method is by box difference, and there are enough boxes for two threads.
    pub(super) fn moves_in_parallel(&self, boxes: usize) -> bool {
        self.method == OctreeMethod::BoxDifference
            && !R::FOLLOWS_THE_BOX
            && share_count(boxes, HEAVY, true) > 1
    }

    /// Moves different boxes to these cells, or removes them, on the threads of rayon's current pool.
    pub(super) fn put_many(&mut self, moves: &[(u32, Option<CellBox>)], proxies: &Proxies) {
        let most = moves.iter().map(|(object, _)| *object as usize + 1).max().unwrap_or(0);
        if self.places.len() < most {
            self.places.resize_with(most, || None);
        }
        let this = &*self;
        let plans = map_chunks(moves.len(), HEAVY, true, |range| {
            let plans = moves[range].iter().map(|(object, cells)| this.plan(*object, *cells));
            plans.collect::<Vec<_>>()
        });
        let mut plans: Vec<Plan> = plans.into_iter().flatten().collect();
        for entry in plans.iter_mut().flat_map(|plan| &mut plan.enters) {
            entry.node = self.make(entry.node, &entry.octant);
        }
        self.change_octants(&plans, proxies);
        let mut left = Vec::new();
        for plan in plans {
            let place = self.places[plan.object as usize].take();
            let mut octants = place.map_or_else(ObjectArray::default, |place| place.octants);
            self.moves += (plan.leaves.len() + plan.enters.len()) as u64;
            left.extend(plan.leaves.into_iter().map(|at| octants.take(at)));
            plan.enters.iter().for_each(|entry| octants.push(entry.node));
            self.places[plan.object as usize] =
                plan.cells.map(|cells| Place { cells, bottom: plan.bottom, octants });
        }
        left.into_iter().for_each(|node| self.prune(node));
        self.release_if_empty();
    }

    fn plan(&self, object: u32, cells: Option<CellBox>) -> Plan {
        let place = self.places[object as usize].as_ref();
        let octants: &[u32] = place.map_or(&[], |place| &place.octants);
        let all = || (0..octants.len()).rev().collect();
        let mut plan = Plan { object, cells, bottom: 0, leaves: Vec::new(), enters: Vec::new() };
        let Some(cells) = cells else {
            plan.leaves = all();
            return plan;
        };
        let kept = place.filter(|place| self.may_stay(&cells, place.bottom));
        plan.bottom = kept.map_or_else(|| self.bottom_for(&cells), |place| place.bottom);
        match kept {
            Some(place) if place.cells == cells => return plan,
            Some(_) => {
                let stays = |at: &usize| {
                    let octant = &self.nodes[octants[*at] as usize].octant;
                    is_attached(&cells, octant, plan.bottom, self.depth)
                };
                plan.leaves = (0..octants.len()).rev().filter(|at| !stays(at)).collect();
            }
            None => plan.leaves = all(),
        }
        let old = kept.map(|place| place.cells);
        self.plan_entries(
            Entry { node: ROOT, octant: Octant::root(self.depth) },
            old,
            &cells,
            &mut plan,
        );
        plan
    }

    /// As inserting a box, without changing anything.
    fn plan_entries(&self, at: Entry, old: Option<CellBox>, cells: &CellBox, plan: &mut Plan) {
        let Entry { node, octant } = at;
        let here = octant.cells();
        let was_inside = old.is_some_and(|old| old.covers(&here));
        if octant.level == plan.bottom || cells.covers(&here) {
            let was_at_bottom =
                octant.level == plan.bottom && old.is_some_and(|old| old.overlaps(&here));
            if !was_inside && !was_at_bottom {
                plan.enters.push(at);
            }
            return;
        }
        let old = old.filter(|_| !was_inside);
        for which in Bits(octant.decide(&cells.common(&here)).into()) {
            let child = octant.child(which);
            let below = child.cells();
            if old.is_some_and(|old| old.common(&below) == cells.common(&below)) {
                continue;
            }
            let Node { octant: around, children, .. } = &self.nodes[node as usize];
            // Below an octant that is missing all are.
            let exists = *around == octant && children[which] != NONE;
            let node = if exists { children[which] } else { node };
            self.plan_entries(Entry { node, octant: child }, old, cells, plan);
        }
    }

    /// The node of an octant; if the tree has none, the octant and its missing ancestors are added. `node` is the octant or an
    /// ancestor.
    fn make(&mut self, mut node: u32, octant: &Octant) -> u32 {
        loop {
            let here = self.nodes[node as usize].octant;
            if here == *octant {
                return node;
            }
            let which = here.towards(octant);
            node = self.child_or_new(node, which);
        }
    }

    /// Makes the changes of all octants.
    fn change_octants(&mut self, plans: &[Plan], proxies: &Proxies) {
        let (lattice, places) = (&self.lattice, &self.places);
        let shares = share_count(plans.len(), HEAVY, true);
        let len = self.nodes.len();
        let (mut rest, mut first) = (&mut self.nodes[..], 0);
        let mut parts = Vec::new();
        for number in 1..=shares {
            let end = len * number / shares;
            let (own, others) = rest.split_at_mut(end - first);
            parts.push((first, own));
            (rest, first) = (others, end);
        }
        for_shares(&mut parts, |(first, nodes)| {
            let range = *first..*first + nodes.len();
            for plan in plans {
                let octants = places[plan.object as usize].as_ref().map(|place| &place.octants);
                let left = plan.leaves.iter().filter_map(|&at| Some(octants?[at] as usize));
                for node in left.filter(|node| range.contains(node)) {
                    let objects = &mut nodes[node - *first].objects;
                    let at = objects.iter().position(|entry| entry.object() == plan.object);
                    if let Some(at) = at {
                        objects.take(at);
                    }
                }
                let entered = plan.enters.iter().map(|entry| entry.node as usize);
                for node in entered.filter(|node| range.contains(node)) {
                    let Node { octant, objects, .. } = &mut nodes[node - *first];
                    objects.push(R::new(proxies, plan.object, || lattice.point(octant.middle())));
                }
            }
        });
    }
}
