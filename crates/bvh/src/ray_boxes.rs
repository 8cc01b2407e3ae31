//! Ray casting among boxes that are themselves the primitives, such as those of the objects of a world: axis-aligned boxes in
//! f64, eight a node, tested at once and opened in the order in which the ray enters them.
//!
//! # Proof of the margin
//!
//! Along an axis the ray is between the sides l ≤ h of a box for the parameters between (l − o) / d and (h − o) / d. The origin
//! is moved by m = 2⁻³⁸ (|o| + r) towards the one side for the entry and towards the other for the exit, where |o| and r are the
//! largest magnitudes of coordinates of the origin and of the boxes. What is computed is off by four roundings of numbers
//! below |o| + r + m, divided by |d|, and so by less than a thousandth of m / |d|. Hence the computed entry is before the true
//! one, and the computed exit behind it, by at least half of m / |d|, which leaves as much for a caller whose hits are
//! rounded. Along an axis in which the ray does not move, 1 / |d| is the largest number of f64: then entries and exits are beyond
//! all parameters, on the one or the other side. Where numbers leave the range in which all this holds, all boxes are shown.

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_simd::{F64x8, Simd, SimdKernel, SimdMask, dispatch, prefetch};

use crate::BuildError;

/// Children of a node.
const WIDTH: usize = 8;

/// A hierarchy over boxes, for rays and moving balls.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bounds::Aabb;
/// use xcollide_bvh::{BoxRay, RayBoxes};
///
/// // A row of boxes, and a ray from the left that looks for the first three.
/// let row: Vec<Aabb> =
///     (0..100).map(|i| f64::from(i)).map(|x| Aabb::new([2.0 * x, 0.0, 0.0], [2.0 * x + 1.0, 1.0, 1.0])).collect();
/// let boxes = RayBoxes::build(&row)?;
/// let ray = BoxRay { origin: [-1.0, 0.5, 0.5], direction: [1.0, 0.0, 0.0], reach: f64::INFINITY, radius: 0.0 };
/// let mut found = Vec::new();
/// let _ = boxes.along(&ray, &mut |number, _| {
///     found.push(number);
///     if found.len() < 3 { ControlFlow::Continue(f64::INFINITY) } else { ControlFlow::Break(()) }
/// });
/// assert_eq!(found, [0, 1, 2]);
/// # Ok::<(), xcollide_bvh::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RayBoxes {
    /// Node 0 is the root; none if there are no boxes.
    nodes: Vec<Node>,
    /// The largest magnitude of a coordinate.
    reach: f64,
    count: u32,
}

/// The points `origin + s · direction` for 0 ≤ s ≤ reach, and all at most `radius` away from them. The direction may be zero.
#[derive(Clone, Copy, Debug)]
pub struct BoxRay {
    /// Where it begins.
    pub origin: [f64; 3],
    /// Its direction, of any length.
    pub direction: [f64; 3],
    /// The last parameter, which may be infinite.
    pub reach: f64,
    /// How far around it boxes are met.
    pub radius: f64,
}

/// Eight boxes with one array for each of their sides.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Node {
    /// The lower and the upper sides along each axis.
    sides: [[[f64; WIDTH]; 3]; 2],
    /// Of a node its number, of a box its number with [`IS_BOX`].
    children: [u32; WIDTH],
}

const _: () = assert!(size_of::<Node>() == 448);

const IS_BOX: u32 = 1 << 31;

impl Node {
    /// Boxes that no ray enters.
    const EMPTY: Self = Self {
        sides: [[[f64::INFINITY; WIDTH]; 3], [[f64::NEG_INFINITY; WIDTH]; 3]],
        children: [u32::MAX; WIDTH],
    };

    fn set(&mut self, lane: usize, child: u32, bounds: &Aabb) {
        self.children[lane] = child;
        for axis in 0..3 {
            self.sides[0][axis][lane] = bounds.min[axis];
            self.sides[1][axis][lane] = bounds.max[axis];
        }
    }
}

