//! From the binary hierarchy to the 8-wide one: the nodes that were chosen for it become children.

use std::ops::{Deref, Range};

use super::binary::{BinaryNode, BinaryTree};
use super::clusters::clustered;
use super::node::{ChildRef, WIDTH};
use crate::fork_join;

/// Subtrees up to this size are collapsed by one thread, and their nodes stand together.
const TASK: usize = 1 << 12;

/// One child of a wide node before it has a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildRange {
    /// Range of the triangle order.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) child: ChildRef,
}

impl ChildRange {
    /// The range of the triangle order.
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The children of a wide node.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildRanges {
    parts: [ChildRange; WIDTH],
    count: usize,
}

impl ChildRanges {
    pub(super) const NONE: Self =
        Self { parts: [ChildRange { start: 0, end: 0, child: ChildRef::NONE }; WIDTH], count: 0 };

    /// Appends a child, of at most eight.
    pub(super) fn push(&mut self, part: ChildRange) {
        self.parts[self.count] = part;
        self.count += 1;
    }

    /// The children.
    pub(super) fn each_mut(&mut self) -> &mut [ChildRange] {
        &mut self.parts[..self.count]
    }
}

impl Deref for ChildRanges {
    type Target = [ChildRange];

    fn deref(&self) -> &[ChildRange] {
        &self.parts[..self.count]
    }
}

/// The wide nodes as lists of their children, each after its parent, in clusters. Node 0 has the whole as
/// its only child.
pub(super) fn collapse(tree: &BinaryTree) -> Vec<ChildRanges> {
    let binary = &tree.nodes[..];
    let root = Subtree { index: 0, start: 0, end: tree.order.len() as u32 };
    let mut whole = ChildRanges::NONE;
    if root.is_leaf(binary) {
        whole.push(root.child(ChildRef::leaf(root.start, root.end)));
        return vec![whole];
    }
    whole.push(root.child(ChildRef::node(1)));
    let mut wide = vec![whole];
    let mut tasks = Vec::new();
    expand(binary, root, &mut wide, Some(&mut tasks));
    let subtrees = fork_join::map(&tasks, |task| {
        let mut wide = Vec::with_capacity(task.subtree.count() / 4);
        expand(binary, task.subtree, &mut wide, None);
        wide
    });
    for (task, mut subtree) in tasks.iter().zip(subtrees) {
        let offset = wide.len();
        for part in subtree.iter_mut().flat_map(ChildRanges::each_mut) {
            if !part.child.is_leaf() {
                part.child = ChildRef::node(offset + part.child.index());
            }
        }
        wide[task.place].parts[task.lane].child = ChildRef::node(offset);
        wide.append(&mut subtree);
    }
    clustered(&wide)
}

/// A binary node or a triangle, whose index has no meaning.
#[derive(Clone, Copy, Default)]
struct Subtree {
    index: usize,
    start: u32,
    end: u32,
}

impl Subtree {
    fn count(&self) -> usize {
        (self.end - self.start) as usize
    }

    fn is_leaf(&self, binary: &[BinaryNode]) -> bool {
        self.count() == 1 || binary[self.index].choice.is_leaf()
    }

    fn child(&self, child: ChildRef) -> ChildRange {
        ChildRange { start: self.start, end: self.end, child }
    }

    fn halves(&self, first: u32) -> [Self; 2] {
        let middle = self.start + first;
        [
            Self { index: self.index + 1, start: self.start, end: middle },
            Self { index: self.index + first as usize, start: middle, end: self.end },
        ]
    }
}

/// A subtree that is expanded separately, and the child that will lead to it.
struct Task {
    subtree: Subtree,
    place: usize,
    lane: usize,
}

/// Appends the wide node of a binary node, and its subtree except for small subtrees, which become `tasks`.
fn expand(
    binary: &[BinaryNode],
    root: Subtree,
    wide: &mut Vec<ChildRanges>,
    mut tasks: Option<&mut Vec<Task>>,
) {
    wide.push(ChildRanges::NONE);
    let mut waiting = vec![(root, wide.len() - 1)];
    while let Some((node, place)) = waiting.pop() {
        for (lane, member) in members(binary, node).iter().enumerate() {
            let child = if member.is_leaf(binary) {
                ChildRef::leaf(member.start, member.end)
            } else if let Some(tasks) = &mut tasks
                && member.count() <= TASK
            {
                tasks.push(Task { subtree: *member, place, lane });
                ChildRef::NONE
            } else {
                wide.push(ChildRanges::NONE);
                waiting.push((*member, wide.len() - 1));
                ChildRef::node(wide.len() - 1)
            };
            wide[place].push(member.child(child));
        }
    }
}

/// The subtrees that best represent a binary node as a wide node.
fn members(binary: &[BinaryNode], node: Subtree) -> Members {
    let mut members = Members { subtrees: [Subtree::default(); WIDTH], count: 0 };
    // Subtrees and the numbers of children that represent them; the next one is the last.
    let mut waiting = [(node, WIDTH); WIDTH];
    let mut count = 1;
    let mut is_root = true;
    while count > 0 {
        count -= 1;
        let (subtree, slots) = waiting[count];
        let slots = if subtree.count() == 1 {
            1
        } else if is_root {
            slots
        } else {
            binary[subtree.index].choice.fewest(slots)
        };
        is_root = false;
        if slots == 1 {
            members.subtrees[members.count % WIDTH] = subtree;
            members.count += 1;
            continue;
        }
        let BinaryNode { first, choice } = binary[subtree.index];
        let [left, right] = subtree.halves(first);
        let share = choice.share(slots);
        waiting[count] = (right, slots - share);
        waiting[count + 1] = (left, share);
        count += 2;
    }
    members
}

/// At most eight subtrees.
struct Members {
    subtrees: [Subtree; WIDTH],
    count: usize,
}

impl Deref for Members {
    type Target = [Subtree];

    fn deref(&self) -> &[Subtree] {
        &self.subtrees[..self.count]
    }
}
