//! Bodies by formulas, by name.

use std::fmt;

use xcollide_brep::{ConvexHull, PolygonMesh};

use crate::spec::Arguments;
use crate::{Parameter, ShapeError, error::excerpt, shape};

/// A body that is given by a formula: centered at the origin, its axis along z.
///
/// ```
/// use xcollide_scenes::Formula;
///
/// let can = Formula::new("formula:cylinder?radius=0.5&height=2")?;
/// assert_eq!(can, Formula::Cylinder { radius: 0.5, height: 2.0 });
/// assert!(can.drawing()?.face_count() > 64, "only to look at");
/// # Ok::<(), xcollide_scenes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Formula {
    /// All points at most `radius` away from the origin.
    Ball {
        /// The radius.
        radius: f64,
    },
    /// All points at most `radius` away from a segment.
    Capsule {
        /// The radius.
        radius: f64,
        /// Of the segment.
        length: f64,
    },
    /// A box of this size.
    Box {
        /// The lengths of its edges.
        size: [f64; 3],
    },
    /// A cylinder.
    Cylinder {
        /// Of the discs.
        radius: f64,
        /// From disc to disc.
        height: f64,
    },
    /// A cone with its apex upwards.
    Cone {
        /// Of the base.
        radius: f64,
        /// From base to apex.
        height: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Its half axes.
        half: [f64; 3],
    },
    /// A box, and all points at most `radius` away from it.
    RoundedBox {
        /// The lengths of the edges of the box, to which the radius is added on all sides.
        size: [f64; 3],
        /// The radius.
        radius: f64,
    },
    /// All points with z ≤ 0.
    HalfSpace,
}

const RADIUS: Parameter = Parameter::number("radius", "in units of length", [1.0, LEAST, MOST]);
const HEIGHT: Parameter = Parameter::number("height", "along z", [2.0, LEAST, MOST]);
const LENGTH: Parameter = Parameter::number("length", "of the segment", [2.0, LEAST, MOST]);
const SIZE: [Parameter; 3] = [
    Parameter::number("x", "length along x", [2.0, LEAST, MOST]),
    Parameter::number("y", "length along y", [2.0, LEAST, MOST]),
    Parameter::number("z", "length along z", [2.0, LEAST, MOST]),
];
const ROUNDING: Parameter =
    Parameter::number("radius", "added on all sides of the box", [0.25, LEAST, MOST]);
/// The range of lengths for which bounds on rounding hold, with room.
const LEAST: f64 = 1e-50;
const MOST: f64 = 1e50;

/// The kinds with their parameters.
static KINDS: [(&str, &[Parameter]); 8] = [
    ("ball", &[RADIUS]),
    ("box", &SIZE),
    ("capsule", &[RADIUS, LENGTH]),
    ("cone", &[RADIUS, HEIGHT]),
    ("cylinder", &[RADIUS, HEIGHT]),
    ("ellipsoid", &SIZE),
    ("half-space", &[]),
    ("rounded-box", &[SIZE[0], SIZE[1], SIZE[2], ROUNDING]),
];

impl Formula {
    /// What a spec begins with.
    pub const PREFIX: &'static str = "formula:";

    /// The body of a spec such as `formula:cylinder?radius=0.5&height=2`: the prefix, `ball`, `box`, `capsule`, `cone`,
    /// `cylinder`, `ellipsoid`, `half-space` or `rounded-box`, and parameters as of a [`shape`](fn@shape).
    ///
    /// # Errors
    /// An unknown name or parameter, or an invalid value.
    pub fn new(spec: &str) -> Result<Self, ShapeError> {
        let spec = spec.strip_prefix(Self::PREFIX).unwrap_or(spec);
        let (name, parameters) = spec.split_once('?').unwrap_or((spec, ""));
        let Some(&(kind, known)) = KINDS.iter().find(|(kind, _)| *kind == name) else {
            let names: Vec<_> = KINDS.iter().map(|(kind, _)| *kind).collect();
            let (found, expected) = (excerpt(name), names.join(", "));
            return Err(ShapeError::UnknownShape { found, expected });
        };
        let given = Arguments::parse(kind, known, parameters)?;
        let [x, y, z] = &SIZE;
        Ok(match kind {
            "ball" => Self::Ball { radius: given.number(&RADIUS) },
            "capsule" => {
                Self::Capsule { radius: given.number(&RADIUS), length: given.number(&LENGTH) }
            }
            "box" => Self::Box { size: given.numbers([x, y, z]) },
            "cylinder" => {
                Self::Cylinder { radius: given.number(&RADIUS), height: given.number(&HEIGHT) }
            }
            "cone" => Self::Cone { radius: given.number(&RADIUS), height: given.number(&HEIGHT) },
            "ellipsoid" => Self::Ellipsoid { half: given.numbers([x, y, z]).map(|x| 0.5 * x) },
            "rounded-box" => {
                Self::RoundedBox { size: given.numbers([x, y, z]), radius: given.number(&ROUNDING) }
            }
            _ => Self::HalfSpace,
        })
    }

    /// All kinds as specs with their defaults.
    pub fn specs() -> impl Iterator<Item = String> {
        KINDS.iter().map(|(kind, parameters)| {
            let values = parameters.iter().map(|p| format!("{}={}", p.name, p.default_text()));
            let values: Vec<_> = values.collect();
            let mark = if values.is_empty() { "" } else { "?" };
            format!("{}{kind}{mark}{}", Self::PREFIX, values.join("&"))
        })
    }

