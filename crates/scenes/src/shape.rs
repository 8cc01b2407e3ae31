//! The table of all shapes, and the conversion of a spec to a mesh.

use std::fmt;

use xcollide_brep::PolygonMesh;

use crate::spec::Arguments;
use crate::{Parameter, ShapeError, error::excerpt};

/// Makes the shape of a spec such as `shape:sphere?faces=5000&radius=2`.
///
/// A spec is the optional prefix `shape:`, a name in [`list`], and optionally a `?` and parameters `name=value`
/// separated by `&`. The same spec gives the same mesh, bit for bit, on every platform.
///
/// ```
/// let torus = xcollide_scenes::shape("shape:torus?faces=600&tube=0.25")?;
/// assert_eq!(torus.face_count(), 600);
///
/// let refused = xcollide_scenes::shape("sphere?faces=3").unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "parameter `faces`: found 3, expected a whole number from 8 to 10000000"
/// );
/// # Ok::<(), xcollide_scenes::ShapeError>(())
/// ```
///
/// # Errors
/// An unknown name or parameter, a repeated parameter, or an invalid value. Excessive counts are rejected before
/// anything is allocated.
pub fn shape(spec: &str) -> Result<PolygonMesh, ShapeError> {
    let spec = spec.strip_prefix("shape:").unwrap_or(spec);
    let (name, parameters) = spec.split_once('?').unwrap_or((spec, ""));
    let Some(shape) = list().iter().find(|shape| shape.name == name) else {
        let names: Vec<_> = list().iter().map(|shape| shape.name).collect();
        return Err(ShapeError::UnknownShape { found: excerpt(name), expected: names.join(", ") });
    };
    (shape.build)(&Arguments::parse(shape.name, shape.parameters, parameters)?)
}

/// All shapes, ordered by name.
#[must_use]
pub fn list() -> &'static [Shape] {
    &SHAPES
}

/// A kind of shape that [`shape`](fn@shape) can make. Its `Display` is a spec with all defaults.
///
/// ```
/// let sphere = xcollide_scenes::list().iter().find(|shape| shape.name == "sphere");
/// assert_eq!(sphere.map(ToString::to_string), Some("sphere?faces=1000&radius=1".to_owned()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name in specs.
    pub name: &'static str,
    /// A description of one line.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    pub(crate) build: fn(&Arguments) -> Result<PolygonMesh, ShapeError>,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_defaults(f, self.name, self.parameters)
    }
}

pub(crate) fn write_defaults(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    parameters: &[Parameter],
) -> fmt::Result {
    f.write_str(name)?;
    for (i, parameter) in parameters.iter().enumerate() {
        let before = if i == 0 { '?' } else { '&' };
        write!(f, "{before}{}={}", parameter.name, parameter.default_text())?;
    }
    Ok(())
}

static SHAPES: [Shape; 28] = [
    crate::prism::ANTIPRISM,
    crate::cuboid::SHAPE,
    crate::capsule::SHAPE,
    crate::car::SHAPE,
    crate::cone::SHAPE,
    crate::cubes::SHAPE,
    crate::cylinder::SHAPE,
    crate::platonic::DODECAHEDRON,
    crate::frame::SHAPE,
    crate::gear::SHAPE,
    crate::height_field::SHAPE,
    crate::hyperboloid::SHAPE,
    crate::platonic::ICOSAHEDRON,
    crate::icosphere::SHAPE,
    crate::klein::SHAPE,
    crate::knot::SHAPE,
    crate::mobius::SHAPE,
    crate::platonic::OCTAHEDRON,
    crate::plane::SHAPE,
    crate::polytope::SHAPE,
    crate::prism::PRISM,
    crate::schoenhardt::SHAPE,
    crate::sheet::SHAPE,
    crate::soup::SHAPE,
    crate::sphere::SHAPE,
    crate::tetraflake::SHAPE,
    crate::platonic::TETRAHEDRON,
    crate::torus::SHAPE,
];
