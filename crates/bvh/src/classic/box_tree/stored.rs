//! Box-trees through serde. Deserialising checks what traversals rely on, so that damaged data
//! cannot make them fail. Whether the leaves list what lies in them cannot be checked, as the
//! triangles are not there.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use xcollide_bounds::Aabb;

use super::{BoxTree, BoxTreeOptions, LEAF, Node};

/// What is written; the rest follows from it.
#[derive(Serialize, Deserialize)]
#[serde(rename = "BoxTree")]
struct Stored {
    /// Cut, first, axis.
    nodes: Vec<(f64, u32, u32)>,
    ends: Vec<[u32; 2]>,
    lists: [Vec<u32>; 2],
    boxes: [Vec<Aabb>; 2],
    thickness: f64,
}

impl Serialize for BoxTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored {
            nodes: self.nodes.iter().map(|node| (node.cut, node.first, node.axis)).collect(),
            ends: self.ends.clone(),
            lists: self.lists.clone(),
            boxes: self.boxes.clone(),
            thickness: self.relative_thickness,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for BoxTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored { nodes, ends, lists, boxes, thickness } = Stored::deserialize(deserializer)?;
        let mut all = boxes.iter().flatten().flat_map(|item| item.min.into_iter().chain(item.max));
        if !all.all(f64::is_finite) {
            return Err(D::Error::custom("a box is not finite"));
        }
        if !(0.0..=0.01).contains(&thickness) {
            return Err(D::Error::custom("no thickness of cut-planes"));
        }
        let nodes = nodes.into_iter().map(|(cut, first, axis)| Node { cut, first, axis }).collect();
        let mut tree = Self {
            nodes,
            ends,
            lists,
            boxes,
            cell: Aabb::EMPTY,
            reach: 0.0,
            relative_thickness: thickness,
            thickness: 0.0,
            depth: 0,
        };
        tree.check().map_err(D::Error::custom)?;
        tree.enclose();
        Ok(tree)
    }
}

impl BoxTree {
    /// Checks the structure, and finds the depth.
    fn check(&mut self) -> Result<(), &'static str> {
        if self.boxes.iter().flatten().any(Aabb::is_empty) {
            return Err("a box is empty");
        }
        for kind in [0, 1] {
            let count = self.boxes[kind].len();
            if self.lists[kind].iter().any(|&item| item as usize >= count) {
                return Err("a leaf lists what is not there");
            }
            let mut ends = self.ends.iter().map(|ends| ends[kind] as usize);
            if !ends.clone().is_sorted() || ends.next_back() != Some(self.lists[kind].len()) {
                return Err("the lists of the leaves are not in order");
            }
        }
        // Children are numbered as a walk meets them, and so are the leaves.
        let (mut met, mut leaves) = (1, 0);
        let mut waiting = vec![(0_usize, 0_u32)];
        while let Some((node, depth)) = waiting.pop() {
            let Some(&Node { cut, first, axis }) = self.nodes.get(node) else {
                return Err("a node is not there");
            };
            self.depth = self.depth.max(depth);
            if axis == LEAF {
                if first as usize != leaves {
                    return Err("the leaves are not in order");
                }
                leaves += 1;
                continue;
            }
            if axis > LEAF || !cut.is_finite() || depth >= BoxTreeOptions::DEPTH_LIMIT {
                return Err("a node is cut where it cannot be");
            }
            if first as usize != met {
                return Err("the nodes are not in order");
            }
            met += 2;
            waiting.extend([(met - 1, depth + 1), (met - 2, depth + 1)]);
        }
        if met != self.nodes.len() || leaves != self.ends.len() {
            return Err("the tree is not complete");
        }
        Ok(())
    }
}
