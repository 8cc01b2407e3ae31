//! The collision geometries of a link.
//!
//! Spheres, cylinders and capsules are formulas, with circumscribed polyhedra to draw them by. Boxes are meshes,
//! which are exact.

use xcollide_brep::PolygonMesh;

use super::RobotError;
use super::joints::pose;
use super::urdf::{Geometry, Link, UrdfFile};
use crate::error::excerpt;
use crate::message_number::number;
use crate::stretch::stretched;
use crate::{Formula, MeshSource, Placement, SceneFiles, shape};

const SPHERE: &str = "shape:icosphere?frequency=12";
const CYLINDER: &str = "shape:prism?sides=64&height=1";

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solid {
    /// Its pose in the frame of its link.
    pub(super) origin: Placement,
    /// A spec or path.
    pub(super) mesh: String,
    pub(super) stretch: [f64; 3],
    /// If the mesh only draws it.
    pub(super) formula: Option<Formula>,
    pub(super) color: Option<[f64; 3]>,
}

pub(super) fn solids(
    robot_file: &UrdfFile<'_>,
    link: &Link,
    urdf: &str,
    files: &mut dyn SceneFiles,
) -> Result<Vec<Solid>, RobotError> {
    let mut solids = Vec::with_capacity(link.collisions.len());
    for collision in &link.collisions {
        let origin = pose(&collision.origin)
            .map_err(|found| robot_file.wrong_link(link, found, "a number from -1e9 to 1e9"))?;
        let (mesh, stretch) = mesh(robot_file, link, &collision.geometry, urdf, files)?;
        let formula = formula(&collision.geometry);
        solids.push(Solid { origin, mesh, stretch, formula, color: link.color });
    }
    Ok(solids)
}

impl Solid {
    /// Makes or reads the mesh. Messages continue "which", as those of [`SceneFiles`].
    pub(super) fn load(&self, files: &mut dyn SceneFiles) -> Result<PolygonMesh, String> {
        let refused = |error: crate::ShapeError| format!("cannot be made: {error}");
        let mesh = match MeshSource::from(self.mesh.as_str()) {
            MeshSource::Shape(spec) => shape(&spec).map_err(refused)?,
            MeshSource::File(_) | MeshSource::HeightField(_) => files.mesh(&self.mesh)?,
        };
        if mesh.face_count() == 0 {
            return Err("has no faces".to_owned());
        }
        stretched(&mesh, [0.0; 3], self.stretch).map_err(|error| refused(error.into()))
    }
}

/// The formula of a round geometry.
fn formula(geometry: &Geometry) -> Option<Formula> {
    match *geometry {
        Geometry::Sphere { radius } => Some(Formula::Ball { radius }),
        Geometry::Cylinder { radius, length: height } => Some(Formula::Cylinder { radius, height }),
        Geometry::Capsule { radius, length } => Some(Formula::Capsule { radius, length }),
        Geometry::Box { .. } | Geometry::Mesh { .. } => None,
    }
}

/// The spec or path of a geometry's mesh, and its scale.
fn mesh(
    robot_file: &UrdfFile<'_>,
    link: &Link,
    geometry: &Geometry,
    urdf: &str,
    files: &mut dyn SceneFiles,
) -> Result<(String, [f64; 3]), RobotError> {
    let length = |what: &str, value: f64| {
        if (1e-9..=1e9).contains(&value) {
            return Ok(value);
        }
        let found = format!("a {what} of {}", number(value));
        Err(robot_file.wrong_link(link, found, "a length from 1e-9 to 1e9"))
    };
    match geometry {
        Geometry::Box { size } => {
            let [x, y, z] = *size;
            let stretch = [length("size", x)?, length("size", y)?, length("size", z)?];
            Ok(("shape:box?x=1&y=1&z=1".to_owned(), stretch))
        }
        Geometry::Sphere { radius } => {
            let radius = length("radius", *radius)? * around(SPHERE, 0.0);
            Ok((SPHERE.to_owned(), [radius; 3]))
        }
        Geometry::Cylinder { radius, length: height } => {
            let radius = length("radius", *radius)? / libm::cos(core::f64::consts::PI / 64.0);
            // Slightly more than the rounding errors.
            let radius = radius * (1.0 + 4.0 * f64::EPSILON);
            Ok((CYLINDER.to_owned(), [radius, radius, length("length", *height)?]))
        }
        Geometry::Capsule { radius, length: height } => {
            let (radius, height) = (length("radius", *radius)?, length("length", *height)?);
            let radius = radius * around(&capsule(1.0, 1.0), 0.5);
            Ok((capsule(radius, height), [1.0; 3]))
        }
        Geometry::Mesh { filename, scale } => {
            if let Some(factor) = scale.iter().find(|f| !(1e-9..=1e9).contains(&f.abs())) {
                let found = format!("a mesh enlarged by {}", number(*factor));
                return Err(robot_file.wrong_link(
                    link,
                    found,
                    "a factor from 1e-9 to 1e9, or below 0",
                ));
            }
            let wrong = |problem: String| {
                let found = format!("the mesh `{}`, which {problem}", excerpt(filename));
                robot_file.wrong_link(link, found, "a mesh as OBJ, STL, PLY, OFF or glTF")
            };
            let ending = filename.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
            if ending.as_deref() == Some("dae") {
                return Err(wrong("is COLLADA and must be converted".to_owned()));
            }
            Ok((files.mesh_of_robot(filename, urdf).map_err(wrong)?, *scale))
        }
    }
}

