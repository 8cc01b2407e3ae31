//! The normal fan of a polytope in cells: the few points that may be the farthest, by direction.
//!
//! ```text
//!   ┌───┬───┬───┬───┐     The directions along which a point is the farthest form a cone; all cones
//!   │   │  ╱│ 2 │   │     together are the normal fan. Two cones share an arc if their points share an
//!   ├───┼─╱─┼───┼───┤     edge. The drawing shows one face of an octahedron, where arcs are straight.
//!   │ 1 │╱  │  ╱│   │     Each cell lists the points whose cones reach into it: one point if no arc
//!   ├───╳───┼─╱─┼───┤     passes the cell, else the points on both sides of each arc. A query
//!   │  ╱ ╲  │╱  │   │     compares those, four at a time.
//!   └───┴───┴───┴───┘
//! ```
//!
//! A query needs no climbing and no start vertex. It takes a division and nearly always four scalar products, however
//! many points there are. Sources: the direction table of Chung 1996, 3.5, whose cells name one vertex to climb from,
//! made complete; octahedron instead of angles, Meyer et al., *On floating-point normal vectors*, 2010.

use xcollide_simd::{
    F64x2, F64x4, Simd, SimdFloat, SimdKernel, SimdLevel, SimdMask, dispatch, vec3,
};

/// Points that are compared at a time.
const GROUP: usize = 4;

/// An edge of a polytope: both ends are the farthest along the directions between two normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FanArc {
    /// Of any length, less than half a turn apart.
    pub(crate) normals: [[f64; 3]; 2],
    pub(crate) ends: [u32; 2],
}

/// The points that may be the farthest, by direction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NormalFan {
    /// The binary logarithm of the number of rows and of columns of cells on a face.
    bits: u32,
    /// By octant, row and column: four points in order, the last one repeated if there are fewer. An entry that is not
    /// in order refers to more points: see [`crowded`].
    cells: Box<[Four]>,
    /// For each crowded cell the number of fours, then the fours.
    more: Box<[Four]>,
    rows: Box<[Row]>,
    radius: f64,
}

/// A point and a zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(crate) struct Row(pub(crate) [f64; 4]);

type Four = [u16; GROUP];

/// The entry of a cell with more than four points: 1, 0, and where they begin in `more`.
fn crowded(begin: usize) -> Four {
    [1, 0, (begin >> 16) as u16, begin as u16]
}

/// An arc also counts for cells that it passes within this part of a cell: much more than rounding, and still little.
const MARGIN: f64 = 1e-5;

impl NormalFan {
    /// The numbers of more points do not fit.
    pub(crate) const MOST_POINTS: usize = 1 << 16;

    /// The fan of the vertices of a convex polytope, given the arcs of all its edges. Takes O(n + c) for n points and
    /// c cells, of which there are 512 to 32,768.
    ///
    /// # Panics
    /// There is no point, or more than [`MOST_POINTS`](Self::MOST_POINTS), or an arc names another point.
    pub(crate) fn new(points: &[[f64; 3]], arcs: &[FanArc]) -> Self {
        assert!(points.len() <= Self::MOST_POINTS, "{} points", points.len());
        // With up to thousands of points few cells have more than four. More cells would crowd the caches.
        let side = (0.8 * (points.len() as f64).sqrt()).ceil() as usize;
        let side = side.next_power_of_two().clamp(8, 64);
        let mut drawing = Drawing { side, passed: Vec::with_capacity(8 * arcs.len()) };
        for arc in arcs {
            drawing.draw(arc);
        }
        let Filled { cells, more } = drawing.filled(points);
        let cells = cells.into();
        let rows = points.iter().map(|&[x, y, z]| Row([x, y, z, 0.0])).collect();
        let (bits, radius) = (side.trailing_zeros(), radius(points));
        Self { bits, cells, more: more.into(), rows, radius }
    }

