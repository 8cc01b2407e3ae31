//! Wide hierarchies through serde. Deserialising checks what queries and refitting rely on, so that
//! damaged data cannot make them fail. Whether the boxes hold the triangles cannot be checked, as
//! the triangles are not there.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::collapse::LEAF_TRIANGLES;
use super::fit::{Fit, reach};
use super::node::{ChildRef, Node, OrientedBox, WIDTH, WideNode};
use super::temporal_front::Identity;
use super::tree::WideTree;
use super::unit::Unit;

/// What is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "WideTree")]
struct Stored {
    nodes: Vec<Vec<Child>>,
    order: Vec<u32>,
    origin: [f64; 3],
    /// Exponent of the unit.
    unit: i32,
    reach: f64,
    magnitude: f64,
    fit: Fit,
}

/// A child of a node.
#[derive(Serialize, Deserialize)]
struct Child {
    /// Where the triangles of a leaf begin in the order, or the number of a node.
    first: u32,
    /// Triangles of a leaf; 0 for a node.
    triangles: u8,
    center: [f32; 3],
    extent: [f32; 3],
    axes: [[f32; 3]; 3],
}

impl Child {
    fn of(node: &WideNode, lane: usize) -> Self {
        let OrientedBox { center, extent, axes } = node.get(lane);
        let child = node.children[lane];
        let (first, triangles) = if child.is_leaf() {
            let range = child.range();
            (range.start as u32, range.len() as u8)
        } else {
            (child.index() as u32, 0)
        };
        Self { first, triangles, center, extent, axes }
    }

    fn bounds(&self) -> OrientedBox {
        OrientedBox { center: self.center, extent: self.extent, axes: self.axes }
    }
}

impl Serialize for WideTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let children = |node: &WideNode| {
            (0..WIDTH)
                .filter(|&lane| node.children[lane] != ChildRef::NONE)
                .map(|lane| Child::of(node, lane))
                .collect()
        };
        Stored {
            nodes: self.nodes.iter().map(children).collect(),
            order: self.order.clone(),
            origin: self.origin,
            unit: self.unit.exponent(),
            reach: self.reach,
            magnitude: self.magnitude,
            fit: self.fit,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WideTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        stored.into_tree().map_err(D::Error::custom)
    }
}

impl Stored {
    fn into_tree(self) -> Result<WideTree, &'static str> {
        if self.order.len() >= ChildRef::LIMIT || self.nodes.len() >= ChildRef::LIMIT {
            return Err("too many triangles or nodes for one tree");
        }
        let mut seen = vec![false; self.order.len()];
        for &triangle in &self.order {
            match seen.get_mut(triangle as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err("the order of the triangles is no permutation"),
            }
        }
        let unit = self.frame()?;
        self.structure()?;
        if !self.nodes.iter().flatten().all(|child| self.is_box(child)) {
            return Err("a box is none");
        }
        let mut nodes = vec![WideNode::EMPTY; self.nodes.len()];
        for (node, children) in nodes.iter_mut().zip(&self.nodes) {
            for (lane, child) in children.iter().enumerate() {
                node.set(lane, &child.bounds());
                node.children[lane] = match u32::from(child.triangles) {
                    0 => ChildRef::node(child.first as usize),
                    count => ChildRef::leaf(child.first, child.first + count),
                };
            }
        }
        Ok(WideTree {
            nodes,
            order: self.order,
            origin: self.origin,
            unit,
            reach: self.reach,
            magnitude: self.magnitude,
            identity: Identity::default(),
            fit: self.fit,
        })
    }

    /// Checks where the tree is and how large, and gives the unit.
    fn frame(&self) -> Result<Unit, &'static str> {
        let unit = Unit::of_exponent(self.unit).ok_or("the unit is out of range")?;
        if !self.magnitude.is_finite() || !self.origin.iter().all(|x| x.abs() <= self.magnitude) {
            return Err("the magnitude is no bound of the coordinates");
        }
        if !(self.reach.is_finite() && self.reach >= 0.0) {
            return Err("the reach is no distance");
        }
        Ok(unit)
    }

    /// Checks that the nodes are a tree over all triangles: each is led to once, by one before it,
    /// and children divide what is below their node, in its order.
    fn structure(&self) -> Result<(), &'static str> {
        if self.nodes.is_empty() {
            return if self.order.is_empty() { Ok(()) } else { Err("there are no nodes") };
        }
        // From the back, so that what is below comes first. Taken out where it is led to.
        let mut ranges: Vec<Option<[u32; 2]>> = vec![None; self.nodes.len()];
        for (index, children) in self.nodes.iter().enumerate().rev() {
            let mut whole: Option<[u32; 2]> = None;
            for child in children {
                let count = u32::from(child.triangles);
                let range = match count {
                    0 if child.first as usize > index => {
                        ranges.get_mut(child.first as usize).and_then(Option::take)
                    }
                    0 => None,
                    _ if count as usize > LEAF_TRIANGLES => None,
                    _ => child.first.checked_add(count).map(|end| [child.first, end]),
                };
                let [start, end] = range.ok_or("a child leads nowhere")?;
                whole = match whole {
                    None => Some([start, end]),
                    Some([first, last]) if last == start => Some([first, end]),
                    Some(_) => return Err("the leaves are not in order"),
                };
            }
            // The whole is one child of node 0; all others are nodes because they have several.
            let fitting = if index == 0 { 1..=1 } else { 2..=WIDTH };
            if !fitting.contains(&children.len()) {
                return Err("a node has too few or too many children");
            }
            ranges[index] = whole;
        }
        let complete = ranges[0] == Some([0, self.order.len() as u32]);
        if complete && ranges[1..].iter().all(Option::is_none) {
            Ok(())
        } else {
            Err("the tree is not complete")
        }
    }

    /// Whether the numbers are those of a box of this tree: its axes nearly orthonormal, as the
    /// margins of queries suppose.
    fn is_box(&self, child: &Child) -> bool {
        let axes = child.axes.map(|axis| axis.map(f64::from));
        let orthonormal = (0..3).all(|i| {
            (i..3).all(|j| {
                let product: f64 = (0..3).map(|k| axes[i][k] * axes[j][k]).sum();
                let expected = if i == j { 1.0 } else { 0.0 };
                (product - expected).abs() < 1e-6
            })
        });
        let sized = child.extent.iter().all(|extent| extent.is_finite() && *extent >= 0.0);
        orthonormal && sized && reach(&child.bounds(), 0.0) <= self.reach
    }
}
