//! The volume as a sum over the triangles of both surfaces.

use xcollide_predicates::{Point, Shifted, Sign, shifted_side};

use super::cuts::{Bodies, Crossing, Cut};
use super::number::Number;

type Vector<N> = [N; 3];

fn vector<N: Number>(from: Point, to: Point) -> Vector<N> {
    [0, 1, 2].map(|k| N::of(to[k]).sub(&N::of(from[k])))
}

fn dot<N: Number>(a: &Vector<N>, b: &Vector<N>) -> N {
    a[0].mul(&b[0]).add(&a[1].mul(&b[1])).add(&a[2].mul(&b[2]))
}

fn cross<N: Number>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    [
        a[1].mul(&b[2]).sub(&a[2].mul(&b[1])),
        a[2].mul(&b[0]).sub(&a[0].mul(&b[2])),
        a[0].mul(&b[1]).sub(&a[1].mul(&b[0])),
    ]
}

/// Six times the volume between a triangle and a point, positive if the point is behind it.
pub(super) fn signed_volume<N: Number>(triangle: &[Point; 3], point: Point) -> N {
    let [a, b, c] = triangle.map(|corner| vector(point, corner));
    dot(&a, &cross(&b, &c))
}

/// Six times the volume that two bodies have in common, given all cuts and, for each body, which of its vertices are in
/// the other. The result does not depend on the origin, but rounding does.
pub(super) fn common_volume<N: Number>(
    bodies: &Bodies<'_>,
    cuts: &[Cut],
    insides: &[Vec<i32>; 2],
    origin: Point,
) -> N {
    let mut sum = N::of(0.0);
    let mut orders = [0, 1].map(|_| (0..cuts.len()).collect::<Vec<_>>());
    orders[1].sort_by_key(|&cut| cuts[cut].triangles[1]);
    // The points of each cut, from both ends.
    let points: Vec<[Vector<N>; 2]> = cuts
        .iter()
        .map(|cut| {
            let corners = corners_of(bodies, cut.triangles);
            cut.ends.map(|end| point_of(&corners, end, origin).0)
        })
        .collect();
    for of in 0..2 {
        let mut order = &orders[of][..];
        let triangles = bodies.placed[of].model().triangulation().triangles();
        for (number, vertices) in triangles.iter().enumerate() {
            let is_own = |cut: &usize| cuts[*cut].triangles[of] as usize == number;
            let (own, rest) = order.split_at(order.iter().take_while(|cut| is_own(cut)).count());
            order = rest;
            let inside = vertices.map(|vertex| insides[of][vertex.index()]);
            let weight = bodies.bodies[of].weight(number as u32);
            if weight == 0 || (own.is_empty() && inside == [0; 3]) {
                continue;
            }
            let triangle = bodies.placed[of].triangle(number);
            let part = if own.is_empty() {
                signed_volume(&triangle, origin)
            } else {
                match part_of(bodies, of, inside, own, (cuts, &points), &triangle, origin) {
                    Some(part) => part,
                    None => continue,
                }
            };
            sum = if weight > 0 { sum.add(&part) } else { sum.sub(&part) };
        }
    }
    sum
}

fn corners_of(bodies: &Bodies<'_>, triangles: [u32; 2]) -> [[Point; 3]; 2] {
    [0, 1].map(|i| bodies.placed[i].triangle(triangles[i] as usize))
}

/// The point of a crossing, and the part of the edge that lies after it.
fn point_of<N: Number>(
    corners: &[[Point; 3]; 2],
    crossing: Crossing,
    origin: Point,
) -> (Vector<N>, N) {
    let other = &corners[1 - crossing.of];
    let [from, to] =
        [crossing.edge, (crossing.edge + 1) % 3].map(|corner| corners[crossing.of][corner]);
    let normal = cross(&vector::<N>(other[0], other[1]), &vector(other[0], other[2]));
    let [before, after] = [from, to].map(|p| dot(&vector(other[0], p), &normal));
    // The ends are on different sides, so the sum of their distances is not zero.
    let whole = before.sub(&after);
    let (at, rest) = (before.div(&whole), N::of(0.0).sub(&after).div(&whole));
    let (start, along) = (vector::<N>(origin, from), vector::<N>(from, to));
    ([0, 1, 2].map(|k| start[k].add(&at.mul(&along[k]))), rest)
}

/// Six times the volume between the origin and the part of a triangle that is in the other body; `None` if it has no area.
///
/// With the normal n of the triangle, the foot of the origin in its plane is n (n·a)/(n·n) for any corner a. Around the
/// border of the part, p and q being the ends of its sides, that part is (n·a)/(n·n) Σ n·(p × q).
fn part_of<N: Number>(
    bodies: &Bodies<'_>,
    of: usize,
    inside: [i32; 3],
    own: &[usize],
    (cuts, points): (&[Cut], &[[Vector<N>; 2]]),
    triangle: &[Point; 3],
    origin: Point,
) -> Option<N> {
    if shifted_side(triangle, triangle[0], Shifted::Second) == Sign::Zero {
        return None;
    }
    let normal = cross(&vector::<N>(triangle[0], triangle[1]), &vector(triangle[0], triangle[2]));
    let square = dot(&normal, &normal);
    let corners = triangle.map(|corner| vector::<N>(origin, corner));
    // How much of each edge is inside.
    let mut lengths = inside.map(|inside| N::of(f64::from(inside)));
    let mut area = N::of(0.0);
    for &number in own {
        let cut = &cuts[number];
        let weight = bodies.bodies[1 - of].weight(cut.triangles[1 - of]);
        if weight == 0 {
            continue;
        }
        let both = corners_of(bodies, cut.triangles);
        for end in cut.ends.iter().filter(|end| end.of == of) {
            let (_, rest) = point_of::<N>(&both, *end, origin);
            let length = &mut lengths[end.edge];
            let gains = end.goes_in == (weight > 0);
            *length = if gains { length.add(&rest) } else { length.sub(&rest) };
        }
        let [p, q] = &points[number];
        let side = dot(&normal, &cross(p, q));
        area = if (of == 0) == (weight > 0) { area.add(&side) } else { area.sub(&side) };
    }
    for edge in 0..3 {
        let side = dot(&normal, &cross(&corners[edge], &corners[(edge + 1) % 3]));
        area = area.add(&side.mul(&lengths[edge]));
    }
    Some(dot(&normal, &corners[0]).mul(&area).div(&square))
}
