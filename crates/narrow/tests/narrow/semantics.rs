//! The cases that docs/semantics.md names, one test each.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::{agreed, cuboid, flipped, joined};
use xcollide_brep::{Interior, PolygonMesh};
use xcollide_convex::Bias;
use xcollide_math::PoseError;
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::point_in_polyhedron::{Location, locate};
use xcollide_narrow::{
    Feature, Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Semantics, Separation,
    Verdict,
};

fn model(mesh: &PolygonMesh) -> Model {
    Model::from_mesh(mesh.clone()).unwrap()
}

fn collide(a: &PolygonMesh, b: &PolygonMesh, semantics: Semantics) -> bool {
    let (a, b) = (model(a), model(b));
    let identity = Pose::IDENTITY;
    let placed = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    agreed(placed[0], placed[1], semantics).0
}

fn cube(half: f64) -> PolygonMesh {
    cuboid([-half; 3], [half; 3])
}

/// A box with a hollow: the inner shell is turned over.
fn hollow_box() -> PolygonMesh {
    joined(&[cube(10.0), flipped(&cube(5.0))])
}

#[test]
fn a_body_inside_another_collides_as_a_solid_and_not_as_a_surface() {
    assert!(collide(&cube(10.0), &cube(1.0), Semantics::Solid));
    assert!(!collide(&cube(10.0), &cube(1.0), Semantics::Surface));
}

#[test]
fn turning_all_faces_inward_changes_nothing() {
    assert!(collide(&flipped(&cube(10.0)), &cube(1.0), Semantics::Solid));
    assert!(collide(&cube(10.0), &flipped(&cube(1.0)), Semantics::Solid));
}

#[test]
fn a_cavity_is_hollow_if_its_shell_is_turned_over_and_filled_if_not() {
    assert!(!collide(&hollow_box(), &cube(1.0), Semantics::Solid));
    let filled = joined(&[cube(10.0), cube(5.0)]);
    assert!(collide(&filled, &cube(1.0), Semantics::Solid), "winding number 2 is not zero");
    let in_the_wall = cuboid([6.0, 0.0, 0.0], [7.0, 1.0, 1.0]);
    assert!(collide(&hollow_box(), &in_the_wall, Semantics::Solid));
    let around = cube(20.0);
    assert!(collide(&hollow_box(), &around, Semantics::Solid));
}

#[test]
fn a_closed_mesh_with_a_face_turned_over_is_filled_by_parity() {
    let mut faces: Vec<Vec<u32>> =
        cube(10.0).faces().map(|f| f.outer().iter().map(|v| v.0).collect()).collect();
    faces[2].reverse();
    let broken = PolygonMesh::from_polygons(cube(10.0).positions().to_vec(), faces).unwrap();
    assert_eq!(model(&broken).interior(), Interior::Parity);
    assert!(collide(&broken, &cube(1.0), Semantics::Solid));
    let two_shells = joined(&[broken, cube(5.0)]);
    assert!(!collide(&two_shells, &cube(1.0), Semantics::Solid), "two crossings: outside");
}

#[test]
fn an_open_mesh_is_its_surface() {
    let faces = cube(10.0);
    let faces = faces.faces().skip(1).map(|f| f.outer().iter().map(|v| v.0).collect::<Vec<u32>>());
    let open = PolygonMesh::from_polygons(cube(10.0).positions().to_vec(), faces).unwrap();
    assert_eq!(model(&open).interior(), Interior::None);
    assert!(!collide(&open, &cube(1.0), Semantics::Solid));
    let a_small_body_round_a_corner = cuboid([9.0; 3], [11.0; 3]);
    assert!(collide(&open, &a_small_body_round_a_corner, Semantics::Solid));
    // A soup inside a body is inside it all the same.
    assert!(collide(&open, &cube(20.0), Semantics::Solid));
    assert!(!collide(&open, &cube(20.0), Semantics::Surface));
}

#[test]
fn one_piece_inside_is_enough() {
    let far_and_near = joined(&[cuboid([50.0; 3], [51.0; 3]), cube(1.0)]);
    assert!(collide(&cube(10.0), &far_and_near, Semantics::Solid));
    assert!(!collide(&cube(10.0), &cuboid([50.0; 3], [51.0; 3]), Semantics::Solid));
}

