//! Every operation at every level against the portable one, bit for bit.

use std::fmt::Debug;

use xcollide_simd::{
    Baseline, F32x4, F32x8, F64x2, F64x4, F64x8, FloatX8, Portable, Simd, SimdFloat, SimdKernel,
    SimdLevel, SimdMask, dispatch, dispatch_at, vec3,
};

const SPECIAL: [f64; 12] = [
    0.0,
    -0.0,
    1.0,
    -2.5,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e-310,
    1e300,
    0.1,
    1e-40,
    f64::MIN_POSITIVE,
];

/// Every how many of the combinations run: under Miri few, as it takes a thousand times as long.
const EVERY: usize = if cfg!(miri) { 5 } else { 1 };

/// Eight numbers, among them all special ones in turn.
fn numbers(shift: usize, step: usize) -> [f64; 8] {
    std::array::from_fn(|i| SPECIAL[(i * step + shift + i / SPECIAL.len()) % SPECIAL.len()])
}

/// Which NaN it is, processors choose.
fn bits(value: f64) -> u64 {
    if value.is_nan() { u64::MAX } else { value.to_bits() }
}

trait ToBits: Copy {
    fn list(self) -> Vec<u64>;
}

impl<const N: usize> ToBits for [f64; N] {
    fn list(self) -> Vec<u64> {
        self.map(bits).to_vec()
    }
}

impl<const N: usize> ToBits for [f32; N] {
    /// Conversion to f64 is exact.
    fn list(self) -> Vec<u64> {
        self.map(|value| bits(f64::from(value))).to_vec()
    }
}

/// The results of every operation of [`SimdFloat`] and [`SimdMask`].
#[inline(always)]
fn common<F: SimdFloat>(a: F::Array, b: F::Array, c: F::Array, seed: u32) -> Vec<u64>
where
    F::Array: ToBits,
{
    let mut results = Vec::new();
    let (x, y, z) = (F::load(&a), F::from_array(b), F::load(&c));
    let masks = [x.gt(y), x.ge(y), x.lt(y), x.le(y), x.eq(y), F::Mask::from_bits(seed)];
    let [gt, _, lt, le, _, seeded] = masks;
    let lanes = [x.add(y), x.sub(y), x.mul(y), x.div(y), x.max(y), x.min(y), x.sqrt(), x.abs()];
    let selected = [F::select(gt, x, z), F::select(seeded, y, x), F::select(le, z, y)];
    for lanes in lanes.into_iter().chain(selected) {
        results.extend(lanes.to_array().list());
        let mut stored = lanes.to_array();
        lanes.store(&mut stored);
        assert_eq!(stored.list(), lanes.to_array().list());
    }
    let combined = [gt.and(seeded), gt.or(lt), le.and_not(gt), lt.and_not(seeded)];
    for mask in masks.into_iter().chain(combined) {
        results.push(u64::from(mask.to_bits()));
        assert_eq!(F::Mask::from_bits(mask.to_bits()).to_bits(), mask.to_bits());
        assert_eq!(mask.any(), mask.to_bits() != 0);
        assert_eq!(mask.all(), mask.to_bits().count_ones() == F::Mask::LANES);
    }
    let (v, w) = ([x, y, z], [z, x, y]);
    results.extend(vec3::dot(v, w).to_array().list());
    results.extend(vec3::taxicab(v).to_array().list());
    let vectors = [vec3::add(v, w), vec3::sub(v, w), vec3::cross(v, w), vec3::abs(v)];
    for lanes in vectors.into_iter().chain([vec3::select(gt, v, w), vec3::scale(v, x)]).flatten() {
        results.extend(lanes.to_array().list());
    }
    results
}

#[derive(Clone, Copy, Debug)]
struct Operations([[f64; 8]; 3], u32);

impl SimdKernel for Operations {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Vec<u64> {
        let Self([a, b, c], seed) = self;
        let mut results = common::<S::F64x8>(a, b, c, seed);
        results.extend(common::<S::F64x4x2>(a, b, c, seed));
        let low = |v: [f64; 8]| [v[0], v[1], v[2], v[3]];
        results.extend(common::<S::F64x4>(low(a), low(b), low(c), seed & 0xF));
        let short = |v: [f64; 8]| v.map(|value| value as f32);
        results.extend(common::<S::F32x8>(short(a), short(b), short(c), seed));
        results.extend(of_four::<S>(low(a), low(b), low(c)));
        results.extend(of_eight::<S::F64x8>(a, b, seed));
        results.extend(of_eight::<S::F64x4x2>(a, b, seed));
        results.extend(of_eight_short::<S::F32x8>(a, b, seed));
        results
    }
}

