//! Moving vertices, faces, edges and triangles: every answer equals the referee's, for any order,
//! scale, direction of time and degeneracy.

use crate::referee;

use std::cmp::Ordering;

use allocation_counter::measure;
use proptest::prelude::*;
use referee::motion::{Contact, Moving, contacts};
use referee::{Grid, Random, RandomGrid as _};
use xcollide_fixtures::long_run;
use xcollide_predicates::moving::{
    ContactKind, MotionContact, MovingPoint, TimeInterval, TrianglePrimitives, edge_edge_contact,
    triangles_contact, vertex_face_contact,
};
use xcollide_predicates::triangles_intersect;

fn to_f64(p: Grid) -> [f64; 3] {
    p.map(|x| x as f64)
}

fn moving([start, end]: Moving) -> MovingPoint {
    MovingPoint::new(to_f64(start), to_f64(end))
}

fn contact(points: &[MovingPoint; 4], is_vertex_face: bool, width: f64) -> Option<MotionContact> {
    let [a, b, c, d] = *points;
    if is_vertex_face {
        vertex_face_contact(&a, &[b, c, d], width)
    } else {
        edge_edge_contact(&[a, b], &[c, d], width)
    }
}

/// How often the interesting situations came up, so that no test passes for want of them.
#[derive(Debug, Default)]
struct Census {
    queries: usize,
    contacts: usize,
    sliding: usize,
    at_start: usize,
    at_end: usize,
    between_numbers: usize,
}

impl Census {
    fn count(&mut self, contact: Option<MotionContact>) {
        self.queries += 1;
        let Some(MotionContact { time, kind }) = contact else { return };
        self.contacts += 1;
        self.sliding += usize::from(kind == ContactKind::Sliding);
        self.at_start += usize::from(time.hi == 0.0);
        self.at_end += usize::from(time.lo == 1.0);
        self.between_numbers += usize::from(time.lo < time.hi);
    }

    fn assert_all_kinds(&self) {
        for kind in [self.contacts, self.sliding, self.at_start, self.at_end, self.between_numbers]
        {
            assert!(kind * 1000 > self.queries, "too few: {self:?}");
        }
        assert!(self.contacts * 10 < self.queries * 9, "one-sided: {self:?}");
    }
}

/// Compares with the referee at several widths.
fn check(points: &[Moving; 4], is_vertex_face: bool, census: &mut Census) {
    let expected = contacts(points, is_vertex_face);
    let in_f64 = points.map(moving);
    for width in [0.0, 1e-6, 1e-2, f64::INFINITY] {
        let found = contact(&in_f64, is_vertex_face, width);
        assert_eq!(found.is_some(), !expected.is_empty(), "{points:?} {is_vertex_face}");
        let Some(MotionContact { time, kind }) = found else { break };
        assert!(
            time.hi - time.lo <= width || time.lo.next_up() == time.hi,
            "{points:?} {is_vertex_face}: {time:?} for {width}"
        );
        assert!(0.0 <= time.lo && time.hi <= 1.0);
        let [lo, hi] = [time.lo, time.hi].map(referee::motion::time);
        let is_inside = |contact: &&Contact| {
            contact.compare(&lo) != Ordering::Less && contact.compare(&hi) != Ordering::Greater
        };
        assert!(
            expected.iter().all(|contact| contact.compare(&lo) != Ordering::Less),
            "{points:?} {is_vertex_face}: contact before {time:?}"
        );
        let rate = match kind {
            ContactKind::Incoming => -1,
            ContactKind::Outgoing => 1,
            ContactKind::Sliding => 0,
        };
        let inside: Vec<&Contact> = expected.iter().filter(is_inside).collect();
        assert!(
            inside.iter().any(|contact| contact.rate == rate),
            "{points:?} {is_vertex_face}: no {kind:?} contact in {time:?}"
        );
        if width == 0.0 && time.lo < time.hi {
            assert!(
                inside
                    .iter()
                    .any(|contact| contact.compare(&lo).is_gt() && contact.compare(&hi).is_lt()),
                "{points:?} {is_vertex_face}: {time:?} has the exact time at an end"
            );
        }
    }
    census.count(contact(&in_f64, is_vertex_face, 0.0));
}

