//! The first of the points that are farthest along a direction, eight points at a time.

use xcollide_simd::{F64x4, F64x8, Simd, SimdFloat, SimdKernel, SimdLevel, SimdMask, vec3};

use super::{Block, LANES, NARROW};

/// [`PointSet::farthest`](super::PointSet::farthest).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Farthest<'a> {
    pub(crate) blocks: &'a [Block],
    pub(crate) direction: [f64; 3],
}

impl SimdKernel for Farthest<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self) -> usize {
        farthest::<S::F64x8>(self.blocks, vec3::splat(self.direction))
    }
}

/// The same of two sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FarthestOfBoth<'a> {
    pub(crate) blocks: [&'a [Block]; 2],
    pub(crate) directions: [[f64; 3]; 2],
}

impl SimdKernel for FarthestOfBoth<'_> {
    type Output = [usize; 2];

    #[inline(always)]
    fn run<S: Simd>(self) -> [usize; 2] {
        let Self { blocks: [a, b], directions: [of_a, of_b] } = self;
        [farthest::<S::F64x8>(a, vec3::splat(of_a)), farthest::<S::F64x8>(b, vec3::splat(of_b))]
    }
}

/// A small integer plus this has the integer in its last bits.
const BIAS: f64 = (1_u64 << 52) as f64;

/// Each lane keeps the first of its greatest heights; then the lanes are compared.
#[inline(always)]
pub(crate) fn farthest<F: F64x8>(blocks: &[Block], direction: [F; 3]) -> usize {
    let (mut best, mut place) = (F::splat(f64::NEG_INFINITY), F::splat(BIAS));
    // Converting the counter of the loop takes longer than everything else.
    let (mut number, one) = (F::Uniform::splat(BIAS), F::Uniform::splat(1.0));
    for Block { coordinates } in blocks {
        let height = vec3::dot(direction, vec3::load(coordinates));
        place = F::select(height.gt(best), F::from_uniform(number), place);
        best = height.max(best);
        number = number.add(one);
    }
    let greatest = best.eq(best.reduce_max());
    let lanes = greatest.to_bits();
    if blocks.len() == 1 {
        return lanes.trailing_zeros() as usize % LANES;
    }
    let index = |place: f64, lane: usize| place.to_bits() as u32 as usize * LANES + lane;
    // Nearly always one lane has the greatest height.
    if lanes.is_power_of_two() {
        return index(place.first_where(greatest), lanes.trailing_zeros() as usize);
    }
    first_of(lanes, place.to_array().map(|place| place.to_bits() as u32 as usize))
}

/// The first point in the lanes with a bit set, by their blocks; 0 without a lane, when heights are NaN.
#[inline(always)]
fn first_of(mut lanes: u32, places: [usize; LANES]) -> usize {
    let mut first = usize::MAX;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % LANES;
        first = first.min(places[lane] * LANES + lane);
        lanes &= lanes - 1;
    }
    if first == usize::MAX { 0 } else { first }
}

/// [`farthest`] of so few blocks that all heights stay in registers, and the point.
#[inline(always)]
pub(crate) fn farthest_of_few<S: Simd, const BLOCKS: usize>(
    blocks: &[Block; BLOCKS],
    direction: [S::F64x4; 3],
) -> (usize, [S::F64x4; 3]) {
    if BLOCKS <= NARROW {
        // In registers of two numbers the masks of all coordinates take longer than the number of the point.
        let by_mask = matches!(S::LEVEL, SimdLevel::Avx2 | SimdLevel::Avx512);
        highest::<S::F64x4x2, BLOCKS>(blocks, vec3::widen(direction), by_mask)
    } else {
        highest::<S::F64x8, BLOCKS>(blocks, vec3::widen(direction), false)
    }
}

#[inline(always)]
fn highest<F: F64x8, const BLOCKS: usize>(
    blocks: &[Block; BLOCKS],
    direction: [F; 3],
    by_mask: bool,
) -> (usize, [F::Half; 3]) {
    let mut heights = [F::splat(0.0); BLOCKS];
    for (height, Block { coordinates }) in heights.iter_mut().zip(blocks) {
        *height = vec3::dot(direction, vec3::load(coordinates));
    }
    let mut best = heights[0];
    for height in &heights[1..] {
        best = best.max(*height);
    }
    let greatest = best.reduce_max();
    let mut lanes = 0;
    for (number, height) in heights.iter().enumerate() {
        lanes |= height.eq(greatest).to_bits() << (LANES * number);
    }
    // Nearly always one point has the greatest height; then its coordinates need not wait for its number.
    if by_mask && lanes.is_power_of_two() {
        let mut point = [F::splat(f64::NEG_INFINITY); 3];
        for (height, Block { coordinates }) in heights.iter().zip(blocks) {
            point = vec3::select(height.eq(greatest), vec3::load(coordinates), point);
        }
        let [x, y, z] = point;
        let point = [x.reduce_max().low(), y.reduce_max().low(), z.reduce_max().low()];
        return (lanes.trailing_zeros() as usize, point);
    }
    // No lane if heights are NaN.
    let index = if lanes == 0 { 0 } else { lanes.trailing_zeros() as usize };
    let [x, y, z] = &blocks[index / LANES % BLOCKS].coordinates;
    let lane = index % LANES;
    let splat = F::Half::splat_opaque;
    (index, [splat(x[lane]), splat(y[lane]), splat(z[lane])])
}
