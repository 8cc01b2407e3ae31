//! A plane between a round solid and the hull of some points with a radius: found in f64, and proved.
//!
//! Gilbert's algorithm (1966) searches the point of the difference of both that is nearest to the origin. Long before it is found, its
//! direction is mostly that of a plane between them.

use crate::exact::{Dyadic, Vector, dot, vector};
use crate::moved_solid::less_root;
use crate::quadric::{form, value};
use crate::round_solid::RoundSolid;
use crate::{Point, Sign, Solid};

/// A round solid in f64.
pub(crate) struct RoundedSolid {
    solid: Solid,
    center: Point,
    axes: [Point; 3],
}

impl RoundedSolid {
    pub(crate) fn of(round: &RoundSolid) -> Self {
        let axes = round.axes().each_ref().map(rounded);
        Self { solid: round.solid(), center: rounded(round.center()), axes }
    }

    /// The point that is farthest along a direction, about.
    fn farthest(&self, direction: Point) -> Point {
        let along = self.axes.map(|axis| product(axis, direction));
        let across = along[0].hypot(along[1]).max(f64::MIN_POSITIVE);
        let rim =
            |radius: f64, height| [radius * along[0] / across, radius * along[1] / across, height];
        let local = match self.solid {
            Solid::Cylinder { half, radius } => rim(radius, half.copysign(along[2])),
            Solid::Cone { half, radius } if 2.0 * half * along[2] < radius * across => {
                rim(radius, -half)
            }
            Solid::Cone { half, .. } => [0.0, 0.0, half],
            Solid::Ellipsoid { half } => {
                let reach = [0, 1, 2].map(|k| half[k] * along[k]);
                let length = product(reach, reach).sqrt().max(f64::MIN_POSITIVE);
                [0, 1, 2].map(|k| half[k] * reach[k] / length)
            }
            _ => [0.0; 3],
        };
        [0, 1, 2].map(|i| self.center[i] + (0..3).map(|k| self.axes[k][i] * local[k]).sum::<f64>())
    }

    /// A direction from the solid to points along which these are farther away than a radius, by more than rounding mostly hides.
    fn direction(&self, points: &[Point], radius: f64) -> Option<Point> {
        const STEPS: usize = 24;
        const MARGIN: f64 = 1e-9;
        let difference = |a: Point, b: Point| [0, 1, 2].map(|k| a[k] - b[k]);
        let mut nearest = difference(points[0], self.center);
        for _ in 0..STEPS {
            let lowest = points
                .iter()
                .min_by(|p, q| product(**p, nearest).total_cmp(&product(**q, nearest)))?;
            let vertex = difference(*lowest, self.farthest(nearest));
            let length = product(nearest, nearest).sqrt();
            if product(nearest, vertex) > (radius + MARGIN * (radius + length)) * length {
                return Some(nearest);
            }
            let step = difference(vertex, nearest);
            let part = (-product(nearest, step) / product(step, step)).clamp(0.0, 1.0);
            nearest = [0, 1, 2].map(|k| nearest[k] + part * step[k]);
        }
        None
    }
}

/// Whether a plane is found that parts a round solid from all points at most a radius away from the hull of some points.
pub(crate) fn is_parted(
    round: &RoundSolid,
    about: &RoundedSolid,
    points: &[&Vector],
    radius: &Dyadic,
) -> bool {
    let all: Vec<Point> = points.iter().map(|point| rounded(point)).collect();
    let Some(direction) = about.direction(&all, radius.ratio(&Dyadic::of(1.0))) else {
        return false;
    };
    let direction = vector(direction.map(|x| -x));
    let lowest = round.lowest(&direction);
    let reach = &radius.squared() * &dot(&direction, &direction);
    points.iter().all(|point| {
        let height = value(&form(&direction, point), &lowest.center);
        less_root(&height, &lowest.square).is_positive()
            && less_roots(&height, &lowest.square, &reach).is_positive()
    })
}

/// The sign of n − √a − √b, for a number n that is known to be greater than √a.
pub(crate) fn less_roots(number: &Dyadic, first: &Dyadic, second: &Dyadic) -> Sign {
    let rest = &(&number.squared() - first) - second;
    less_root(&rest, &(first * second).times_power(2))
}

fn rounded(vector: &Vector) -> Point {
    vector.each_ref().map(|x| x.ratio(&Dyadic::of(1.0)))
}

fn product(a: Point, b: Point) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}