impl RayBoxes {
    /// Builds the hierarchy: ranges of boxes are halved by their middles along the longest axis. O(n log n).
    ///
    /// # Errors
    /// A coordinate is not finite; 2³¹ boxes or more.
    pub fn build(boxes: &[Aabb]) -> Result<Self, BuildError> {
        let limit = IS_BOX as usize - 1;
        if boxes.len() > limit {
            return Err(BuildError::TooMany { found: boxes.len(), limit });
        }
        let mut reach = 0.0_f64;
        let mut all = Vec::with_capacity(boxes.len());
        for (number, bounds) in boxes.iter().enumerate() {
            for value in bounds.min.iter().chain(&bounds.max) {
                if !value.is_finite() {
                    return Err(BuildError::NonFinite { primitive: number });
                }
                reach = reach.max(value.abs());
            }
            all.push(Entry { middle: bounds.center(), number: number as u32 });
        }
        let mut tree = Self { nodes: Vec::new(), reach, count: boxes.len() as u32 };
        if !all.is_empty() {
            tree.nodes.reserve(boxes.len() / 4 + 1);
            tree.subtree(&mut all, boxes);
        }
        Ok(tree)
    }

    /// The number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Its memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.nodes.len() * size_of::<Node>()
    }

    /// Adds the node above some boxes and what is below it; returns its number and the box around it.
    fn subtree(&mut self, entries: &mut [Entry], boxes: &[Aabb]) -> (u32, Aabb) {
        let index = self.nodes.len();
        self.nodes.push(Node::EMPTY);
        let mut whole = Aabb::EMPTY;
        // As few levels as there can be: parts for which one less is enough. Nodes with few children are at the root.
        let mut capacity = 1;
        while capacity * WIDTH < entries.len() {
            capacity *= WIDTH;
        }
        let parts = entries.len().div_ceil(capacity);
        let mut rest = entries;
        let mut ends = Vec::with_capacity(WIDTH);
        halve(rest, parts, &mut ends);
        for (lane, size) in ends.into_iter().enumerate() {
            let (part, others) = rest.split_at_mut(size);
            rest = others;
            let (child, bounds) = match part {
                [one] => (IS_BOX | one.number, boxes[one.number as usize]),
                _ => self.subtree(part, boxes),
            };
            self.nodes[index].set(lane, child, &bounds);
            whole = whole.merged(&bounds);
        }
        (index as u32, whole)
    }

    /// Shows `visit` the boxes that a ray may enter, with a bound from below on where it enters, roughly in this order. `visit` breaks,
    /// or tells up to which parameter others matter; all that are entered up to there are shown, and others. O(log n) for boxes
    /// that overlap little.
    pub fn along(
        &self,
        ray: &BoxRay,
        visit: &mut dyn FnMut(u32, f64) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let Some(slabs) = Slabs::new(ray, self.reach) else {
            return (0..self.count).try_for_each(|number| visit(number, 0.0).map_continue(|_| ()));
        };
        dispatch(Along { nodes: &self.nodes, slabs, reach: ray.reach, visit })
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    middle: [f64; 3],
    number: u32,
}

/// Orders boxes into parts of about the same size, none above its share rounded up, by halving them, and adds their sizes.
fn halve(entries: &mut [Entry], parts: usize, sizes: &mut Vec<usize>) {
    if parts <= 1 {
        return sizes.push(entries.len());
    }
    let axis = Aabb::from_points(entries.iter().map(|entry| entry.middle)).longest_axis();
    let left = parts / 2;
    let place = entries.len() * left / parts;
    entries.select_nth_unstable_by(place, |one, other| {
        one.middle[axis].total_cmp(&other.middle[axis]).then(one.number.cmp(&other.number))
    });
    let (low, high) = entries.split_at_mut(place);
    halve(low, left, sizes);
    halve(high, parts - left, sizes);
}

