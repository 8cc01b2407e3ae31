//! How much of a cap is in another body.

use xcollide_convex::shape::{Core, Shape};
use xcollide_math::vector::{add, dot, largest, scale, sub, unit};
use xcollide_predicates::Point;

use super::cap::Cap;
use super::near_mesh::NearMesh;
use super::rounded_surface::RoundedSurface;
use crate::formula::pair::{Body, Side};
use crate::model::formula::HalfSpace;
use crate::point_distance::on_surface;
use crate::{Formula, Placed};

/// The other body, and how deep in it what counts as inside must be.
pub(in crate::volume) struct Other<'a> {
    placed: Placed<'a>,
    side: Side<'a>,
    mesh: NearMesh<'a>,
    rounded: Option<RoundedSurface>,
    margin: f64,
    /// How far its points may be from where they should be.
    error: f64,
    /// How much lower than a plane at the surface the last one was with everything below it inside.
    drop: f64,
}

/// The least and the greatest [`drop`](Other::drop), in parts of the height and of the size.
const LEAST: f64 = 1.0 / 16.0;
const MOST: f64 = 0.25;

/// How much of a cap is in a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// Bounds of the volume.
    pub(super) bounds: [f64; 2],
    /// The surface is between two planes that are so far apart, if it is known to be.
    pub(super) drop: f64,
    /// A normal and a level above which nothing of the cap is in the body.
    pub(super) below: Option<([f64; 3], f64)>,
}

impl Share {
    pub(super) fn none() -> Self {
        Self { bounds: [0.0; 2], drop: f64::INFINITY, below: None }
    }

    pub(super) fn all(cap: &Cap) -> Self {
        Self { bounds: [cap.volume; 2], drop: f64::INFINITY, below: None }
    }

    pub(super) fn unknown(cap: &Cap) -> Self {
        Self { bounds: [0.0, cap.volume], drop: f64::INFINITY, below: None }
    }
}

impl<'a> Other<'a> {
    /// With a bound of how far its points may be from where they should be.
    pub(in crate::volume) fn new(placed: Placed<'a>, margin: f64, error: f64) -> Self {
        let mesh = NearMesh::new(placed, margin, error);
        let rounded = match placed.model().formula() {
            Some(Formula::Rounded(shape)) => {
                RoundedSurface::new(shape.polytope(), placed.pose(), shape.radius())
            }
            _ => None,
        };
        Self { placed, side: Side::of(placed), mesh, rounded, margin, error, drop: 0.0 }
    }

    /// What of a cap is in the body. Unless `exactly`, a cap that the surface may pass has the bounds 0 and all.
    pub(super) fn share(&mut self, cap: &Cap, exactly: bool) -> Share {
        let points = cap.points();
        let sum = points.iter().fold([0.0; 3], |sum, &p| add(sum, p));
        let center = scale(sum, 1.0 / points.len() as f64);
        let rounding = cap.rounding() + self.error;
        match &self.side {
            Side::Shape(_, shape) => {
                let convex = self.convex(shape, rounding);
                let mut drop = self.drop;
                let share = convex.share(cap, center, exactly, &mut drop);
                self.drop = drop;
                share
            }
            Side::HalfSpace(ground) => below(ground, [self.margin, rounding], cap),
            Side::Mesh(_) => self.mesh.share(cap, center, exactly),
        }
    }

    /// A plane that touches the body near its point that is nearest to a point: the normal, of length 1, and a level that no point of the
    /// body is above. `None` for a mesh.
    pub(in crate::volume) fn plane_beside(&self, point: Point) -> Option<([f64; 3], f64)> {
        match &self.side {
            Side::Shape(_, shape) => {
                let normal = self.convex(shape, self.error).normal(point)?;
                let (height, error) = shape.height(normal);
                Some((normal, height + error + self.error))
            }
            Side::HalfSpace(ground) => {
                let level = dot(ground.up(), ground.point);
                let rounding = 8.0 * f64::EPSILON * (largest(ground.point) + level.abs());
                Some((ground.up(), level + rounding))
            }
            Side::Mesh(_) => None,
        }
    }

    fn convex<'b>(&'b self, shape: &'b Body<'a>, rounding: f64) -> Convex<'b, 'a> {
        let (rounded, margin) = (self.rounded.as_ref(), self.margin + rounding);
        Convex { shape, rounded, placed: self.placed, margin, rounding }
    }
}

/// A convex body, and how deep in it what counts as inside must be.
struct Convex<'b, 'a> {
    shape: &'b Body<'a>,
    rounded: Option<&'b RoundedSurface>,
    placed: Placed<'a>,
    margin: f64,
    rounding: f64,
}

