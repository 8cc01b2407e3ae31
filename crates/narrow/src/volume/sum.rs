//! The volume as a sum over the triangles of both surfaces.

use std::marker::PhantomData;

use xcollide_bounds::Aabb;
use xcollide_predicates::{Point, Shifted, Sign, shifted_side};
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use super::cuts::{Bodies, Crossing, Cut};
use super::number::{Double, Number, Vector, cross, dot, vector};

/// Six times the volume that two bodies have in common, given all cuts and, for each body, which of its vertices are in
/// the other. The result does not depend on the origin, but rounding does.
pub(super) fn common_volume<N: Number>(
    bodies: &Bodies<'_>,
    cuts: &[Cut],
    insides: &[Vec<i32>; 2],
    origin: Point,
) -> N {
    dispatch(CommonVolume { bodies, cuts, insides, origin, number: PhantomData })
}

/// A box around the corners of what two bodies have in common, given all cuts and which vertices are in the other body.
pub(super) fn common_bounds(bodies: &Bodies<'_>, cuts: &[Cut], insides: &[Vec<i32>; 2]) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    for of in 0..2 {
        for number in 0..bodies.triangles(of).len() as u32 {
            let corners = bodies.triangle(of, number);
            for (vertex, corner) in bodies.triangles(of)[number as usize].iter().zip(corners) {
                if insides[of][vertex.index()] != 0 {
                    bounds = bounds.merged(&Aabb::from_points([corner]));
                }
            }
        }
    }
    for Cut { triangles: [s, t], ends } in cuts {
        let (a, b) = (&bodies.triangle(0, *s), &bodies.triangle(1, *t));
        for crossing in ends {
            // From one of its own corners, so that little is lost.
            let own = [a, b][crossing.of];
            let origin = own[crossing.edge];
            let end = End::<Double>::of([a, b], *crossing, origin);
            let [low, high] = [0, 1].map(|side| {
                [0, 1, 2].map(|k| {
                    let away = end.point[k].bounds()[side];
                    // An end that is not known is on its edge anyway.
                    let next = own[(crossing.edge + 1) % 3][k];
                    let sum = origin[k] + away;
                    match (away.is_finite(), side) {
                        (true, 0) => sum.next_down(),
                        (true, _) => sum.next_up(),
                        (false, 0) => origin[k].min(next),
                        (false, _) => origin[k].max(next),
                    }
                })
            });
            bounds = bounds.merged(&Aabb::new(low, high));
        }
    }
    bounds
}

/// The sum, compiled for AVX2 too: its scalar instructions have three operands and save moves. It uses no lanes, so its bits are the
/// same at every level.
struct CommonVolume<'b, N> {
    bodies: &'b Bodies<'b>,
    cuts: &'b [Cut],
    insides: &'b [Vec<i32>; 2],
    origin: Point,
    number: PhantomData<N>,
}

impl<N: Number> SimdKernel for CommonVolume<'_, N> {
    type Output = N;
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) -> N {
        let Self { bodies, cuts, insides, origin, .. } = self;
        let mut sum = N::of(0.0);
        let mut ends: Vec<[End<N>; 2]> = Vec::with_capacity(cuts.len());
        for Cut { triangles: [s, t], ends: [start, end] } in cuts {
            let (a, b) = (&bodies.triangle(0, *s), &bodies.triangle(1, *t));
            ends.push([End::of([a, b], *start, origin), End::of([a, b], *end, origin)]);
        }
        for of in 0..2 {
            let count = bodies.triangles(of).len();
            let own = CutsByTriangle::new(cuts, of, count);
            for number in 0..count as u32 {
                let weight = bodies.bodies[of].weight(number);
                let inside = bodies.triangles(of)[number as usize].map(|c| insides[of][c.index()]);
                if own.any(number) {
                    let own = own.of(number);
                    if weight != 0
                        && let Some(part) =
                            part_of(bodies, of, inside, own, (cuts, &ends), number, origin)
                    {
                        sum = if weight > 0 { sum.add(&part) } else { sum.sub(&part) };
                    }
                    continue;
                }
                // Either all of the triangle is in the other body or nothing.
                let times = inside[0] * weight;
                if times != 0 {
                    let whole = N::signed_volume(&bodies.triangle(of, number), origin);
                    sum = match times {
                        1 => sum.add(&whole),
                        -1 => sum.sub(&whole),
                        _ => sum.add(&whole.mul(&N::of(f64::from(times)))),
                    };
                }
            }
        }
        sum
    }
}

/// The cuts of each triangle of a body, as lists.
struct CutsByTriangle {
    /// Of each triangle the first one.
    first: Vec<u32>,
    /// Of each cut the next one of the same triangle.
    next: Vec<u32>,
}

impl CutsByTriangle {
    const NONE: u32 = u32::MAX;