#[inline(always)]
fn of_four<S: Simd>(a: [f64; 4], b: [f64; 4], c: [f64; 4]) -> Vec<u64> {
    let [x, y, z] = [S::F64x4::load(&a), S::F64x4::load(&b), S::F64x4::load(&c)];
    let mut results = vec![bits(x.first())];
    results.extend(x.low().to_array().list());
    // Of results the sign of NaN is up to the processor, of what is loaded it is not.
    results.push(u64::from(x.sign_bits()));
    let rotated = [x.rotate_left(), x.rotate_left_3(0), x.rotate_left_3(1), x.rotate_left_3(2)];
    let spread = [x.broadcast_lane(0), x.broadcast_lane(1), x.broadcast_lane(2)];
    let others = [
        S::F64x4::splat_opaque(a[1]),
        S::F64x4::diagonal([x, y, z]),
        S::F64x4::sum_each([x, y, z, x]),
        S::F64x4::from_vector(&[a[3], b[0], c[1]]),
    ];
    results.extend(y.to_f32().list());
    for lanes in rotated.into_iter().chain(spread).chain(others) {
        results.extend(lanes.to_array().list());
    }
    if !a.iter().any(|value| value.is_nan()) {
        // Which zero it is, is not promised.
        results.extend(x.reduce_max().to_array().map(|value| value + 0.0).list());
    }
    let wide = S::F64x8::widen(x.broadcast_lane(2));
    results.extend(wide.to_array().list());
    results
}

#[inline(always)]
fn of_eight<F: F64x8>(a: [f64; 8], b: [f64; 8], seed: u32) -> Vec<u64> {
    let mut results = Vec::new();
    let vectors: [[f64; 3]; 8] = std::array::from_fn(|i| [a[i], b[i], a[(i + 3) % 8]]);
    for lanes in F::from_vectors(vectors.each_ref()) {
        results.extend(lanes.to_array().list());
    }
    let x = F::load(&a);
    if !a.iter().any(|value| value.is_nan()) {
        results.extend(x.reduce_max().to_array().map(|value| value + 0.0).list());
    }
    assert_eq!(x.low().to_array().list(), a[..4].iter().copied().map(bits).collect::<Vec<_>>());
    results.extend(F::from_uniform(F::Uniform::splat(a[5])).to_array().list());
    results.push(bits(x.first_where(F::Mask::from_bits(seed))));
    results.push(bits(x.first_where(F::Mask::from_bits(0))));
    results.extend(of_either::<F>(a, seed));
    assert_eq!(x.to_f64().list(), a.list());
    results
}

#[inline(always)]
fn of_either<F: FloatX8>(a: [f64; 8], seed: u32) -> Vec<u64> {
    let whole = [0.0, 1.0, 7.0, 8.0, 255.0, 65_536.0, 2_147_483_520.0, f64::from(seed)];
    assert_eq!(F::from_f64(&whole).to_u32(), whole.map(|value| value as u32));
    let mut results = F::from_f64(&a).to_f64().list();
    results.extend(F::rounded(a[3]).to_f64().list());
    results
}