    /// A mesh to draw the body by, inscribed. A half space is a square of 20 units.
    ///
    /// # Errors
    /// A length is beyond the range of meshes.
    pub fn drawing(&self) -> Result<PolygonMesh, ShapeError> {
        match *self {
            Self::Ball { radius } => shape(&format!("icosphere?frequency=12&radius={radius:?}")),
            Self::Capsule { radius, length } => {
                shape(&format!("capsule?sides=48&radius={radius:?}&length={length:?}"))
            }
            Self::Box { size: [x, y, z] } => shape(&format!("box?x={x:?}&y={y:?}&z={z:?}")),
            Self::Cylinder { radius, height } => {
                shape(&format!("prism?sides=64&radius={radius:?}&height={height:?}"))
            }
            Self::Cone { radius, height } => {
                shape(&format!("cone?faces=65&radius={radius:?}&height={height:?}"))
            }
            Self::Ellipsoid { half } => {
                let ball = shape("icosphere?frequency=12")?;
                Ok(crate::stretch::stretched(&ball, [0.0; 3], half)?)
            }
            Self::RoundedBox { size, radius } => {
                let corner = |i: usize| {
                    [0, 1, 2].map(|k| size[k] * if i >> k & 1 == 0 { -0.5 } else { 0.5 })
                };
                rounded_hull(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner), radius)
            }
            Self::HalfSpace => Ok(PolygonMesh::from_polygons(
                vec![
                    [-10.0, -10.0, 0.0],
                    [10.0, -10.0, 0.0],
                    [10.0, 10.0, 0.0],
                    [-10.0, 10.0, 0.0],
                ],
                [[0, 1, 2, 3]],
            )?),
        }
    }
}

/// A mesh to draw by the hull of points and all that is at most `radius` away from it, inscribed. Expected O(n log n) for n
/// points; there must be one.
///
/// # Errors
/// No point, a coordinate that is not finite, or a radius beyond the range of meshes.
pub fn rounded_hull(points: &[[f64; 3]], radius: f64) -> Result<PolygonMesh, ShapeError> {
    let ball = shape(&format!("icosphere?frequency=4&radius={radius:?}"))?;
    let around = |&p: &[f64; 3]| {
        let moved = move |q: &[f64; 3]| [0, 1, 2].map(|k| p[k] + q[k]);
        ball.positions().iter().map(moved).collect::<Vec<_>>()
    };
    let all: Vec<_> = points.iter().flat_map(around).collect();
    Ok(ConvexHull::of(&all)?.into_mesh())
}

/// A spec, from which [`Formula::new`] makes the same body.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::PREFIX)?;
        match self {
            Self::Ball { radius } => write!(f, "ball?radius={radius:?}"),
            Self::Capsule { radius, length } => {
                write!(f, "capsule?radius={radius:?}&length={length:?}")
            }
            Self::Box { size: [x, y, z] } => write!(f, "box?x={x:?}&y={y:?}&z={z:?}"),
            Self::Cylinder { radius, height } => {
                write!(f, "cylinder?radius={radius:?}&height={height:?}")
            }
            Self::Cone { radius, height } => write!(f, "cone?radius={radius:?}&height={height:?}"),
            Self::Ellipsoid { half } => {
                let [x, y, z] = half.map(|half| 2.0 * half);
                write!(f, "ellipsoid?x={x:?}&y={y:?}&z={z:?}")
            }
            Self::RoundedBox { size: [x, y, z], radius } => {
                write!(f, "rounded-box?x={x:?}&y={y:?}&z={z:?}&radius={radius:?}")
            }
            Self::HalfSpace => f.write_str("half-space"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_name_all_kinds_and_all_can_be_drawn() -> Result<(), ShapeError> {
        assert_eq!(Formula::specs().count(), KINDS.len());
        for spec in Formula::specs() {
            let formula = Formula::new(&spec)?;
            assert!(formula.drawing()?.face_count() > 0, "{spec}");
            assert_eq!(Formula::new(&formula.to_string())?, formula);
        }
        let half = [0.5, 1.0, 1.5];
        assert_eq!(Formula::new("formula:ellipsoid?x=1&y=2&z=3")?, Formula::Ellipsoid { half });
        Ok(())
    }

    #[test]
    fn rounded_boxes_are_drawn_as_large_as_they_are() -> Result<(), ShapeError> {
        let drawn = Formula::new("formula:rounded-box?x=1&y=2&z=3&radius=0.5")?.drawing()?;
        for (axis, half) in [1.0, 1.5, 2.0].into_iter().enumerate() {
            let reach = drawn.positions().iter().map(|p| p[axis].abs()).fold(0.0, f64::max);
            assert!((reach - half).abs() < 0.01 * half, "{reach} along axis {axis}");
        }
        Ok(())
    }

    #[test]
    fn wrong_specs_are_refused() {
        for (spec, expected) in [
            ("formula:sphere", "`sphere` is unknown, expected one of: ball, box,"),
            ("formula:ball?radius=0", "parameter `radius`: found 0"),
            ("formula:rounded-box?radius=0", "parameter `radius`: found 0"),
            ("formula:half-space?z=1", "there is no parameter `z`"),
        ] {
            let message = Formula::new(spec).map_err(|error| error.to_string());
            assert!(message.as_ref().is_err_and(|text| text.contains(expected)), "{message:?}");
        }
    }
}
