//! Random polytopes: the three kinds of Chung 1996, section 6.2, and spheres.

use xcollide_brep::{ConvexHull, PolygonMesh};

use crate::{Parameter, Random, Shape, ShapeError};

const VERTICES: Parameter = Parameter::count("vertices", "how many", [100, 4, 1_000_000]);
const KIND: Parameter =
    Parameter::choice("kind", "its form", &["ellipsoid", "rod", "plate", "sphere"]);

pub(crate) const SHAPE: Shape = Shape {
    name: "polytope",
    about: "convex hull of random points on an ellipsoid, a thin rod, a flat plate or a sphere",
    parameters: &[VERTICES, KIND, Parameter::SEED],
    build: |given| {
        let kind = match given.choice(&KIND) {
            "rod" => PolytopeKind::Rod,
            "plate" => PolytopeKind::Plate,
            "sphere" => PolytopeKind::Sphere,
            _ => PolytopeKind::Ellipsoid,
        };
        polytope(given.count(&VERTICES), kind, given.seed())
    },
};

/// The form of a random [`polytope`](polytope()).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PolytopeKind {
    /// Half axes 1, 0.8 and 0.6.
    #[default]
    Ellipsoid,
    /// Half axes 0.05, 0.05 and 1.
    Rod,
    /// Half axes 1, 1 and 0.05.
    Plate,
    /// Radius 1: the random polytopes of I-COLLIDE 1995, 5.3.
    Sphere,
}

/// The convex hull of random points on an ellipsoid: closed, oriented outward, convex, with exactly
/// `vertices` vertices and, except for rare coincidences, `2 * vertices - 4` triangles.
///
/// Rods and plates are ellipsoids too, so that points are vertices. The points are uniform random directions,
/// stretched along the axes; a point that rounding moves into the hull is replaced. Takes expected O(n log n)
/// time for n vertices.
///
/// # Errors
/// Fewer than 4 vertices or more than a million.
pub fn polytope(vertices: usize, kind: PolytopeKind, seed: u64) -> Result<PolygonMesh, ShapeError> {
    /// One suffices unless the points are too dense for the precision of their coordinates.
    const ATTEMPTS: usize = 16;

    VERTICES.check_count(vertices)?;
    let mut random = Random::new(seed);
    let axes = match kind {
        PolytopeKind::Ellipsoid => [1.0, 0.8, 0.6],
        PolytopeKind::Rod => [0.05, 0.05, 1.0],
        PolytopeKind::Plate => [1.0, 1.0, 0.05],
        PolytopeKind::Sphere => [1.0; 3],
    };
    let mut points = Vec::with_capacity(vertices);
    for _ in 0..ATTEMPTS {
        points.resize_with(vertices, || {
            let direction = random.direction();
            [0, 1, 2].map(|k| axes[k] * direction[k])
        });
        let hull = ConvexHull::of(&points)?.into_mesh();
        if hull.vertex_count() == vertices {
            return Ok(hull);
        }
        points = hull.positions().to_vec();
    }
    Err(VERTICES.refuse(vertices, "fewer, as so many points hide each other"))
}
