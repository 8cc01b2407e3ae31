//! Assemblies: objects attached to others.
//!
//! Each check computes world poses from top to bottom, only below moved objects (Zachmann 1994, 6.0.1).
//! Objects without relatives cost nothing here.

use crate::narrow::Pose;

/// No parent.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    nodes: Vec<Node>,
    /// Number of objects with a parent.
    attached: usize,
    /// Reused from check to check.
    moved: Vec<u32>,
    stack: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    children: Vec<u32>,
    /// Pose relative to the parent; valid for objects with a parent.
    local: Pose,
    /// World pose as of the last check; valid for objects with relatives.
    world: Pose,
    /// Number of ancestors.
    depth: u32,
    /// The last check that updated this node.
    visited: u64,
}

impl Default for Node {
    fn default() -> Self {
        let [local, world] = [Pose::IDENTITY; 2];
        Self { parent: NONE, children: Vec::new(), local, world, depth: 0, visited: 0 }
    }
}

impl Hierarchy {
    /// Whether no object has a parent.
    #[inline]
    pub(crate) fn is_flat(&self) -> bool {
        self.attached == 0
    }

    #[inline]
    pub(crate) fn parent(&self, index: u32) -> Option<u32> {
        let parent = self.nodes.get(index as usize)?.parent;
        (parent != NONE).then_some(parent)
    }

    /// The pose of an object relative to its parent, if it has one.
    #[inline]
    pub(crate) fn local(&self, index: u32) -> Option<&Pose> {
        let node = self.nodes.get(index as usize)?;
        (node.parent != NONE).then_some(&node.local)
    }

    /// The same, to change it.
    #[inline]
    pub(crate) fn local_mut(&mut self, index: u32) -> Option<&mut Pose> {
        let node = self.nodes.get_mut(index as usize)?;
        (node.parent != NONE).then_some(&mut node.local)
    }

    pub(crate) fn children(&self, index: u32) -> &[u32] {
        self.nodes.get(index as usize).map_or(&[], |node| &node.children)
    }

    /// Whether `ancestor` is `index` or one of its ancestors.
    pub(crate) fn hangs_on(&self, index: u32, ancestor: u32) -> bool {
        let mut at = Some(index);
        while let Some(here) = at {
            if here == ancestor {
                return true;
            }
            at = self.parent(here);
        }
        false
    }

    /// Attaches `child`, which has no parent, to `parent`, which is not below it, at a pose relative to it.
    pub(crate) fn attach(&mut self, child: u32, parent: u32, local: Pose) {
        let needed = child.max(parent) as usize + 1;
        if self.nodes.len() < needed {
            self.nodes.resize(needed, Node::default());
        }
        let node = &mut self.nodes[child as usize];
        (node.parent, node.local) = (parent, local);
        self.nodes[parent as usize].children.push(child);
        self.attached += 1;
        self.set_depths(child, self.nodes[parent as usize].depth + 1);
    }

    /// Detaches `child` from its parent, if it has one.
    pub(crate) fn detach(&mut self, child: u32) {
        let Some(parent) = self.parent(child) else { return };
        self.nodes[parent as usize].children.retain(|&other| other != child);
        self.nodes[child as usize].parent = NONE;
        self.attached -= 1;
        self.set_depths(child, 0);
    }

    /// All attachments (child, parent), ordered by depth, the children of one parent in order.
    pub(crate) fn attachments(&self) -> Vec<[u32; 2]> {
        let all = 0..self.nodes.len() as u32;
        let mut level: Vec<u32> = all.filter(|&index| self.parent(index).is_none()).collect();
        let mut attachments = Vec::with_capacity(self.attached);
        while !level.is_empty() {
            let below =
                level.iter().flat_map(|&at| self.children(at).iter().map(move |&c| [c, at]));
            let first = attachments.len();
            attachments.extend(below);
            level.clear();
            level.extend(attachments[first..].iter().map(|[child, _]| child));
        }
        attachments
    }

