//! The binary hierarchy that the wide one is made from: the surface area heuristic in bins.
//!
//! Wald, *On fast construction of SAH-based bounding volume hierarchies*, 2007. Heuristic from end
//! to end, hence in f32; only the order of the triangles and the nesting of ranges leave it.

/// Bins on each axis.
const BINS: usize = 16;

/// A range of the triangle order, halved until one triangle is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinaryNode {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Where the second half is; the first is next to its parent. 0 for a single triangle.
    pub(super) second: u32,
    /// Half the surface of the axis-aligned box.
    pub(super) area: f32,
}

impl BinaryNode {
    pub(super) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }
}

/// A triangle as the heuristic sees it.
#[derive(Clone, Copy, Debug)]
struct Primitive {
    bounds: Bounds,
    center: [f32; 3],
    triangle: u32,
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Bounds {
    const EMPTY: Self = Self { min: [f32::MAX; 3], max: [f32::MIN; 3] };

    #[inline]
    fn merge(&mut self, other: &Self) {
        for axis in 0..3 {
            self.min[axis] =
                if other.min[axis] < self.min[axis] { other.min } else { self.min }[axis];
            self.max[axis] =
                if other.max[axis] > self.max[axis] { other.max } else { self.max }[axis];
        }
    }

    fn area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|axis| (self.max[axis] - self.min[axis]).max(0.0));
        x * y + y * z + z * x
    }
}

/// Halves the triangles, of which there is one at least; gives the nodes, a parent before its halves, and the order of the
/// triangles that their ranges refer to. O(n log n) on ordinary meshes.
pub(super) fn build(triangles: &[[[f64; 3]; 3]]) -> (Vec<BinaryNode>, Vec<u32>) {
    let mut primitives: Vec<_> = triangles
        .iter()
        .enumerate()
        .map(|(index, corners)| {
            let corners = corners.map(|corner| corner.map(|x| x as f32));
            let mut bounds = Bounds::EMPTY;
            for corner in corners {
                bounds.merge(&Bounds { min: corner, max: corner });
            }
            let [a, b, c] = corners;
            let center = [0, 1, 2].map(|axis| a[axis] + b[axis] + c[axis]);
            Primitive { bounds, center, triangle: index as u32 }
        })
        .collect();
    let mut nodes: Vec<BinaryNode> = Vec::with_capacity(2 * primitives.len());
    // Ranges still to be halved, each with the parent of which it is the second half.
    let mut waiting = vec![(0, primitives.len(), None)];
    while let Some((start, end, parent)) = waiting.pop() {
        let node = nodes.len();
        if let Some(parent) = parent {
            let parent: &mut BinaryNode = &mut nodes[parent];
            parent.second = node as u32;
        }
        let range = &mut primitives[start..end];
        let mut bounds = Bounds::EMPTY;
        for primitive in range.iter() {
            bounds.merge(&primitive.bounds);
        }
        nodes.push(BinaryNode {
            start: start as u32,
            end: end as u32,
            second: 0,
            area: bounds.area(),
        });
        if range.len() > 1 {
            let middle = start + split(range);
            waiting.push((middle, end, Some(node)));
            waiting.push((start, middle, None));
        }
    }
    (nodes, primitives.iter().map(|primitive| primitive.triangle).collect())
}

/// Parts the range where area × count is smallest and gives the length of the first part; both
/// parts are not empty.
fn split(range: &mut [Primitive]) -> usize {
    let half = range.len() / 2;
    let mut centers = Bounds::EMPTY;
    for primitive in range.iter() {
        centers.merge(&Bounds { min: primitive.center, max: primitive.center });
    }
    let bin = |primitive: &Primitive, axis: usize, factor: f32| {
        (((primitive.center[axis] - centers.min[axis]) * factor) as usize).min(BINS - 1)
    };
    let mut best = (f32::INFINITY, 0, 0, 0.0);
    for axis in 0..3 {
        let width = centers.max[axis] - centers.min[axis];
        let factor = BINS as f32 / width;
        if !(width > 0.0 && factor.is_finite()) {
            continue;
        }
        let mut bins = [(0_usize, Bounds::EMPTY); BINS];
        for primitive in range.iter() {
            let (count, bounds) = &mut bins[bin(primitive, axis, factor)];
            *count += 1;
            bounds.merge(&primitive.bounds);
        }
        // Cost of everything behind each cut, then of everything before it.
        let mut behind = [0.0; BINS];
        let (mut count, mut bounds) = (0, Bounds::EMPTY);
        for cut in (1..BINS).rev() {
            count += bins[cut].0;
            bounds.merge(&bins[cut].1);
            behind[cut] = if count > 0 { bounds.area() * count as f32 } else { f32::INFINITY };
        }
        let (mut count, mut bounds) = (0, Bounds::EMPTY);
        for cut in 1..BINS {
            count += bins[cut - 1].0;
            bounds.merge(&bins[cut - 1].1);
            let cost = bounds.area() * count as f32 + behind[cut];
            if count > 0 && cost < best.0 {
                best = (cost, axis, cut, factor);
            }
        }
    }
    let (cost, axis, cut, factor) = best;
    if cost == f32::INFINITY {
        return half;
    }
    let mut first = 0;
    for i in 0..range.len() {
        if bin(&range[i], axis, factor) < cut {
            range.swap(i, first);
            first += 1;
        }
    }
    if first == 0 || first == range.len() { half } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(triangles: &[[[f64; 3]; 3]]) {
        let (nodes, order) = build(triangles);
        assert_eq!(nodes.len(), 2 * triangles.len() - 1);
        let mut sorted = order;
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &triangle)| i == triangle as usize));
        for (i, node) in nodes.iter().enumerate() {
            if node.len() > 1 {
                let (first, second) = (nodes[i + 1], nodes[node.second as usize]);
                assert_eq!((first.start, second.end), (node.start, node.end));
                assert!(first.end == second.start && first.len() > 0 && second.len() > 0);
            }
        }
    }

    #[test]
    fn every_range_is_halved_down_to_one_triangle() {
        let line: Vec<_> = (0..100).map(|i| [[f64::from(i) * 0.01, 0.0, 0.0]; 3]).collect();
        check(&line);
        check(&[[[0.5; 3]; 3]; 37]);
        let shrinking: Vec<_> = (0..300).map(|i| [[0.5_f64.powi(i), 0.0, 0.0]; 3]).collect();
        check(&shrinking);
    }
}
