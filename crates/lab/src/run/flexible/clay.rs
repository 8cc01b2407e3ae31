//! Clay, as the Potter models it (Zachmann 1994, 8.1): faces that something has hit are pushed inside along their normal,
//! and edges whose dihedral angle has left its limits are moved back a little ("avoiding cancer").

use std::collections::{BTreeMap, BTreeSet};

use xcollide::brep::PolygonMesh;
use xcollide::math::vector::{add, cross, dot, scale, sub, unit};
use xcollide_scenes::Clay as Settings;

type Vector = [f64; 3];

/// The part of the depth by which the vertices of a bad edge are moved; the thesis says "a little".
const LITTLE: f64 = 0.25;

pub(super) struct Clay {
    settings: Settings,
    pub(super) positions: Vec<Vector>,
    faces: Vec<Vec<u32>>,
    /// The faces around each vertex.
    around: Vec<Vec<u32>>,
    /// The two faces of each edge; others have no dihedral angle.
    edges: BTreeMap<[u32; 2], [u32; 2]>,
}

impl Clay {
    pub(super) fn new(settings: &Settings, mesh: &PolygonMesh) -> Self {
        let faces: Vec<Vec<u32>> =
            mesh.faces().map(|face| face.outer().iter().map(|vertex| vertex.0).collect()).collect();
        let mut around = vec![Vec::new(); mesh.vertex_count()];
        let mut sides: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for (number, face) in faces.iter().enumerate() {
            for side in sides_of(face) {
                sides.entry(side).or_default().push(number as u32);
            }
            for &vertex in face {
                around[vertex as usize].push(number as u32);
            }
        }
        let two = |(edge, faces): ([u32; 2], Vec<u32>)| match faces[..] {
            [a, b] => Some((edge, [a, b])),
            _ => None,
        };
        let edges = sides.into_iter().filter_map(two).collect();
        let positions = mesh.positions().to_vec();
        Self { settings: *settings, positions, faces, around, edges }
    }

    /// Pushes these faces inside, one after the other, and mends the edges around them. Returns whether a vertex moved.
    pub(super) fn push(&mut self, hit: &BTreeSet<u32>) -> bool {
        let mut changed = BTreeSet::new();
        for &face in hit {
            let Some(normal) = self.normal(face) else { continue };
            let way = scale(normal, -self.settings.depth);
            for vertex in self.faces[face as usize].clone() {
                self.shift(vertex, way, &mut changed);
            }
        }
        let moved = !changed.is_empty();
        for _ in 0..self.settings.scans {
            if changed.is_empty() {
                break;
            }
            for edge in std::mem::take(&mut changed) {
                self.mend(edge, &mut changed);
            }
        }
        moved
    }

    /// Moves the vertices of an edge a little inside if it is too sharp, outside if it is too deep.
    fn mend(&mut self, edge: [u32; 2], changed: &mut BTreeSet<[u32; 2]>) {
        let Some(angle) = self.dihedral_angle(edge) else { return };
        let [low, high] = self.settings.angles;
        let side = match angle {
            angle if angle < low => -1.0,
            angle if angle > high => 1.0,
            _ => return,
        };
        let [a, b] = self.edges[&edge].map(|face| self.normal(face).unwrap_or_default());
        let Some(outside) = unit(add(a, b)) else { return };
        for vertex in edge {
            self.shift(vertex, scale(outside, side * LITTLE * self.settings.depth), changed);
        }
    }

    /// The angle inside the body between the two faces of an edge, in degrees; 180 is flat.
    fn dihedral_angle(&self, edge: [u32; 2]) -> Option<f64> {
        let faces = *self.edges.get(&edge)?;
        let [a, b] = [self.normal(faces[0])?, self.normal(faces[1])?];
        let turned = libm::atan2(dot(cross(a, b), cross(a, b)).sqrt(), dot(a, b)).to_degrees();
        // A corner of the second face below the first: convex.
        let [middle, corner] = [self.center(faces[0]), self.center(faces[1])];
        let is_convex = dot(a, sub(corner, middle)) <= 0.0;
        Some(if is_convex { 180.0 - turned } else { 180.0 + turned })
    }

