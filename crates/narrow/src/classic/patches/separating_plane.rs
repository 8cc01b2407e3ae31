//! The search for a plane that separates two patches, from triangle to triangle.
//!
//! A plane through a triangle of a convex patch has the whole patch on one side. If the other patch is on
//! its other side, it separates the two. If not, take the vertex of the other patch that is farthest below
//! the plane, and go on to a neighbour whose plane has that vertex outside.
//!
//! ```text
//!        q lowest vertex of the other patch along the normal of s:
//!    __s__   below the plane of s, but above that of t, so go to t
//!   /     \ .q
//!  /       \t
//! ```
//!
//! If no triangle has such a plane, directions follow the reflections of Chung (1996, formula 3.2), which
//! also find planes through an edge of each. The direction that separated the last two patches is tried
//! first: a descent goes from patch to neighbouring patch. [`Side::parted_along`] proves each plane.

use xcollide_bvh::classic::patches::Bend;
use xcollide_math::vector::{cross, dot, neg, scale, sub};
use xcollide_predicates::Point;

use super::side::Side;

/// The most triangles that a walk visits.
const MOST_STEPS: usize = 6;

/// The most reflected directions.
const MOST_REFLECTIONS: usize = 4;

/// Whether a plane was found with the two patches strictly on its two sides. `known`: the direction to try
/// first; replaced by the one found.
pub(crate) fn parted(p: &Side<'_>, q: &Side<'_>, known: &mut Point) -> bool {
    if p.parted_along(q, *known) {
        return true;
    }
    let backwards = || q.walk(p).map(neg);
    let found = p.walk(q).or_else(backwards).or_else(|| p.reflect(q));
    *known = found.unwrap_or(*known);
    found.is_some()
}

impl Side<'_> {
    /// Walks over the triangles of this patch to one whose plane has the other patch beyond it; returns
    /// the normal of that plane.
    fn walk(&self, other: &Side<'_>) -> Option<Point> {
        let mut visited = [0_u64; 4];
        let mut place = 0;
        for _ in 0..MOST_STEPS {
            visited[place / 64] |= 1 << (place % 64);
            let [a, normal] = self.plane(place, other);
            let low = other.lowest(normal);
            if height(normal, a, low) > 0.0 && self.parted_along(other, normal) {
                return Some(normal);
            }
            let neighbours = self.patch.triangles[place].neighbours();
            let mut best = (0.0, None);
            for next in neighbours.filter(|next| visited[next / 64] >> (next % 64) & 1 == 0) {
                let [b, normal] = self.plane(next, other);
                let outside = height(normal, b, low) / dot(normal, normal).sqrt();
                if outside > best.0 {
                    best = (outside, Some(next));
                }
            }
            place = best.1?;
        }
        None
    }

    /// A point and the normal of the plane of a triangle. The normal points away from this patch or, if
    /// that is flat, to the other one.
    fn plane(&self, place: usize, other: &Side<'_>) -> [Point; 2] {
        let [a, b, c] = self.triangle(place);
        let normal = cross(sub(b, a), sub(c, a));
        let turned = match self.patch.bend {
            Bend::Bulge => false,
            Bend::Hollow => true,
            _ => height(normal, a, other.points[0]) < 0.0,
        };
        [a, if turned { neg(normal) } else { normal }]
    }

    /// A direction from reflections, beginning with the line from vertex to vertex.
    fn reflect(&self, other: &Side<'_>) -> Option<Point> {
        let mut direction = sub(other.points[0], self.points[0]);
        for _ in 0..MOST_REFLECTIONS {
            let top = self.lowest(neg(direction));
            let low = other.lowest(direction);
            let line = sub(low, top);
            let along = dot(direction, line);
            if along > 0.0 {
                return self.parted_along(other, direction).then_some(direction);
            }
            let square = dot(line, line);
            // Not finite, and so separating nothing, if the two points coincide.
            let twice = 2.0 * along / square;
            direction = sub(direction, scale(line, twice));
        }
        None
    }

    /// Whether a plane with this normal has this patch strictly below and the other strictly above it.
    /// Never true if there is none; may be false for gaps near the rounding error.
    ///
    /// With u = 2⁻⁵³, n the direction and M the largest coordinate of a vertex: a height n · x is
    /// three products and two sums, off by at most 3.01u · |n|₁ · M, and by as much as the least
    /// normal number where products underflow. So a difference of two heights by more than
    /// 8u · |n|₁ · M is a difference. Products that overflow make the bound infinite.
    fn parted_along(&self, other: &Side<'_>, direction: Point) -> bool {
        const UNIT: f64 = f64::EPSILON / 2.0;
        let top = self.points.iter().fold(f64::NEG_INFINITY, |m, &p| m.max(dot(direction, p)));
        let low = other.points.iter().fold(f64::INFINITY, |m, &p| m.min(dot(direction, p)));
        let largest = self.reach.max(other.reach);
        let size = direction.iter().map(|x| x.abs()).sum::<f64>() * largest;
        low - top > 8.0 * UNIT * size + 4.0 * f64::MIN_POSITIVE
    }

    /// The vertex that is lowest along a direction.
    fn lowest(&self, direction: Point) -> Point {
        let mut best = (f64::INFINITY, self.points[0]);
        for &point in self.points {
            let height = dot(direction, point);
            if height < best.0 {
                best = (height, point);
            }
        }
        best.1
    }
}

fn height(normal: Point, a: Point, p: Point) -> f64 {
    dot(normal, sub(p, a))
}
