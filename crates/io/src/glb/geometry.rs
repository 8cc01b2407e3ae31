//! Triangles with normals from meshes, shaded smoothly where faces meet at a small angle.

use xcollide_brep::{FaceId, PolygonMesh, VertexId};
use xcollide_math::vector::{add, cross, dot, length, sub};

use super::GlbError;
use crate::write_error::to_f32;

/// Cosine of 30°, the angle below which faces are shaded smoothly.
const SMOOTH: f64 = 0.866;
/// At vertices with more faces normals are not averaged, because that takes quadratic time.
const MOST_FACES: usize = 64;

/// Triangles over vertices that have a position and a normal each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Geometry {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) indices: Vec<u32>,
}

/// Triangulates the faces of a mesh, with a copy of each vertex for each of its normals. O(n), besides
/// comparing the at most 64 faces around a vertex with each other.
pub(super) fn of_mesh(mesh: &PolygonMesh) -> Result<Geometry, GlbError> {
    let positions = mesh.positions().iter().enumerate();
    let placed = positions.map(|(vertex, &position)| rounded(vertex, position));
    let placed = placed.collect::<Result<Vec<_>, _>>()?;
    let triangulation = mesh.triangulate();
    let triangles = || {
        let faces = (0..triangulation.len()).map(|number| triangulation.face_of(number));
        triangulation.triangles().iter().zip(faces)
    };
    let mut areas = vec![[0.0; 3]; mesh.face_count()];
    // The faces around each vertex, without duplicates: triangles are ordered by face.
    let mut around: Vec<Vec<FaceId>> = vec![Vec::new(); placed.len()];
    for (triangle, face) in triangles() {
        let sum = &mut areas[face.index()];
        *sum = add(*sum, area(triangle.map(|vertex| mesh.position(vertex))));
        for vertex in triangle {
            let faces = &mut around[vertex.index()];
            if faces.last() != Some(&face) {
                faces.push(face);
            }
        }
    }
    let mut geometry = Geometry::default();
    // The copies of each vertex, by the bits of their normals.
    let mut made: Vec<Vec<([u32; 3], u32)>> = vec![Vec::new(); placed.len()];
    for (triangle, face) in triangles() {
        for vertex in triangle.map(VertexId::index) {
            let normal = corner_normal(face, &around[vertex], &areas);
            let bits = normal.map(f32::to_bits);
            let known = made[vertex].iter().find(|(known, _)| *known == bits);
            let index = known.map_or(geometry.positions.len() as u32, |&(_, index)| index);
            if known.is_none() {
                geometry.positions.push(placed[vertex]);
                geometry.normals.push(normal);
                made[vertex].push((bits, index));
            }
            geometry.indices.push(index);
        }
    }
    Ok(geometry)
}

/// Line segments; consecutive equal ends are shared.
pub(super) fn of_lines(segments: &[[[f64; 3]; 2]]) -> Result<Geometry, GlbError> {
    let mut geometry = Geometry::default();
    for end in segments.as_flattened() {
        let end = rounded(geometry.indices.len(), *end)?;
        if geometry.positions.last() != Some(&end) {
            geometry.positions.push(end);
        }
        geometry.indices.push(geometry.positions.len() as u32 - 1);
    }
    Ok(geometry)
}

pub(super) fn rounded(vertex: usize, position: [f64; 3]) -> Result<[f32; 3], GlbError> {
    let vertex = VertexId(vertex as u32);
    to_f32(position).map_err(|value| GlbError::TooLarge { vertex, value })
}

/// The normal of a face at a vertex: the area-weighted mean over nearly parallel faces around it.
fn corner_normal(face: FaceId, around: &[FaceId], areas: &[[f64; 3]]) -> [f32; 3] {
    let own = areas[face.index()];
    let mut sum = own;
    if around.len() <= MOST_FACES {
        for &other in around.iter().filter(|&&other| other != face) {
            let other = areas[other.index()];
            let lengths = (dot(own, own) * dot(other, other)).sqrt();
            if dot(own, other) > SMOOTH * lengths {
                sum = add(sum, other);
            }
        }
    }
    let length = length(sum);
    if length > 0.0 && length.is_finite() {
        sum.map(|value| (value / length) as f32)
    } else {
        // All faces around the vertex are degenerate; a normal must still have unit length.
        [0.0, 0.0, 1.0]
    }
}

fn area([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    cross(sub(b, a), sub(c, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_bytes};

    fn mesh(obj: &str) -> PolygonMesh {
        read_bytes(obj.as_bytes(), Some(Format::Obj)).unwrap_or_else(|error| panic!("{error}"))
    }

    fn geometry(obj: &str) -> Geometry {
        of_mesh(&mesh(obj)).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn faces_that_meet_at_a_small_angle_share_vertices_and_normals() {
        let two = |height: f64| {
            format!("v 0 0 0\nv 0 1 0\nv 1 0 {height}\nv -1 0 {height}\nf 1 3 2\nf 1 2 4\n")
        };
        let smooth = geometry(&two(0.1));
        assert_eq!((smooth.positions.len(), smooth.indices.len()), (4, 6));
        let edge = geometry(&two(0.5));
        assert_eq!((edge.positions.len(), edge.indices.len()), (6, 6));
        for normal in smooth.normals.iter().chain(&edge.normals) {
            assert!((normal.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-6);
        }
        // Each triangle faces the way its normals point.
        for triangle in edge.indices.chunks(3) {
            let corners = [0, 1, 2].map(|k| edge.positions[triangle[k] as usize].map(f64::from));
            let normal = edge.normals[triangle[0] as usize].map(f64::from);
            assert!(dot(area(corners), normal) > 0.0);
        }
    }

    #[test]
    fn a_polygon_has_one_normal_and_its_corners_once() {
        let square = geometry("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
        assert_eq!((square.positions.len(), square.indices.len()), (4, 6));
        assert_eq!(square.normals, vec![[0.0, 0.0, 1.0]; 4]);
    }

    #[test]
    fn faces_without_area_have_a_normal_and_huge_coordinates_are_refused() {
        let flat = geometry("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
        assert!(flat.normals.iter().all(|normal| *normal == [0.0, 0.0, 1.0]));
        let huge = of_mesh(&mesh("v 0 0 0\nv 1 0 0\nv 0 -1e39 0\nf 1 2 3\n"));
        let told = huge.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told.starts_with("vertex 2: coordinate -1e39 is too large for glTF"), "{told}");
    }
}
