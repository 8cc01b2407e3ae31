//! Cylinders, cones and ellipsoids that are moved without rounding: how they lie to triangles, and what is in them.
//!
//! # Triangles
//!
//! An ellipsoid becomes a ball if its axes are stretched, so that a squared distance decides. Of a cylinder or cone, let P be the part
//! of the triangle between the planes of its ends: a convex polygon. It meets the solid if a corner is in it, or an edge meets it,
//! or the section of the solid is inside of P. Then the section is bounded, so that it contains the point in which the axis
//! crosses the plane of the triangle. On an edge, the quadratic function is a polynomial of degree two.

use crate::exact::{Dyadic, Vector, cross, dot};
use crate::frustum::Frustum;
use crate::moved_solid::less_root;
use crate::quadric::{Form, Quadric, form, homogeneous, linear, unit_circle, value, world};
use crate::triangle_part::{Line, Polygon};
use crate::within::gap_sign;
use crate::{MovedSolid, Sign, Solid};

/// A point at a vector `across` divided by the root of `square` below a center; at the center, if that is zero.
pub(crate) struct Lowest {
    pub(crate) center: Form,
    pub(crate) across: Vector,
    pub(crate) square: Dyadic,
}

/// A moved cylinder, cone or ellipsoid.
#[derive(Clone, Debug)]
pub(crate) struct RoundSolid {
    solid: Solid,
    center: Vector,
    /// The images of the axes.
    axes: [Vector; 3],
    /// The coordinates in the frame are products with these, divided by the determinant.
    rows: [Vector; 3],
    determinant: Dyadic,
}

impl RoundSolid {
    /// `None` for other solids, and if the matrix has no inverse.
    pub(crate) fn of(moved: &MovedSolid) -> Option<Self> {
        let solid = moved.solid;
        if !matches!(solid, Solid::Cylinder { .. } | Solid::Cone { .. } | Solid::Ellipsoid { .. }) {
            return None;
        }
        let axes = [0, 1, 2].map(|k| moved.matrix.map(|row| Dyadic::of(row[k])));
        let [u, v, w] = &axes;
        let mut rows = [cross(v, w), cross(w, u), cross(u, v)];
        let mut determinant = dot(&rows[0], u);
        match determinant.sign() {
            Sign::Zero => return None,
            Sign::Positive => {}
            Sign::Negative => {
                determinant = -&determinant;
                rows = rows.map(|row| row.map(|x| -&x));
            }
        }
        Some(Self { solid, center: moved.center(), axes, rows, determinant })
    }

    pub(crate) fn solid(&self) -> Solid {
        self.solid
    }

    pub(crate) fn center(&self) -> &Vector {
        &self.center
    }

    /// The images of the axes.
    pub(crate) fn axes(&self) -> &[Vector; 3] {
        &self.axes
    }

    /// A coordinate in the frame, times the determinant.
    fn local(&self, axis: usize) -> Form {
        form(&self.rows[axis], &self.center)
    }

    fn scaled(&self, length: f64) -> Dyadic {
        &Dyadic::of(length) * &self.determinant
    }

    /// What is not negative between the planes of the ends: from the lower one, and from the upper one.
    pub(crate) fn bounds(&self) -> Vec<Form> {
        let (Solid::Cylinder { half, .. } | Solid::Cone { half, .. }) = self.solid else {
            return Vec::new();
        };
        let (height, half) = (self.local(2), self.scaled(half));
        let mut above = height.clone();
        above[3] = &above[3] + &half;
        let mut below = height.map(|x| -&x);
        below[3] = &below[3] + &half;
        vec![above, below]
    }

    /// All points of a cylinder or cone that goes on beyond its ends, or of an ellipsoid.
    pub(crate) fn quadric(&self) -> Quadric {
        let (zero, of) = (|| Dyadic::of(0.0), Dyadic::of);
        let times = |form: Form, number: &Dyadic| form.map(|x| &x * number);
        match self.solid {
            Solid::Cone { half, radius } => {
                // At the height z the radius is radius · (half − z) / (2 · half).
                let [_, below] = &self.bounds()[..] else { return self.nothing() };
                let squares = [0, 1].map(|k| times(self.local(k), &of(2.0 * half)));
                Quadric { squares: squares.into(), widths: vec![times(below.clone(), &of(radius))] }
            }
            Solid::Cylinder { radius, .. } => Quadric {
                squares: [0, 1].map(|k| self.local(k)).into(),
                widths: vec![[zero(), zero(), zero(), self.scaled(radius)]],
            },
            Solid::Ellipsoid { half: [a, b, c] } => {
                let product = |x: f64, y: f64| &of(x) * &of(y);
                let factors = [product(b, c), product(c, a), product(a, b)];
                let squares = [0, 1, 2].map(|k| times(self.local(k), &factors[k]));
                let width = &product(a, b) * &self.scaled(c);
                Quadric { squares: squares.into(), widths: vec![[zero(), zero(), zero(), width]] }
            }
            _ => self.nothing(),
        }
    }