    /// The radius of the points about their mean, rounded.
    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.cells) + size_of_val(&*self.more) + size_of_val(&*self.rows)
    }

    /// The point with the greatest `(d₀x + d₁y) + d₂z` of those that are farthest in exact arithmetic along some direction
    /// within 1e-8 of this one. It is the greatest of all points if the normals of the arcs are known to 1e-8 and no
    /// two points are so near that heights hide the difference. Any point for directions that are zero, shorter than
    /// 1e-300, or not finite.
    #[inline]
    pub(crate) fn farthest(&self, direction: [f64; 3]) -> usize {
        dispatch(Farthest { fan: self, direction })
    }

    /// The same along a direction in all lanes, with the position of the point.
    #[inline(always)]
    pub(crate) fn farthest_along<F: F64x4>(&self, direction: [F; 3]) -> (usize, [f64; 3]) {
        self.farthest_in(self.cell_along(direction), direction)
    }

    /// The cell of a direction.
    #[inline(always)]
    pub(crate) fn cell_along<F: F64x4>(&self, direction: [F; 3]) -> u32 {
        let side = f64::from(1_u32 << self.bits);
        let [octant, row, column] = place_on_octahedron(direction, side);
        (octant << self.bits | row) << self.bits | column
    }

    /// [`farthest_along`](Self::farthest_along) with the cell of the direction.
    #[inline(always)]
    pub(crate) fn farthest_in<F: F64x4>(&self, cell: u32, direction: [F; 3]) -> (usize, [f64; 3]) {
        let four = &self.cells[cell as usize];
        let point = if four[0] <= four[1] {
            four[farthest_row(self.rows(four), direction).0 % GROUP]
        } else {
            self.farthest_of_more(four, direction)
        };
        let Row([x, y, z, _]) = self.rows[usize::from(point)];
        (usize::from(point), [x, y, z])
    }

    #[inline(always)]
    fn farthest_of_more<F: F64x4>(&self, crowded: &Four, direction: [F; 3]) -> u16 {
        let fours = fours_of(&self.more, crowded);
        let mut four = &fours[0];
        let (mut lane, mut best) = farthest_row(self.rows(four), direction);
        for others in &fours[1..] {
            let (other, height) = farthest_row(self.rows(others), direction);
            if height > best {
                (four, lane, best) = (others, other, height);
            }
        }
        four[lane % GROUP]
    }

    #[inline(always)]
    fn rows(&self, &[p, q, r, s]: &Four) -> [&Row; GROUP] {
        let rows = &self.rows;
        [&rows[usize::from(p)], &rows[usize::from(q)], &rows[usize::from(r)], &rows[usize::from(s)]]
    }
}

/// [`NormalFan::farthest`].
struct Farthest<'a> {
    fan: &'a NormalFan,
    direction: [f64; 3],
}

impl SimdKernel for Farthest<'_> {
    type Output = usize;
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) -> usize {
        self.fan.farthest_along(vec3::splat::<S::F64x4>(self.direction)).0
    }
}

/// The octant of a direction, with bit i set for a negative coordinate i, and its row and column of `side`.
#[inline(always)]
fn place_on_octahedron<F: F64x4>([x, y, z]: [F; 3], side: f64) -> [u32; 3] {
    let all = F::diagonal([x, y, z]);
    let octant = all.sign_bits() & 0b111;
    let [x, y, z, xy] = [x.low().abs(), y.low().abs(), z.low().abs(), all.low().abs()];
    let scale = F64x2::splat(side).div(x.add(y).add(z));
    // NaN becomes the limit.
    let [row, column] = xy.mul(scale).min(F64x2::splat(side - 0.5)).to_u32();
    [octant, row, column]
}

/// The first of the highest of four rows along a direction, and its height.
#[inline(always)]
fn farthest_row<F: F64x4>([p, q, r, s]: [&Row; GROUP], direction: [F; 3]) -> (usize, f64) {
    // A closure of `map` would be compiled without the instructions of the level.
    let direction = F::diagonal(direction);
    let (p, q) = (direction.mul(F::load(&p.0)), direction.mul(F::load(&q.0)));
    let (r, s) = (direction.mul(F::load(&r.0)), direction.mul(F::load(&s.0)));
    let heights = F::sum_each([p, q, r, s]);
    let highest = heights.reduce_max();
    let lane = heights.eq(highest).to_bits().trailing_zeros() as usize;
    (lane % GROUP, highest.first())
}

