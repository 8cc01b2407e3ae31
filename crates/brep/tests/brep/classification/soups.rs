//! Random soups against a slow twin that knows nothing of half-edges.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use xcollide_brep::{Brep, Interior, MeshError, PolygonMesh, Topology};

type Soup = (Vec<[i8; 3]>, Vec<Vec<Vec<u32>>>);

/// Vertices on a small grid, so that many coincide or are collinear, and faces over them.
fn soups() -> impl Strategy<Value = Soup> {
    (1_u32..9).prop_flat_map(|vertices| {
        let position = [-1_i8..=1, -1..=1, -1..=1];
        let contour = |length: std::ops::Range<usize>| prop::collection::vec(0..vertices, length);
        let face = prop_oneof![
            4 => contour(1..7).prop_map(|outer| vec![outer]),
            6 => contour(3..4).prop_map(|outer| vec![outer]),
            1 => prop::collection::vec(contour(1..5), 2..4),
        ];
        (prop::collection::vec(position, vertices as usize), prop::collection::vec(face, 0..10))
    })
}

fn brep_of((positions, faces): &Soup) -> Result<Brep, Box<dyn std::error::Error>> {
    let positions = positions.iter().map(|p| p.map(f64::from)).collect();
    let mut mesh = PolygonMesh::from_positions(positions)?;
    for contours in faces {
        let holes: Vec<&[u32]> = contours[1..].iter().map(Vec::as_slice).collect();
        mesh.push_face_with_holes(&contours[0], &holes)?;
    }
    Ok(Brep::new(mesh)?)
}

/// By pair of different vertices: how often faces run from the smaller, and from the larger, and
/// which.
fn edges_of(faces: &[Vec<Vec<u32>>]) -> BTreeMap<(u32, u32), [Vec<usize>; 2]> {
    let mut edges: BTreeMap<_, [Vec<usize>; 2]> = BTreeMap::new();
    for (face, contours) in faces.iter().enumerate() {
        for contour in contours {
            for (index, &from) in contour.iter().enumerate() {
                let to = contour[(index + 1) % contour.len()];
                if from != to {
                    let sides = edges.entry((from.min(to), from.max(to))).or_default();
                    sides[usize::from(from > to)].push(face);
                }
            }
        }
    }
    edges
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn counts_of_edges_agree_with_a_map_of_vertex_pairs(soup in soups()) {
        let brep = brep_of(&soup).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let found = brep.classification();
        let edges = edges_of(&soup.1);
        let ends = |edge| {
            let [from, to] = brep.dcel().ends(edge);
            (from.0.min(to.0), from.0.max(to.0))
        };
        let matching = |wanted: &dyn Fn(usize, usize) -> bool| -> BTreeSet<(u32, u32)> {
            edges
                .iter()
                .filter(|(_, sides)| wanted(sides[0].len(), sides[1].len()))
                .map(|(&pair, _)| pair)
                .collect()
        };
        let listed = |list: &[xcollide_brep::EdgeId]| -> BTreeSet<(u32, u32)> {
            list.iter().map(|&edge| ends(edge)).collect()
        };
        prop_assert_eq!(found.edges, edges.len());
        prop_assert_eq!(listed(&found.boundary_edges), matching(&|a, b| a + b == 1));
        prop_assert_eq!(listed(&found.nonmanifold_edges), matching(&|a, b| a + b > 2));
        let wrong: BTreeSet<_> = found.misoriented_edges.iter().map(|m| ends(m.edge)).collect();
        prop_assert_eq!(&wrong, &matching(&|a, b| a.abs_diff(b) > 1));
        for conflict in &found.misoriented_edges {
            let sides = &edges[&ends(conflict.edge)];
            let too_many = sides.iter().max_by_key(|side| side.len());
            let named: Vec<usize> = conflict.faces.iter().map(|face| face.index()).collect();
            prop_assert_eq!(too_many.map(|side| side[..2].to_vec()), Some(named));
        }
        let topology = brep.topology();
        prop_assert_eq!(topology.contains(Topology::CLOSED),
            !soup.1.is_empty() && found.boundary_edges.is_empty());
        prop_assert_eq!(topology.contains(Topology::ORIENTED), wrong.is_empty());
        let interior = if soup.1.is_empty() {
            Interior::None
        } else if edges.values().all(|s| s[0].len() == s[1].len()) {
            Interior::Winding
        } else if edges.values().all(|s| (s[0].len() + s[1].len()) % 2 == 0) {
            Interior::Parity
        } else {
            Interior::None
        };
        prop_assert_eq!(found.interior(), interior);
    }

    #[test]
    fn pieces_and_euler_characteristic_agree_with_sets(soup in soups()) {
        let brep = brep_of(&soup).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let found = brep.classification();
        let faces = &soup.1;
        let mut pieces: Vec<BTreeSet<u32>> = Vec::new();
        for contours in faces {
            let mut piece: BTreeSet<u32> = contours.iter().flatten().copied().collect();
            pieces.retain(|other| {
                let touches = !piece.is_disjoint(other);
                if touches {
                    piece.extend(other);
                }
                !touches
            });
            pieces.push(piece);
        }
        let used: BTreeSet<u32> = pieces.iter().flatten().copied().collect();
        prop_assert_eq!(found.components, pieces.len());
        let unused: Vec<u32> = found.unused_vertices.iter().map(|v| v.0).collect();
        let expected: Vec<u32> =
            (0..soup.0.len() as u32).filter(|v| !used.contains(v)).collect();
        prop_assert_eq!(unused, expected);
        let holes: usize = faces.iter().map(|contours| contours.len() - 1).sum();
        let euler = used.len() as i64 - edges_of(faces).len() as i64 + faces.len() as i64
            - holes as i64;
        prop_assert_eq!(found.euler_characteristic, euler);
    }

    #[test]
    fn faces_agree_with_integer_arithmetic(soup in soups()) {
        let brep = brep_of(&soup).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let found = brep.classification();
        for (face, contours) in soup.1.iter().enumerate() {
            let at = |&vertex: &u32| soup.0[vertex as usize].map(i32::from);
            let points: Vec<[i32; 3]> = contours.iter().flatten().map(at).collect();
            let on_lines = contours
                .iter()
                .all(|contour| all_on_a_line(&contour.iter().map(at).collect::<Vec<_>>()));
            let id = xcollide_brep::FaceId::from_index(face);
            let flat = on_lines || chain_is_zero(contours);
            prop_assert_eq!(found.degenerate_faces.contains(&id), flat, "{:?}", contours);
            let bent = found.nonplanar_faces.contains(&id)
                || found.nearly_planar_faces.contains(&id);
            prop_assert_eq!(bent, !all_in_a_plane(&points), "{:?}", contours);
            let simple_triangle = contours.len() == 1 && contours[0].len() == 3 && !flat;
            if simple_triangle || flat || contours.len() > 1 {
                prop_assert_eq!(found.nonconvex_faces.contains(&id), !simple_triangle);
            }
        }
    }

    #[test]
    fn duplicates_agree_with_all_pairs(soup in soups()) {
        let brep = brep_of(&soup).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let faces = &soup.1;
        let expected: Vec<(usize, usize)> = (0..faces.len())
            .filter_map(|face| {
                (0..face).find(|&other| alike(&faces[face], &faces[other])).map(|o| (face, o))
            })
            .collect();
        let found: Vec<(usize, usize)> = brep
            .classification()
            .duplicate_faces
            .iter()
            .map(|d| (d.face.index(), d.original.index()))
            .collect();
        prop_assert_eq!(found, expected);
    }
}

