//! Serialisation of wide hierarchies. Deserialising checks everything that queries and refitting rely on, so
//! damaged data cannot make them fail. It cannot check that boxes contain their triangles.

use std::ops::Range;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::fit::Fit;
use super::node::{ChildRef, Node, OrientedBox, WIDTH, WideNode};
use super::relative_transform::TreeFrame;
use super::tree::{Identity, WideBvh, WideOptions};
use super::unit::Unit;

/// The stored form of a tree.
#[derive(Serialize, Deserialize)]
#[serde(rename = "WideTree")]
struct Stored<Nodes, Order> {
    nodes: Nodes,
    order: Order,
    origin: [f64; 3],
    /// Exponent of the unit.
    unit: i32,
    reach: f64,
    magnitude: f64,
    fit: Fit,
}

/// The stored form of a child of a [`WideNode`], which is stored as the list of its children.
#[derive(Serialize, Deserialize)]
struct Child {
    /// The place of a leaf's first triangle in the order, or the number of a node.
    first: u32,
    /// Triangles of a leaf; 0 for a node.
    triangles: u8,
    center: [f32; 3],
    extent: [f32; 3],
    axes: [[f32; 3]; 3],
}

impl Serialize for WideNode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.children().iter().zip(self.boxes_present()).map(
            |(child, bounds)| {
                let OrientedBox { center, extent, axes } = bounds;
                let (first, triangles) = if child.is_leaf() {
                    (child.range().start, child.range().len() as u8)
                } else {
                    (child.index(), 0)
                };
                Child { first: first as u32, triangles, center, extent, axes }
            },
        ))
    }
}

impl<'de> Deserialize<'de> for WideNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let children: Vec<Child> = Vec::deserialize(deserializer)?;
        if children.len() > WIDTH {
            return Err(D::Error::custom("a node has too many children"));
        }
        let mut node = Self::EMPTY;
        for (lane, child) in children.into_iter().enumerate() {
            let Child { first, triangles, center, extent, axes } = child;
            if triangles as usize > Self::LEAF || first as usize >= ChildRef::LIMIT {
                return Err(D::Error::custom("a child leads nowhere"));
            }
            node.set(lane, &OrientedBox { center, extent, axes });
            node.children_mut()[lane] = match u32::from(triangles) {
                0 => ChildRef::node(first as usize),
                count => ChildRef::leaf(first, first + count),
            };
        }
        Ok(node)
    }
}

impl<N: Serialize> Serialize for WideBvh<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TreeFrame { origin, unit, reach, magnitude } = self.frame;
        let (nodes, order, unit) = (&self.nodes, &self.order, unit.exponent());
        Stored { nodes, order, origin, unit, reach, magnitude, fit: self.options.fit }
            .serialize(serializer)
    }
}

impl<'de, N: Node + Deserialize<'de>> Deserialize<'de> for WideBvh<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored: Stored<Vec<N>, Vec<u32>> = Stored::deserialize(deserializer)?;
        stored.into_tree().map_err(D::Error::custom)
    }
}

impl<N: Node> Stored<Vec<N>, Vec<u32>> {
    fn into_tree(self) -> Result<WideBvh<N>, &'static str> {
        let Self { nodes, order, origin, unit, reach, magnitude, fit } = self;
        if order.len() >= ChildRef::LIMIT || nodes.len() >= ChildRef::LIMIT {
            return Err("too many triangles or nodes for one tree");
        }
        let mut seen = vec![false; order.len()];
        for &triangle in &order {
            match seen.get_mut(triangle as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err("the order of the triangles is no permutation"),
            }
        }
        let unit = Unit::of_exponent(unit).ok_or("the unit is out of range")?;
        if !magnitude.is_finite() || !origin.iter().all(|x| x.abs() <= magnitude) {
            return Err("the magnitude is no bound of the coordinates");
        }
        if !(reach.is_finite() && reach >= 0.0) {
            return Err("the reach is no distance");
        }
        check_structure(&nodes, order.len())?;
        if !nodes.iter().all(|node| node.is_valid(reach)) {
            return Err("a box is none");
        }
        let frame = TreeFrame { origin, unit, reach, magnitude };
        let options = WideOptions { fit, ..WideOptions::default() };
        Ok(WideBvh { nodes, order, frame, options, identity: Identity::default(), refit: None })
    }
}

/// Checks that the nodes are a tree over all triangles: each node but the first has one parent, before it,
/// and children divide the triangles below their node, in order.
fn check_structure<N: Node>(nodes: &[N], triangles: usize) -> Result<(), &'static str> {
    if nodes.is_empty() {
        return if triangles == 0 { Ok(()) } else { Err("there are no nodes") };
    }
    // From the back, so that children come first. Each range is taken by its parent.
    let mut ranges: Vec<Option<Range<usize>>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        let count = node.children().iter().take_while(|&&child| child != ChildRef::NONE).count();
        let (children, rest) = node.children().split_at(count);
        if rest.iter().any(|&child| child != ChildRef::NONE) {
            return Err("a child is behind a gap");
        }
        let mut whole: Option<Range<usize>> = None;
        for &child in children {
            let range = if child.is_leaf() {
                Some(child.range()).filter(|range| range.len() <= N::LEAF)
            } else if child.index() > index {
                ranges.get_mut(child.index()).and_then(Option::take)
            } else {
                None
            };
            let range = range.ok_or("a child leads nowhere")?;
            whole = match whole {
                None => Some(range),
                Some(before) if before.end == range.start => Some(before.start..range.end),
                Some(_) => return Err("the leaves are not in order"),
            };
        }
        // The whole is one child of node 0; every other node has several.
        let fitting = if index == 0 { 1..=1 } else { 2..=WIDTH };
        if !fitting.contains(&count) {
            return Err("a node has too few or too many children");
        }
        ranges[index] = whole;
    }
    let complete = ranges[0] == Some(0..triangles) && ranges[1..].iter().all(Option::is_none);
    if complete { Ok(()) } else { Err("the tree is not complete") }
}