/// The points of a crowded cell.
#[inline(always)]
fn fours_of<'a>(more: &'a [Four], &[_, _, high, low]: &Four) -> &'a [Four] {
    let begin = usize::from(high) << 16 | usize::from(low);
    &more[begin + 1..=begin + usize::from(more[begin][0])]
}

fn radius(points: &[[f64; 3]]) -> f64 {
    let mut mean = [0.0; 3];
    for point in points {
        for axis in 0..3 {
            mean[axis] += point[axis] / points.len() as f64;
        }
    }
    let square = |p: &[f64; 3]| (0..3).map(|axis| (p[axis] - mean[axis]).powi(2)).sum::<f64>();
    points.iter().map(square).fold(0.0, f64::max).sqrt()
}

/// The cells while the arcs are drawn.
struct Drawing {
    side: usize,
    /// For each cell that an arc passes, the cell and an end of the arc in one number.
    passed: Vec<u64>,
}

impl Drawing {
    fn draw(&mut self, arc: &FanArc) {
        let [from, to] = arc.normals;
        let at = |t: f64| [0, 1, 2].map(|i| (1.0 - t) * from[i] + t * to[i]);
        // Where the arc crosses a plane between octants, or its end.
        let cut = |axis: usize| {
            let t = from[axis] / (from[axis] - to[axis]);
            if t > 0.0 && t < 1.0 { t } else { 1.0 }
        };
        let mut cuts = [0.0, cut(0), cut(1), cut(2), 1.0];
        cuts.sort_by(f64::total_cmp);
        for pair in cuts.windows(2).filter(|pair| pair[0] < pair[1]) {
            let middle = at(0.5 * (pair[0] + pair[1]));
            let octant = (0..3).map(|i| usize::from(middle[i] < 0.0) << i).sum();
            self.draw_piece(octant, [at(pair[0]), at(pair[1])], arc.ends, 0);
        }
    }

    /// Draws a piece in its octant, and the parts of it near the planes across the axes from `axis` on in the
    /// neighbouring octants, too: the margins reach across the planes.
    fn draw_piece(&mut self, octant: usize, piece: [[f64; 3]; 2], ends: [u32; 2], axis: usize) {
        if axis == 3 {
            return self.draw_on_face(octant, piece, ends);
        }
        self.draw_piece(octant, piece, ends, axis + 1);
        // Negative where the piece is nearer to the plane than the margin; linear along the piece.
        let margin = MARGIN / self.side as f64;
        let [a, b] = piece.map(|d| {
            let [x, y, z] = d.map(f64::abs);
            d[axis].abs() - margin * ((x + y) + z)
        });
        let [from, to] = piece;
        let t = a / (a - b);
        let cut = [0, 1, 2].map(|i| (1.0 - t) * from[i] + t * to[i]);
        let near = match (a <= 0.0, b <= 0.0) {
            (false, false) => return,
            (true, true) => piece,
            (true, false) => [from, cut],
            (false, true) => [cut, to],
        };
        self.draw_piece(octant ^ 1 << axis, near, ends, axis + 1);
    }

    fn draw_on_face(&mut self, octant: usize, [from, to]: [[f64; 3]; 2], ends: [u32; 2]) {
        let place = |d: [f64; 3]| {
            let [x, y, z] = d.map(f64::abs);
            let scale = self.side as f64 / ((x + y) + z);
            [x * scale, y * scale]
        };
        let (from, to) = (place(from), place(to));
        let index = |at: f64| (at.max(0.0) as usize).min(self.side - 1);
        let (low, high) = (from[0].min(to[0]), from[0].max(to[0]));
        let slope = (to[1] - from[1]) / (to[0] - from[0]);
        for row in index(low - MARGIN)..=index(high + MARGIN) {
            // The part in this row, unless the piece runs along it.
            let mut span = [from[1], to[1]];
            if high - low > MARGIN {
                let ends = [row as f64 - MARGIN, (row + 1) as f64 + MARGIN];
                span = ends.map(|at| from[1] + (at.clamp(low, high) - from[0]) * slope);
            }
            let (left, right) = (span[0].min(span[1]), span[0].max(span[1]));
            for column in index(left - MARGIN)..=index(right + MARGIN) {
                let cell = ((octant * self.side + row) * self.side + column) as u64;
                self.passed.extend(ends.map(|end| cell << 32 | u64::from(end)));
            }
        }
    }

