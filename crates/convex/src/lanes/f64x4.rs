//! Four f64 at once: what the search for the origin needs of them, and plain arrays that do it.
//!
//! Every operation is rounded on its own, so all implementations give the same bits.

use crate::batch::{self, Eight, EightWork};
use crate::lanes::vec3::splat;
use crate::normal_fan::{NormalFan, Row};
use crate::point_set::few::farthest_of_few;
use crate::point_set::{Block, LANES, PointSet};

/// How many numbers there are.
pub(crate) const QUAD: usize = 4;

/// Four numbers of type f64.
pub(crate) trait Quad: Copy {
    /// Twice as many, for as many pairs.
    type Eight: Eight;

    fn splat(value: f64) -> Self;
    /// The same, of which a compiler does not know that all lanes are one, and so computes with four: where
    /// it computes with one it spreads what comes out, and that takes longer.
    #[inline(always)]
    fn spread(value: f64) -> Self {
        Self::splat(value)
    }
    /// Four of eight: those from 0 on, or those from 4 on.
    fn half(values: &[f64; 2 * QUAD], upper: bool) -> Self;
    fn store(self) -> [f64; QUAD];
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// The greater one; `other` where they are equal or one is NaN.
    fn max(self, other: Self) -> Self;
    /// The greatest of the four, in all lanes; none may be NaN.
    fn greatest(self) -> Self;
    /// Bit i is set where lane i is greater than the other's.
    fn above(self, other: Self) -> u32;
    /// Bit i is set where lane i is the other's.
    fn equal(self, other: Self) -> u32;
    /// Lane by lane this one where it is above a limit, else the other: `limit < than`.
    fn where_above(self, limit: Self, than: Self, other: Self) -> Self;
    /// The first lane.
    fn first(self) -> f64;
    /// One lane in all lanes; of the first three.
    fn pick(self, lane: usize) -> Self;
    /// The first three lanes, those from `lane` on first and then from 0 on.
    fn turned(self, lane: usize) -> Self;
    /// This with the second and third lane of others.
    fn with(self, second: Self, third: Self) -> Self;

    /// The first of the points farthest along a direction that is the same in all lanes; see
    /// [`PointSet::farthest`](crate::PointSet::farthest). Heights must be no NaN.
    #[inline(always)]
    fn farthest(blocks: &[Block], direction: [Self; 3]) -> usize {
        farthest(blocks, direction)
    }

    /// The same of blocks as many as are known to the compiler.
    #[inline(always)]
    fn farthest_of_few<const BLOCKS: usize>(
        blocks: &[Block; BLOCKS],
        direction: [Self; 3],
    ) -> usize {
        farthest_of_few(blocks, direction)
    }

    /// On which of the eight faces of an octahedron a direction ends, bit i being set where coordinate i is
    /// negative, and in which row and column of so many.
    #[inline(always)]
    fn place_on_octahedron(direction: [Self; 3], side: f64) -> [u32; 3] {
        let [x, y, z] = direction.map(Self::first);
        let negative = |value: f64, bit: u32| u32::from(value.is_sign_negative()) << bit;
        let octant = negative(x, 0) | negative(y, 1) | negative(z, 2);
        let scale = side / ((x.abs() + y.abs()) + z.abs());
        // Conversions cut off. What is not a number is taken for the limit.
        let along = |value: f64| {
            let (at, limit) = (value.abs() * scale, side - 0.5);
            (if at < limit { at } else { limit }) as u32
        };
        [octant, along(x), along(y)]
    }

    /// Which of four rows x, y, z, 0 is the first of the highest along a direction, and how high it is.
    #[inline(always)]
    fn farthest_row(rows: [&Row; QUAD], direction: [Self; 3]) -> (usize, f64) {
        let [dx, dy, dz] = direction.map(Self::first);
        let height = |Row([x, y, z, _]): &Row| (dx * x + dy * y) + dz * z;
        let mut best = (0, height(rows[0]));
        for (lane, row) in rows.iter().enumerate().skip(1) {
            let height = height(row);
            if height > best.1 {
                best = (lane, height);
            }
        }
        best
    }
}