    fn nothing(&self) -> Quadric {
        Quadric::ball(&self.center, &Dyadic::of(0.0))
    }

    /// How it lies to a triangle: positive if they are apart, zero if the triangle touches the surface only, negative if it reaches into
    /// the interior.
    pub(crate) fn triangle_gap(&self, triangle: &[Vector; 3]) -> Sign {
        let corners = triangle.each_ref().map(|corner| homogeneous(corner, 1.0));
        let values = |form: &Form| -> Line { corners.each_ref().map(|corner| value(form, corner)) };
        let quadric = self.quadric();
        let squares: Vec<Line> = quadric.squares.iter().map(values).collect();
        let Some(width) = quadric.widths.first().map(values) else { return Sign::Positive };
        let (x, y) = match &squares[..] {
            [x, y, z] => {
                let stretched = [0, 1, 2].map(|i| [x, y, z].map(|values| values[i].clone()));
                let origin = [(); 3].map(|()| Dyadic::of(0.0));
                let center = [origin.clone(), origin.clone(), origin];
                return gap_sign(&center, &stretched, &width[0].squared(), Sign::Negative);
            }
            [x, y] => (x, y),
            _ => return Sign::Positive,
        };
        let bounds: Vec<Line> = self.bounds().iter().map(values).collect();
        let part = bounds.iter().fold(Polygon::whole(), |part, bound| part.clipped(bound));
        if part.vertices().is_empty() {
            return Sign::Positive;
        }
        let place = |vertex: &Line| [x, y, &width].map(|line| dot(line, vertex));
        let places: Vec<Vector> = part.vertices().iter().map(place).collect();
        let mut sign = border_gap(&places);
        if let Some(crossing) = within(cross(x, y), &bounds) {
            sign = sign.min(-dot(&width, &crossing).sign());
        }
        // All of the part may be in the plane of an end.
        let middle = part.middle();
        let is_between = bounds.iter().all(|bound| dot(bound, &middle).sign().is_positive());
        if is_between { sign } else { sign.max(Sign::Zero) }
    }

    /// The discs and points whose hull it is; an ellipsoid as it is.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let along =
            |axis: usize, length: f64| self.axes[axis].each_ref().map(|x| &Dyadic::of(length) * x);
        let end = |half: f64| {
            let axis = along(2, half);
            homogeneous(&[0, 1, 2].map(|k| &self.center[k] + &axis[k]), 1.0)
        };
        let disc = |half: f64, radius: f64| {
            let [u, v] = [0, 1].map(|axis| homogeneous(&along(axis, radius), 0.0));
            Piece::Disc(Box::new([end(half), u, v]))
        };
        match self.solid {
            Solid::Cylinder { half, radius } => vec![disc(-half, radius), disc(half, radius)],
            Solid::Cone { half, radius } => vec![disc(-half, radius), Piece::Point(end(half))],
            _ => vec![Piece::Round(self.quadric())],
        }
    }

    /// The point that is lowest along a direction.
    pub(crate) fn lowest(&self, direction: &Vector) -> Lowest {
        let heights = self.axes.each_ref().map(|axis| dot(direction, axis));
        let end = |half: f64| {
            let axis = self.axes[2].each_ref().map(|x| &Dyadic::of(half) * x);
            homogeneous(&[0, 1, 2].map(|k| &self.center[k] + &axis[k]), 1.0)
        };
        // The sum of the axes times their heights and the squares of their lengths.
        let point = |center: Form, lengths: [f64; 3]| {
            let squares = lengths.map(|length| Dyadic::of(length).squared());
            let weights = [0, 1, 2].map(|k| &squares[k] * &heights[k]);
            let across =
                [0, 1, 2].map(|k| dot(&weights, &self.axes.each_ref().map(|axis| axis[k].clone())));
            Lowest { center, across, square: dot(&weights, &heights) }
        };
        let up = heights[2].sign();
        match self.solid {
            Solid::Cylinder { half, radius } => {
                point(end(if up.is_negative() { half } else { -half }), [radius, radius, 0.0])
            }
            Solid::Cone { half, radius } => {
                let of_base = point(end(-half), [radius, radius, 0.0]);
                // How much higher the center of the base is than the apex.
                let above = -&(&heights[2] * &Dyadic::of(2.0 * half));
                if less_root(&above, &of_base.square).is_positive() {
                    point(end(half), [0.0; 3])
                } else {
                    of_base
                }
            }
            Solid::Ellipsoid { half } => point(end(0.0), half),
            _ => point(end(0.0), [0.0; 3]),
        }
    }

    /// No point is farther from the center.
    pub(crate) fn extent(&self) -> f64 {
        /// More than all rounding.
        const LONGER: f64 = 1.00001;
        let lengths = match self.solid {
            Solid::Cylinder { half, radius } | Solid::Cone { half, radius } => {
                [radius, radius, half]
            }
            Solid::Ellipsoid { half } => half,
            _ => [0.0; 3],
        };
        let longest = |axis: &Vector| dot(axis, axis).ratio(&Dyadic::of(1.0)).sqrt();
        LONGER * (0..3).map(|k| lengths[k] * longest(&self.axes[k])).sum::<f64>()
    }

    /// A cylinder or cone as a part of an endless one.
    pub(crate) fn frustum(&self) -> Option<Frustum> {
        let [above, below] = &self.bounds()[..] else { return None };
        let (mut discs, mut vertex) = (Vec::new(), homogeneous(&self.axes[2], 0.0));
        for piece in self.pieces() {
            match piece {
                Piece::Disc(columns) => discs.push(*columns),
                Piece::Point(apex) => vertex = apex,
                Piece::Round(_) => {}
            }
        }
        let bounds = [above.clone(), below.clone()];
        Some(Frustum { endless: self.quadric(), bounds, discs, has_rims: true, vertex })
    }

    /// Whether a piece is in the closed solid.
    pub(crate) fn holds(&self, piece: &Piece) -> bool {
        self.bounds().iter().all(|bound| piece.is_above(bound)) && piece.is_in(&self.quadric())
    }
}

