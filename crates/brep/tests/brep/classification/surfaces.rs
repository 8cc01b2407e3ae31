//! Boundaries, manifoldness, orientation, pieces, the inside.

use super::shapes::*;
use xcollide_brep::{Brep, FaceId, Interior, PolygonMesh, Topology, VertexId};

const SOUND: Topology =
    Topology::MANIFOLD.union(Topology::CLOSED).union(Topology::ORIENTED).union(Topology::CONNECTED);

#[test]
fn a_cube_is_everything_a_polyhedron_can_be() -> Outcome {
    let cube = cube()?;
    let found = cube.classification();
    assert_eq!(cube.topology(), Topology::all());
    assert_eq!((found.vertices, found.edges, found.faces), (8, 12, 6));
    assert_eq!((found.components, found.euler_characteristic), (1, 2));
    assert_eq!(found.interior(), Interior::Winding);
    assert!(found.is_exactly_planar());
    Ok(())
}

#[test]
fn an_open_box_has_the_rim_as_boundary() -> Outcome {
    let open = Brep::from_polygons(cube_corners([0.0; 3]), &CUBE[..5])?;
    let found = open.classification();
    assert!(!open.topology().contains(Topology::CLOSED));
    assert!(open.topology().contains(SOUND - Topology::CLOSED));
    assert_eq!(found.boundary_edges.len(), 4);
    assert_eq!(found.euler_characteristic, 1);
    assert_eq!(found.interior(), Interior::None);
    Ok(())
}

#[test]
fn cubes_that_share_an_edge_are_closed_and_not_manifold() -> Outcome {
    let cubes = two_cubes([1.0, 1.0, 0.0])?;
    let found = cubes.classification();
    assert_eq!((found.vertices, found.edges), (14, 23));
    assert_eq!(found.nonmanifold_edges.len(), 1);
    assert_eq!(found.nonmanifold_vertices.len(), 2, "the ends of that edge");
    assert!(cubes.topology().contains(Topology::CLOSED | Topology::ORIENTED));
    assert!(!cubes.topology().intersects(Topology::MANIFOLD | Topology::CONVEX));
    assert_eq!((found.components, found.interior()), (1, Interior::Winding));
    Ok(())
}

#[test]
fn cubes_that_share_a_vertex_have_manifold_edges_only() -> Outcome {
    let cubes = two_cubes([1.0; 3])?;
    let found = cubes.classification();
    assert!(cubes.topology().contains(Topology::MANIFOLD_EDGES));
    assert!(!cubes.topology().contains(Topology::MANIFOLD_VERTICES));
    assert_eq!(found.nonmanifold_vertices, [VertexId(6)]);
    assert_eq!((found.vertices, found.components), (15, 1), "pieces hang together by a vertex");
    assert!(!cubes.topology().contains(Topology::CONVEX));
    Ok(())
}

#[test]
fn a_shell_in_a_shell_is_sound_but_not_connected() -> Outcome {
    let mut corners = cube_corners([0.0; 3]);
    corners.extend(cube_corners([0.0; 3]).iter().map(|c| c.map(|x| 3.0 * x - 1.0)));
    let inner = CUBE.map(|mut face| {
        face.reverse();
        face
    });
    let outer = CUBE.map(|face| face.map(|corner| corner + 8));
    let shells = Brep::from_polygons(corners, inner.into_iter().chain(outer))?;
    let found = shells.classification();
    assert!(shells.topology().contains(SOUND - Topology::CONNECTED));
    assert!(!shells.topology().intersects(Topology::CONNECTED | Topology::CONVEX));
    assert_eq!((found.components, found.euler_characteristic), (2, 4));
    assert_eq!(found.interior(), Interior::Winding);
    Ok(())
}

#[test]
fn a_torus_has_the_euler_characteristic_0() -> Outcome {
    let torus = closed_grid(5, 7, false)?;
    assert!(torus.topology().contains(SOUND));
    assert_eq!(torus.classification().euler_characteristic, 0);
    assert_eq!(torus.classification().interior(), Interior::Winding);
    Ok(())
}

#[test]
fn a_mobius_strip_is_a_manifold_that_cannot_be_oriented() -> Outcome {
    let ring = strip(7, false)?;
    assert!(ring.topology().contains(SOUND - Topology::CLOSED));
    let mobius = strip(7, true)?;
    assert!(mobius.topology().contains(Topology::MANIFOLD | Topology::CONNECTED));
    assert!(!mobius.topology().intersects(Topology::CLOSED | Topology::ORIENTED));
    let found = mobius.classification();
    assert_eq!(found.misoriented_edges.len(), 1);
    assert_eq!(found.misoriented_edges[0].faces, [FaceId(0), FaceId(6)]);
    assert_eq!((found.boundary_edges.len(), found.euler_characteristic), (14, 0));
    Ok(())
}

#[test]
fn kleins_bottle_is_closed_and_encloses_by_parity_only() -> Outcome {
    let bottle = closed_grid(5, 7, true)?;
    let found = bottle.classification();
    assert!(bottle.topology().contains(SOUND - Topology::ORIENTED));
    assert!(!bottle.topology().contains(Topology::ORIENTED));
    assert_eq!(found.misoriented_edges.len(), 7, "where it closes in reverse");
    assert_eq!((found.euler_characteristic, found.interior()), (0, Interior::Parity));
    Ok(())
}