#[inline(always)]
fn of_eight_short<F: F32x8>(a: [f64; 8], b: [f64; 8], seed: u32) -> Vec<u64> {
    let rows: [[f32; 8]; 8] = std::array::from_fn(|i| {
        let mut row = if i % 2 == 0 { a } else { b }.map(|value| value as f32);
        row.rotate_left(i);
        row
    });
    for (number, column) in F::transpose(rows.each_ref()).into_iter().enumerate() {
        assert_eq!(column.to_array().list(), rows.map(|row| row[number]).list());
    }
    let points = rows.map(|[x, y, z, w, ..]| [x, y, z, w]);
    let places = [0, 7, 3, 3, 6, 1, 0, 5].map(|place| (place + seed) % 8);
    for (axis, coordinates) in F::gather_points(&points, &places).into_iter().enumerate() {
        let expected = places.map(|place| points[place as usize][axis]);
        assert_eq!(coordinates.to_array().list(), expected.list());
    }
    let sixteen = [rows[0], rows[1]];
    let places = [0, 9, 15, 3, 8, 7, 12, 4].map(|place| (place + 5 * seed) % 16);
    let packed = places.map(|place| 0xA0 | place << 8 | 0xFFFF_7000);
    let found = F::permute_two::<8>(F::load(&sixteen[0]), F::load(&sixteen[1]), &packed);
    let expected = places.map(|place| sixteen.as_flattened()[place as usize]);
    assert_eq!(found.to_array().list(), expected.list());
    let [p, q, r, s, t, u, v, w] = a.map(|value| value as f32);
    let sum = ((p + t) + (r + v)) + ((q + u) + (s + w));
    assert_eq!([F::from_f64(&a).sum()].list(), [sum].list());
    let finite = rows[0].map(|value| if value.is_nan() { 1.0 } else { value });
    let least = finite.into_iter().fold(f32::INFINITY, f32::min);
    assert!(F::load(&finite).reduce_min().to_array().iter().all(|&value| value == least));
    let [x, y, z, w, ..] = rows[0];
    let repeated = F::repeat(&[x, y, z, w]);
    assert_eq!(repeated.to_array().list(), [x, y, z, w, x, y, z, w].list());
    for (lanes, value) in repeated.spread_three().into_iter().zip([x, y, z]) {
        assert_eq!(lanes.to_array().list(), [value; 8].list());
    }
    let rounded = F::from_f64(&a).to_f64();
    assert_eq!(rounded.list(), a.map(|value| f64::from(value as f32)).list());
    of_either::<F>(b, seed)
}

/// Calls a check with what each level but the portable one makes of a kernel.
fn each_level<K: SimdKernel<Output: PartialEq + Debug> + Copy + Debug>(kernel: K) {
    let expected = dispatch_at(SimdLevel::Portable, kernel).expect("every processor has it");
    for level in SimdLevel::ALL {
        if let Some(found) = dispatch_at(level, kernel) {
            assert_eq!(found, expected, "{level:?}: {kernel:?}");
        }
    }
    assert_eq!(kernel.run::<Baseline>(), expected, "{kernel:?}");
    assert_eq!(dispatch(kernel), expected, "{kernel:?}");
}

#[test]
fn all_levels_compute_the_same_bits() {
    for shift in (0..SPECIAL.len()).step_by(EVERY) {
        for step in (1..SPECIAL.len()).step_by(EVERY) {
            let operands = [
                numbers(shift, step),
                numbers(7 * shift + 1, step + 2),
                numbers(shift + 5, 3 * step + 1),
            ];
            each_level(Operations(operands, (37 * shift + step) as u32 & 0xFF));
        }
    }
}

/// Else all levels could be wrong alike.
#[test]
fn the_portable_level_computes_what_scalars_do() {
    type Lanes = <Portable as Simd>::F64x8;
    for shift in (0..SPECIAL.len()).step_by(EVERY) {
        let (a, b) = (numbers(shift, 1), numbers(1, shift + 3));
        let (x, y) = (Lanes::load(&a), Lanes::load(&b));
        let each = |operation: fn(f64, f64) -> f64| -> [f64; 8] {
            std::array::from_fn(|lane| operation(a[lane], b[lane]))
        };
        assert_eq!(x.add(y).to_array().list(), each(|a, b| a + b).list());
        assert_eq!(x.sub(y).to_array().list(), each(|a, b| a - b).list());
        assert_eq!(x.mul(y).to_array().list(), each(|a, b| a * b).list());
        assert_eq!(x.div(y).to_array().list(), each(|a, b| a / b).list());
        assert_eq!(x.sqrt().to_array().list(), each(|a, _| a.sqrt()).list());
        assert_eq!(x.abs().to_array().list(), each(|a, _| a.abs()).list());
        let greater = each(|a, b| if a > b { a } else { b });
        assert_eq!(x.max(y).to_array().list(), greater.list());
        assert_eq!(x.min(y).to_array().list(), each(|a, b| if a < b { a } else { b }).list());
        let selected = Lanes::select(x.gt(y), x, y);
        assert_eq!(selected.to_array().list(), greater.list());
        for lane in 0..8 {
            let holds = |mask: u32| mask >> lane & 1 == 1;
            assert_eq!(holds(x.gt(y).to_bits()), a[lane] > b[lane]);
            assert_eq!(holds(x.ge(y).to_bits()), a[lane] >= b[lane]);
            assert_eq!(holds(x.lt(y).to_bits()), a[lane] < b[lane]);
            assert_eq!(holds(x.le(y).to_bits()), a[lane] <= b[lane]);
            assert_eq!(holds(x.eq(y).to_bits()), a[lane] == b[lane]);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Integers([u16; 8], [i16; 8]);

impl SimdKernel for Integers {
    type Output = [[f32; 8]; 2];

    #[inline(always)]
    fn run<S: Simd>(self) -> [[f32; 8]; 2] {
        [S::F32x8::from_u16(&self.0).to_array(), S::F32x8::from_i16(&self.1).to_array()]
    }
}

#[test]
fn integers_stay_exact() {
    let unsigned = [0, 1, 2, 255, 32_767, 32_768, 65_534, 65_535];
    let signed = [0, 1, -1, 255, 32_767, -32_768, -2, -300];
    each_level(Integers(unsigned, signed));
    let [u, i] = dispatch(Integers(unsigned, signed));
    assert_eq!((u, i), (unsigned.map(f32::from), signed.map(f32::from)));
}

/// The x of gathered points.
#[derive(Clone, Copy, Debug)]
struct Gathered<'a>(&'a [[f32; 4]], [u32; 8]);

impl SimdKernel for Gathered<'_> {
    type Output = [f32; 8];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f32; 8] {
        let [x, ..] = S::F32x8::gather_points(self.0, &self.1);
        x.to_array()
    }
}

