//! The atoms of bodies.

use xcollide_convex::Polytope;
use xcollide_convex::shape::Core;
use xcollide_math::vector::{dot, length, scale};
use xcollide_predicates::Point;

use super::atom::{Atom, Rounded};
use super::quadric::{Polynomial, Quadric};
use crate::Formula;
use crate::volume::inscribed::Frame;
use crate::volume::number::{inverse, rounded};

/// Where less of a body is between the origin and its surface, in parts of its size, gauges are known badly.
const LEAST: f64 = 1.0 / 64.0;

/// A body about the origin, with coordinates in parts of some sizes.
pub(super) struct Body {
    pub(super) atoms: Vec<Atom>,
    /// What is rounded, in parts of the gauge.
    pub(super) error: f64,
}

/// How far a body is from its center along the axes, about.
pub(super) fn extents(formula: &Formula, frame: &Frame) -> Option<[f64; 3]> {
    let shape = formula.shape()?;
    let radius = shape.radius();
    let half = match (formula, shape.core()) {
        (Formula::Rounded(shape), _) => {
            let polytope = shape.polytope();
            let center = polytope.centroid();
            let far = |k: usize| polytope.positions().iter().map(move |p| (p[k] - center[k]).abs());
            [0, 1, 2].map(|k| far(k).fold(0.0, f64::max))
        }
        (_, Core::Point) => [0.0; 3],
        (_, Core::Segment { half }) => [0.0, 0.0, half],
        (_, Core::Cuboid { half } | Core::Ellipsoid { half }) => half,
        (_, Core::Cylinder { half, radius } | Core::Cone { half, radius }) => {
            [radius, radius, half]
        }
        _ => return None,
    };
    Some(frame.matrix().map(|row| dot(row.map(f64::abs), half) + radius))
}

/// The same sizes along all axes if a body has a radius, so that spheres stay spheres.
pub(super) fn even_sizes<const N: usize>(sizes: [f64; 3], formulas: [&Formula; N]) -> [f64; 3] {
    let has_radius = |formula: &Formula| formula.shape().is_some_and(|s| s.radius() > 0.0);
    if formulas.into_iter().any(has_radius) {
        [sizes.into_iter().fold(0.0, f64::max); 3]
    } else {
        sizes
    }
}

/// Whether a body has no curved surface.
pub(super) fn is_flat(formula: &Formula) -> bool {
    let Some(shape) = formula.shape() else { return true };
    let has_corners = matches!(shape.core(), Core::Cuboid { .. });
    shape.radius() == 0.0 && (has_corners || matches!(formula, Formula::Rounded(_)))
}

/// A point well inside of a body.
pub(super) fn center(formula: &Formula) -> Option<Point> {
    Some(match (formula, formula.shape()?.core()) {
        (Formula::Rounded(shape), _) => shape.polytope().centroid(),
        (_, Core::Cone { half, .. }) => [0.0, 0.0, -0.5 * half],
        _ => [0.0; 3],
    })
}

impl Body {
    /// `None` if the origin is not well inside, or the body has no volume.
    pub(super) fn new(formula: &Formula, frame: &Frame, sizes: [f64; 3]) -> Option<Self> {
        let shape = formula.shape()?;
        let radius = shape.radius();
        let core = shape.core();
        let place = |p: [f64; 3]| scale(rounded(&frame.at(p)), 1.0 / sizes[0]);
        match (formula, core) {
            (Formula::Rounded(shape), _) => match shape.polytope().positions() {
                [] => None,
                [point] => Self::sharp(Core::Point, &Frame::ball(frame.at(*point), radius), sizes),
                positions => {
                    let positions: Vec<_> = positions.iter().map(|p| place(*p)).collect();
                    Self::with_radius(&positions, Some(shape.polytope()), radius / sizes[0])
                }
            },
            (_, Core::Segment { half }) => {
                let ends = [-half, half].map(|z| place([0.0, 0.0, z]));
                Self::with_radius(&ends, None, radius / sizes[0])
            }
            (_, Core::Point) => Self::sharp(core, &Frame::ball(frame.at([0.0; 3]), radius), sizes),
            (_, Core::Cuboid { half } | Core::Ellipsoid { half }) => {
                Self::sharp(core, &frame.scaled(half), sizes)
            }
            (_, Core::Cylinder { half, radius } | Core::Cone { half, radius }) => {
                Self::sharp(core, &frame.scaled([radius, radius, half]), sizes)
            }
            _ => None,
        }
    }

    fn with_radius(
        positions: &[[f64; 3]],
        polytope: Option<&Polytope>,
        radius: f64,
    ) -> Option<Self> {
        let facets = polytope.map_or(Vec::new(), |polytope| polytope.facets().collect());
        let (rounded, error) = Rounded::new(positions, &facets, radius)?;
        let is_inside = rounded.depth > LEAST * radius;
        is_inside
            .then(|| Self { error: error / rounded.depth, atoms: vec![Atom::Rounded(rounded)] })
    }

    /// What is bounded by quadrics and planes, as a frame maps it from the size 1.
    fn sharp(core: Core, frame: &Frame, sizes: [f64; 3]) -> Option<Self> {
        let back = inverse(&frame.matrix()).each_ref().map(rounded);
        let center = frame.center();
        // The coordinates before that, as a linear function and a number.
        let line = |k: usize| ([0, 1, 2].map(|i| back[k][i] * sizes[i]), -dot(back[k], center));
        let mut atoms = Vec::new();
        // How far inside the origin is, about.
        let mut depth = f64::INFINITY;
        let ends: &[(usize, f64)] = match core {
            Core::Cuboid { .. } => &[(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)],
            Core::Cylinder { .. } => &[(2, 1.0), (2, -1.0)],
            Core::Cone { .. } => &[(2, -1.0)],
            _ => &[],
        };
        for &(k, way) in ends {
            let (a, e) = line(k);
            let level = 1.0 - way * e;
            depth = depth.min(level);
            atoms.push(Atom::Quadric(Quadric::plane(scale(a, way), level)));
        }
        let disc = |constant: f64| Polynomial::of(constant).with(1.0, line(0)).with(1.0, line(1));
        let polynomial = match core {
            Core::Cuboid { .. } => None,
            Core::Cylinder { .. } => Some(disc(-1.0)),
            Core::Cone { .. } => {
                // At a height z the radius is (1 − z)/2.
                let (a, e) = line(2);
                Some(disc(0.0).with(-1.0, (scale(a, -0.5), 0.5 - 0.5 * e)))
            }
            _ => Some(disc(-1.0).with(1.0, line(2))),
        };
        if let Some(polynomial) = polynomial {
            depth = depth.min(-polynomial.at_origin());
            atoms.push(Atom::Quadric(Quadric::around_origin(polynomial)));
        }
        // What is rounded far away moves a thin body by more of its thickness.
        let columns = [0, 1, 2].map(|k| length(frame.matrix().map(|row| row[k])));
        let far = length(center) + length(columns);
        let thin = back.into_iter().map(length).fold(0.0, f64::max);
        let error = 64.0 * f64::EPSILON * (1.0 + far * thin) / depth;
        (depth > LEAST).then_some(Self { atoms, error })
    }
}
