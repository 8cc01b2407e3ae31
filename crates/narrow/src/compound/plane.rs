//! The plane that cuts a part: of some planes perpendicular to the axes the one that leaves the least volume
//! in the hulls of both sides.
//!
//! Each candidate takes two hulls. To keep these small, they are hulls of the extreme points of a sample
//! along fixed directions, found for all planes of an axis in one pass, and of some points where the plane
//! crosses polygons. Without the latter both hulls would end before the plane, which would favor large
//! sections.

use xcollide_brep::ConvexHull;

use super::cut::{Patch, crossing, range};
use xcollide_math::vector::{cross, dot, length_squared, sub};

/// The most polygons of a part used to choose a cut.
const SAMPLE: usize = 400;

/// The most polygons that cross a plane used for its section.
const SECTION: usize = 100;

/// The evenly spaced planes for each axis.
const PLANES: usize = 7;

/// With at most this many different coordinates, a plane through each is tried.
const FEW_COORDINATES: usize = 16;

/// The hull of at most this many points is exact.
const FEW_POINTS: usize = 48;

/// The axis and coordinate of the best plane; `None` if none leaves polygons on both sides. `hull`: the
/// vertices of the hull of the patch.
pub(crate) fn best(patch: &Patch, points: &[[f64; 3]], hull: &[[f64; 3]]) -> Option<(usize, f64)> {
    let sampled: Vec<usize> = sample(patch.len(), SAMPLE).collect();
    let size = size(hull);
    let directions = directions();
    let mut best: Option<(f64, usize, f64)> = None;
    for axis in 0..3 {
        let mut candidates = Candidates::new(patch, points, &sampled, axis, hull);
        candidates.find_sections(patch, points);
        for (at, sides) in candidates.sides(points, &directions) {
            let [Some(below), Some(above)] = sides.map(|side| cost(&side, size)) else { continue };
            let cost = below + above;
            if best.is_none_or(|(least, ..)| cost < least * (1.0 - 1e-9)) {
                best = Some((cost, axis, at));
            }
        }
    }
    best.map(|(_, axis, at)| (axis, at))
}

/// At most `most` of the numbers below `count`: one of each run of equal length, at a pseudo-random place in
/// it, which avoids aliasing with patterns in the order.
pub(crate) fn sample(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = count.div_ceil(most).max(1);
    (0..count.div_ceil(step)).map(move |run| {
        let scattered = (run as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        let length = step.min(count - run * step);
        run * step + scattered as usize % length
    })
}

/// The longest side of the box.
pub(crate) fn size(points: &[[f64; 3]]) -> f64 {
    let extent = |k: usize| {
        let range = points
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[k]), h.max(p[k])));
        range.1 - range.0
    };
    extent(0).max(extent(1)).max(extent(2))
}

/// The planes perpendicular to an axis, and the points on each side.
struct Candidates {
    axis: usize,
    /// The middle of the part.
    middle: f64,
    /// Ascending.
    planes: Vec<f64>,
    /// Point, first plane that it is below, first plane that it is not above.
    corners: Vec<(u32, usize, usize)>,
    /// For each plane, points where it crosses edges.
    sections: Vec<Vec<[f64; 3]>>,
}