fn capsule(radius: f64, length: f64) -> String {
    format!("shape:capsule?sides=48&radius={radius:?}&length={length:?}")
}

/// The scale at which a convex polyhedron, with corners at distance 1 from the segment along z from `-half` to
/// `half`, contains all points at distance 1 from it.
fn around(spec: &str, half: f64) -> f64 {
    // Only the specs above occur.
    let within = shape(spec).map_or(1.0, |mesh| within(&mesh, half));
    // Slightly more than the rounding errors.
    (1.0 + 16.0 * f64::EPSILON) / within
}

/// The least distance between the segment and the planes of the faces.
fn within(mesh: &PolygonMesh, half: f64) -> f64 {
    let mut least = f64::INFINITY;
    for face in mesh.faces() {
        let corners: Vec<[f64; 3]> = face.outer().iter().map(|&v| mesh.position(v)).collect();
        let n = normal(&corners);
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let along = |p: [f64; 3]| (n[0] * p[0] + n[1] * p[1] + n[2] * p[2]) / length;
        let plane = corners.iter().copied().map(along).fold(f64::INFINITY, f64::min);
        least = least.min(plane - (n[2] / length).abs() * half);
    }
    least
}

fn normal(corners: &[[f64; 3]]) -> [f64; 3] {
    let mut normal = [0.0; 3];
    for (index, p) in corners.iter().enumerate() {
        let q = corners[(index + 1) % corners.len()];
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            normal[k] += (p[i] - q[i]) * (p[j] + q[j]);
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Excess of the polyhedra over round shapes, in radii.
    const EXCESS: f64 = 0.006;

    /// Distance of a point from the segment along z, from `-half` to `half`.
    fn distance([x, y, z]: [f64; 3], half: f64) -> f64 {
        let beyond = (z.abs() - half).max(0.0);
        (x * x + y * y + beyond * beyond).sqrt()
    }

    #[test]
    fn polyhedra_hold_their_round_shapes_and_reach_little_further() -> Result<(), crate::ShapeError>
    {
        for (spec, half, sized) in [
            (SPHERE.to_owned(), 0.0, around(SPHERE, 0.0)),
            (capsule(around(&capsule(1.0, 1.0), 0.5), 1.0), 0.5, 1.0),
            // Far longer than wide, and vice versa.
            (capsule(around(&capsule(1.0, 1.0), 0.5), 1e3), 5e2, 1.0),
            (capsule(around(&capsule(1.0, 1.0), 0.5), 1e-3), 5e-4, 1.0),
        ] {
            let mesh = shape(&spec)?;
            assert!(within(&mesh, half / sized) * sized >= 1.0 - 1e-12, "{spec}");
            let farthest = mesh.positions().iter().fold(0.0_f64, |farthest, position| {
                farthest.max(distance(position.map(|value| value * sized), half))
            });
            assert!((1.0..1.0 + EXCESS).contains(&farthest), "{spec}: {farthest}");
        }
        let prism = shape(CYLINDER)?;
        let corner = prism.positions().iter().map(|[x, y, _]| (x * x + y * y).sqrt());
        assert!(
            corner.fold(0.0, f64::max) / libm::cos(core::f64::consts::PI / 64.0) < 1.0 + EXCESS
        );
        Ok(())
    }
}