/// A ray as the kernel needs it.
#[derive(Clone, Copy)]
struct Slabs {
    /// 0 for an axis along which the ray runs upward, so that it enters a box through its lower side.
    enters: [usize; 3],
    /// For the entry and the exit.
    origin: [[f64; 3]; 2],
    inverse: [f64; 3],
}

impl Slabs {
    /// `None` if numbers leave the range in which the bounds hold.
    fn new(ray: &BoxRay, reach: f64) -> Option<Self> {
        /// 2⁻³⁸.
        const SLACK: f64 = 1.0 / (1_u64 << 38) as f64;
        const LARGEST: f64 = 1e60;
        let largest = |v: [f64; 3]| v[0].abs().max(v[1].abs()).max(v[2].abs());
        let size = largest(ray.origin) + reach + ray.radius;
        let speeds = ray.direction.map(f64::abs);
        let is_usual = speeds.iter().all(|&d| d == 0.0 || (1.0 / LARGEST..=LARGEST).contains(&d));
        // Not so of NaN.
        if !(is_usual && (1.0 / LARGEST..=LARGEST).contains(&size)) {
            return None;
        }
        let margin = ray.radius + SLACK * size;
        let mut slabs = Self { enters: [0; 3], origin: [ray.origin; 2], inverse: [f64::MAX; 3] };
        for axis in 0..3 {
            let d = ray.direction[axis];
            let margin = if d < 0.0 { -margin } else { margin };
            slabs.enters[axis] = usize::from(d < 0.0);
            slabs.origin[0][axis] += margin;
            slabs.origin[1][axis] -= margin;
            if d != 0.0 {
                slabs.inverse[axis] = 1.0 / d;
            }
        }
        Some(slabs)
    }

    /// The lanes of a node that the ray enters before a limit, and where.
    #[inline(always)]
    fn keys<F: F64x8>(&self, node: &Node, limit: f64) -> (u32, [f64; WIDTH]) {
        let (mut from, mut to) = (F::splat(0.0), F::splat(limit));
        for axis in 0..3 {
            let enters = self.enters[axis];
            let inverse = F::splat(self.inverse[axis]);
            let side = |end: usize| {
                let sides = F::load(&node.sides[enters ^ end][axis]);
                sides.sub(F::splat(self.origin[end][axis])).mul(inverse)
            };
            from = side(0).max(from);
            to = side(1).min(to);
        }
        (from.le(to).to_bits(), from.to_array())
    }
}

/// A child to open, and where the ray enters it.
#[derive(Clone, Copy)]
struct Ranked {
    key: f64,
    child: u32,
}

/// Eleven levels are enough for 2³¹ boxes; of each at most seven children wait.
const DEPTH: usize = 96;

/// The kernel that shows boxes along a ray.
struct Along<'d, 'v> {
    nodes: &'d [Node],
    slabs: Slabs,
    reach: f64,
    visit: &'v mut dyn FnMut(u32, f64) -> ControlFlow<(), f64>,
}

impl SimdKernel for Along<'_, '_> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { nodes, slabs, reach, visit } = self;
        let mut stack = [Ranked { key: 0.0, child: 0 }; DEPTH];
        let mut limit = reach;
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let Ranked { key, child } = stack[height];
            if key > limit {
                continue;
            }
            if child & IS_BOX != 0 {
                let told = visit(child & !IS_BOX, key)?;
                limit = if told < reach { told } else { reach };
                continue;
            }
            let node = &nodes[child as usize];
            let (mut left, keys) = slabs.keys::<S::F64x8>(node, limit);
            let first = height;
            while left != 0 {
                let lane = left.trailing_zeros() as usize % WIDTH;
                left &= left - 1;
                let ranked = Ranked { key: keys[lane], child: node.children[lane] };
                if let Some(node) = nodes.get(ranked.child as usize) {
                    prefetch(node);
                }
                // The least key on top.
                let mut place = height;
                while place > first && stack[place - 1].key < ranked.key {
                    stack[place] = stack[place - 1];
                    place -= 1;
                }
                stack[place] = ranked;
                height += 1;
            }
        }
        ControlFlow::Continue(())
    }
}