/// [`Quad::farthest`], four points at a time.
#[inline(always)]
pub(crate) fn farthest<L: Quad>(blocks: &[Block], [dx, dy, dz]: [L; 3]) -> usize {
    let mut best = [L::splat(f64::NEG_INFINITY); 2];
    let mut place = [L::splat(0.0); 2];
    let (mut number, one) = (L::splat(0.0), L::splat(1.0));
    for Block { coordinates: [x, y, z] } in blocks {
        for (half, upper) in [(0, false), (1, true)] {
            let [x, y, z] = [L::half(x, upper), L::half(y, upper), L::half(z, upper)];
            let height = dx.mul(x).add(dy.mul(y)).add(dz.mul(z));
            place[half] = number.where_above(best[half], height, place[half]);
            best[half] = height.max(best[half]);
        }
        number = number.add(one);
    }
    let greatest = best[0].max(best[1]).greatest();
    let lanes = best[0].equal(greatest) | best[1].equal(greatest) << QUAD;
    if blocks.len() == 1 {
        return lanes.trailing_zeros() as usize % LANES;
    }
    let [low, high] = [place[0].store(), place[1].store()];
    let places = [low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]];
    first_of(lanes, places.map(|place| place as usize))
}

/// The first point of those in lanes with a bit set, by their blocks; 0 where there is none, because
/// heights are NaN.
#[inline(always)]
pub(crate) fn first_of(mut lanes: u32, places: [usize; LANES]) -> usize {
    // Nearly always there is one.
    let mut first = usize::MAX;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % LANES;
        first = first.min(places[lane] * LANES + lane);
        lanes &= lanes - 1;
    }
    if first == usize::MAX { 0 } else { first }
}

/// Something that is done with lanes of one kind or another.
pub(crate) trait Work: Sized {
    type Output;
    /// To be inlined, like all below it, so that it is compiled with the instructions of the lanes.
    fn run<L: Quad>(self) -> Self::Output;
}

/// Does work with the best lanes that the processor has.
#[inline]
pub(crate) fn run_best<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    return crate::lanes::simd_f64x4::run_best(work);
    #[cfg(not(target_arch = "x86_64"))]
    work.run::<Plain>()
}

/// Does work of eights with the best lanes that the processor has.
#[inline]
pub fn in_eights<W: EightWork>(work: W) -> W::Output {
    run_best(Eights(work))
}

struct Eights<W>(W);

impl<W: EightWork> Work for Eights<W> {
    type Output = W::Output;

    #[inline(always)]
    fn run<L: Quad>(self) -> W::Output {
        self.0.run::<L::Eight>()
    }
}

/// The farthest point of a set, by its fan if there is one.
#[inline(always)]
pub(crate) fn farthest_in_plain_code(
    set: &PointSet,
    fan: Option<&NormalFan>,
    along: [f64; 3],
) -> usize {
    set.farthest_along::<Plain>(fan, splat(along))
}

/// Lanes as an array; compilers make of it what the target has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain([f64; QUAD]);

impl Plain {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut result = self;
        for lane in 0..QUAD {
            result.0[lane] = f(self.0[lane], other.0[lane]);
        }
        result
    }

    #[inline(always)]
    fn mask(self, other: Self, f: impl Fn(f64, f64) -> bool) -> u32 {
        (0..QUAD).fold(0, |mask, lane| mask | u32::from(f(self.0[lane], other.0[lane])) << lane)
    }
}