impl Candidates {
    fn new(
        patch: &Patch,
        points: &[[f64; 3]],
        sampled: &[usize],
        axis: usize,
        hull: &[[f64; 3]],
    ) -> Self {
        let (low, high) = hull
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[axis]), h.max(p[axis])));
        let planes = planes(patch, points, sampled, axis, [low, high]);
        let mut corners = Vec::with_capacity(3 * sampled.len());
        for polygon in sampled.iter().map(|&index| patch.polygon(index)) {
            let [low, high] = range(polygon, points, axis);
            for &corner in polygon {
                // As in `Patch::cut`: polygons above and below a plane keep their corners in the plane;
                // polygons in the plane are below.
                let x = points[corner as usize][axis];
                let before = planes.partition_point(|&at| at < x);
                let upto = planes.partition_point(|&at| at <= x);
                let first_below = if x == low && low < high { upto } else { before };
                let first_not_above = if x == high { before } else { upto };
                corners.push((corner, first_below, first_not_above));
            }
        }
        corners.sort_unstable();
        corners.dedup();
        let middle = 0.5 * low + 0.5 * high;
        Self { axis, middle, sections: vec![Vec::new(); planes.len()], planes, corners }
    }

    /// Finds points where the planes cross polygons.
    fn find_sections(&mut self, patch: &Patch, points: &[[f64; 3]]) {
        let mut crossed = vec![Vec::new(); self.planes.len()];
        for (index, polygon) in patch.polygons().enumerate() {
            let [low, high] = range(polygon, points, self.axis);
            let first = self.planes.partition_point(|&at| at <= low);
            let planes = self.planes[first..].iter().take_while(|&&at| at < high);
            for (plane, _) in planes.enumerate() {
                crossed[first + plane].push(index);
            }
        }
        for ((section, crossed), &at) in self.sections.iter_mut().zip(crossed).zip(&self.planes) {
            for polygon in sample(crossed.len(), SECTION).map(|i| patch.polygon(crossed[i])) {
                let count = polygon.len();
                let edges =
                    (0..count).map(|i| [i, (i + 1) % count].map(|i| points[polygon[i] as usize]));
                section.extend(edges.filter_map(|[p, q]| crossing(p, q, self.axis, at)));
            }
        }
    }

    /// Each plane with the points of both sides, from the middle outwards, so that the most even one of equal
    /// cuts is the first.
    fn sides<'a>(
        &'a self,
        points: &'a [[f64; 3]],
        directions: &'a [[f64; 3]],
    ) -> impl Iterator<Item = (f64, [Vec<[f64; 3]>; 2])> + 'a {
        let count = self.planes.len();
        let few = self.corners.len() <= FEW_POINTS;
        let mut below = vec![Extremes::default(); count + 1];
        let mut above = vec![Extremes::default(); count + 1];
        if !few {
            for &(corner, first_below, first_not_above) in &self.corners {
                below[first_below].add(points[corner as usize], directions);
                above[first_not_above].add(points[corner as usize], directions);
            }
            for plane in 1..count {
                let (before, rest) = below.split_at_mut(plane);
                rest[0].merge(&before[plane - 1]);
            }
            for plane in (1..count).rev() {
                let (rest, after) = above.split_at_mut(plane + 1);
                rest[plane].merge(&after[0]);
            }
        }
        let sides = move |plane: usize| {
            if few {
                let sides = [true, false].map(|is_below| {
                    let side = self.corners.iter().filter(move |&&(_, below, not_above)| {
                        if is_below { below <= plane } else { plane < not_above }
                    });
                    let side = side.map(|&(corner, ..)| points[corner as usize]);
                    side.chain(self.sections[plane].iter().copied()).collect()
                });
                return sides;
            }
            let mut section = Extremes::default();
            self.sections[plane].iter().for_each(|&point| section.add(point, directions));
            // The index of `above` counts from 1.
            [&below[plane], &above[plane + 1]].map(|side| {
                let mut side = side.clone();
                side.merge(&section);
                side.points()
            })
        };
        let mut order: Vec<usize> = (0..count).collect();
        let off = move |plane: usize| (self.planes[plane] - self.middle).abs();
        order.sort_by(|&i, &j| off(i).total_cmp(&off(j)));
        order.into_iter().map(move |plane| (self.planes[plane], sides(plane)))
    }
}

/// The coordinates of planes for an axis: even steps, and those of corners, if they are few.
fn planes(
    patch: &Patch,
    points: &[[f64; 3]],
    sampled: &[usize],
    axis: usize,
    [low, high]: [f64; 2],
) -> Vec<f64> {
    let mut planes: Vec<f64> =
        (1..=PLANES).map(|i| low + (high - low) * (i as f64 / (PLANES + 1) as f64)).collect();
    let corners = sampled.iter().flat_map(|&index| patch.polygon(index));
    let mut corners: Vec<f64> = corners.map(|&p| points[p as usize][axis]).collect();
    corners.sort_unstable_by(f64::total_cmp);
    corners.dedup();
    if corners.len() <= FEW_COORDINATES {
        planes.extend(corners);
    }
    planes.retain(|&at| low < at && at < high);
    planes.sort_unstable_by(f64::total_cmp);
    planes.dedup();
    planes
}

/// Directions to a grid on a cube's surface, one of each pair of opposite ones.
fn directions() -> Vec<[f64; 3]> {
    let steps = [-1.0, -0.5, 0.0, 0.5, 1.0];
    let all = steps.map(|x| steps.map(|y| steps.map(|z| [x, y, z]))).concat().concat();
    let on_cube = |d: &[f64; 3]| d.iter().any(|x| x.abs() == 1.0);
    let half = |d: &[f64; 3]| *d > [0.0; 3];
    all.into_iter().filter(on_cube).filter(half).collect()
}

/// The farthest points along and against some directions.
#[derive(Clone, Debug, Default)]
struct Extremes {
    reached: Vec<[(f64, [f64; 3]); 2]>,
}