/// Thesis figure 4.4: the wrong polygon may come first or second; either way each of its
/// edges names two polygons, itself and a neighbor.
#[test]
fn a_wrongly_oriented_face_conflicts_with_each_of_its_neighbours() -> Outcome {
    for wrong in 0..6 {
        let mut faces = CUBE;
        faces[wrong].reverse();
        let brep = Brep::from_polygons(cube_corners([0.0; 3]), faces)?;
        let found = brep.classification();
        assert!(!brep.topology().intersects(Topology::ORIENTED | Topology::CONVEX));
        assert!(brep.topology().contains(Topology::CLOSED | Topology::MANIFOLD));
        assert_eq!(found.misoriented_edges.len(), 4);
        for conflict in &found.misoriented_edges {
            let dcel = brep.dcel();
            let sides: Vec<FaceId> =
                dcel.sides(conflict.edge).map(|side| dcel.face(side)).collect();
            assert_eq!(sides, conflict.faces);
            assert!(conflict.faces.contains(&FaceId(wrong as u32)));
        }
        assert_eq!(found.interior(), Interior::Parity);
    }
    Ok(())
}

#[test]
fn a_book_of_three_pages_is_oriented_if_one_page_runs_against_two() -> Outcome {
    let corners = || {
        let page = |x: f64, y: f64| [x, y, 0.0];
        vec![[0.0; 3], [0.0, 0.0, 1.0], page(1.0, 0.0), page(-1.0, 1.0), page(-1.0, -1.0)]
    };
    let book = Brep::from_polygons(corners(), [[0, 1, 2], [0, 1, 3], [1, 0, 4]])?;
    let found = book.classification();
    assert_eq!((found.nonmanifold_edges.len(), found.boundary_edges.len()), (1, 6));
    assert_eq!(found.nonmanifold_vertices, [VertexId(0), VertexId(1)]);
    assert!(book.topology().contains(Topology::ORIENTED | Topology::CONNECTED));
    assert!(!book.topology().intersects(Topology::MANIFOLD | Topology::CLOSED));
    assert_eq!(found.interior(), Interior::None);

    let book = Brep::from_polygons(corners(), [[0, 1, 2], [0, 1, 3], [0, 1, 4]])?;
    assert!(!book.topology().contains(Topology::ORIENTED));
    assert_eq!(book.classification().misoriented_edges[0].faces, [FaceId(0), FaceId(1)]);
    Ok(())
}

/// Where every edge has an even number of sides, both rules could apply.
#[test]
fn the_inside_is_told_by_winding_before_parity() -> Outcome {
    let mut faces: Vec<Vec<u32>> = TETRAHEDRON.iter().map(|face| face.to_vec()).collect();
    let twice = |faces: &[Vec<u32>]| [faces, faces].concat();
    let wound = Brep::from_polygons(tetrahedron_corners(), twice(&faces))?;
    assert_eq!(wound.classification().interior(), Interior::Winding, "each edge 2 : 2");
    faces[0].reverse();
    let mixed = Brep::from_polygons(tetrahedron_corners(), twice(&faces))?;
    assert_eq!(mixed.classification().interior(), Interior::Parity, "some edges 4 : 0");
    assert_eq!(mixed.classification().duplicate_faces.len(), 4);
    let empty = Brep::new(PolygonMesh::new())?;
    assert_eq!(empty.classification().interior(), Interior::None);
    Ok(())
}

/// The rule that the tables of real meshes follow: a face of two corners runs its edge twice.
#[test]
fn a_face_of_two_corners_has_no_boundary() -> Outcome {
    let soup = Brep::from_polygons(tetrahedron_corners(), [&[0, 1][..], &[1, 2, 3]])?;
    let found = soup.classification();
    assert_eq!((found.edges, found.boundary_edges.len()), (4, 3));
    assert_eq!(found.degenerate_faces, [FaceId(0)]);
    let touching = Brep::from_polygons(tetrahedron_corners(), [&[1, 2][..], &[1, 2, 3]])?;
    let found = touching.classification();
    assert_eq!((found.edges, found.boundary_edges.len(), found.nonmanifold_edges.len()), (3, 2, 1));
    Ok(())
}

#[test]
fn a_repeated_corner_opens_nothing() -> Outcome {
    let mut faces: Vec<Vec<u32>> = CUBE.iter().map(|face| face.to_vec()).collect();
    let repeated = faces[2][0];
    faces[2].insert(1, repeated);
    let brep = Brep::from_polygons(cube_corners([0.0; 3]), faces)?;
    let found = brep.classification();
    assert!(brep.topology().contains(SOUND));
    assert_eq!((found.degenerate_edges.len(), found.edges), (1, 12));
    assert_eq!((found.euler_characteristic, found.interior()), (2, Interior::Winding));
    assert_eq!(found.nonconvex_faces, [FaceId(2)], "two consecutive corners at one place");
    Ok(())
}

#[test]
fn an_empty_mesh_and_lone_vertices_are_classified() -> Outcome {
    let empty = Brep::new(PolygonMesh::new())?;
    assert!(
        !empty.topology().intersects(Topology::CLOSED | Topology::CONNECTED | Topology::CONVEX)
    );
    assert_eq!(empty.classification().euler_characteristic, 0);
    let lone = Brep::new(PolygonMesh::from_positions(tetrahedron_corners())?)?;
    assert_eq!(lone.classification().unused_vertices.len(), 4);
    assert_eq!(
        (lone.classification().components, lone.classification().euler_characteristic),
        (0, 0)
    );
    Ok(())
}
