//! Cylinders and cones between the planes of their ends, as parts of endless ones.

use crate::Sign;
use crate::exact::{Dyadic, Vector, cross, minus};
use crate::pencil::Pencil;
use crate::quadric::{Form, Quadric, form, homogeneous, value};

/// A cylinder, or a cone with its apex at the second end.
pub(crate) struct Frustum {
    /// It goes on beyond the ends.
    pub(crate) endless: Quadric,
    /// What is not negative above the first end, and below the second one.
    pub(crate) bounds: [Form; 2],
    /// In the planes of the ends: the center and two directions. A cone has one.
    pub(crate) discs: Vec<[Form; 3]>,
    pub(crate) axis: Vector,
}

impl Frustum {
    /// All points whose foot on a segment is within it, and at most a radius away.
    pub(crate) fn about([low, high]: [&Vector; 2], radius: &Dyadic) -> Self {
        // The square of (p − low) × axis is at most radius² · |axis|².
        let axis = minus(high, low);
        let zero = || Dyadic::of(0.0);
        let [x, y, z] = &axis;
        let rows = [[zero(), -z, y.clone()], [z.clone(), zero(), -x], [-y, x.clone(), zero()]];
        let squares = rows.each_ref().map(|row| form(row, low)).into();
        let width = |x: &Dyadic| [zero(), zero(), zero(), radius * x];
        let endless = Quadric { squares, widths: axis.iter().map(width).collect() };
        let above = form(&axis, low);
        let below = form(&axis.each_ref().map(|x| -x), high);
        let across = rows.into_iter().find(|row| row.iter().any(|x| !x.sign().is_zero()));
        let across = across.unwrap_or_else(|| axis.clone());
        let other = cross(&axis, &across);
        let disc = |center: &Vector| {
            let [u, v] = [&across, &other].map(|direction| homogeneous(direction, 0.0));
            [homogeneous(center, 1.0), u, v]
        };
        Self { endless, bounds: [above, below], discs: vec![disc(low), disc(high)], axis }
    }

    /// How two cylinders along the same direction lie to each other, if both have parallel ends: positive if they are apart, zero if
    /// they touch, negative if their interiors meet. `None` for others.
    pub(crate) fn parallel_gap(&self, other: &Self) -> Option<Sign> {
        let normal = |frustum: &Self| {
            let [x, y, z, _] = frustum.bounds[0].clone();
            [x, y, z]
        };
        let is_parallel = |a: &Vector, b: &Vector| cross(a, b).iter().all(|x| x.sign().is_zero());
        let [columns, _] = &self.discs[..] else { return None };
        let [low, high] = &other.discs[..] else { return None };
        if !is_parallel(&self.axis, &other.axis) || !is_parallel(&normal(self), &normal(other)) {
            return None;
        }
        // Along the axis, and across.
        let along = self
            .bounds
            .iter()
            .map(|bound| -value(bound, &low[0]).sign().max(value(bound, &high[0]).sign()));
        let across = Pencil::new(&self.endless.along(columns), &other.endless.along(columns));
        Some(along.fold(across.sign(), Sign::max))
    }
}
