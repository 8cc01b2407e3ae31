//! Eight sets at their places, and which of their points are farthest.
//!
//! Sets of many points are searched one after the other, eight points at a time. Of sets that have no more than
//! eight points, all of them, as boxes have, the points are laid side by side once: the first points of
//! all, the second ones, and so on; then each lane searches its own set, and none has to wait until the
//! eight points of a register have been compared with each other.

use xcollide_simd::vec3::{dot, select, splat, store, taxicab};
use xcollide_simd::{F64x8, Simd, SimdFloat, SimdMask};

use super::{EIGHT, Motions, MovedSet};
use crate::PointSet;

/// Eight sets at their places.
#[derive(Debug)]
pub(crate) struct MovedSets<'a, S: Simd, M> {
    each: &'a [&'a M; EIGHT],
    /// Where they are.
    pub motions: &'a Motions<S::F64x8>,
    /// The first points of all sets, the second ones, and so on, if none has more.
    few: Option<[[S::F64x8; 3]; EIGHT]>,
}

/// Neither products of coordinates below it, nor their sums, are beyond the range of f64.
const TAME: f64 = 1e150;

impl<'a, S: Simd, M: MovedSet> MovedSets<'a, S, M> {
    /// The sets, each of one point at least.
    #[inline(always)]
    #[must_use]
    pub(crate) fn of(each: &'a [&'a M; EIGHT], motions: &'a Motions<S::F64x8>) -> Self {
        let mut are_few = true;
        for set in each {
            are_few &= set.points().len() <= EIGHT && set.fan().is_none();
        }
        Self { each, motions, few: if are_few { side_by_side(each) } else { None } }
    }

    /// For each of the sets whose bits are set, the point that is farthest along the direction of its lane, as
    /// [`PointSet::farthest`] and [`NormalFan::farthest`](crate::NormalFan::farthest) say, along the
    /// [turned](Motions::local) direction: its number, and where it is in the frame of the set. Other lanes
    /// have any.
    ///
    /// # Panics
    /// A set is empty, or has fewer positions than points.
    #[inline(always)]
    #[must_use]
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
            let set = self.each[lane];
            let along = splat([x[lane], y[lane], z[lane]]);
            let point = set.points().farthest_along::<S>(set.fan(), along);
            numbers[lane] = point as u32;
            rows[lane] = &set.positions()[point];
        }
        (numbers, S::F64x8::from_vectors(rows))
    }
}

/// `None` of empty sets, and where a coordinate is so large that heights might be none.
#[inline(always)]
fn side_by_side<F: F64x8, M: MovedSet>(sets: &[&M; EIGHT]) -> Option<[[F; 3]; EIGHT]> {
    let mut coordinates = [[&[0.0; EIGHT]; EIGHT]; 3];
    for (lane, set) in sets.iter().enumerate() {
        let [x, y, z] = PointSet::first_eight(set.points())?;
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

/// A point that may be the farthest.
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

    /// The farther one, this one where they are equally far.
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

/// In pairs, so that no comparison waits for more than two others.
#[inline(always)]
fn farthest_of_few<F: F64x8>(points: &[[F; 3]; EIGHT], along: [F; 3]) -> Candidate<F> {
    let [a, b] = [Candidate::new(points, 0, along), Candidate::new(points, 1, along)];
    let [c, d] = [Candidate::new(points, 2, along), Candidate::new(points, 3, along)];
    let [e, f] = [Candidate::new(points, 4, along), Candidate::new(points, 5, along)];
    let [g, h] = [Candidate::new(points, 6, along), Candidate::new(points, 7, along)];
    a.or(b).or(c.or(d)).or(e.or(f).or(g.or(h)))
}

#[cfg(test)]
mod tests {
    use xcollide_math::Pose;

    use xcollide_simd::{SimdKernel, SimdLevel, dispatch_at};

    use super::*;
    use crate::batch::moved_points::MovedPoints;
    use xcollide_fixtures::Random;

    /// After a quarter turn about z, which is exact.
    fn turned(positions: Vec<[f64; 3]>) -> MovedPoints {
        let rotation = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        MovedPoints::new(positions, Pose::from_matrix(rotation, [0.5, -0.25, 3.0]).unwrap())
    }

    /// What is farthest along a direction for each, and whether the points were side by side.
    #[derive(Clone, Copy)]
    struct Farthest<'a>(&'a [MovedPoints; EIGHT], [&'a [f64; 3]; EIGHT]);

    impl SimdKernel for Farthest<'_> {
        type Output = (bool, [u32; EIGHT], [[f64; 3]; EIGHT]);

        #[inline(always)]
        fn run<S: Simd>(self) -> Self::Output {
            let each = self.0.each_ref();
            let motions = Motions::<S::F64x8>::of(each.map(|set| &set.motion));
            let sets = MovedSets::<S, _>::of(&each, &motions);
            let (numbers, points) = sets.farthest(S::F64x8::from_vectors(self.1), 0xFF);
            let mut lanes = [[0.0; EIGHT]; 3];
            store(points, &mut lanes);
            let point = |lane: usize| lanes.map(|axis| axis[lane]);
            (sets.few.is_some(), numbers, std::array::from_fn(point))
        }
    }

    fn check(sets: &[MovedPoints; EIGHT], directions: &[[f64; 3]; EIGHT], are_few: bool) {
        let kernel = Farthest(sets, directions.each_ref());
        for found in SimdLevel::ALL.into_iter().filter_map(|level| dispatch_at(level, kernel)) {
            let (found_few, numbers, points) = found;
            assert_eq!(found_few, are_few);
            for (lane, set) in sets.iter().enumerate() {
                let [x, y, z] = directions[lane];
                let expected = set.set.farthest([y, -x, z]);
                assert_eq!(
                    numbers[lane] as usize, expected,
                    "{:?} {:?}",
                    set.positions, directions[lane]
                );
                assert_eq!(points[lane], set.positions[expected]);
            }
        }
    }

    /// Small integers, so that many are equally far, of which it is the first; and all that may be beside them.
    #[test]
    fn points_side_by_side_are_searched_as_alone() {
        let mut random = Random::new(3);
        for round in 0..2000 {
            let most = if round % 4 == 0 { 12 } else { EIGHT };
            let large = if round % 7 == 0 { 1e200 } else { 1.0 };
            let sets: [MovedPoints; EIGHT] = std::array::from_fn(|_| {
                let count = 1 + random.below(most);
                let point = |_| [(); 3].map(|()| large * (random.below(5)) as f64 - 2.0);
                turned((0..count).map(point).collect())
            });
            let directions =
                std::array::from_fn(|_| [(); 3].map(|()| (random.below(5)) as f64 - 2.0));
            let are_tame =
                sets.iter().all(|set| set.positions.as_flattened().iter().all(|c| c.abs() < 1e150));
            let are_few = sets.iter().all(|set| set.positions.len() <= EIGHT);
            check(&sets, &directions, are_few && are_tame);
        }
    }

    /// Heights that are no numbers are compared as for a set alone.
    #[test]
    fn directions_without_end_are_searched_as_alone() {
        let corner = |i: usize| [0, 1, 2].map(|axis| ((i >> axis) & 1) as f64);
        let sets = std::array::from_fn(|_| turned((0..8).map(corner).collect()));
        let mut directions = [[1.0, 2.0, 3.0]; EIGHT];
        directions[2] = [f64::NAN, 1.0, 1.0];
        directions[5] = [f64::INFINITY, f64::NEG_INFINITY, 1.0];
        directions[7] = [1e308, 1e308, 1e308];
        check(&sets, &directions, true);
    }
}
