//! How much of a cap is in a mesh.
//!
//! Where all triangles near a cap are between two parallel planes, nothing of the surface is above the one or below the other there,
//! so that either all of what is on that side is in the body or nothing.

use std::ops::ControlFlow;

use xcollide_bvh::wide::{Traversal, WideTree, nearest_query};
use xcollide_math::vector::{add, cross, dot, largest, length, neg, scale, sub, unit};
use xcollide_predicates::{Point, distance_bounds};

use super::cap::Cap;
use super::share::Share;
use crate::Placed;
use crate::hierarchy::prepared::prepared;
use crate::point_distance::{NearestPoint, signed};
use crate::point_in_polyhedron::{Location, locate};

/// A mesh, how deep in it what counts as inside must be, and how far its vertices may be from where they should be.
pub(super) struct NearMesh<'a> {
    placed: Placed<'a>,
    margin: f64,
    error: f64,
    scratch: Traversal,
    near: Vec<[Point; 3]>,
}

/// With more triangles near a cap their planes are too different.
const MOST: usize = 64;

impl<'a> NearMesh<'a> {
    pub(super) fn new(placed: Placed<'a>, margin: f64, error: f64) -> Self {
        Self { placed, margin, error, scratch: Traversal::new(), near: Vec::new() }
    }

    /// As that of [`Other`](super::Other).
    pub(super) fn share(&mut self, cap: &Cap, center: Point, exactly: bool) -> Share {
        let unknown = Share::unknown(cap);
        let Ok(found) = signed(self.placed, center, &mut self.scratch) else { return unknown };
        let reach = cap.points().iter().map(|&p| length(sub(p, center))).fold(0.0, f64::max);
        let reach = reach + 4.0 * cap.rounding() + self.error;
        let room = found.distance.abs() - reach;
        match found.distance > 0.0 {
            true if room > 0.0 => Share::none(),
            false if room > self.margin => Share::all(cap),
            _ if self.margin > 0.25 * reach => unknown,
            _ => self.by_planes(cap, (center, reach), &found, exactly).unwrap_or(unknown),
        }
    }

    /// By planes that are parallel to the nearest triangle; `None` if these tell nothing.
    fn by_planes(
        &mut self,
        cap: &Cap,
        (center, reach): (Point, f64),
        nearest: &NearestPoint,
        exactly: bool,
    ) -> Option<Share> {
        let [p, q, r] = self.placed.triangle(nearest.triangle? as usize);
        let normal = unit(cross(sub(q, p), sub(r, p)))?;
        // With points around the cap of which it is known whether they are inside.
        self.gather(center, 1.5 * reach)?;
        let range = |points: &mut dyn Iterator<Item = Point>| {
            let heights = points.map(|p| dot(normal, sub(p, center)));
            heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], height| {
                [low.min(height), high.max(height)]
            })
        };
        let corners = || self.near.iter().flatten().copied();
        let far = corners().map(largest).fold(0.0, f64::max);
        let rounding = cap.rounding().max(16.0 * f64::EPSILON * far) + self.error;
        let [low, high] = range(&mut corners());
        let [low, high] = [low - rounding, high + rounding];
        let [lowest, highest] = range(&mut cap.points().iter().copied());
        if lowest > high + self.margin || highest < low - self.margin {
            // As the center is.
            let is_outside = nearest.distance > 0.0;
            return Some(if is_outside { Share::none() } else { Share::all(cap) });
        }
        if !exactly {
            return None;
        }
        let far = 1.25 * reach;
        let is_inside = |height: f64| match locate(self.placed, add(center, scale(normal, height)))
        {
            Location::Inside => Some(true),
            Location::Outside => Some(false),
            Location::OnSurface => None,
        };
        // A side that does not extend into the ball has nothing of the cap.
        let below = if -far < low { is_inside(-far)? } else { high < far && !is_inside(far)? };
        let above = if high < far { is_inside(far)? } else { !below };
        let (level, drop) = (dot(normal, center), high - low);
        let (margin, rounding) =
            (self.margin, 8.0 * f64::EPSILON * (largest(center) + level.abs()));
        let (normal, levels) = match [below, above] {
            [true, false] => (normal, [level + low - margin - rounding, level + high + rounding]),
            [false, true] => {
                (neg(normal), [-level - high - margin - rounding, -level - low + rounding])
            }
            _ => return None,
        };
        let below = Some((normal, levels[1]));
        Some(Share { bounds: cap.between(normal, levels), drop, below })
    }

    /// All triangles that may be so near to a point; `None` if there are too many.
    fn gather(&mut self, center: Point, reach: f64) -> Option<()> {
        let Self { placed, scratch, near, .. } = self;
        near.clear();
        let consider = |number: u32| {
            let triangle = placed.triangle(number as usize);
            if distance_bounds(center, &triangle)[0] <= reach {
                near.push(triangle);
                if near.len() > MOST {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        let flow = each_near(*placed, (center, reach), scratch, consider);
        flow.is_continue().then_some(())
    }
}

/// Shows `visit` all triangles that may be at most `reach` from a point, and others, until it breaks.
pub(in crate::volume) fn each_near(
    mesh: Placed<'_>,
    (center, reach): (Point, f64),
    scratch: &mut Traversal,
    mut visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match prepared::<WideTree>(mesh.model()) {
        Some(tree) => {
            let visit = |number| visit(number).map_continue(|()| reach);
            nearest_query((tree, mesh.pose()), center, scratch, visit)
        }
        None => (0..mesh.model().triangulation().len() as u32).try_for_each(visit),
    }
}