    fn new(cuts: &[Cut], of: usize, triangles: usize) -> Self {
        let mut lists = Self { first: vec![Self::NONE; triangles], next: vec![0; cuts.len()] };
        // Each becomes the first of its list, which then is in the order of the cuts.
        for (place, cut) in cuts.iter().enumerate().rev() {
            let first = &mut lists.first[cut.triangles[of] as usize];
            lists.next[place] = std::mem::replace(first, place as u32);
        }
        lists
    }

    fn any(&self, triangle: u32) -> bool {
        self.first[triangle as usize] != Self::NONE
    }

    /// The places of the cuts of a triangle.
    fn of(&self, triangle: u32) -> impl Iterator<Item = usize> {
        let listed = |place: u32| (place != Self::NONE).then_some(place);
        let first = listed(self.first[triangle as usize]);
        let next = move |&place: &u32| listed(self.next[place as usize]);
        std::iter::successors(first, next).map(|place| place as usize)
    }
}

/// Where a cut ends.
struct End<N> {
    /// From the origin.
    point: Vector<N>,
    /// How much of the edge that crosses a triangle there lies after it.
    rest: N,
}

impl<N: Number> End<N> {
    #[inline(always)]
    fn of(corners: [&[Point; 3]; 2], crossing: Crossing, origin: Point) -> Self {
        let other = corners[1 - crossing.of];
        let own = corners[crossing.of];
        let (from, to) = (own[crossing.edge], own[(crossing.edge + 1) % 3]);
        let before = N::signed_volume(other, from);
        let after = N::signed_volume(other, to);
        // The ends are on different sides, so the sum of their distances is not zero.
        let whole = before.sub(&after);
        let at = before.div(&whole);
        let (start, along) = (vector::<N>(origin, from), vector::<N>(from, to));
        let point = |k: usize| start[k].add(&at.mul(&along[k]));
        Self { point: [point(0), point(1), point(2)], rest: N::of(1.0).sub(&at) }
    }
}

/// The axis along which the normal of a triangle is longest; `None` if the triangle has no area.
#[inline(always)]
fn longest_axis<N: Number>(triangle: &[Point; 3], normal: &Vector<N>) -> Option<usize> {
    let bounds = normal.each_ref().map(Number::bounds);
    let length = |axis: usize| bounds[axis][1].max(-bounds[axis][0]);
    let is_certain = bounds.iter().any(|&[low, high]| low > 0.0 || high < 0.0);
    let has_area = is_certain || shifted_side(triangle, triangle[0], Shifted::Second) != Sign::Zero;
    let longer = |one: usize, other: usize| if length(other) > length(one) { other } else { one };
    has_area.then(|| longer(longer(0, 1), 2))
}

/// Six times the volume between the origin and the part of a triangle that is in the other body; `None` if it has no area.
///
/// The sum s = Σ p × q around the border of the part, p and q being the ends of its sides from the origin, is along the normal
/// n of the triangle, and twice the area of the part long. So the volume is (n·a) s/n for any corner a, where s and n are
/// compared along the axis on which n is longest.
#[inline(always)]
fn part_of<N: Number>(
    bodies: &Bodies<'_>,
    of: usize,
    inside: [i32; 3],
    own: impl Iterator<Item = usize>,
    (cuts, ends): (&[Cut], &[[End<N>; 2]]),
    number: u32,
    origin: Point,
) -> Option<N> {
    let triangle = &bodies.triangle(of, number);
    let normal = cross(&vector::<N>(triangle[0], triangle[1]), &vector(triangle[0], triangle[2]));
    let axis = longest_axis(triangle, &normal)?;
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let side = |p: &Vector<N>, q: &Vector<N>| N::det2([&p[i], &p[j]], [&q[i], &q[j]]);
    let [a, b, c] = triangle;
    let corners = [vector::<N>(origin, *a), vector(origin, *b), vector(origin, *c)];
    // How much of each edge is inside; `None`: nothing.
    let mut lengths = inside.map(|times| (times != 0).then(|| N::of(f64::from(times))));
    let mut area = N::of(0.0);
    for place in own {
        let cut = &cuts[place];
        let weight = bodies.bodies[1 - of].weight(cut.triangles[1 - of]);
        if weight == 0 {
            continue;
        }
        let [p, q] = &ends[place];
        for (crossing, End { rest, .. }) in cut.ends.iter().zip([p, q]) {
            if crossing.of == of {
                let length = &mut lengths[crossing.edge];
                let so_far = length.take().unwrap_or_else(|| N::of(0.0));
                let gains = crossing.goes_in == (weight > 0);
                *length = Some(if gains { so_far.add(rest) } else { so_far.sub(rest) });
            }
        }
        let side = side(&p.point, &q.point);
        area = if (of == 0) == (weight > 0) { area.add(&side) } else { area.sub(&side) };
    }
    for (edge, length) in lengths.iter().enumerate() {
        if let Some(length) = length {
            area = area.add(&side(&corners[edge], &corners[(edge + 1) % 3]).mul(length));
        }
    }
    let height = dot(&normal, &corners[0]);
    Some(height.mul(&area).div(&normal[axis]))
}
