//! The hull of points in a plane, by Andrew's monotone chain.

use crate::projection::project;
use xcollide_predicates::{Point, Sign, orient2d};

/// The two sides of the hull of distinct coplanar points; `drop` is a coordinate whose removal maps
/// the plane one to one.
pub(super) fn both_sides(points: &[Point], drop: usize) -> Vec<Vec<u32>> {
    let front = polygon(points, drop);
    let back = front.iter().rev().copied().collect();
    vec![front, back]
}

fn polygon(points: &[Point], drop: usize) -> Vec<u32> {
    let flat = |i: u32| project(points[i as usize], drop);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_unstable_by(|&i, &j| {
        let (p, q) = (flat(i), flat(j));
        p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1]))
    });
    let mut polygon: Vec<u32> = Vec::new();
    let (there, back) = (order.iter(), order.iter().rev().skip(1));
    let mut fixed = 1;
    for (i, &next) in there.chain(back).enumerate() {
        if i == order.len() {
            fixed = polygon.len();
        }
        while polygon.len() > fixed {
            let [.., p, q] = polygon[..] else { break };
            if orient2d(flat(p), flat(q), flat(next)) == Sign::Positive {
                break;
            }
            polygon.pop();
        }
        polygon.push(next);
    }
    polygon.pop();
    polygon
}