    /// A cell that no arc passes has one point: the farthest point of a cell beside it along its direction.
    fn filled(mut self, points: &[[f64; 3]]) -> Filled {
        let side = self.side;
        self.passed.sort_unstable();
        self.passed.dedup();
        let mut left = &self.passed[..];
        let mut filled = Filled { cells: Vec::with_capacity(8 * side * side), more: Vec::new() };
        for cell in 0..8 * side * side {
            let here = left.partition_point(|&passed| passed >> 32 == cell as u64);
            let (list, others) = left.split_at(here);
            left = others;
            if !list.is_empty() {
                filled.push(list);
                continue;
            }
            let (octant, row, column) = (cell / side / side, cell / side % side, cell % side);
            if row + column == side {
                // The cell shares its one point of the octahedron with the cell before it.
                filled.cells.push(filled.cells[cell - 1]);
                continue;
            }
            let direction = direction(side, octant, row, column);
            // From the cell before it in its row, or below.
            let point = match (row, column) {
                (0, 0) => highest(points, 0..points.len() as u32, direction),
                (_, 0) => highest(points, filled.points(cell - side), direction),
                _ => highest(points, filled.points(cell - 1), direction),
            };
            filled.cells.push([point as u16; GROUP]);
        }
        filled
    }
}

/// The first of the highest of some points along a direction.
fn highest(points: &[[f64; 3]], mut of: impl Iterator<Item = u32>, direction: [f64; 3]) -> u32 {
    let height = |point: u32| {
        let p = points[point as usize];
        (direction[0] * p[0] + direction[1] * p[1]) + direction[2] * p[2]
    };
    let first = of.next().unwrap_or(0);
    let higher = |best: (u32, f64), point| {
        let other = height(point);
        if other > best.1 { (point, other) } else { best }
    };
    of.fold((first, height(first)), higher).0
}

/// The cells of a [`NormalFan`].
struct Filled {
    cells: Vec<Four>,
    more: Vec<Four>,
}

impl Filled {
    /// Adds a cell with the points in the low bits of the numbers, ordered and distinct.
    fn push(&mut self, list: &[u64]) {
        let four =
            |part: &[u64]| -> Four { std::array::from_fn(|i| part[i.min(part.len() - 1)] as u16) };
        if list.len() <= GROUP {
            self.cells.push(four(list));
            return;
        }
        self.cells.push(crowded(self.more.len()));
        self.more.push([list.len().div_ceil(GROUP) as u16; GROUP]);
        self.more.extend(list.chunks(GROUP).map(four));
    }

    fn points(&self, cell: usize) -> impl Iterator<Item = u32> {
        let four = &self.cells[cell..=cell];
        let fours = if four[0][0] <= four[0][1] { four } else { fours_of(&self.more, &four[0]) };
        fours.iter().flatten().map(|&point| u32::from(point))
    }
}

/// A direction in the middle of the part of a cell that is on the octahedron.
fn direction(side: usize, octant: usize, row: usize, column: usize) -> [f64; 3] {
    let [row, column, side] = [row, column, side].map(|number| number as f64);
    let inward = ((side - row - column) / 3.0).clamp(0.0, 0.5);
    let (x, y) = (row + inward, column + inward);
    let d = [x, y, (side - x - y).max(0.0)];
    [0, 1, 2].map(|i| if octant >> i & 1 == 1 { -d[i] } else { d[i] })
}

#[cfg(test)]
mod tests;
