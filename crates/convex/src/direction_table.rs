//! Tables of farthest vertices by direction: where hill climbing starts without an earlier answer.
//!
//! Source: Chung 1996, 3.5, with 8 × 16 cells in spherical coordinates. The cells of the octahedral map (Meyer et al.,
//! *On floating-point normal vectors*, 2010) are of more even size, and a division finds the cell of a direction
//! instead of two inverse trigonometric functions.

use std::f64::consts::PI;

use xcollide_math::vector::unit;

/// Cells on a side of the octahedral table.
const SIDE: usize = 32;

/// 32 × 32 cells of the octahedral map: the sphere is projected on an octahedron, whose lower half
/// is folded out to the corners of a square.
#[derive(Clone, Debug)]
pub(crate) struct Octahedral(Box<[u32]>);

impl Octahedral {
    /// Calls `farthest` with the middle of each cell, and each cell is next to the one before.
    pub(crate) fn new(mut farthest: impl FnMut([f64; 3]) -> u32) -> Self {
        let middle = |index: usize| 2.0 * (index as f64 + 0.5) / SIDE as f64 - 1.0;
        let mut table = vec![0; SIDE * SIDE].into_boxed_slice();
        for cell in 0..SIDE * SIDE {
            let row = cell / SIDE;
            let column = if row.is_multiple_of(2) { cell % SIDE } else { SIDE - 1 - cell % SIDE };
            table[row * SIDE + column] = farthest(unfolded(middle(row), middle(column)));
        }
        Self(table)
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// A vertex that is farthest along a direction nearby; some vertex if the direction is zero or not finite.
    #[inline]
    pub(crate) fn start(&self, [x, y, z]: [f64; 3]) -> u32 {
        let scale = 1.0 / (x.abs() + y.abs() + z.abs());
        let (x, y) = (x * scale, y * scale);
        let (folded_x, folded_y) = ((1.0 - y.abs()).copysign(x), (1.0 - x.abs()).copysign(y));
        let (x, y) = if z < 0.0 { (folded_x, folded_y) } else { (x, y) };
        // Conversions saturate, and make 0 of NaN.
        let cell = |t: f64| (((t + 1.0) * (SIDE / 2) as f64) as usize).min(SIDE - 1);
        self.0[cell(x) * SIDE + cell(y)]
    }
}

/// The direction of a point of the square.
fn unfolded(x: f64, y: f64) -> [f64; 3] {
    let z = 1.0 - x.abs() - y.abs();
    let folded = ((1.0 - y.abs()).copysign(x), (1.0 - x.abs()).copysign(y));
    let (x, y) = if z < 0.0 { folded } else { (x, y) };
    unit([x, y, z]).unwrap_or([0.0, 0.0, 1.0])
}

/// The table of the thesis: 8 belts of latitude with 16 cells each.
#[derive(Clone, Debug)]
pub(crate) struct Spherical(Box<[u32]>);

const BELTS: usize = 8;
const SECTORS: usize = 16;

impl Spherical {
    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// Calls `farthest` with the middle of each cell.
    pub(crate) fn new(mut farthest: impl FnMut([f64; 3]) -> u32) -> Self {
        let cell = |index: usize| {
            let polar = (((index / SECTORS) as f64) + 0.5) / BELTS as f64 * PI;
            let around = (((index % SECTORS) as f64) + 0.5) / SECTORS as f64 * 2.0 * PI - PI;
            let ring = libm::sin(polar);
            farthest([ring * libm::cos(around), ring * libm::sin(around), libm::cos(polar)])
        };
        Self((0..BELTS * SECTORS).map(cell).collect())
    }

    /// As [`Octahedral::start`].
    pub(crate) fn start(&self, direction: [f64; 3]) -> u32 {
        let Some([x, y, z]) = unit(direction) else { return self.0[0] };
        let polar = libm::acos(z.clamp(-1.0, 1.0)) / PI;
        let around = (libm::atan2(y, x) + PI) / (2.0 * PI);
        let belt = ((polar * BELTS as f64) as usize).min(BELTS - 1);
        let sector = ((around * SECTORS as f64) as usize).min(SECTORS - 1);
        self.0[belt * SECTORS + sector]
    }
}
