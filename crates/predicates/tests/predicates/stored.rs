//! Results go through serde and come back the same; damaged ones are refused.
#![cfg(feature = "serde")]

use xcollide_fixtures::assert_comes_back;
use xcollide_predicates::moving::{MovingPoint, triangles_contact, vertex_face_contact};
use xcollide_predicates::polygon::Location;
use xcollide_predicates::{
    Ray, Shifted, Sign, TriangleOverlap, closest_points, ray_crossing, ray_triangle,
    triangle_pair_overlap,
};

const TRIANGLE: [[f64; 3]; 3] = [[0.1, -0.0, 1.0 / 3.0], [4.0, 0.2, 0.3], [0.7, 5.0, 1e-300]];

#[test]
fn results_come_back_as_they_were() {
    for location in [Location::Inside, Location::Border, Location::Outside] {
        assert_comes_back(&location);
    }
    for sign in [Sign::Negative, Sign::Zero, Sign::Positive] {
        assert_comes_back(&sign);
    }
    assert_comes_back(&ray_crossing([-1.0, 1.0, 0.2], &TRIANGLE));
    let far = TRIANGLE.map(|[x, y, z]| [x + 9.1, y, z]);
    assert_comes_back(&closest_points(&TRIANGLE, &far));
    for shift in [[0.0; 3], [0.3, 0.3, 0.0], [0.1, 0.2, 0.01]] {
        let other = TRIANGLE.map(|[x, y, z]| [x + shift[0], y + shift[1], z + shift[2]]);
        if let Some(overlap) = triangle_pair_overlap(&TRIANGLE, &other) {
            assert_eq!(assert_comes_back(&overlap).corners(), overlap.corners());
        }
    }
    let face = TRIANGLE.map(MovingPoint::resting);
    let falling = TRIANGLE.map(|[x, y, z]| MovingPoint::new([x, y, z + 1.0], [x, y, z - 0.7]));
    assert_comes_back(&falling);
    assert_comes_back(&triangles_contact(&face, &falling, 0.0).expect("it falls through"));
    assert_comes_back(&vertex_face_contact(&falling[0], &face, 0.0).expect("on a corner"));
}

#[test]
fn an_overlap_has_one_to_six_corners() {
    for (count, is_overlap) in [(0, false), (1, true), (6, true), (7, false)] {
        let text = format!("[{}]", vec!["[0.5, 1, 2]"; count].join(","));
        assert_eq!(serde_json::from_str::<TriangleOverlap>(&text).is_ok(), is_overlap, "{text}");
    }
}

#[test]
fn rays_and_their_contacts_come_back_as_they_were() {
    let through = [0.3, 0.25, 0.35].map(|weight: f64| weight / 0.9);
    let place = [0, 1, 2].map(|k| (0..3).map(|i| through[i] * TRIANGLE[i][k]).sum::<f64>());
    let ray = Ray::through([0.1, 0.2, 7.0], place);
    assert_eq!(assert_comes_back(&ray), ray);
    let contact = ray_triangle(&ray, &TRIANGLE).expect("through its inside");
    assert_eq!(assert_comes_back(&contact), contact);
    assert_comes_back(&[Shifted::First, Shifted::Second].to_vec());
}
