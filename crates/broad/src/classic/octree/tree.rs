//! The octants, and which boxes are in which (Zachmann 1994, 5.4 and 7.3.4).
//!
//! A box is attached to every largest octant that it covers, and to every octant of its bottom level that it
//! touches. So of two boxes with a common cell, one is attached to an octant within one of the other's. Octants
//! are created and removed with the boxes; the source keeps all.

use super::method::OctreeMethod;
use super::octant::Octant;
use crate::classic::lattice::{CellBox, Lattice};
use crate::classic::object_array::ObjectArray;
use crate::overlap::Bits;
use crate::stats::held;
use crate::{Proxies, Volume};

/// What an octant stores of a box: in the plain octree, its index.
pub trait Reference: Copy + Send + Sync {
    /// The name of the algorithm in programs.
    const NAME: &'static str;

    /// Which volumes define a pair.
    const VOLUME: Volume;

    /// Whether a reference changes when the box moves within the same octants.
    const FOLLOWS_THE_BOX: bool;

    /// The reference to a box in the octant with this middle.
    fn new(proxies: &Proxies, index: u32, middle: impl FnOnce() -> [f64; 3]) -> Self;

    /// The index of the box.
    fn object(self) -> u32;

    /// Whether two boxes in one octant may overlap there.
    fn may_meet(self, other: Self) -> bool;
}

impl Reference for u32 {
    const NAME: &'static str = "octree";
    const VOLUME: Volume = Volume::Aabb;
    const FOLLOWS_THE_BOX: bool = false;

    #[inline]
    fn new(_: &Proxies, index: u32, _: impl FnOnce() -> [f64; 3]) -> u32 {
        index
    }

    #[inline]
    fn object(self) -> u32 {
        self
    }

    #[inline]
    fn may_meet(self, _: Self) -> bool {
        true
    }
}

pub(super) const NONE: u32 = u32::MAX;
pub(super) const ROOT: u32 = 0;

#[derive(Debug)]
pub(crate) struct Node<R> {
    pub(crate) octant: Octant,
    pub(crate) parent: u32,
    pub(crate) children: [u32; 8],
    pub(crate) objects: ObjectArray<R>,
}

#[derive(Debug)]
pub(super) struct Place {
    pub(super) cells: CellBox,
    /// The level below which it is not attached.
    pub(super) bottom: u8,
    pub(super) octants: ObjectArray<u32>,
}

/// Boxes attached to octants.
#[derive(Debug)]
pub(crate) struct Tree<R> {
    pub(crate) lattice: Lattice,
    pub(super) depth: u8,
    /// Limits the length of a box to this many octants of its bottom level. Longer boxes stay on a higher level,
    /// which bounds the number of their octants, whatever their size and the depth of the tree.
    length: u32,
    pub(crate) nodes: Vec<Node<R>>,
    pub(super) free: Vec<u32>,
    /// By box index.
    pub(super) places: Vec<Option<Place>>,
    /// Octants entered and left since this was last reset.
    pub(super) moves: u64,
    pub(super) method: OctreeMethod,
    /// By node, with [`OctreeMethod::Paths`]: the boxes that are attached only below it.
    pub(super) passing: Vec<ObjectArray<u32>>,
}

pub(super) struct Entrant<'a> {
    pub(super) object: u32,
    pub(super) cells: CellBox,
    pub(super) bottom: u8,
    pub(super) proxies: &'a Proxies,
}

impl Entrant<'_> {
    /// Whether the box is attached to an octant of its cells, and not below.
    pub(super) fn stops_at(&self, octant: &Octant) -> bool {
        octant.level == self.bottom || self.cells.covers(&octant.cells())
    }
}

impl<R: Reference> Tree<R> {
    /// An empty tree over the lattice of `2^depth` cells on each axis.
    pub(crate) fn new(lattice: Lattice, depth: u8, length: u32, method: OctreeMethod) -> Self {
        let mut tree = Self {
            lattice,
            depth,
            length,
            nodes: Vec::new(),
            free: Vec::new(),
            places: Vec::new(),
            moves: 0,
            method,
            passing: Vec::new(),
        };
        tree.new_node(NONE, Octant::root(depth));
        tree
    }

    #[inline]
    pub(crate) fn refer(&self, proxies: &Proxies, object: u32, octant: &Octant) -> R {
        R::new(proxies, object, || self.lattice.point(octant.middle()))
    }

