//! How much of a cap is in another body.

use xcollide_convex::shape::{Core, Shape};
use xcollide_math::vector::{add, dot, largest, length, scale, sub, unit};
use xcollide_predicates::Point;

use super::cap::Cap;
use super::near_mesh::NearMesh;
use crate::formula::pair::{Body, Side};
use crate::model::formula::HalfSpace;
use crate::point_distance::on_surface;
use crate::{Formula, Placed};

/// The other body, and how deep in it what counts as inside must be.
pub(in crate::volume) struct Other<'a> {
    placed: Placed<'a>,
    side: Side<'a>,
    mesh: NearMesh<'a>,
    margin: f64,
    /// How much lower than a plane at the surface the last one was with everything below it inside, in parts of the size.
    lower: f64,
}

/// The steps of [`Other::lower`].
const LEAST: f64 = 1.0 / 65536.0;
const MOST: f64 = 0.25;

impl<'a> Other<'a> {
    pub(in crate::volume) fn new(placed: Placed<'a>, margin: f64) -> Self {
        let mesh = NearMesh::new(placed, margin);
        Self { placed, side: Side::of(placed), mesh, margin, lower: LEAST }
    }

    pub(super) fn is_half_space(&self) -> bool {
        matches!(self.side, Side::HalfSpace(_))
    }

    /// Bounds of the volume of what of a cap is in the body. Unless `exactly`, a cap that the surface may pass has the bounds 0 and all.
    pub(super) fn share(&mut self, cap: &Cap, exactly: bool) -> [f64; 2] {
        let points = cap.points();
        let sum = points.iter().fold([0.0; 3], |sum, &p| add(sum, p));
        let center = scale(sum, 1.0 / points.len() as f64);
        let rounding = cap.rounding();
        let Self { placed, margin, lower, mesh, .. } = self;
        match &self.side {
            Side::Shape(_, shape) => {
                let shape = Convex { shape, placed: *placed, margin: *margin + rounding };
                shape.share(cap, center, exactly, lower)
            }
            Side::HalfSpace(ground) => below(ground, *margin, cap),
            Side::Mesh(_) => mesh.share(cap, center, exactly),
        }
    }
}

/// A convex body, and how deep in it what counts as inside must be.
struct Convex<'b, 'a> {
    shape: &'b Body<'a>,
    placed: Placed<'a>,
    margin: f64,
}

impl Convex<'_, '_> {
    /// A plane that touches the body has nothing of it above; and all of a cap below a plane is inside if the corners of that part are.
    fn share(&self, cap: &Cap, center: Point, exactly: bool, lower: &mut f64) -> [f64; 2] {
        let Some(normal) = self.normal(center) else { return [0.0, cap.volume] };
        let (height, error) = self.shape.height(normal);
        let top = height + error + cap.rounding() + 16.0 * f64::EPSILON * height.abs();
        let heights = cap.points().iter().map(|&p| dot(normal, p));
        let [lowest, highest] = heights
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| [low.min(h), high.max(h)]);
        if lowest > top {
            return [0.0; 2];
        }
        if highest < top && self.is_inside(cap.points(), center) {
            return [cap.volume; 2];
        }
        if !exactly {
            return [0.0, cap.volume];
        }
        // Near the last one, as neighbors are alike.
        *lower = (0.25 * *lower).max(LEAST);
        while *lower <= MOST {
            let level = top - self.margin - *lower * cap.size;
            if level <= lowest {
                break;
            }
            if self.is_inside_below(cap.points(), normal, level) {
                return cap.between(normal, [level, top]);
            }
            *lower *= 4.0;
        }
        let [_, at_most] = cap.between(normal, [lowest, top]);
        [0.0, at_most]
    }

    /// About the direction of the nearest point of the surface.
    fn normal(&self, center: Point) -> Option<[f64; 3]> {
        let core = self.placed.model().formula().and_then(Formula::shape).map(Shape::core);
        match core {
            // Near the surface this gradient is as good, and takes less time.
            Some(Core::Ellipsoid { half }) => {
                let pose = self.placed.pose();
                let [local, _] = pose.to_local(center, [0.0; 3]);
                unit(pose.rotate([0, 1, 2].map(|k| local[k] / half[k] / half[k])))
            }
            _ => on_surface(self.placed, center).map(|surface| surface.normal),
        }
    }

    fn is_inside(&self, points: &[Point], center: Point) -> bool {
        let formula = self.placed.model().formula();
        if matches!(formula, Some(Formula::Rounded(_))) {
            // A search takes some microseconds, so it is made once.
            let reach = points.iter().map(|&p| length(sub(p, center))).fold(0.0, f64::max);
            return self.shape.depth_at(center) > self.margin + reach * (1.0 + 1e-12);
        }
        points.iter().all(|&p| self.shape.depth_at(p) > self.margin)
    }

    /// Whether the part of the hull of some points that is below a plane is inside.
    fn is_inside_below(&self, points: &[Point], normal: [f64; 3], level: f64) -> bool {
        let is_deep = |p: Point| self.shape.depth_at(p) > self.margin;
        let height = |&p: &Point| dot(normal, p) - level;
        points.iter().enumerate().all(|(k, p)| {
            let of_p = height(p);
            if of_p > 0.0 {
                return true;
            }
            is_deep(*p)
                && points.iter().enumerate().all(|(l, q)| {
                    let of_q = height(q);
                    let crosses = l != k && of_q > 0.0;
                    // A little beyond the plane, for the rounding.
                    let part = (of_p / (of_p - of_q) * (1.0 + 1e-9)).min(1.0);
                    !crosses || is_deep(add(*p, scale(sub(*q, *p), part)))
                })
        })
    }
}

fn below(ground: &HalfSpace, margin: f64, cap: &Cap) -> [f64; 2] {
    let heights = cap.points().iter().map(|&p| ground.height(p));
    let mut rounding = cap.rounding();
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (height, error) in heights {
        lowest = lowest.min(height - error);
        highest = highest.max(height + error);
        rounding = rounding.max(error);
    }
    if lowest > rounding {
        return [0.0; 2];
    }
    if highest < -margin - rounding {
        return [cap.volume; 2];
    }
    let up = ground.up();
    let level = dot(up, ground.point);
    let rounding = 4.0 * rounding + 8.0 * f64::EPSILON * (largest(ground.point) + level.abs());
    cap.between(up, [level - margin - rounding, level + rounding])
}
