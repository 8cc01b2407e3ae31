//! Triangles that share corners: the fast tests are those of the general one, which is that of a referee.

use crate::referee;

use referee::{Grid, Random, RandomGrid as _, to_f64};
use xcollide_fixtures::long_run;
use xcollide_predicates::{
    Point, triangles_meet_beyond_edge, triangles_meet_beyond_vertex, triangles_meet_outside,
};

/// Corners on a small grid, every other time in one plane or on one line.
fn points(random: &mut Random, round: usize) -> [Grid; 5] {
    let limit = [1, 2, 5][round % 3];
    let mut points = [(); 5].map(|()| random.grid_point(limit));
    match round / 3 % 4 {
        1 => points.iter_mut().for_each(|p| p[2] = p[0] - p[1]),
        3 => {
            let along = random.grid_point(2);
            points = [(); 5].map(|()| along.map(|x| x * random.within(3)));
            if round.is_multiple_of(2) {
                points[4] = random.grid_point(2);
            }
        }
        _ => {}
    }
    points
}

fn scaled(points: &[Grid; 5], exponent: i32) -> [Point; 5] {
    let half = 2.0_f64.powi(exponent / 2);
    points.map(|p| p.map(|x| x as f64 * half * half))
}

/// The shared corners v, or u and v, of two triangles; the fast tests in all orders.
fn check(points: [Point; 5]) -> [bool; 2] {
    let [u, v, a, b, c] = points;
    let beyond_vertex = triangles_meet_outside(&[u, v, a], &[u, b, c], &[[u, u]]);
    for (first, second) in [([v, a], [b, c]), ([a, v], [b, c]), ([v, a], [c, b]), ([a, v], [c, b])]
    {
        assert_eq!(triangles_meet_beyond_vertex(&u, &first, &second), beyond_vertex, "{points:?}");
        assert_eq!(triangles_meet_beyond_vertex(&u, &second, &first), beyond_vertex, "{points:?}");
    }
    let beyond_edge = triangles_meet_outside(&[u, v, a], &[u, v, b], &[[u, v]]);
    for edge in [[u, v], [v, u]] {
        assert_eq!(triangles_meet_beyond_edge(&edge, &a, &b), beyond_edge, "{points:?}");
        assert_eq!(triangles_meet_beyond_edge(&edge, &b, &a), beyond_edge, "{points:?}");
    }
    [beyond_vertex, beyond_edge]
}

fn check_all(rounds: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut met = [0; 2];
    for round in 0..rounds {
        let points = points(&mut random, round);
        let exponent = [0, 0, 0, 1020, -1072, 500][round % 6];
        let found = check(scaled(&points, exponent));
        met = [0, 1].map(|i| met[i] + usize::from(found[i]));
    }
    assert!(met.iter().all(|&met| met > rounds / 20 && met < rounds * 19 / 20), "{met:?}");
}

#[test]
fn triangles_with_shared_corners_are_told_as_by_the_general_test() {
    check_all(20_000, 1);
}

#[test]
fn triangles_with_shared_corners_soak() {
    let run = long_run(1000, 2_000_000);
    check_all(run.cases as usize, 2 + run.seed);
}

/// Laws of covering: what is covered is on the segments, more segments cover no less, and neither order nor direction
/// matters.
#[test]
fn segments_cover_what_they_should() {
    let mut random = Random::new(3);
    let mut seen = [0; 3];
    for round in 0..6000 {
        let [a, b, c, d, e] = points(&mut random, round);
        let (s, t) = ([a, b, c], [a, d, e]);
        let (sf, tf) = (to_f64(&s), to_f64(&t));
        assert!(triangles_meet_outside(&sf, &tf, &[]), "they share a corner");
        let segment = [sf[1], sf[2]];
        let covered = !triangles_meet_outside(&sf, &tf, &[segment]);
        let is_on_side = referee::triangles_meet(&[a; 3], &[b, c, c]);
        assert!(!covered || is_on_side, "the shared corner is on no other side: {s:?} {t:?}");
        let parts = [[sf[1], sf[0]], [sf[0], sf[2]], segment];
        let by_sides = !triangles_meet_outside(&sf, &tf, &parts);
        assert!(!covered || by_sides, "more segments cover no less");
        seen[0] += usize::from(covered);
        seen[1] += usize::from(by_sides);
        seen[2] += usize::from(!by_sides);
        let others = parts.map(|[p, q]| [q, p]).into_iter().chain(parts).chain([[sf[0]; 2]]);
        let others: Vec<_> = others.collect();
        assert_eq!(!triangles_meet_outside(&tf, &sf, &others), by_sides, "{s:?} {t:?}");
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

/// A segment covered by pieces, in any order, with or without a gap.
#[test]
fn pieces_of_a_segment_cover_it_unless_there_is_a_gap() {
    let line = |x: f64| [x, 2.0 * x, -x];
    let (s, t) =
        ([line(0.0), line(6.0), [1.0, 0.0, 9.0]], [line(1.0), line(9.0), [0.0, 5.0, -9.0]]);
    let piece = |from: f64, to: f64| [line(from), line(to)];
    let covers = |pieces: &[[Point; 2]]| !triangles_meet_outside(&s, &t, pieces);
    assert!(covers(&[piece(1.0, 6.0)]));
    assert!(covers(&[piece(4.0, 7.0), piece(3.0, 0.0), piece(3.0, 4.0)]));
    assert!(!covers(&[piece(4.0, 7.0), piece(2.0, 0.0), piece(3.0, 4.0)]), "a gap");
    assert!(!covers(&[piece(1.0, 5.0)]), "an end");
    assert!(!covers(&[piece(2.0, 6.0), [line(1.0); 2]]), "an end point alone is no piece");
    assert!(!covers(&[]));
}