    /// Moves a box to these cells.
    pub(crate) fn put(&mut self, object: u32, cells: CellBox, proxies: &Proxies) {
        let index = object as usize;
        if self.places.len() <= index {
            self.places.resize_with(index + 1, || None);
        }
        if self.method == OctreeMethod::BoxDifference {
            return self.put_difference(object, cells, proxies);
        }
        let old = self.places[index].take();
        let stays = old.as_ref().is_some_and(|old| self.may_stay(&cells, old.bottom));
        let bottom = match &old {
            Some(old) if stays => old.bottom,
            _ => self.bottom_for(&cells),
        };
        let entrant = Entrant { object, cells, bottom, proxies };
        let mut octants = ObjectArray::default();
        match (self.method, old) {
            (OctreeMethod::Paths, _) => {
                self.follow(ROOT, Some(&entrant), object);
            }
            (OctreeMethod::Traversal, old) => {
                if let Some(old) = old {
                    self.leave_by_traversal(ROOT, object, &old);
                }
                self.enter(ROOT, None, &entrant, None);
            }
            (_, old) => {
                if let Some(old) = old {
                    octants = old.octants;
                    self.leave(object, &mut octants, |_| false);
                }
                self.enter(ROOT, None, &entrant, Some(&mut octants));
            }
        }
        self.places[index] = Some(Place { cells, bottom, octants });
    }

    /// Touches only the octants that the box enters or leaves.
    fn put_difference(&mut self, object: u32, cells: CellBox, proxies: &Proxies) {
        let index = object as usize;
        let mut octants = ObjectArray::default();
        let mut bottom = self.bottom_for(&cells);
        let mut old = None;
        if let Some(place) = self.places[index].take() {
            octants = place.octants;
            if self.may_stay(&cells, place.bottom) {
                bottom = place.bottom;
                old = Some(place.cells);
            } else {
                self.leave(object, &mut octants, |_| false);
            }
        }
        if old != Some(cells) {
            let entrant = Entrant { object, cells, bottom, proxies };
            self.enter(ROOT, old, &entrant, Some(&mut octants));
        }
        if old.is_some_and(|old| old != cells) {
            let depth = self.depth;
            self.leave(object, &mut octants, |octant| is_attached(&cells, octant, bottom, depth));
        }
        if R::FOLLOWS_THE_BOX && old.is_some() {
            self.refresh(object, &octants, proxies);
        }
        self.places[index] = Some(Place { cells, bottom, octants });
    }

    pub(crate) fn remove(&mut self, object: u32) {
        let place = self.places.get_mut(object as usize).and_then(Option::take);
        if let Some(mut place) = place {
            match self.method {
                OctreeMethod::Paths => {
                    self.follow(ROOT, None, object);
                }
                OctreeMethod::Traversal => self.leave_by_traversal(ROOT, object, &place),
                _ => self.leave(object, &mut place.octants, |_| false),
            }
        }
        self.release_if_empty();
    }

    pub(super) fn release_if_empty(&mut self) {
        if self.nodes.len() - self.free.len() == 1 {
            // Only the root is left: release all memory.
            self.nodes.truncate(1);
            self.nodes.shrink_to_fit();
            self.free = Vec::new();
            if self.nodes[ROOT as usize].objects.is_empty() {
                self.places = Vec::new();
                self.passing = Vec::new();
            }
        }
    }

    /// The finest level at which the box is not too long.
    pub(super) fn bottom_for(&self, cells: &CellBox) -> u8 {
        let fits = |level: &u8| cells.longest() <= self.length << level;
        (0..self.depth).find(fits).unwrap_or(self.depth)
    }

    /// Whether a box may stay on its bottom level. The limits are loose, so that a box whose length alternates
    /// between two numbers of cells does not change its level each time.
    pub(super) fn may_stay(&self, cells: &CellBox, level: u8) -> bool {
        let longest = cells.longest();
        longest <= (self.length + self.length / 2) << level
            && (level == 0 || longest > (self.length / 4) << level)
    }

