//! Restricted box-trees through serde. Deserialising checks what traversals rely on, so that
//! damaged data cannot make them fail. Whether the boxes hold the triangles cannot be checked, as
//! the triangles are not there.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use xcollide_bounds::Aabb;

use super::build::DEPTH_LIMIT;
use super::{IntervalTree, Kind, LAST, Node};

/// What is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "IntervalTree")]
struct Stored {
    /// The bits of the plane (which can be infinite, and not every format knows that), and the
    /// link.
    nodes: Vec<(u32, u32)>,
    order: Vec<u32>,
    /// The box of all, if there is anything.
    cell: Option<Aabb>,
    reach: f64,
}

impl Serialize for IntervalTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored {
            nodes: self.nodes.iter().map(|node| (node.plane.to_bits(), node.link)).collect(),
            order: self.order.clone(),
            cell: (!self.cell.is_empty()).then_some(self.cell),
            reach: self.reach,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for IntervalTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored { nodes, order, cell, reach } = Stored::deserialize(deserializer)?;
        let node = |(plane, link)| Node { plane: f32::from_bits(plane), link };
        let mut tree = Self {
            nodes: nodes.into_iter().map(node).collect(),
            order,
            cell: cell.unwrap_or(Aabb::EMPTY),
            reach,
            depth: 0,
        };
        tree.check().map_err(D::Error::custom)?;
        Ok(tree)
    }
}

impl IntervalTree {
    /// Checks the structure, and finds the depth.
    fn check(&mut self) -> Result<(), &'static str> {
        let corners = self.cell.min.iter().chain(&self.cell.max);
        if self.cell.is_empty() != self.order.is_empty()
            || (!self.order.is_empty() && !corners.clone().all(|value| value.is_finite()))
        {
            return Err("the box of the whole is wrong");
        }
        let largest = corners.fold(0.0, |most: f64, value| most.max(value.abs()));
        if !self.reach.is_finite() || (!self.order.is_empty() && self.reach < largest) {
            return Err("the reach is no bound of the coordinates");
        }
        let mut seen = vec![false; self.order.len()];
        for &entry in &self.order {
            match seen.get_mut((entry & !LAST) as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err("the order of the triangles is no permutation"),
            }
        }
        // Children are numbered as a walk meets them, and leaves follow one another.
        let (mut met, mut listed) = (1, 0);
        let mut waiting = vec![(0_usize, 0_u32)];
        while let Some((node, depth)) = waiting.pop() {
            let Some(&stored) = self.nodes.get(node) else {
                return Err("a node is not there");
            };
            let Some((kind, below)) = stored.content() else {
                return Err("a node is of no kind");
            };
            self.depth = self.depth.max(depth);
            if stored.plane.is_nan() || depth > DEPTH_LIMIT {
                return Err("a node cannot be where it is");
            }
            if kind == Kind::Leaf {
                if below != listed {
                    return Err("the leaves are not in order");
                }
                listed += self.leaf(below).count();
                let marked = listed.checked_sub(1).is_none_or(|last| self.order[last] & LAST != 0);
                if !marked {
                    return Err("the last leaf does not end");
                }
                continue;
            }
            if below != met {
                return Err("the nodes are not in order");
            }
            let children = if matches!(kind, Kind::Cut(_)) { 2 } else { 1 };
            waiting.extend((met..met + children).rev().map(|child| (child, depth + 1)));
            met += children;
        }
        if met != self.nodes.len() || listed != self.order.len() {
            return Err("the tree is not complete");
        }
        Ok(())
    }
}