#[test]
fn places_beyond_the_points_panic() {
    let points = [[1.0; 4], [2.0; 4], [3.0; 4]];
    for lane in 0..8 {
        for beyond in [3, 4, 1 << 31, u32::MAX] {
            let mut places = [0, 1, 2, 0, 1, 2, 0, 1];
            assert_eq!(dispatch(Gathered(&points, places))[1], 2.0);
            places[lane] = beyond;
            for level in SimdLevel::ALL {
                let gather = || dispatch_at(level, Gathered(&points, places));
                let found = std::panic::catch_unwind(gather);
                assert!(!matches!(found, Ok(Some(_))), "{level}: {places:?}");
            }
        }
    }
}

/// The lanes that are no part of a level, against single numbers.
#[test]
fn two_and_four_lanes_compute_what_scalars_do() {
    for shift in (0..SPECIAL.len()).step_by(EVERY) {
        for step in (1..SPECIAL.len()).step_by(EVERY) {
            let of = |shift: usize| numbers(shift, step);
            let [a, b, c] = [of(shift), of(shift + 1), of(shift + 5)];
            let seed = (shift + step) as u32;
            let found = common::<F64x2>([a[0], a[1]], [b[0], b[1]], [c[0], c[1]], seed & 0b11);
            check_lanes(&found, 2, |lane| common_of(a[lane], b[lane], c[lane], seed >> lane));
            let short = |v: [f64; 8]| [v[0] as f32, v[1] as f32, v[2] as f32, v[3] as f32];
            let [a, b, c] = [short(a), short(b), short(c)];
            let found = common::<F32x4>(a, b, c, seed & 0b1111);
            check_lanes(&found, 4, |lane| common_of(a[lane], b[lane], c[lane], seed >> lane));
        }
    }
}

fn common_of<F: SimdFloat<Scalar = F, Array = [F; 1]>>(a: F, b: F, c: F, seed: u32) -> Vec<u64>
where
    [F; 1]: ToBits,
{
    common::<F>([a], [b], [c], seed & 1)
}

/// Compares results of several lanes with those of each lane alone. The first 11 are lanes, then come 10
/// masks, then lanes again.
fn check_lanes(found: &[u64], lanes: usize, alone: impl Fn(usize) -> Vec<u64>) {
    const BEFORE: usize = 11;
    const MASKS: usize = 10;
    for lane in 0..lanes {
        for (number, expected) in alone(lane).into_iter().enumerate() {
            let result = match number {
                0..BEFORE => found[number * lanes + lane],
                BEFORE..21 => found[BEFORE * lanes + number - BEFORE] >> lane & 1,
                _ => found[(number - MASKS) * lanes + MASKS + lane],
            };
            assert_eq!(result, expected, "result {number} of lane {lane}");
        }
    }
}

#[test]
fn what_is_left_of_two_and_four_lanes() {
    assert_eq!(F64x2::from_array([2.9, 2_147_483_647.0]).to_u32(), [2, 2_147_483_647]);
    assert_eq!(F32x4::from_array([1.0, -2.0, 3.5, 9.0]).first_three(), [1.0, -2.0, 3.5]);
}