    /// Attaches a box to those octants within this one to which the cells `old` did not attach it. Visits only
    /// octants in which old and new cells differ.
    fn enter(
        &mut self,
        node: u32,
        old: Option<CellBox>,
        entrant: &Entrant<'_>,
        mut octants: Option<&mut ObjectArray<u32>>,
    ) {
        let Entrant { object, cells, bottom, proxies } = entrant;
        let octant = self.nodes[node as usize].octant;
        let here = octant.cells();
        let was_inside = old.is_some_and(|old| old.covers(&here));
        if octant.level == *bottom || cells.covers(&here) {
            let was_at_bottom =
                octant.level == *bottom && old.is_some_and(|old| old.overlaps(&here));
            if !was_inside && !was_at_bottom {
                let reference = self.refer(proxies, *object, &octant);
                self.nodes[node as usize].objects.push(reference);
                if let Some(octants) = octants {
                    octants.push(node);
                }
                self.moves += 1;
            }
            return;
        }
        // An octant covered by the old cells was attached itself, and none below it.
        let old = old.filter(|_| !was_inside);
        for which in Bits(octant.decide(&cells.common(&here)).into()) {
            let below = octant.child(which).cells();
            if old.is_some_and(|old| old.common(&below) == cells.common(&below)) {
                continue;
            }
            let child = self.child_or_new(node, which);
            self.enter(child, old, entrant, octants.as_deref_mut());
        }
    }

    /// Detaches a box from its octants that are not to be kept.
    fn leave(
        &mut self,
        object: u32,
        octants: &mut ObjectArray<u32>,
        keep: impl Fn(&Octant) -> bool,
    ) {
        for place in (0..octants.len()).rev() {
            let node = octants[place];
            if keep(&self.nodes[node as usize].octant) {
                continue;
            }
            octants.take(place);
            let objects = &mut self.nodes[node as usize].objects;
            if let Some(place) = objects.iter().position(|entry| entry.object() == object) {
                objects.take(place);
                self.moves += 1;
            }
            self.prune(node);
        }
    }

    fn refresh(&mut self, object: u32, octants: &[u32], proxies: &Proxies) {
        for &node in octants {
            let reference = self.refer(proxies, object, &self.nodes[node as usize].octant);
            let mut objects = self.nodes[node as usize].objects.iter_mut();
            if let Some(entry) = objects.find(|entry| entry.object() == object) {
                *entry = reference;
            }
        }
    }

    /// The child; if the tree has none, it is added.
    pub(super) fn child_or_new(&mut self, node: u32, which: usize) -> u32 {
        let Node { octant, children, .. } = &self.nodes[node as usize];
        if children[which] != NONE {
            return children[which];
        }
        let child = self.new_node(node, octant.child(which));
        self.nodes[node as usize].children[which] = child;
        child
    }

    fn new_node(&mut self, parent: u32, octant: Octant) -> u32 {
        let objects = ObjectArray::default();
        let node = Node { octant, parent, children: [NONE; 8], objects };
        if let Some(place) = self.free.pop() {
            self.nodes[place as usize] = node;
            return place;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Removes an octant without boxes or children, and then its ancestors that become empty.
    pub(super) fn prune(&mut self, mut node: u32) {
        loop {
            let Node { octant, parent, children, objects } = &self.nodes[node as usize];
            let is_passed = self.passing.get(node as usize).is_some_and(|list| !list.is_empty());
            let in_use =
                !objects.is_empty() || is_passed || children.iter().any(|&child| child != NONE);
            if in_use || *parent == NONE {
                return;
            }
            let (which, parent) = (octant.which(), *parent);
            self.nodes[parent as usize].children[which] = NONE;
            self.nodes[node as usize].objects = ObjectArray::default();
            // So that it is not removed twice.
            self.nodes[node as usize].parent = NONE;
            self.free.push(node);
            node = parent;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let places = self.places.iter().flatten();
        held(&self.nodes)
            + self.nodes.iter().map(|node| node.objects.bytes()).sum::<usize>()
            + held(&self.free)
            + held(&self.places)
            + places.map(|place| place.octants.bytes()).sum::<usize>()
            + held(&self.passing)
            + self.passing.iter().map(ObjectArray::bytes).sum::<usize>()
    }
}

/// Whether a box with these cells and this bottom level is attached to an octant of a tree.
pub(super) fn is_attached(cells: &CellBox, octant: &Octant, bottom: u8, depth: u8) -> bool {
    let here = octant.cells();
    let is_inside = cells.covers(&here);
    // A box that covers the parent octant is attached there instead.
    let above = || octant.level < depth && cells.covers(&octant.parent().cells());
    is_inside && !above() || !is_inside && octant.level == bottom && cells.overlaps(&here)
}