/// How the border of a convex polygon lies to all points with x² + y² ≤ w², where w is not negative at its corners.
fn border_gap(corners: &[Vector]) -> Sign {
    let product = |[x, y, w]: &Vector, [u, v, t]: &Vector| &(&(x * u) + &(y * v)) - &(w * t);
    let mut least = Sign::Positive;
    for (i, here) in corners.iter().enumerate() {
        let next = &corners[(i + 1) % corners.len()];
        let (at, to, between) = (product(here, here), product(next, next), product(here, next));
        least = least.min(at.sign());
        if !least.is_negative() && !to.sign().is_negative() && between.sign().is_negative() {
            // at · s² + 2 between · s t + to · t² for s and t from 0.
            least = least.min((&(&at * &to) - &between.squared()).sign());
        }
    }
    least
}

/// A point in barycentric coordinates, if it is in the triangle and not below the bounds.
fn within(point: Line, bounds: &[Line]) -> Option<Line> {
    let is_negative = point.iter().any(|x| x.sign().is_negative());
    let point = if is_negative { point.map(|x| -&x) } else { point };
    let is_inside = point.iter().any(|x| x.sign().is_positive())
        && point
            .iter()
            .chain(bounds.iter().map(|bound| dot(bound, &point)).collect::<Vec<_>>().iter())
            .all(|x| !x.sign().is_negative());
    is_inside.then_some(point)
}

/// A convex set that is a part of a body.
pub(crate) enum Piece {
    Point(Form),
    /// A disc by its center and two radii: an ellipse, if they are not perpendicular.
    Disc(Box<[Form; 3]>),
    /// A ball or an ellipsoid.
    Round(Quadric),
}

impl Piece {
    /// Whether a linear function is nowhere negative.
    pub(crate) fn is_above(&self, bound: &Form) -> bool {
        let lowest = |inner, columns: &[Form]| {
            crate::pencil::Pencil::new(&linear(bound, columns), inner).sign()
        };
        let sign = match self {
            Self::Point(point) => value(bound, point).sign(),
            Self::Disc(columns) => lowest(&unit_circle(), &**columns),
            Self::Round(quadric) => lowest(&quadric.matrix(), &world()),
        };
        !sign.is_negative()
    }

    /// Whether the function of a quadric is nowhere positive.
    pub(crate) fn is_in(&self, quadric: &Quadric) -> bool {
        match self {
            Self::Point(point) => !quadric.side(point).is_positive(),
            Self::Disc(columns) => quadric.holds(&unit_circle(), &**columns),
            Self::Round(inner) => quadric.holds(&inner.matrix(), &world()),
        }
    }
}