#[test]
fn touching_is_colliding_at_a_face_an_edge_and_a_vertex() {
    let unit = cuboid([0.0; 3], [1.0; 3]);
    for (min, max) in [
        ([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]),
        ([1.0, 0.25, 0.25], [2.0, 0.75, 0.75]),
        ([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]),
        ([1.0, 1.0, 1.0], [2.0, 2.0, 2.0]),
    ] {
        for semantics in [Semantics::Solid, Semantics::Surface] {
            assert!(collide(&unit, &cuboid(min, max), semantics), "{min:?} touches");
            let apart = cuboid([min[0].next_up(), min[1], min[2]], max);
            assert!(!collide(&unit, &apart, semantics), "one unit in the last place is a gap");
        }
    }
}

#[test]
fn points_and_segments_are_models_too() {
    let point = |p: [f64; 3]| PolygonMesh::from_polygons(vec![p], [[0]]).unwrap();
    let segment = |p, q| PolygonMesh::from_polygons(vec![p, q], [[0, 1]]).unwrap();
    let unit = cuboid([0.0; 3], [1.0; 3]);
    assert!(collide(&unit, &point([0.5, 0.5, 1.0]), Semantics::Surface));
    assert!(!collide(&unit, &point([0.5; 3]), Semantics::Surface));
    assert!(collide(&unit, &point([0.5; 3]), Semantics::Solid));
    assert!(collide(&unit, &segment([-1.0, 0.5, 0.5], [2.0, 0.5, 0.5]), Semantics::Surface));
    assert!(!collide(&unit, &segment([-1.0, 1.5, 0.5], [2.0, 1.5, 0.5]), Semantics::Solid));
    assert!(collide(&point([3.0; 3]), &point([3.0; 3]), Semantics::Solid));
    assert!(!collide(&point([3.0; 3]), &point([3.0_f64.next_up(); 3]), Semantics::Solid));
}

#[test]
fn a_model_without_faces_is_apart_from_everything() {
    let nothing = PolygonMesh::from_positions(vec![[0.5; 3]]).unwrap();
    assert!(!collide(&nothing, &cuboid([0.0; 3], [1.0; 3]), Semantics::Solid));
    assert!(!collide(&cuboid([0.0; 3], [1.0; 3]), &nothing, Semantics::Solid));
    assert!(!collide(&nothing, &nothing, Semantics::Solid));
}

#[test]
fn scale_does_not_matter() {
    for scale in [1e-300, 1e-9, 1.0, 1e9, 1e150, 1e300] {
        let at =
            |min: [f64; 3], max: [f64; 3]| cuboid(min.map(|x| x * scale), max.map(|x| x * scale));
        let unit = at([0.0; 3], [1.0; 3]);
        assert!(collide(&unit, &at([1.0, 0.5, 0.5], [2.0; 3]), Semantics::Solid), "{scale:e}");
        assert!(!collide(&unit, &at([1.5, 0.5, 0.5], [2.0; 3]), Semantics::Solid), "{scale:e}");
        assert!(collide(&unit, &at([0.25; 3], [0.75; 3]), Semantics::Solid), "{scale:e}");
        assert!(!collide(&unit, &at([0.25; 3], [0.75; 3]), Semantics::Surface), "{scale:e}");
    }
}

#[test]
fn nested_contours_and_bridged_holes_let_a_needle_through() {
    let square = |half: f64| {
        [[-half, -half, 0.0], [half, -half, 0.0], [half, half, 0.0], [-half, half, 0.0]]
    };
    let mut positions = square(4.0).to_vec();
    positions.extend(square(1.0));
    let mut nested = PolygonMesh::from_positions(positions.clone()).unwrap();
    nested.push_face_with_holes(&[0, 1, 2, 3], &[&[7, 6, 5, 4]]).unwrap();
    let bridged = PolygonMesh::from_polygons(positions, [[0, 1, 2, 3, 0, 4, 7, 6, 5, 4]]).unwrap();
    let needle =
        |x: f64| PolygonMesh::from_polygons(vec![[x, 0.0, -1.0], [x, 0.0, 1.0]], [[0, 1]]).unwrap();
    for holed in [nested, bridged] {
        assert!(!collide(&holed, &needle(0.0), Semantics::Surface));
        assert!(collide(&holed, &needle(1.0), Semantics::Surface), "the rim belongs to the face");
        assert!(collide(&holed, &needle(2.0), Semantics::Surface));
        assert!(!collide(&holed, &needle(5.0), Semantics::Surface));
    }
}

