//! Polytopes for tests.

use xcollide_brep::{ConvexHull, PolygonMesh};
use xcollide_math::vector::{cross, dot, sub};
use xcollide_scenes::Random;

use crate::fan_of_polytope::Fan;
use crate::normal_fan::{FanArc, NormalFan};
use crate::point_set::PointSet;
use crate::polytope::Polytope;

/// The exact hull of points.
pub(crate) fn hull_of(points: &[[f64; 3]]) -> Polytope {
    let hull = ConvexHull::of(points).unwrap_or_else(|error| panic!("{error}"));
    let facets = hull.mesh().faces().map(|face| face.outer().iter().map(|v| v.0).collect());
    Polytope::new::<Vec<u32>>(hull.mesh().positions().to_vec(), facets)
        .unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn hull_of_mesh(mesh: &PolygonMesh) -> Polytope {
    hull_of(mesh.positions())
}

/// Points without facets, which need not be extreme; with a fan if there are arcs.
pub(crate) fn point_cloud(points: &[[f64; 3]], arcs: &[FanArc]) -> Polytope {
    let mut polytope = Polytope::default();
    polytope.points = PointSet::new(points);
    polytope.positions = points.to_vec();
    let fan = || Fan { fan: NormalFan::new(points, arcs), is_exact: true };
    polytope.fan = (!arcs.is_empty()).then(fan);
    polytope
}

pub(crate) fn on_sphere(random: &mut Random, count: usize) -> Vec<[f64; 3]> {
    (0..count).map(|_| random.direction()).collect()
}

/// The edges of the hull of points that are all on it, no four of them in one plane, found by trying all triples.
pub(crate) fn arcs(points: &[[f64; 3]]) -> Vec<FanArc> {
    let mut faces = Vec::new();
    for i in 0..points.len() {
        for j in 0..i {
            for k in 0..j {
                let normal = normal(points[i], points[j], points[k]);
                let above = points.iter().map(|&p| dot(normal, sub(p, points[i])));
                let beyond = |sign: f64| above.clone().all(|height| sign * height < 1e-12);
                if beyond(1.0) {
                    faces.push(([k, j, i], normal));
                } else if beyond(-1.0) {
                    faces.push(([k, j, i], normal.map(|x| -x)));
                }
            }
        }
    }
    let mut arcs = Vec::new();
    for (number, (of_face, m)) in faces.iter().enumerate() {
        for (of_other, n) in &faces[..number] {
            let shared: Vec<u32> =
                of_face.iter().filter(|i| of_other.contains(i)).map(|&i| i as u32).collect();
            if let &[p, q] = &shared[..] {
                arcs.push(FanArc { normals: [*m, *n], ends: [p, q] });
            }
        }
    }
    assert_eq!(arcs.len() + 6, 3 * points.len(), "Euler");
    arcs
}

fn normal(p: [f64; 3], q: [f64; 3], r: [f64; 3]) -> [f64; 3] {
    cross(sub(q, p), sub(r, p))
}