    /// Restores a hierarchy from attachments in that order, the poses relative to parents (`locals`) and those in the
    /// world. O(n).
    ///
    /// # Errors
    /// The first invalid attachment: the child already has a parent or children or is its own parent, or one
    /// of the two is not an object.
    pub(crate) fn of_attachments(
        attachments: &[[u32; 2]],
        locals: &[Pose],
        poses: &[Pose],
        is_object: impl Fn(u32) -> bool,
    ) -> Result<Self, [u32; 2]> {
        let mut hierarchy = Self::default();
        for &[child, parent] in attachments {
            let both = is_object(child) && is_object(parent) && child != parent;
            // Attachments are ordered by depth, so no cycle can arise.
            let is_alone =
                hierarchy.parent(child).is_none() && hierarchy.children(child).is_empty();
            if !both || !is_alone {
                return Err([child, parent]);
            }
            if hierarchy.parent(parent).is_none() {
                hierarchy.set_world(parent, poses[parent as usize]);
            }
            let local = locals[child as usize];
            hierarchy.attach(child, parent, local);
            let above = hierarchy.nodes[parent as usize].world;
            hierarchy.set_world(child, above * local);
        }
        Ok(hierarchy)
    }

    fn set_world(&mut self, index: u32, world: Pose) {
        if self.nodes.len() <= index as usize {
            self.nodes.resize(index as usize + 1, Node::default());
        }
        self.nodes[index as usize].world = world;
    }

    fn set_depths(&mut self, top: u32, depth: u32) {
        self.nodes[top as usize].depth = depth;
        self.stack.clear();
        self.stack.push(top);
        while let Some(at) = self.stack.pop() {
            let below = self.nodes[at as usize].depth + 1;
            for position in 0..self.nodes[at as usize].children.len() {
                let child = self.nodes[at as usize].children[position];
                self.nodes[child as usize].depth = below;
                self.stack.push(child);
            }
        }
    }

    /// The world pose of an object, as the product of the pose of its topmost ancestor and the local poses below.
    pub(crate) fn world_pose(&self, index: u32, poses: &[Pose]) -> Pose {
        let mut chain = vec![index];
        while let Some(parent) = self.parent(chain[chain.len() - 1]) {
            chain.push(parent);
        }
        // From the top, as `update` does, so both give the same bits.
        let own = |&at: &u32| *self.local(at).unwrap_or(&poses[at as usize]);
        chain.iter().rev().map(own).reduce(|above, own| above * own).unwrap_or_default()
    }

    /// Computes the world poses of objects in hierarchies if they or an ancestor moved, and visits them,
    /// parents first, with their entries of `poses`. `moved` has the objects whose own pose changed; `check` must
    /// differ in every call.
    pub(crate) fn update(
        &mut self,
        moved: impl Iterator<Item = u32>,
        poses: &mut [Pose],
        check: u64,
        mut visit: impl FnMut(u32, &Pose, &mut Pose),
    ) {
        let mut tops = std::mem::take(&mut self.moved);
        tops.clear();
        let nodes = &self.nodes;
        tops.extend(moved.filter(|&index| {
            let node = nodes.get(index as usize);
            node.is_some_and(|node| node.parent != NONE || !node.children.is_empty())
        }));
        tops.sort_unstable_by_key(|&index| (self.nodes[index as usize].depth, index));
        for &top in &tops {
            if self.nodes[top as usize].visited == check {
                continue;
            }
            self.stack.clear();
            self.stack.push(top);
            while let Some(at) = self.stack.pop() {
                let world = match (self.parent(at), self.local(at)) {
                    (Some(parent), Some(local)) => self.nodes[parent as usize].world * *local,
                    _ => poses[at as usize],
                };
                let node = &mut self.nodes[at as usize];
                (node.world, node.visited) = (world, check);
                visit(at, &world, &mut poses[at as usize]);
                let children = self.nodes[at as usize].children.iter().rev();
                self.stack.extend(children);
            }
        }
        self.moved = tops;
    }
}