#[test]
fn points_are_located_against_winding_parity_and_surfaces() {
    let hollow = model(&hollow_box());
    let pose_placed = Pose::from_translation([100.0, 0.0, 0.0]);
    let placed = Placed::new(&hollow, &pose_placed).unwrap();
    for (point, expected) in [
        ([100.0, 0.0, 0.0], Location::Outside),
        ([107.0, 0.0, 0.0], Location::Inside),
        // Rays through edges and vertices of the shells.
        ([93.0, 5.0, 5.0], Location::Inside),
        ([80.0, 10.0, 10.0], Location::Outside),
        ([90.0, 10.0, 10.0], Location::OnSurface),
        ([105.0, 2.0, 2.0], Location::OnSurface),
        ([120.0, 0.0, 0.0], Location::Outside),
    ] {
        assert_eq!(locate(placed, point), expected, "{point:?}");
    }
}

#[test]
fn the_relaxed_variant_never_guesses() {
    let (long, thin) = (
        cuboid([-10.0, -1.0, -1.0], [10.0, 1.0, 1.0]),
        cuboid([-0.1, -9.0, -0.1], [0.1, 9.0, 0.1]),
    );
    let (long, thin) = (model(&long), model(&thin));
    let poses = [0.0, 50.0, 19.5].map(|x| Pose::from_translation([x, 0.0, 0.0]));
    let at = |m, k: usize| Placed::new(m, &poses[k]).unwrap();
    let relaxed = Arbitrary::relaxed();
    let test = |a, b| relaxed.test(a, b, &Query::new(), &mut PairCache::new());
    // A cross: no vertex is in the common region, so the contact is missed, and it says so.
    let crossing = test(at(&long, 0), at(&thin, 0));
    assert_eq!(crossing, Verdict::Undecided(Reason::Biased(Bias::Apart)));
    assert!(!crossing.or_guess(true));
    assert!(test(at(&long, 0), at(&thin, 1)).is_apart(), "boxes apart is certain");
    assert!(test(at(&long, 0), at(&long, 2)).is_collision());
    let soup = support::shape("shape:cone");
    assert!(relaxed.accepts(soup.topology(), soup.topology()));
    let triangle = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let open = model(&PolygonMesh::from_polygons(triangle, [[0, 1, 2]]).unwrap());
    assert!(!relaxed.accepts(open.topology(), long.topology()));
    assert!(relaxed.prepare(&open).is_err() && relaxed.prepare(&long).is_ok());
}

#[test]
fn a_used_up_budget_is_undecided() {
    let (a, b) = (model(&hollow_box()), model(&cube(1.0)));
    let identity = Pose::IDENTITY;
    let placed = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    let query = Query::new().budget(std::time::Duration::ZERO);
    let verdict = Arbitrary::default().test(placed[0], placed[1], &query, &mut PairCache::new());
    assert_eq!(verdict, Verdict::Undecided(Reason::OutOfTime));
}

#[test]
fn poses_beyond_the_range_of_f64_are_refused() {
    let huge = model(&cuboid([0.0; 3], [1e300; 3]));
    assert!(matches!(
        Placed::new(&huge, &Pose::from_translation([1.7e308, 0.0, 0.0])),
        Err(PoseError::OutOfRange { .. })
    ));
}

#[test]
fn certify_gives_a_front_where_no_plane_exists_and_a_plane_where_one_does() {
    let (hollow, inner) = (model(&hollow_box()), model(&cube(1.0)));
    let far = model(&cuboid([30.0; 3], [31.0; 3]));
    let identity = Pose::IDENTITY;
    let [hollow, inner, far] = [&hollow, &inner, &far].map(|m| Placed::new(m, &identity).unwrap());
    let test = |a, b, certify| {
        let query = Query::new().certify(certify);
        match Arbitrary::default().test(a, b, &query, &mut PairCache::new()) {
            Verdict::Apart(separation) => separation,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(test(hollow, inner, false), Separation::Pairwise);
    assert!(matches!(test(hollow, inner, true), Separation::Front(_)));
    assert!(matches!(test(hollow, far, false), Separation::Plane(_)));
}

#[test]
fn the_witness_of_a_nested_body_is_its_vertex() {
    let (a, b) = (model(&cube(10.0)), model(&cube(1.0)));
    let identity = Pose::IDENTITY;
    let placed = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    match Arbitrary::default().test(placed[0], placed[1], &Query::new(), &mut PairCache::new()) {
        Verdict::Collides(witness) => {
            assert_eq!(witness.a, Feature::Body);
            assert_eq!(witness.b, Feature::Vertex(0.into()));
            assert_eq!(witness.point, [-1.0; 3]);
        }
        other => panic!("{other:?}"),
    }
}
