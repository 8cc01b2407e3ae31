//! The farthest points of eight moved sets.
//!
//! Larger sets are searched one after the other, eight points at a time. If no set has more than eight points, as of
//! boxes, the points are laid side by side once: the first points of all sets, the second ones, and so on. Then each
//! lane searches its own set without comparisons across a register.

use xcollide_simd::vec3::{dot, select, splat, store, taxicab};
use xcollide_simd::{F64x8, Simd, SimdFloat, SimdMask};

use super::{EIGHT, Motions};
use crate::body::Body;
use crate::point_set::PointSet;

/// Eight bodies, as point sets.
#[derive(Debug)]
pub(crate) struct MovedSets<'a, S: Simd> {
    each: &'a [&'a Body<'a>; EIGHT],
    pub(crate) motions: &'a Motions<S::F64x8>,
    /// The first points of all sets, the second ones, and so on, if no set has more than eight.
    few: Option<[[S::F64x8; 3]; EIGHT]>,
}

/// Products of coordinates below it, and their sums, are finite.
const TAME: f64 = 1e150;

impl<'a, S: Simd> MovedSets<'a, S> {
    /// Each body must have a vertex.
    #[inline(always)]
    pub(crate) fn of(each: &'a [&'a Body<'a>; EIGHT], motions: &'a Motions<S::F64x8>) -> Self {
        let mut are_few = true;
        for body in each {
            let polytope = body.polytope();
            are_few &= polytope.len() <= EIGHT && polytope.fan.is_none();
        }
        Self { each, motions, few: if are_few { side_by_side(each) } else { None } }
    }

    /// For each lane in `active`, the first point with the greatest height along the lane's direction,
    /// [turned](Motions::local) to the frame: its number, and its position in the frame. Other lanes have any point.
    #[inline(always)]
    pub(crate) fn farthest(
        &self,
        direction: [S::F64x8; 3],
        active: u32,
    ) -> ([u32; EIGHT], [S::F64x8; 3]) {
        let along = self.motions.local(direction);
        if let Some(points) = &self.few
            && active & !S::F64x8::splat(TAME).gt(taxicab(along)).to_bits() == 0
        {
            let found = farthest_of_few(points, along);
            return (found.number.to_u32(), found.point);
        }
        self.farthest_of_each(along, active)
    }

    #[inline(always)]
    fn farthest_of_each(&self, along: [S::F64x8; 3], active: u32) -> ([u32; EIGHT], [S::F64x8; 3]) {
        let mut coordinates = [[0.0; EIGHT]; 3];
        store(along, &mut coordinates);
        let [x, y, z] = coordinates;
        let mut numbers = [0; EIGHT];
        let mut rows = [&[0.0; 3]; EIGHT];
        let mut left = active;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % EIGHT;
            left &= left - 1;
            let polytope = self.each[lane].polytope();
            let along = splat([x[lane], y[lane], z[lane]]);
            let point = match &polytope.fan {
                Some(fan) => fan.fan.farthest_along(along).0,
                None => polytope.points.farthest_along::<S>(along),
            };
            numbers[lane] = point as u32;
            rows[lane] = &polytope.positions[point];
        }
        (numbers, S::F64x8::from_vectors(rows))
    }
}

/// `None` for empty sets, and for coordinates so large that heights may overflow.
#[inline(always)]
fn side_by_side<F: F64x8>(bodies: &[&Body<'_>; EIGHT]) -> Option<[[F; 3]; EIGHT]> {
    let mut coordinates = [[&[0.0; EIGHT]; EIGHT]; 3];
    for (lane, body) in bodies.iter().enumerate() {
        let [x, y, z] = PointSet::first_eight(&body.polytope().points)?;
        (coordinates[0][lane], coordinates[1][lane], coordinates[2][lane]) = (x, y, z);
    }
    let [x, y, z] = coordinates;
    let (x, y, z) = (F::transpose(x), F::transpose(y), F::transpose(z));
    let mut points = [[F::splat(0.0); 3]; EIGHT];
    let mut most = F::splat(0.0);
    for (number, point) in points.iter_mut().enumerate() {
        *point = [x[number], y[number], z[number]];
        most = taxicab(*point).max(most);
    }
    F::splat(TAME).gt(most).all().then_some(points)
}

#[derive(Clone, Copy)]
struct Candidate<F> {
    height: F,
    number: F,
    point: [F; 3],
}

impl<F: F64x8> Candidate<F> {
    #[inline(always)]
    fn new(points: &[[F; 3]; EIGHT], number: usize, along: [F; 3]) -> Self {
        let point = points[number];
        Self { height: dot(along, point), number: F::splat(number as f64), point }
    }

    /// The farther one, or this one of equally far ones.
    #[inline(always)]
    fn or(self, later: Self) -> Self {
        let farther = later.height.gt(self.height);
        Self {
            height: F::select(farther, later.height, self.height),
            number: F::select(farther, later.number, self.number),
            point: select(farther, later.point, self.point),
        }
    }
}

/// In pairs, so that a comparison waits for at most two others.
#[inline(always)]
fn farthest_of_few<F: F64x8>(points: &[[F; 3]; EIGHT], along: [F; 3]) -> Candidate<F> {
    let [a, b] = [Candidate::new(points, 0, along), Candidate::new(points, 1, along)];
    let [c, d] = [Candidate::new(points, 2, along), Candidate::new(points, 3, along)];
    let [e, f] = [Candidate::new(points, 4, along), Candidate::new(points, 5, along)];
    let [g, h] = [Candidate::new(points, 6, along), Candidate::new(points, 7, along)];
    a.or(b).or(c.or(d)).or(e.or(f).or(g.or(h)))
}

#[cfg(test)]
mod tests;