    fn shift(&mut self, vertex: u32, way: Vector, changed: &mut BTreeSet<[u32; 2]>) {
        let place = &mut self.positions[vertex as usize];
        *place = add(*place, way);
        for &face in &self.around[vertex as usize] {
            changed.extend(sides_of(&self.faces[face as usize]));
        }
    }

    fn center(&self, face: u32) -> Vector {
        let corners = &self.faces[face as usize];
        let sum = corners.iter().fold([0.0; 3], |sum, &at| add(sum, self.positions[at as usize]));
        scale(sum, 1.0 / corners.len() as f64)
    }

    /// The unit normal of a face (Newell), unless it has no area.
    fn normal(&self, face: u32) -> Option<Vector> {
        let corners = &self.faces[face as usize];
        let first = self.positions[corners[0] as usize];
        let at = |k: usize| sub(self.positions[corners[k % corners.len()] as usize], first);
        unit((0..corners.len()).fold([0.0; 3], |sum, k| add(sum, cross(at(k), at(k + 1)))))
    }
}

fn sides_of(face: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    face.iter().enumerate().map(|(k, &a)| {
        let b = face[(k + 1) % face.len()];
        [a.min(b), a.max(b)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_scenes::shape;

    fn clay(spec: &str, settings: Settings) -> Clay {
        Clay::new(&settings, &shape(spec).unwrap_or_else(|error| panic!("{error}")))
    }

    #[test]
    fn a_hit_face_goes_inside_by_the_depth_and_nothing_else_moves() {
        let settings = Settings { depth: 0.125, scans: 0, ..Settings::default() };
        let mut box_of_clay = clay("shape:box?x=2&y=2&z=2", settings);
        let before = box_of_clay.positions.clone();
        for face in 0..6_u32 {
            let mut cube = clay("shape:box?x=2&y=2&z=2", settings);
            assert!(cube.push(&BTreeSet::from([face])));
            let hit = &box_of_clay.faces[face as usize];
            for vertex in 0..8_u32 {
                let moved = sub(cube.positions[vertex as usize], before[vertex as usize]);
                let inside = box_of_clay.normal(face).map(|normal| scale(normal, -0.125));
                let expected = hit.contains(&vertex).then_some(inside).flatten();
                assert_eq!(moved, expected.unwrap_or_default(), "face {face}, vertex {vertex}");
            }
        }
        assert!(!box_of_clay.push(&BTreeSet::new()));
        assert_eq!(box_of_clay.positions, before);
    }

    #[test]
    fn dihedral_angles_are_those_inside_the_body() {
        let cube = clay("shape:box", Settings::default());
        for &edge in cube.edges.keys() {
            let angle = cube.dihedral_angle(edge).unwrap_or_default();
            assert!((angle - 90.0).abs() < 1e-12, "{angle}");
        }
        let mut ball = clay("shape:sphere?faces=200", Settings { scans: 0, ..Settings::default() });
        let flattest = |ball: &Clay| {
            let angles = ball.edges.keys().filter_map(|&edge| ball.dihedral_angle(edge));
            angles.fold(0.0, f64::max)
        };
        assert!(flattest(&ball) < 180.0);
        for _ in 0..20 {
            ball.push(&BTreeSet::from([90]));
        }
        assert!(flattest(&ball) > 200.0, "the dent is concave: {}", flattest(&ball));
    }

    #[test]
    fn mending_keeps_angles_nearer_to_their_limits() {
        let worst = |scans: usize| {
            let mut ball =
                clay("shape:sphere?faces=2000", Settings { scans, ..Settings::default() });
            for round in 0..40_u32 {
                ball.push(&BTreeSet::from([900 + round % 3, 1000 + round % 2]));
            }
            let angles = ball.edges.keys().filter_map(|&edge| ball.dihedral_angle(edge));
            angles.fold(0.0, |worst: f64, angle| worst.max((angle - 180.0).abs()))
        };
        assert!(worst(20) < worst(0), "{} against {}", worst(20), worst(0));
    }
}