/// Small integers make degenerate cases abound; most queries have something in common besides.
fn grid_query(random: &mut Random, limit: i64, i: u64) -> [Moving; 4] {
    let mut points = [(); 4].map(|()| [random.grid_point(limit), random.grid_point(limit)]);
    match i % 16 {
        // At rest.
        1 | 2 => {
            for point in &mut points[..1 + i as usize % 3] {
                point[1] = point[0];
            }
        }
        // In a common coordinate plane that moves.
        3..=5 => {
            let (axis, levels) = (random.below(3), [random.within(limit), random.within(limit)]);
            points.iter_mut().for_each(|p| (p[0][axis], p[1][axis]) = (levels[0], levels[1]));
        }
        // In a common slanted plane.
        6 | 7 => points.iter_mut().flatten().for_each(|p| p[2] = p[0] + p[1]),
        // On a common line, or all but one.
        8 | 9 => {
            let directions = [random.grid_point(1), random.grid_point(1)];
            for point in &mut points[(i % 2) as usize..] {
                let factors = [random.within(limit), random.within(limit)];
                *point = [0, 1].map(|end| directions[end].map(|x| x * factors[end]));
            }
        }
        // Two points are one, always, at the start or at the end.
        10 => points[random.below(4)] = points[random.below(4)],
        11 => points[random.below(4)][0] = points[random.below(4)][0],
        12 => points[random.below(4)][1] = points[random.below(4)][1],
        // One translation for all but one.
        13 => {
            let step = random.grid_point(limit);
            points[1..].iter_mut().for_each(|p| p[1] = [0, 1, 2].map(|k| p[0][k] + step[k]));
        }
        _ => {}
    }
    points
}

fn check_grid(queries: u64, seed: u64) {
    for limit in [1, 2, 4] {
        let mut random = Random::new(seed + limit as u64);
        let mut census = Census::default();
        for i in 0..queries / 3 {
            check(&grid_query(&mut random, limit, i), random.below(2) == 0, &mut census);
        }
        census.assert_all_kinds();
    }
}

#[test]
fn contacts_in_motion_are_those_of_the_referee() {
    check_grid(6000, 1);
}

