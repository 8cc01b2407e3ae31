//! The farthest points of eight bodies of any size, which are searched one after the other.

use xcollide_simd::vec3::{splat, store};
use xcollide_simd::{F64x8, Simd};

use super::{EIGHT, Motions, PlacedSets};
use crate::body::Body;

/// Eight bodies, as point sets.
#[derive(Debug)]
pub(crate) struct MovedSets<'a, S: Simd> {
    /// Each has a vertex.
    pub(crate) each: &'a [&'a Body<'a>; EIGHT],
    pub(crate) motions: &'a Motions<S::F64x8>,
}

impl<S: Simd> PlacedSets<S::F64x8> for MovedSets<'_, S> {
    /// Searches in the frames, along the [turned](Motions::local) directions.
    #[inline(always)]
    fn farthest(&self, direction: [S::F64x8; 3], active: u32) -> ([u32; EIGHT], [S::F64x8; 3]) {
        let along = self.motions.local(direction);
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
        (numbers, self.motions.place(S::F64x8::from_vectors(rows)))
    }
}
