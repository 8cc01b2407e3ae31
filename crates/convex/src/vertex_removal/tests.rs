use super::*;
use crate::tests::hulls::hull_of;
use xcollide_fixtures::Random;

/// Points on a ball, a drum (whose ends are large polygons), a cone (whose tip has all others for
/// neighbours), and a small grid's hull (many in one plane).
fn hull(kind: usize, n: usize) -> Polytope {
    let mut random = Random::new(11);
    let mut next = || random.signed();
    let circle = |i: usize, n: usize| {
        let angle = std::f64::consts::TAU * i as f64 / n as f64;
        [libm::cos(angle), libm::sin(angle)]
    };
    let points: Vec<[f64; 3]> = (0..n)
        .map(|i| match kind {
            0 => {
                let p = [next(), next(), next()];
                let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                p.map(|x| x / length)
            }
            1 => {
                let [x, y] = circle(i / 2, n / 2);
                [x, y, (i % 2) as f64]
            }
            2 if i == 0 => [0.0, 0.0, 1.0],
            2 => {
                let [x, y] = circle(i, n - 1);
                [x, y, 0.0]
            }
            _ => [next(), next(), next()].map(|x| (4.0 * x).round()),
        })
        .collect();
    hull_of(&points)
}

/// After each step the triangles are a closed surface over what is left, and none of it is above
/// any of them: so they are its hull.
#[test]
fn what_is_left_is_its_own_hull() {
    let mut steps = 0;
    for (kind, n) in [(0, 120), (1, 80), (2, 60), (3, 400), (3, 40), (0, 14)] {
        let polytope = hull(kind, n);
        let mut peeling = Peeling::of(&polytope);
        let mut told = Vec::new();
        while peeling.take_away(9, |v, neighbour| told.push((v, neighbour))) {
            steps += 1;
            let at = |v: u32| polytope.position(v);
            assert_eq!(peeling.triangles.len(), 2 * peeling.left.len() - 4);
            let mut edges: Vec<[u32; 2]> = Vec::new();
            for &[a, b, c] in &peeling.triangles {
                edges.extend([[a, b], [b, c], [c, a]]);
                for &p in &peeling.left {
                    assert_ne!(orient3d(at(a), at(b), at(c), at(p)), Sign::Positive);
                }
            }
            edges.sort_unstable();
            for &[a, b] in &edges {
                assert!(edges.binary_search(&[b, a]).is_ok());
                assert!(peeling.left.contains(&a));
            }
            assert!(edges.windows(2).all(|two| two[0] != two[1]));
        }
        for &(v, neighbour) in &told {
            assert!(!peeling.left.contains(&v) && v != neighbour);
        }
        assert!(kind == 2 || peeling.left.len() < 12.max(polytope.len() / 4), "{kind} {n}");
    }
    assert!(steps > 20, "{steps}");
}

/// The whole of the work, a vertex, does not grow with their number.
#[test]
fn work_is_linear() {
    for kind in 0..3 {
        let work = [100, 1000, 10_000].map(|n| {
            let polytope = hull(kind, n);
            let mut peeling = Peeling::of(&polytope);
            let mut told = 0;
            while peeling.take_away(12, |_, _| told += 1) {}
            (peeling.work + told) as f64 / polytope.len() as f64
        });
        assert!(work.iter().all(|&work| work < 80.0), "kind {kind}: {work:?}");
        assert!(work[2] < 1.25 * work[1] && work[1] < 1.5 * work[0], "kind {kind}: {work:?}");
    }
}