#[test]
fn contacts_in_motion_are_those_of_the_referee_soak() {
    let run = long_run(3000, 10_000_000);
    check_grid(run.cases, 2 + run.seed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_contact_in_motion_is_that_of_the_referee(
        points in prop::array::uniform4(prop::array::uniform2(prop::array::uniform3(-4i64..=4))),
        is_vertex_face: bool,
    ) {
        check(&points, is_vertex_face, &mut Census::default());
    }
}

fn opposite(kind: ContactKind) -> ContactKind {
    match kind {
        ContactKind::Incoming => ContactKind::Outgoing,
        ContactKind::Outgoing => ContactKind::Incoming,
        ContactKind::Sliding => ContactKind::Sliding,
    }
}

/// Grid points, and floating-point ones of which some agree in coordinates or are equal.
fn any_query(random: &mut Random, i: u64) -> [MovingPoint; 4] {
    let grid = grid_query(random, 4, i / 2).map(moving);
    if i.is_multiple_of(2) {
        return grid;
    }
    // An affine map of the grid, rounded: nearly degenerate.
    let map = [(); 3].map(|()| random.point(1.0));
    let mapped = |p: [f64; 3]| map.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
    grid.map(|p| MovingPoint::new(mapped(p.start), mapped(p.end)))
}

/// The order of corners and of edges changes nothing but the sign of the normal.
#[test]
fn contacts_in_motion_do_not_depend_on_the_order() {
    let mut random = Random::new(3);
    let mut contacts = 0;
    for i in 0..20_000 {
        let points = any_query(&mut random, i);
        let is_vertex_face = random.below(2) == 0;
        // The order, and whether it turns the normal over.
        let orders: &[([usize; 4], bool)] = if is_vertex_face {
            &[
                ([0, 2, 3, 1], false),
                ([0, 3, 1, 2], false),
                ([0, 1, 3, 2], true),
                ([0, 3, 2, 1], true),
            ]
        } else {
            // Exchanging the edges turns both the normal and the height over.
            &[
                ([1, 0, 2, 3], true),
                ([0, 1, 3, 2], true),
                ([1, 0, 3, 2], false),
                ([2, 3, 0, 1], false),
            ]
        };
        let expected = contact(&points, is_vertex_face, 0.0);
        contacts += usize::from(expected.is_some());
        for (order, turns) in orders {
            let found = contact(&order.map(|i| points[i]), is_vertex_face, 0.0);
            let turned = found.map(|found| {
                let kind = if *turns { opposite(found.kind) } else { found.kind };
                MotionContact { kind, ..found }
            });
            assert_eq!(turned, expected, "{points:?} {is_vertex_face} {order:?}");
        }
    }
    assert!(contacts > 4000);
}

/// Contact at any time is contact at the time before the end if the motion runs backwards.
#[test]
fn contacts_in_motion_run_backwards() {
    let mut random = Random::new(4);
    for i in 0..20_000 {
        let points = any_query(&mut random, i);
        let back = points.map(|p| MovingPoint::new(p.end, p.start));
        let is_vertex_face = random.below(2) == 0;
        let [forth, back] = [points, back].map(|points| contact(&points, is_vertex_face, 0.0));
        assert_eq!(forth.is_some(), back.is_some(), "{points:?} {is_vertex_face}");
        if let (Some(forth), Some(back)) = (forth, back) {
            // The last contact is not before the first.
            assert!(1.0 - back.time.lo >= forth.time.lo, "{points:?}: {forth:?} {back:?}");
        }
    }
}

/// Affine maps that are exact in f64 change no answer, at whatever end of the range and however uneven.
#[test]
fn contacts_in_motion_are_free_of_scale() {
    let power = |k: i32| (0..k.abs()).fold(1.0, |p, _| if k < 0 { p * 0.5 } else { p * 2.0 });
    let maps: [(&str, [f64; 3], [f64; 3]); 8] = [
        ("1e-300", [power(-996); 3], [0.0; 3]),
        ("1e150", [power(498); 3], [0.0; 3]),
        ("subnormal", [power(-1074); 3], [0.0; 3]),
        ("largest", [power(1020); 3], [0.0; 3]),
        ("far away", [1.0; 3], [power(50), -power(49), power(50)]),
        ("far away at 1e150", [power(450); 3], [power(500), -power(500), power(499)]),
        ("far away at 1e-300", [power(-1040); 3], [power(-992), power(-991), -power(-993)]),
        ("1e-300 by 1 by 1e150", [power(-996), 1.0, power(498)], [0.0; 3]),
    ];
    for (name, scale, shift) in maps {
        let mut random = Random::new(5);
        for i in 0..2000 {
            let points = grid_query(&mut random, 4, i).map(moving);
            let is_vertex_face = random.below(2) == 0;
            let mapped = |p: [f64; 3]| [0, 1, 2].map(|k| p[k] * scale[k] + shift[k]);
            let elsewhere = points.map(|p| MovingPoint::new(mapped(p.start), mapped(p.end)));
            assert_eq!(
                contact(&elsewhere, is_vertex_face, 0.0),
                contact(&points, is_vertex_face, 0.0),
                "{points:?} {is_vertex_face} {name}"
            );
        }
    }
}

/// Coordinates from the least to the greatest in one query: nothing overflows or is lost.
#[test]
fn the_least_number_separates_at_every_size() {
    let (tiny, huge) = (f64::from_bits(1), 2f64.powi(1022));
    let face =
        [[-huge, -huge, 0.0], [huge, -huge, 0.0], [0.0, huge, 0.0]].map(MovingPoint::resting);
    let until = |z: f64| MovingPoint::new([1.0, 2.0, huge], [-3.0, 1e-300, z]);
    assert_eq!(vertex_face_contact(&until(tiny), &face, 0.0), None);
    let time = vertex_face_contact(&until(0.0), &face, 0.0).map(|contact| contact.time);
    assert_eq!(time, Some(TimeInterval { lo: 1.0, hi: 1.0 }));
    let time = vertex_face_contact(&until(-tiny), &face, 0.0).map(|contact| contact.time);
    assert_eq!(time, Some(TimeInterval { lo: 1.0f64.next_down(), hi: 1.0 }));
    // At a time that is hardly more than 0.
    let leaving = MovingPoint::new([0.0, 0.0, 5.0 * tiny], [0.0, 0.0, -huge]);
    let time = vertex_face_contact(&leaving, &face, 0.0).map(|contact| contact.time);
    assert_eq!(time, Some(TimeInterval { lo: 0.0, hi: tiny }));
}

/// Two contacts between neighbouring numbers, of which only the later is on the face.
#[test]
fn roots_closer_than_numbers_are_told_apart() {
    // The height is t² − 2t/3 + 1/9 − 2⁻¹⁵⁰ or so, over a plane that turns: roots 1/3 ± 2⁻⁷⁵.
    let e = 2f64.powi(-75);
    // A vertex along the x axis at x = 3t − 1, over the plane z = x²/… is not linear; so the plane
    // through (0, 0, 0), (0, 1, 0) and (1, 0, 3t − 1) and a vertex at (3t − 1, 0, e²).
    let hinge = [[0.0; 3], [0.0, 1.0, 0.0]].map(MovingPoint::resting);
    let flap = MovingPoint::new([1.0, 0.0, -1.0], [1.0, 0.0, 2.0]);
    let vertex = MovingPoint::new([-1.0, 0.0, e * e], [2.0, 0.0, e * e]);
    let face = [hinge[0], hinge[1], flap];
    let third = 1.0 / 3.0;
    let contact = vertex_face_contact(&vertex, &face, 0.0).expect("at x = e");
    assert_eq!((contact.time.lo, contact.time.hi), (third, f64::next_up(third)));
    // The volume is (3t − 1)² − e² up to its sign: zero at x = −e, beyond the hinge, and at x = e.
    assert_ne!(contact.kind, ContactKind::Sliding);
    // On the hinge itself both roots are one.
    let on_hinge = MovingPoint::new([-1.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
    let contact = vertex_face_contact(&on_hinge, &face, 0.0).expect("at x = 0");
    assert_eq!((contact.time.lo, contact.time.hi), (third, f64::next_up(third)));
    assert_eq!(contact.kind, ContactKind::Sliding);
}

/// Where f64 decides, nothing is allocated.
#[test]
fn the_filter_of_motion_allocates_nothing() {
    let mut random = Random::new(7);
    let mut contacts = 0;
    for i in 0..2000 {
        let points = [(); 4].map(|()| MovingPoint::new(random.point(1.0), random.point(1.0)));
        let mut found = None;
        let allocated = measure(|| found = contact(&points, i % 2 == 0, 1e-6));
        assert_eq!(allocated.count_total, 0, "{points:?}");
        contacts += usize::from(found.is_some());
    }
    assert!(contacts > 50, "{contacts}");
}

/// A vertex inside a face all the time, of which the height is a cubic polynomial with three roots, or with
/// a double root first: the first one counts.
#[test]
fn the_first_of_three_contacts_counts() {
    // Corners (0, 0, 0), (10 + u, 0, r) and (0, 12 + u, s), vertex (1, 1, u), all linear in u = 4t: the
    // height is (10 + u)(12 + u)u − (10 + u)s − (12 + u)r times a positive number.
    let query = |r: [f64; 2], s: [f64; 2]| {
        [
            MovingPoint::new([1.0, 1.0, 0.0], [1.0, 1.0, 4.0]),
            MovingPoint::resting([0.0; 3]),
            MovingPoint::new([10.0, 0.0, r[0]], [14.0, 0.0, r[0] + 4.0 * r[1]]),
            MovingPoint::new([0.0, 12.0, s[0]], [0.0, 16.0, s[0] + 4.0 * s[1]]),
        ]
    };
    let cases = [
        // (u − 1)(u − 2)(u − 3)
        (query([998.0, 14.0], [-1197.0, 14.0]), ContactKind::Outgoing),
        // (u − 1)²(u − 3)
        (query([926.5, 14.0], [-1111.5, 13.0]), ContactKind::Sliding),
    ];
    for (points, kind) in cases {
        for width in [0.0, 1e-9, 0.1, f64::INFINITY] {
            let found = contact(&points, true, width).expect("at a quarter");
            assert_eq!(found.kind, kind, "{width}");
            assert!(found.time.lo <= 0.25 && 0.25 <= found.time.hi, "{found:?}");
            assert!(found.time.hi - found.time.lo <= width, "{found:?}");
        }
    }
}

fn at(p: &MovingPoint, t: f64) -> [f64; 3] {
    // Exact for small integers and times of few bits.
    [0, 1, 2].map(|k| p.start[k] + t * (p.end[k] - p.start[k]))
}

/// Resting triangles at many exact times never meet before the contact in motion, and meet then.
#[test]
fn triangles_in_motion_touch_as_resting_ones_do() {
    let mut random = Random::new(6);
    let (mut contacts, mut starts, mut kinds, mut exact) = (0, 0, [0; 3], 0);
    for i in 0..6000 {
        let limit = [1, 2, 4][i as usize % 3];
        let [a, b, c, d] = grid_query(&mut random, limit, i).map(moving);
        let [e, f] = [(); 2].map(|()| moving([random.grid_point(limit), random.grid_point(limit)]));
        let (first, second) = ([a, b, e], [c, d, f]);
        let found = triangles_contact(&first, &second, 0.0);
        let back = triangles_contact(&second, &first, 0.0);
        assert_eq!(found.map(|c| c.time), back.map(|c| c.time), "{first:?} {second:?}");
        let wide = triangles_contact(&first, &second, 0.1);
        assert_eq!(wide.is_some(), found.is_some());
        if let (Some(wide), Some(found)) = (wide, found) {
            assert!(wide.time.lo <= found.time.lo && found.time.hi <= wide.time.hi);
        }
        let meet = |t: f64| {
            let resting = |triangle: &[MovingPoint; 3]| triangle.each_ref().map(|p| at(p, t));
            triangles_intersect(&resting(&first), &resting(&second))
        };
        for k in 0..=96 {
            let t = f64::from(k) / 64.0;
            if t <= 1.0 && meet(t) {
                let found = found.expect("they meet at a time");
                assert!(found.time.lo <= t, "{first:?} {second:?}: {found:?}, but contact at {t}");
            }
        }
        let Some(found) = found else { continue };
        contacts += 1;
        if found.time.lo == found.time.hi {
            assert!(meet(found.time.lo), "{first:?} {second:?}: {found:?}");
            exact += 1;
        }
        match found.primitives {
            None => starts += 1,
            Some((TrianglePrimitives::VertexFace(_), _)) => kinds[0] += 1,
            Some((TrianglePrimitives::FaceVertex(_), _)) => kinds[1] += 1,
            Some((TrianglePrimitives::EdgeEdge(..), _)) => kinds[2] += 1,
        }
    }
    assert!(contacts > 2000 && starts > 500 && exact > 500, "{contacts} {starts} {exact}");
    assert!(kinds.iter().all(|&kind| kind > 100), "{kinds:?}");
}

/// With numbers that are not finite nothing panics and the search ends, whatever the answer.
#[test]
fn any_numbers_in_motion_do_no_harm() {
    let mut random = Random::new(17);
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let mut contacts = 0;
    for i in 0..2000 {
        let mut number = || match random.below(16) {
            0 => bad[random.below(3)],
            _ => random.integer(-3, 3) as f64,
        };
        let mut point = || MovingPoint::new([0; 3].map(|_| number()), [0; 3].map(|_| number()));
        let points = [point(), point(), point(), point()];
        for width in [0.0, 1e-6, f64::INFINITY] {
            contacts += usize::from(contact(&points, i % 2 == 0, width).is_some());
        }
        let [a, b, c, d] = points;
        let _ = triangles_contact(&[a, b, c], &[b, c, d], 0.0);
        let _ = triangles_contact(&[a, b, c], &[point(), point(), d], 1e-6);
    }
    assert!(contacts > 100, "{contacts}");
}
