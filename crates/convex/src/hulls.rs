//! Polytopes for tests: exact hulls of points.

use xcollide_brep::{ConvexHull, PolygonMesh};

use crate::polytope::Polytope;

pub(crate) fn hull_of(points: &[[f64; 3]]) -> Polytope {
    let hull = ConvexHull::of(points).unwrap_or_else(|error| panic!("{error}"));
    let facets = hull.mesh().faces().map(|face| face.outer().iter().map(|v| v.0).collect());
    Polytope::new::<Vec<u32>>(hull.mesh().positions().to_vec(), facets)
        .unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn hull_of_mesh(mesh: &PolygonMesh) -> Polytope {
    hull_of(mesh.positions())
}
