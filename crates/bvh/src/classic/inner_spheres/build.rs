//! The wrapped hierarchy over given spheres.

use std::ops::Range;

use xcollide_bounds::{Aabb, BoundingVolume, Sphere};
use xcollide_math::vector::{add, length, scale, sub};

use super::node::{SphereNode, WIDTH};

/// The nodes, the root first and siblings side by side; the spheres are put in the order of the leaves.
pub(super) fn nodes(spheres: &mut [Sphere]) -> Vec<SphereNode> {
    let mut nodes = Vec::new();
    if spheres.is_empty() {
        return nodes;
    }
    nodes.push(SphereNode::new(0, true));
    // Parents are made before their children, so no recursion is needed.
    let mut open = vec![(0, 0..spheres.len())];
    while let Some((number, range)) = open.pop() {
        if range.len() <= WIDTH {
            nodes[number] = SphereNode::leaf(&spheres[range.clone()], range.start as u32);
            continue;
        }
        let first = nodes.len();
        let mut node = SphereNode::new(first as u32, false);
        let groups = range.len().div_ceil(WIDTH).min(WIDTH);
        let mut parts = Vec::with_capacity(WIDTH);
        split(spheres, range, groups, &mut parts);
        for part in parts {
            let below = &spheres[part.clone()];
            node.push(&wrapped(below), below.iter().map(Sphere::volume).sum());
            open.push((nodes.len(), part));
            nodes.push(SphereNode::new(0, true));
        }
        nodes[number] = node;
    }
    nodes
}

/// Splits the spheres into `groups` parts: halves them along the longest side of the box of their centers, again and again.
fn split(
    spheres: &mut [Sphere],
    range: Range<usize>,
    groups: usize,
    parts: &mut Vec<Range<usize>>,
) {
    if groups == 1 {
        parts.push(range);
        return;
    }
    let part = &mut spheres[range.clone()];
    let axis = Aabb::from_points(part.iter().map(|sphere| sphere.center)).longest_axis();
    let left = groups / 2;
    let middle = part.len() * left / groups;
    part.select_nth_unstable_by(middle, |s, t| {
        let key = |sphere: &Sphere| {
            [sphere.center[axis], sphere.center[0], sphere.center[1], sphere.center[2]]
        };
        let (s, t) = (key(s), key(t));
        s.iter()
            .zip(&t)
            .map(|(x, y)| x.total_cmp(y))
            .fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    let middle = range.start + middle;
    split(spheres, range.start..middle, left, parts);
    split(spheres, middle..range.end, groups - left, parts);
}

/// A small sphere around spheres, rounded outward. The center goes towards the farthest sphere in ever smaller steps
/// (Bădoiu and Clarkson 2003), which is close to the smallest sphere soon; the radius is measured.
pub(super) fn wrapped(spheres: &[Sphere]) -> Sphere {
    const STEPS: u32 = 24;
    let mut center = Aabb::from_points(spheres.iter().map(|sphere| sphere.center)).center();
    let mut best = Sphere::new(center, reach_from(center, spheres));
    for step in 1..=STEPS {
        let farthest = spheres.iter().max_by(|s, t| {
            let key = |sphere: &Sphere| length(sub(sphere.center, center)) + sphere.radius;
            key(s).total_cmp(&key(t))
        });
        let Some(farthest) = farthest else { break };
        let way = sub(farthest.center, center);
        let distance = length(way);
        if distance == 0.0 {
            break;
        }
        // The farthest point of the farthest sphere.
        let way = scale(way, (distance + farthest.radius) / distance / f64::from(step + 1));
        center = add(center, way);
        let radius = reach_from(center, spheres);
        if radius < best.radius {
            best = Sphere::new(center, radius);
        }
    }
    best
}

/// The radius about a center that holds some spheres, rounded up.
fn reach_from(center: [f64; 3], spheres: &[Sphere]) -> f64 {
    let reach = |sphere: &Sphere| {
        (length(sub(sphere.center, center)) + sphere.radius) * (1.0 + 16.0 * f64::EPSILON)
    };
    spheres.iter().map(reach).fold(0.0, f64::max) + f64::MIN_POSITIVE
}

/// Whether no two spheres overlap by more than rounding: a sweep along x.
pub(super) fn are_disjoint(spheres: &[Sphere]) -> bool {
    let mut order: Vec<&Sphere> = spheres.iter().collect();
    order.sort_unstable_by(|s, t| (s.center[0] - s.radius).total_cmp(&(t.center[0] - t.radius)));
    // Spheres whose ranges along x hold the current place.
    let mut active: Vec<&Sphere> = Vec::new();
    for sphere in order {
        active.retain(|other| other.center[0] + other.radius > sphere.center[0] - sphere.radius);
        let overlaps = |other: &&Sphere| {
            let sum = other.radius + sphere.radius;
            length(sub(other.center, sphere.center)) < sum * (1.0 - 64.0 * f64::EPSILON)
        };
        if active.iter().any(overlaps) {
            return false;
        }
        active.push(sphere);
    }
    true
}
