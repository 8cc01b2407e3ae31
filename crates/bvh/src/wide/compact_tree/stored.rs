//! Compact hierarchies through serde. Deserialising checks what queries and refitting rely
//! on, so that damaged data cannot make them fail; whether the volumes hold the triangles cannot be
//! checked.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::super::compact_node::CompactNode;
use super::super::fit::Fit;
use super::super::node::{ChildRef, Node};
use super::super::relative_transform::Frame;
use super::super::unit::Unit;
use super::CompactTree;

/// What is written, and what is read.
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

impl Serialize for CompactTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Frame { origin, unit, reach, magnitude } = self.frame;
        Stored {
            nodes: &self.nodes,
            order: &self.order,
            origin,
            unit: unit.exponent(),
            reach,
            magnitude,
            fit: self.fit,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CompactTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored: Stored<Vec<CompactNode>, Vec<u32>> = Stored::deserialize(deserializer)?;
        stored.into_tree().map_err(D::Error::custom)
    }
}

impl Stored<Vec<CompactNode>, Vec<u32>> {
    fn into_tree(self) -> Result<CompactTree, &'static str> {
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
        structure(&nodes, order.len())?;
        Ok(CompactTree { nodes, order, frame: Frame { origin, unit, reach, magnitude }, fit })
    }
}

/// Checks that the nodes are a tree: each but the first is led to once, by one before it, and leads
/// to something; leaves are ranges of the order and have each place once.
fn structure(nodes: &[CompactNode], triangles: usize) -> Result<(), &'static str> {
    let Some(root) = nodes.first() else {
        return if triangles == 0 { Ok(()) } else { Err("there are no nodes") };
    };
    let [whole, rest @ ..] = root.children();
    if *whole == ChildRef::NONE || rest.iter().any(|&child| child != ChildRef::NONE) {
        return Err("the first node leads to more or less than the whole");
    }
    let mut led_to = vec![false; nodes.len()];
    let mut held = vec![false; triangles];
    let once = |marks: &mut [bool], range: std::ops::Range<usize>| {
        let marks = marks.get_mut(range).ok_or("a child leads nowhere")?;
        let twice = marks.iter().any(|&mark| mark);
        marks.fill(true);
        if twice { Err("two children lead to the same") } else { Ok(()) }
    };
    for (index, node) in nodes.iter().enumerate() {
        let count = node.children().iter().take_while(|&&child| child != ChildRef::NONE).count();
        let (children, rest) = node.children().split_at(count);
        if rest.iter().any(|&child| child != ChildRef::NONE) {
            return Err("a child is behind a gap");
        }
        for &child in children {
            if child.is_leaf() {
                once(&mut held, child.range())?;
            } else if child.index() > index {
                once(&mut led_to, child.index()..child.index() + 1)?;
            } else {
                return Err("a child is before its node");
            }
        }
        if count == 0 {
            return Err("a node leads nowhere");
        }
    }
    let all = held.iter().chain(&led_to[1..]).all(|&mark| mark);
    if all { Ok(()) } else { Err("not everything is led to") }
}
