//! Divides the cube around a model into cells.

use std::cmp::Ordering;
use std::collections::VecDeque;

use xcollide_bounds::Aabb;
use xcollide_math::vector::{cross, dot, sub};

use super::{Node, SphereOctreeOptions, TRUSTED, around};
use crate::BuildError;

/// The limit of nodes, and of entries in leaves.
const LIMIT: usize = i32::MAX as usize;

/// A triangle is listed in every child that it reaches into. Along a path the lists may grow by this factor at most, in the mean
/// of their triangles; cells are not divided beyond that.
const MOST_COPIES: f64 = 8.0;

/// A triangle, prepared for tests with cells.
struct Triangle {
    bounds: Aabb,
    corner: [f64; 3],
    normal: [f64; 3],
    /// A bound on the error of a height over the plane, relative to the coordinates that it is computed from.
    error: f64,
}

/// A cell that may be divided.
struct Cell {
    node: usize,
    bounds: Aabb,
    items: Vec<u32>,
    depth: u32,
    /// By how much the divisions above have multiplied the entries.
    growth: f64,
}

/// The nodes, breadth first, and the lists of the leaves.
pub(super) fn build(
    triangles: &[[[f64; 3]; 3]],
    reach: f64,
    options: &SphereOctreeOptions,
) -> Result<(Vec<Node>, Vec<u32>), BuildError> {
    if triangles.len() > LIMIT {
        return Err(BuildError::TooMany { found: triangles.len(), limit: LIMIT });
    }
    let (mut nodes, mut list) = (Vec::new(), Vec::new());
    if triangles.is_empty() {
        return Ok((nodes, list));
    }
    let triangles: Vec<Triangle> = triangles.iter().map(Triangle::new).collect();
    let whole = triangles.iter().fold(Aabb::EMPTY, |all, one| all.merged(&one.bounds));
    let side = whole.size().into_iter().fold(0.0, f64::max);
    let mut bounds = whole;
    for axis in 0..3 {
        bounds.max[axis] = bounds.max[axis].max(bounds.min[axis] + side);
    }
    let max_depth = if reach < TRUSTED { options.max_depth.min(20) } else { 0 };
    let leaf_size = options.leaf_size.max(1);
    let node = |bounds: &Aabb| Node { sphere: around(bounds), first: 0, count: 0, is_leaf: true };
    nodes.push(node(&bounds));
    let items = (0..triangles.len() as u32).collect();
    let mut waiting = VecDeque::from([Cell { node: 0, bounds, items, depth: 0, growth: 1.0 }]);
    while let Some(cell) = waiting.pop_front() {
        let divided = (cell.items.len() > leaf_size && cell.depth < max_depth)
            .then(|| divide(&cell, &triangles, reach))
            .flatten();
        let (first, count) = match &divided {
            Some(children) => (nodes.len(), children.len()),
            None => (list.len(), cell.items.len()),
        };
        let divided_node = &mut nodes[cell.node];
        (divided_node.first, divided_node.count) = (first as u32, count as u32);
        divided_node.is_leaf = divided.is_none();
        match divided {
            Some(children) => {
                for mut child in children {
                    child.node = nodes.len();
                    nodes.push(node(&child.bounds));
                    waiting.push_back(child);
                }
            }
            None => list.extend(cell.items),
        }
        let found = nodes.len().max(list.len());
        if found > LIMIT {
            return Err(BuildError::TooMany { found, limit: LIMIT });
        }
    }
    Ok((nodes, list))
}

/// The eighths of a cell that have triangles; `None` if it is too small to divide, or triangles would be listed too often.
fn divide(cell: &Cell, triangles: &[Triangle], reach: f64) -> Option<Vec<Cell>> {
    let middle = cell.bounds.center();
    let is_inside = |k: usize| cell.bounds.min[k] < middle[k] && middle[k] < cell.bounds.max[k];
    if !(0..3).all(is_inside) {
        return None;
    }
    let mut children = Vec::with_capacity(8);
    let mut entries = 0;
    for eighth in 0..8 {
        let Aabb { min, max } = cell.bounds;
        let is_upper = |axis: usize| eighth >> axis & 1 == 1;
        let bounds = Aabb {
            min: [0, 1, 2].map(|axis| if is_upper(axis) { middle[axis] } else { min[axis] }),
            max: [0, 1, 2].map(|axis| if is_upper(axis) { max[axis] } else { middle[axis] }),
        };
        let reaches = |&item: &u32| triangles[item as usize].reaches(&bounds, reach);
        let items: Vec<u32> = cell.items.iter().copied().filter(reaches).collect();
        entries += items.len();
        if !items.is_empty() {
            children.push(Cell { node: 0, bounds, items, depth: cell.depth + 1, growth: 1.0 });
        }
    }
    let growth = cell.growth * entries as f64 / cell.items.len() as f64;
    children.iter_mut().for_each(|child| child.growth = growth);
    (growth <= MOST_COPIES).then_some(children)
}

impl Triangle {
    fn new(corners: &[[f64; 3]; 3]) -> Self {
        let [p, q, r] = *corners;
        let (u, v) = (sub(q, p), sub(r, p));
        let sum = |vector: [f64; 3]| vector.into_iter().map(f64::abs).sum::<f64>();
        // Twice the product of the edges bounds the normal; its error, and that of a product with it, are some units of
        // that, 2^-53 each.
        let error = 1e-14 * sum(u) * sum(v);
        let bounds = Aabb::from_points(*corners);
        Self { bounds, corner: p, normal: cross(u, v), error }
    }

    /// Whether a cell may have a point of the triangle; never false if it has.
    fn reaches(&self, cell: &Aabb, reach: f64) -> bool {
        if !self.bounds.overlaps(cell) {
            return false;
        }
        let (middle, size) = (cell.center(), cell.size());
        let height = dot(self.normal, sub(middle, self.corner));
        let half = 0.5 * (0..3).map(|k| self.normal[k].abs() * size[k]).sum::<f64>();
        // An unordered comparison, of what overflows, is no proof.
        let bound = half + self.error * 8.0 * reach + f64::MIN_POSITIVE;
        height.abs().partial_cmp(&bound) != Some(Ordering::Greater)
    }
}
