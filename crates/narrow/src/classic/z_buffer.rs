//! The z-buffer as a collision test (Zachmann 1994, 3.7.1).
//!
//! ```text
//!   z │   ╭──A──╮            Both bodies are drawn with parallel rays along z. A pixel keeps all depths
//!     │  ╭┼──B──┼╮           at which its ray goes into a body or out of it; between them the ray is in the
//!     │  │╰──┼──╯│           body. If the ray is in both bodies on some piece, the middle of the piece is a
//!     │  ╰───┼───╯           point in both.
//!     └──────┼───── x
//! ```
//!
//! The thesis keeps two depths for convex bodies and lists them for others; hardware of 1994 had one. Here, in software, the
//! lists are always kept. They are as exact as numbers in f64; the bias is the grid of rays: a common part that lies between
//! them is not seen. Every common part that holds a ball as wide as the diagonal of a pixel is found.

use xcollide_bounds::Aabb;
use xcollide_brep::{Interior, Topology};
use xcollide_math::vector::sub;

use super::common_point::{Proposals, are_closed, decide, prepare_body};
use crate::query::OutOfTime;
use crate::{Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Verdict};

/// Draws both bodies. `Collides` is right, with a point in both; it misses common parts between the rays of pixels.
///
/// ```
/// use xcollide_narrow::classic::ZBuffer;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let cube = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(cube)?;
/// let pose = Pose::from_translation([0.75, 0.5, 0.5]);
/// let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?);
/// let buffer = ZBuffer { resolution: 50 };
/// assert!(buffer.test(a, b, &Query::new(), &mut PairCache::new()).is_collision());
/// let [x, y] = buffer.pixel(a, b);
/// assert!((x - 0.25 / 50.0).abs() < 1e-12 && (y - 0.5 / 50.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZBuffer {
    /// Pixels along each side of the common part of the boxes, from 1 to 4096; 64 by default.
    pub resolution: u32,
}

impl Default for ZBuffer {
    fn default() -> Self {
        Self { resolution: 64 }
    }
}

impl ZBuffer {
    /// The sides of a pixel of this pair along x and y: the stated bias. Pixels share out what the boxes have in common.
    #[must_use]
    pub fn pixel(&self, a: Placed<'_>, b: Placed<'_>) -> [f64; 2] {
        let [x, y, _] = a.world_box().intersection(&b.world_box()).size();
        [x, y].map(|side| side.max(0.0) / f64::from(self.pixels()))
    }

    fn pixels(&self) -> u32 {
        self.resolution.clamp(1, 4096)
    }
}

impl NarrowPhase for ZBuffer {
    fn name(&self) -> &'static str {
        "z-buffer"
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        are_closed(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Misses
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        prepare_body(self.name(), model)
    }

    fn prepared_bytes(&self, _: &Model) -> Option<usize> {
        Some(0)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        decide([a, b], query, cache, |at_work, cache| {
            let region = a.world_box().intersection(&b.world_box());
            let raster = Raster { region, pixels: self.pixels() as usize };
            let Buffers(buffers) = std::mem::take(cache.get_or_default());
            let mut buffers = Buffers(buffers);
            for (depths, placed) in buffers.0.iter_mut().zip([a, b]) {
                raster.draw(placed, depths, at_work)?;
            }
            let interiors = [a, b].map(|placed| placed.model().interior());
            let mut found = None;
            let mut next = [0, 0];
            while found.is_none() {
                let Some(pixel) = next_pixel(&buffers.0, &mut next) else { break };
                let Some(z) = common_depth(pixel.depths, interiors, [region.min[2], region.max[2]])
                else {
                    continue;
                };
                let [x, y] = raster.middle(pixel.number);
                found = at_work.witness([x, y, z])?;
            }
            *cache.get_or_default() = buffers;
            Ok(found)
        })
    }
}

/// A place at which the ray of a pixel goes through a surface.
#[derive(Clone, Copy, Debug)]
struct Depth {
    pixel: u32,
    z: f64,
    /// 1 or −1 by the side of the surface.
    winding: i32,
}

/// The depths of both bodies, by pixel and then by depth.
#[derive(Debug, Default)]
struct Buffers([Vec<Depth>; 2]);

/// The grid of pixels.
struct Raster {
    region: Aabb,
    pixels: usize,
}

impl Raster {
    /// The place of a line of pixels on an axis.
    fn place(&self, axis: usize, line: usize) -> f64 {
        let (low, high) = (self.region.min[axis], self.region.max[axis]);
        low + (high - low) * ((line as f64 + 0.5) / self.pixels as f64)
    }

    fn middle(&self, pixel: u32) -> [f64; 2] {
        let pixel = pixel as usize;
        [self.place(0, pixel % self.pixels), self.place(1, pixel / self.pixels)]
    }

    /// The lines of pixels whose middles can be between two places.
    fn lines(&self, axis: usize, low: f64, high: f64) -> std::ops::Range<usize> {
        let (first, last) = (self.region.min[axis], self.region.max[axis]);
        let line = |x: f64| (x - first) / (last - first) * self.pixels as f64 - 0.5;
        let end = (line(high) + 1.0).max(0.0) as usize;
        (line(low) - 1.0).max(0.0) as usize..(end + 1).min(self.pixels)
    }