impl Quad for Plain {
    type Eight = batch::Plain;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; QUAD])
    }

    #[inline(always)]
    fn half(values: &[f64; 2 * QUAD], upper: bool) -> Self {
        let [a, b, c, d, e, f, g, h] = *values;
        Self(if upper { [e, f, g, h] } else { [a, b, c, d] })
    }

    #[inline(always)]
    fn store(self) -> [f64; QUAD] {
        self.0
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn greatest(self) -> Self {
        let [a, b, c, d] = self.0;
        Self::splat(a.max(b).max(c.max(d)))
    }

    #[inline(always)]
    fn above(self, other: Self) -> u32 {
        self.mask(other, |a, b| a > b)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        self.mask(other, |a, b| a == b)
    }

    #[inline(always)]
    fn where_above(self, limit: Self, than: Self, other: Self) -> Self {
        let mut result = other;
        for lane in 0..QUAD {
            if than.0[lane] > limit.0[lane] {
                result.0[lane] = self.0[lane];
            }
        }
        result
    }

    #[inline(always)]
    fn first(self) -> f64 {
        self.0[0]
    }

    #[inline(always)]
    fn pick(self, lane: usize) -> Self {
        Self::splat(self.0[lane % 3])
    }

    #[inline(always)]
    fn turned(self, lane: usize) -> Self {
        let [a, b, c, d] = self.0;
        Self(match lane % 3 {
            0 => [a, b, c, d],
            1 => [b, c, a, d],
            _ => [c, a, b, d],
        })
    }

    #[inline(always)]
    fn with(self, second: Self, third: Self) -> Self {
        Self([self.0[0], second.0[1], third.0[2], self.0[3]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::EIGHT;

    /// All operations on some numbers, as bits.
    #[derive(Clone, Copy)]
    struct Operations<'a>(&'a [[f64; 3]; EIGHT]);

    impl EightWork for Operations<'_> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<E: Eight>(self) -> Vec<u64> {
            let [a, b, c, d, e, f, g, h] = self.0;
            let [x, y, z] = E::columns([a, b, c, d, e, f, g, h]);
            let (above, below) = (x.above(y), y.above(x));
            let or = E::or(above, below);
            let and = E::and(or, y.above(z));
            let masks = [above, below, or, and, E::and_not(or, and), E::mask(0b1010_0110)];
            let mut bits = Vec::new();
            let numbers = [
                E::splat(-0.0),
                x.plus(y),
                x.minus(y),
                x.times(y),
                x.over(y),
                x.root(),
                y.magnitude(),
                x.greater(y),
                x.chosen(above, z),
                z.chosen(E::mask(0b0101_1001), y),
            ];
            for lanes in numbers.into_iter().chain([x, y, z]) {
                let mut values = [0.0; EIGHT];
                lanes.store(&mut values);
                let mut again = [0.0; EIGHT];
                E::load(&values).store(&mut again);
                // Which NaN it is, processors choose.
                let number = |value: f64| if value.is_nan() { u64::MAX } else { value.to_bits() };
                assert_eq!(values.map(number), again.map(number));
                bits.extend(values.map(number));
            }
            bits.extend(masks.map(|mask| u64::from(E::bits(mask))));
            let mut rows = [[0.0; EIGHT]; EIGHT];
            for (lane, row) in rows.iter_mut().enumerate() {
                row.copy_from_slice(&std::array::from_fn::<f64, EIGHT, _>(|i| self.0[i][lane % 3]));
                row.rotate_left(lane);
            }
            let columns = E::transposed(rows.each_ref());
            for (number, column) in columns.into_iter().enumerate() {
                let mut values = [0.0; EIGHT];
                column.store(&mut values);
                let expected = rows.map(|row| row[number].to_bits());
                assert_eq!(values.map(f64::to_bits), expected);
            }
            let whole = [0.0, 1.0, 7.0, 8.0, 255.0, 65_536.0, 2_147_483_647.0, 3.0];
            assert_eq!(E::load(&whole).whole(), whole.map(|value| value as u32));
            bits
        }
    }

    #[test]
    fn eight_lanes_of_all_kinds_compute_the_same() {
        let special =
            [0.0, -0.0, 1.0, -2.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-310, 1e300, 0.1];
        for shift in 0..special.len() {
            for step in 1..special.len() {
                let number = |i: usize| special[(i * step + shift + i / 10) % special.len()];
                let rows: [[f64; 3]; EIGHT] = std::array::from_fn(|lane| {
                    [number(lane), number(7 * lane + shift), number(lane + 3)]
                });
                let work = Operations(&rows);
                let plain = Eights(work).run::<Plain>();
                for (lane, row) in rows.iter().enumerate() {
                    let sum = row[0] + row[1];
                    let expected = if sum.is_nan() { u64::MAX } else { sum.to_bits() };
                    assert_eq!(plain[EIGHT + lane], expected);
                    let chosen = if row[0] > row[1] { row[0] } else { row[2] };
                    let expected = if chosen.is_nan() { u64::MAX } else { chosen.to_bits() };
                    assert_eq!(plain[8 * EIGHT + lane], expected);
                    assert_eq!(plain[13 * EIGHT] >> lane & 1, u64::from(row[0] > row[1]));
                }
                assert_eq!(in_eights(work), plain, "{rows:?}");
                #[cfg(target_arch = "x86_64")]
                if let Some(four) = crate::lanes::simd_f64x4::work_without_avx512(Eights(work)) {
                    assert_eq!(four, plain, "{rows:?}");
                }
            }
        }
    }
}