impl Convex<'_, '_> {
    /// A plane that touches the body has nothing of it above; and all of a cap below a plane is inside if the corners of that part are.
    fn share(&self, cap: &Cap, center: Point, exactly: bool, drop: &mut f64) -> Share {
        let Some(normal) = self.normal(center) else { return Share::unknown(cap) };
        let (height, error) = self.shape.height(normal);
        let top = height + error + self.rounding + 16.0 * f64::EPSILON * height.abs();
        let heights = cap.points().iter().map(|&p| dot(normal, p));
        let [lowest, highest] = heights
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| [low.min(h), high.max(h)]);
        if lowest > top {
            return Share::none();
        }
        if highest < top && cap.points().iter().all(|&p| self.is_deep(p)) {
            return Share::all(cap);
        }
        if !exactly {
            return Share::unknown(cap);
        }
        let below = Some((normal, top));
        // Near the last one, as neighbors are alike.
        *drop = (0.25 * *drop).max(LEAST * cap.height + f64::EPSILON * cap.size);
        while *drop <= MOST * cap.size {
            let level = top - self.margin - *drop;
            if level <= lowest {
                break;
            }
            if self.is_inside_below(cap.points(), normal, level) {
                let bounds = cap.between(normal, [level, top]);
                return Share { bounds, drop: *drop, below };
            }
            *drop *= 4.0;
        }
        let [_, at_most] = cap.between(normal, [lowest, top]);
        // What is not as deep as it must be is not known, however straight the surface is.
        let is_shallow = lowest > top - 2.0 * self.margin;
        let drop = if is_shallow { 0.0 } else { f64::INFINITY };
        Share { bounds: [0.0, at_most], drop, below }
    }

    /// About the direction of the nearest point of the surface.
    fn normal(&self, center: Point) -> Option<[f64; 3]> {
        if let Some(rounded) = self.rounded {
            return Some(rounded.at(center).1);
        }
        let core = self.placed.model().formula().and_then(Formula::shape).map(Shape::core);
        match core {
            // Near the surface this gradient is as good, and takes less time.
            Some(Core::Ellipsoid { half }) => {
                let pose = self.placed.pose();
                let [local, _] = pose.to_local(center, [0.0; 3]);
                unit(pose.rotate([0, 1, 2].map(|k| local[k] / half[k] / half[k])))
            }
            _ => on_surface(self.placed, center).map(|surface| self.across(surface.normal)),
        }
    }

    /// The normal of a plane that the matrix of the pose moves, by the direction in which it moves the normal: another one if it is a
    /// rotation only nearly.
    fn across(&self, direction: [f64; 3]) -> [f64; 3] {
        const ROUNDING: f64 = 1e-14;
        if self.shape.drift() < ROUNDING {
            return direction;
        }
        let back = self.placed.pose().inverse();
        let local = back.rotate(direction);
        let columns = [0, 1, 2].map(|k| back.rotation().map(|row| row[k]));
        unit(columns.map(|column| dot(column, local))).unwrap_or(direction)
    }

    fn is_deep(&self, point: Point) -> bool {
        let depth = match self.rounded {
            Some(rounded) => rounded.at(point).0,
            None => self.shape.depth_at(point),
        };
        depth > self.margin
    }

    /// Whether the part of the hull of some points that is below a plane is inside.
    fn is_inside_below(&self, points: &[Point], normal: [f64; 3], level: f64) -> bool {
        let height = |&p: &Point| dot(normal, p) - level;
        points.iter().enumerate().all(|(k, p)| {
            let of_p = height(p);
            if of_p > 0.0 {
                return true;
            }
            self.is_deep(*p)
                && points.iter().enumerate().all(|(l, q)| {
                    let of_q = height(q);
                    let crosses = l != k && of_q > 0.0;
                    // A little beyond the plane, for the rounding.
                    let part = (of_p / (of_p - of_q) * (1.0 + 1e-9)).min(1.0);
                    !crosses || self.is_deep(add(*p, scale(sub(*q, *p), part)))
                })
        })
    }
}

fn below(ground: &HalfSpace, [margin, mut rounding]: [f64; 2], cap: &Cap) -> Share {
    let heights = cap.points().iter().map(|&p| ground.height(p));
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (height, error) in heights {
        lowest = lowest.min(height - error);
        highest = highest.max(height + error);
        rounding = rounding.max(error);
    }
    if lowest > rounding {
        return Share::none();
    }
    if highest < -margin - rounding {
        return Share::all(cap);
    }
    let up = ground.up();
    let level = dot(up, ground.point);
    let rounding = 4.0 * rounding + 8.0 * f64::EPSILON * (largest(ground.point) + level.abs());
    let bounds = cap.between(up, [level - margin - rounding, level + rounding]);
    Share { bounds, drop: 0.0, below: Some((up, level + rounding)) }
}