impl Extremes {
    fn add(&mut self, point: [f64; 3], directions: &[[f64; 3]]) {
        if self.reached.is_empty() {
            let here = |d: &[f64; 3]| [(dot(*d, point), point), (-dot(*d, point), point)];
            self.reached = directions.iter().map(here).collect();
            return;
        }
        for (direction, [most, least]) in directions.iter().zip(&mut self.reached) {
            let height = dot(*direction, point);
            if height > most.0 {
                *most = (height, point);
            }
            if -height > least.0 {
                *least = (-height, point);
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        if self.reached.is_empty() {
            self.reached.clone_from(&other.reached);
            return;
        }
        for (ours, theirs) in self.reached.iter_mut().flatten().zip(other.reached.iter().flatten())
        {
            if theirs.0 > ours.0 {
                *ours = *theirs;
            }
        }
    }

    fn points(self) -> Vec<[f64; 3]> {
        self.reached.into_iter().flatten().map(|(_, point)| point).collect()
    }
}

/// The volume of the hull plus, so that flat parts have a cost, a little of its area; `None` without points.
fn cost(points: &[[f64; 3]], size: f64) -> Option<f64> {
    /// The thickness of the surface layer, relative to the size.
    const LAYER: f64 = 1e-3;
    let hull = ConvexHull::of(points).ok()?;
    let mesh = hull.mesh();
    let origin = *mesh.positions().first()?;
    let (mut volume, mut area) = (0.0, 0.0);
    for face in mesh.faces() {
        let at = |i: usize| sub(mesh.position(face.outer()[i]), origin);
        for i in 2..face.outer().len() {
            let twice = cross(sub(at(i - 1), at(0)), sub(at(i), at(0)));
            area += 0.5 * length_squared(twice).sqrt();
            volume += dot(twice, at(0)) / 6.0;
        }
    }
    Some(volume + LAYER * size * area)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    /// Triangles between points with small whole coordinates, some of them flat or in one plane.
    fn soup(count: usize, reach: usize) -> (Patch, Vec<[f64; 3]>) {
        let mut random = Random::new(7);
        let mut next = || random.below(reach) as f64;
        let points: Vec<[f64; 3]> = (0..2 * count).map(|_| [next(), next(), next()]).collect();
        let corner = |i: usize| (i % points.len()) as u32;
        let triangles = (0..count).map(|i| [corner(i), corner(3 * i + 1), corner(7 * i + 2)]);
        (Patch::new(triangles), points)
    }

    /// The candidates of all axes with the hulls that the cut would leave.
    fn compare(
        patch: &Patch,
        points: &[[f64; 3]],
        mut judge: impl FnMut(&[[f64; 3]], &[[f64; 3]]),
    ) {
        let sampled: Vec<usize> = sample(patch.len(), SAMPLE).collect();
        for axis in 0..3 {
            let mut candidates = Candidates::new(patch, points, &sampled, axis, points);
            candidates.find_sections(patch, points);
            for (at, sides) in candidates.sides(points, &directions()) {
                let mut all = points.to_vec();
                let cut = patch.cut(&mut all, axis, at);
                for (side, patch) in sides.iter().zip(cut) {
                    let corners = patch.distinct_corners();
                    let corners: Vec<[f64; 3]> = corners.iter().map(|&p| all[p as usize]).collect();
                    judge(side, &corners);
                }
            }
        }
    }

    #[test]
    fn few_points_are_judged_by_exactly_what_the_cut_leaves() {
        for reach in [2, 4, 100] {
            let (patch, points) = soup(12, reach);
            assert!(patch.distinct_corners().len() <= FEW_POINTS);
            let mut judged = 0;
            compare(&patch, &points, |side, cut| {
                let [ours, theirs] = [side, cut].map(ConvexHull::of);
                let volume = |points| cost(points, 1.0);
                match (ours, theirs) {
                    (Ok(ours), Ok(theirs)) => {
                        assert_eq!(ours.mesh().vertex_count(), theirs.mesh().vertex_count());
                        let [ours, theirs] =
                            [volume(side), volume(cut)].map(Option::unwrap_or_default);
                        assert!((ours - theirs).abs() <= 1e-9 * theirs, "{ours} {theirs}");
                        judged += 1;
                    }
                    (ours, theirs) => assert_eq!(ours.is_ok(), theirs.is_ok()),
                }
            });
            assert!(judged > 20, "{judged}");
        }
    }

    /// The points that reach farthest are some of those that the cut leaves, and hold most of the volume.
    #[test]
    fn many_points_are_judged_by_some_that_hold_most() {
        let (patch, points) = soup(300, 100);
        let mut judged = 0;
        compare(&patch, &points, |side, cut| {
            assert!(side.iter().all(|point| cut.contains(point)));
            let [some, all] = [side, cut].map(|points| cost(points, 1.0).unwrap_or_default());
            assert!(0.8 * all < some && some <= all * (1.0 + 1e-9), "{some} of {all}");
            judged += 1;
        });
        assert_eq!(judged, 2 * 3 * PLANES);
    }

    #[test]
    fn samples_are_of_each_run_one() {
        for (count, most) in [(0, 5), (4, 5), (5, 5), (11, 5), (1000, 400)] {
            let sampled: Vec<usize> = sample(count, most).collect();
            assert!(sampled.len() <= most && sampled.is_sorted());
            assert!(sampled.iter().all(|&index| index < count));
            assert!(sampled.len() == count || 2 * sampled.len() >= most);
        }
    }
}