    /// Collects the depths of a body, in order.
    fn draw(
        &self,
        placed: Placed<'_>,
        depths: &mut Vec<Depth>,
        at_work: &mut Proposals<'_>,
    ) -> Result<(), OutOfTime> {
        depths.clear();
        for number in 0..placed.model().triangulation().len() {
            at_work.time.check()?;
            at_work.stats.primitive_tests += 1;
            let triangle = placed.triangle(number);
            // Depths above all that both have in common do not matter.
            if triangle.iter().all(|corner| corner[2] > self.region.max[2]) {
                continue;
            }
            let range = |axis: usize| {
                let along = triangle.map(|corner| corner[axis]);
                let low = along[0].min(along[1]).min(along[2]);
                let high = along[0].max(along[1]).max(along[2]);
                (low <= self.region.max[axis] && high >= self.region.min[axis])
                    .then_some([low, high])
            };
            let (Some([left, right]), Some([front, back])) = (range(0), range(1)) else { continue };
            for y in self.lines(1, front, back) {
                at_work.time.check()?;
                for x in self.lines(0, left, right) {
                    let ray = [self.place(0, x), self.place(1, y)];
                    if let Some((z, winding)) = depth_at(&triangle, ray) {
                        let pixel = (y * self.pixels + x) as u32;
                        depths.push(Depth { pixel, z, winding });
                    }
                }
            }
        }
        depths.sort_unstable_by(|s, t| {
            s.pixel.cmp(&t.pixel).then(s.z.total_cmp(&t.z)).then(s.winding.cmp(&t.winding))
        });
        Ok(())
    }
}

/// Where a ray along z goes through a triangle, and from which side; rounded.
fn depth_at(triangle: &[[f64; 3]; 3], [x, y]: [f64; 2]) -> Option<(f64, i32)> {
    let around = triangle.map(|corner| sub(corner, [x, y, 0.0]));
    let area = |s: [f64; 3], t: [f64; 3]| s[0] * t[1] - s[1] * t[0];
    let parts =
        [area(around[1], around[2]), area(around[2], around[0]), area(around[0], around[1])];
    let positive = parts.map(|part| part >= 0.0);
    if positive[0] != positive[1] || positive[1] != positive[2] {
        return None;
    }
    let whole = parts[0] + parts[1] + parts[2];
    if whole == 0.0 {
        return None;
    }
    let height: f64 = (0..3).map(|corner| parts[corner] / whole * triangle[corner][2]).sum();
    height.is_finite().then_some((height, if positive[0] { -1 } else { 1 }))
}

/// The depths of both bodies in one pixel.
struct Pixel<'d> {
    number: u32,
    depths: [&'d [Depth]; 2],
}

/// The next pixel that both bodies cover.
fn next_pixel<'d>(buffers: &'d [Vec<Depth>; 2], next: &mut [usize; 2]) -> Option<Pixel<'d>> {
    loop {
        let [a, b] = [buffers[0].get(next[0])?.pixel, buffers[1].get(next[1])?.pixel];
        let number = a.max(b);
        for side in 0..2 {
            next[side] += buffers[side][next[side]..].partition_point(|depth| depth.pixel < number);
        }
        let depths = [0, 1].map(|side| {
            let rest = &buffers[side][next[side]..];
            &rest[..rest.partition_point(|depth| depth.pixel == number)]
        });
        if depths.iter().all(|depths| !depths.is_empty()) {
            (0..2).for_each(|side| next[side] += depths[side].len());
            return Some(Pixel { number, depths });
        }
    }
}

/// The middle of the longest piece of a ray that is in both bodies.
fn common_depth(
    depths: [&[Depth]; 2],
    interiors: [Interior; 2],
    [low, high]: [f64; 2],
) -> Option<f64> {
    let mut windings = [0; 2];
    let mut next = [0; 2];
    let mut from = f64::NEG_INFINITY;
    let mut best: Option<(f64, f64)> = None;
    loop {
        let z_of =
            |side: usize| depths[side].get(next[side]).map_or(f64::INFINITY, |depth| depth.z);
        let to = z_of(0).min(z_of(1));
        let is_in = |side: usize| match interiors[side] {
            Interior::Winding => windings[side] != 0,
            Interior::Parity => next[side] % 2 == 1,
            Interior::None => false,
        };
        if is_in(0) && is_in(1) {
            let (bottom, top) = (from.max(low), to.min(high));
            if top >= bottom && best.is_none_or(|(length, _)| top - bottom > length) {
                best = Some((top - bottom, 0.5 * bottom + 0.5 * top));
            }
        }
        let side = usize::from(z_of(1) < z_of(0));
        let Some(depth) = depths[side].get(next[side]) else { break };
        windings[side] += depth.winding;
        next[side] += 1;
        from = depth.z;
    }
    best.map(|(_, z)| z)
}
