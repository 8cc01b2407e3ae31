//! Cylinders and cones between the planes of their ends, as parts of endless ones.

use crate::Sign;
use crate::exact::{Dyadic, Vector, cross, minus};
use crate::quadric::{Form, Quadric, form, homogeneous, value};

/// A cylinder, or a cone with its apex at the second end.
pub(crate) struct Frustum {
    /// It goes on beyond the ends.
    pub(crate) endless: Quadric,
    /// What is not negative above the first end, and below the second one.
    pub(crate) bounds: [Form; 2],
    /// In the planes of the ends: the center and two directions. A cone has one.
    pub(crate) discs: Vec<[Form; 3]>,
    /// Whether the directions are radii.
    pub(crate) has_rims: bool,
    /// The apex of a cone; the direction of a cylinder.
    pub(crate) vertex: Form,
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
        Self {
            endless,
            bounds: [above, below],
            discs: vec![disc(low), disc(high)],
            has_rims: false,
            vertex: homogeneous(&axis, 0.0),
        }
    }

    pub(crate) fn apex(&self) -> Option<&Form> {
        (!self.vertex[3].sign().is_zero()).then_some(&self.vertex)
    }

    /// A point inside of the endless one: the center of the first end.
    pub(crate) fn middle(&self) -> &Form {
        &self.discs[0][0]
    }

    /// Whether a point is inside (negative), on the surface (zero) or outside (positive).
    pub(crate) fn side(&self, point: &Form) -> Sign {
        let bounds = self.bounds.iter().map(|bound| -value(bound, point).sign());
        bounds.fold(self.endless.side(point), Sign::max)
    }

    /// Where a plane crosses the line of the axis.
    pub(crate) fn axis_at(&self, plane: &Form) -> Option<Form> {
        let low = self.middle();
        let high = self.apex().or_else(|| self.discs.get(1).map(|disc| &disc[0]))?;
        let (of_low, of_high) = (value(plane, low), value(plane, high));
        let difference = (&of_high - &of_low).sign();
        let along = |k: usize| {
            let point = &(&of_high * &low[k]) - &(&of_low * &high[k]);
            if difference.is_negative() { -&point } else { point }
        };
        (!difference.is_zero()).then(|| [0, 1, 2, 3].map(along))
    }
}
