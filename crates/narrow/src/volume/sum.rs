//! The volume as a sum over the triangles of both surfaces.

use xcollide_predicates::{Point, Shifted, Sign, shifted_side};

use super::cuts::{Bodies, Crossing, Cut};
use super::number::{Number, Vector, cross, dot, vector};

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
    let of_cut = |cut: &Cut| {
        let corners = bodies.corners(cut.triangles);
        let [start, end] = cut.ends;
        [End::of(&corners, start, origin), End::of(&corners, end, origin)]
    };
    let ends: Vec<[End<N>; 2]> = cuts.iter().map(of_cut).collect();
    for of in 0..2 {
        let mut order = &orders[of][..];
        let triangles = bodies.triangles(of);
        for (number, vertices) in triangles.iter().enumerate() {
            let is_own = |cut: &usize| cuts[*cut].triangles[of] as usize == number;
            let (own, rest) = order.split_at(order.iter().take_while(|cut| is_own(cut)).count());
            order = rest;
            let [a, b, c] = *vertices;
            let inside = [insides[of][a.index()], insides[of][b.index()], insides[of][c.index()]];
            let weight = bodies.bodies[of].weight(number as u32);
            if weight == 0 || (own.is_empty() && inside == [0; 3]) {
                continue;
            }
            let triangle = bodies.triangle(of, number as u32);
            let part = if own.is_empty() {
                N::signed_volume(&triangle, origin)
            } else {
                match part_of(bodies, of, inside, own, (cuts, &ends), &triangle, origin) {
                    Some(part) => part,
                    None => continue,
                }
            };
            sum = if weight > 0 { sum.add(&part) } else { sum.sub(&part) };
        }
    }
    sum
}

/// Where a cut ends.
struct End<N> {
    /// From the origin.
    point: Vector<N>,
    /// How much of the edge that crosses a triangle there lies after it.
    rest: N,
}

impl<N: Number> End<N> {
    fn of(corners: &[[Point; 3]; 2], crossing: Crossing, origin: Point) -> Self {
        let other = &corners[1 - crossing.of];
        let own = &corners[crossing.of];
        let (from, to) = (own[crossing.edge], own[(crossing.edge + 1) % 3]);
        let normal = cross(&vector::<N>(other[0], other[1]), &vector(other[0], other[2]));
        let before = dot(&vector(other[0], from), &normal);
        let after = dot(&vector(other[0], to), &normal);
        // The ends are on different sides, so the sum of their distances is not zero.
        let whole = before.sub(&after);
        let (at, rest) = (before.div(&whole), N::of(0.0).sub(&after).div(&whole));
        let (start, along) = (vector::<N>(origin, from), vector::<N>(from, to));
        let point = |k: usize| start[k].add(&at.mul(&along[k]));
        Self { point: [point(0), point(1), point(2)], rest }
    }
}

/// Whether a triangle has an area, given its normal.
fn has_area<N: Number>(triangle: &[Point; 3], normal: &Vector<N>) -> bool {
    let is_certain = |x: &N| {
        let [low, high] = x.bounds();
        low > 0.0 || high < 0.0
    };
    normal.iter().any(is_certain)
        || shifted_side(triangle, triangle[0], Shifted::Second) != Sign::Zero
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
    (cuts, ends): (&[Cut], &[[End<N>; 2]]),
    triangle: &[Point; 3],
    origin: Point,
) -> Option<N> {
    let normal = cross(&vector::<N>(triangle[0], triangle[1]), &vector(triangle[0], triangle[2]));
    if !has_area(triangle, &normal) {
        return None;
    }
    let square = dot(&normal, &normal);
    let [a, b, c] = triangle;
    let corners = [vector::<N>(origin, *a), vector(origin, *b), vector(origin, *c)];
    // How much of each edge is inside.
    let length = |edge: usize| N::of(f64::from(inside[edge]));
    let mut lengths = [length(0), length(1), length(2)];
    let mut area = N::of(0.0);
    for &number in own {
        let cut = &cuts[number];
        let weight = bodies.bodies[1 - of].weight(cut.triangles[1 - of]);
        if weight == 0 {
            continue;
        }
        let [p, q] = &ends[number];
        for (crossing, End { rest, .. }) in cut.ends.iter().zip([p, q]) {
            if crossing.of == of {
                let length = &mut lengths[crossing.edge];
                let gains = crossing.goes_in == (weight > 0);
                *length = if gains { length.add(rest) } else { length.sub(rest) };
            }
        }
        let side = dot(&normal, &cross(&p.point, &q.point));
        area = if (of == 0) == (weight > 0) { area.add(&side) } else { area.sub(&side) };
    }
    for edge in 0..3 {
        let side = dot(&normal, &cross(&corners[edge], &corners[(edge + 1) % 3]));
        area = area.add(&side.mul(&lengths[edge]));
    }
    Some(dot(&normal, &corners[0]).mul(&area).div(&square))
}