fn minus(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn cross(u: [i32; 3], v: [i32; 3]) -> [i32; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

fn all_on_a_line(points: &[[i32; 3]]) -> bool {
    points.iter().all(|&a| {
        points.iter().all(|&b| points.iter().all(|&c| cross(minus(b, a), minus(c, a)) == [0; 3]))
    })
}

fn all_in_a_plane(points: &[[i32; 3]]) -> bool {
    points.iter().all(|&a| {
        points.iter().all(|&b| {
            points.iter().all(|&c| {
                let normal = cross(minus(b, a), minus(c, a));
                points.iter().all(|&d| (0..3).map(|k| normal[k] * (d[k] - a[k])).sum::<i32>() == 0)
            })
        })
    })
}

fn chain_is_zero(contours: &[Vec<u32>]) -> bool {
    edges_of(&[contours.to_vec()]).values().all(|sides| sides[0].len() == sides[1].len())
}

/// Whether two faces have the same contours, by trying every rotation and direction.
fn alike(face: &[Vec<u32>], other: &[Vec<u32>]) -> bool {
    let same = |a: &Vec<u32>, b: &Vec<u32>| {
        let reversed: Vec<u32> = b.iter().rev().copied().collect();
        a.len() == b.len()
            && (0..b.len()).any(|start| {
                let turn = |c: &[u32]| {
                    let mut c = c.to_vec();
                    c.rotate_left(start);
                    c
                };
                turn(b) == *a || turn(&reversed) == *a
            })
    };
    let mut holes: Vec<&Vec<u32>> = other[1..].iter().collect();
    same(&face[0], &other[0])
        && face.len() == other.len()
        && face[1..].iter().all(|hole| {
            let found = holes.iter().position(|candidate| same(hole, candidate));
            found.map(|index| holes.swap_remove(index)).is_some()
        })
}

#[test]
fn the_strategy_reaches_what_it_should() -> Result<(), MeshError> {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut seen = [0; 5];
    for _ in 0..2000 {
        let Ok(tree) = soups().new_tree(&mut runner) else { continue };
        let Ok(brep) = brep_of(&tree.current()) else { continue };
        let found = brep.classification();
        let facts = [
            !found.nonmanifold_edges.is_empty(),
            !found.duplicate_faces.is_empty(),
            !found.degenerate_edges.is_empty(),
            found.interior() == Interior::Winding,
            found.interior() == Interior::Parity,
        ];
        for (count, fact) in seen.iter_mut().zip(facts) {
            *count += usize::from(fact);
        }
    }
    assert!(seen.iter().all(|&count| count >= 20), "{seen:?}");
    Ok(())
}
