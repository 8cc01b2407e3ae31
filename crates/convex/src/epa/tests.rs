use super::*;
use xcollide_fixtures::Random;

/// Facets are closed over their sides, and no point sees any of them.
fn checked(hull: &ExpandingPolytope) -> usize {
    let mut alive = 0;
    for (i, facet) in hull.facets.iter().enumerate().filter(|(_, facet)| !facet.gone) {
        alive += 1;
        for side in 0..3 {
            let other = &hull.facets[facet.across[side] as usize];
            assert!(!other.gone);
            let ends = [facet.corners[(side + 1) % 3], facet.corners[side]];
            let back = |s: usize| other.across[s] == i as u32;
            let turned = |s: usize| [other.corners[s], other.corners[(s + 1) % 3]] == ends;
            assert!((0..3).any(|s| back(s) && turned(s)));
        }
        assert!(hull.points.iter().all(|&p| !hull.sees(i as u32, p)));
    }
    alive
}

/// Most points of a grid are coplanar with facets or collinear with sides.
#[test]
fn points_of_a_grid_keep_it_closed_and_convex() {
    let mut random = Random::new(3);
    for _ in 0..200 {
        let mut next = || random.below(3) as i64 - 1;
        let mut point = || [(); 3].map(|()| next() as f64);
        let mut hull = ExpandingPolytope::default();
        if !hull.start([point(), point(), point(), point()], [[0; 2]; 4]) {
            continue;
        }
        for _ in 0..30 {
            let p = point();
            let seen = (0..hull.facets.len() as u32)
                .find(|&facet| !hull.facets[facet as usize].gone && hull.sees(facet, p));
            if let Some(facet) = seen {
                hull.expand(facet, p, [1; 2]);
            }
        }
        let used: std::collections::BTreeSet<u32> = hull
            .facets
            .iter()
            .filter(|facet| !facet.gone)
            .flat_map(|facet| facet.corners)
            .collect();
        // Euler, for triangles.
        assert_eq!(checked(&hull), 2 * used.len() - 4);
    }
}
