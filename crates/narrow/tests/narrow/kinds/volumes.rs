//! Volumes of overlap, against counts of lattice cells and formulas.

use xcollide_fixtures::long_run;
use xcollide_narrow::{Model, OverlapVolume, Placed, Pose, QueryError, overlap_volume};

use super::lattice::{Solid, common_cells};
use super::support::{Random, cuboid, joined, model, random_pose, shape};
use super::{mapped, model_of, random_map};
use crate::support::unmoved;

/// The interval has the promised width and contains a number, which itself is known up to a part of it.
fn check(found: OverlapVolume, exact: f64, error: f64, context: &str) {
    let OverlapVolume { at_least, at_most } = found;
    let slack = error * exact;
    assert!(
        at_least <= exact + slack && exact - slack <= at_most,
        "{context}: {found:?}, exactly {exact}"
    );
    assert!(at_least >= 0.0 && at_most - at_least <= 1e-9 * at_least, "{context}: {found:?}");
    assert_eq!(at_most == 0.0, exact == 0.0, "{context}: {found:?}");
}

/// Pairs of boxes, prisms, brackets, tetrahedra and their unions, made to touch, with cavities, edges of four faces and faces
/// turned the wrong way: each cell that both have is a sixth of the volume of a cube.
#[test]
fn volumes_of_integer_solids_are_those_of_their_cells_soak() {
    let run = long_run(500, 100_000);
    let mut random = Random::new(run.seed.wrapping_add(41));
    let (mut met, mut touching, mut refused) = (0, 0, 0);
    for case in 0..run.cases {
        let a = Solid::random(&mut random);
        let b =
            if random.below(4) == 0 { a.again(&mut random) } else { Solid::random(&mut random) };
        if a.faces.is_empty() || b.faces.is_empty() {
            continue;
        }
        let identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let rows = if random.below(2) == 0 { identity } else { random_map(&mut random) };
        let [u, v, w] = rows;
        let det = w[0] * (u[1] * v[2] - u[2] * v[1])
            + w[1] * (u[2] * v[0] - u[0] * v[2])
            + w[2] * (u[0] * v[1] - u[1] * v[0]);
        let (model_a, model_b) = (mapped(&a, rows), mapped(&b, rows));
        match overlap_volume(unmoved(&model_a), unmoved(&model_b)) {
            Ok(found) => {
                let sixths = common_cells(&a, &b) as i64 * det.abs();
                let context = format!("case {case}: {a:?}\n{b:?}\n{rows:?}");
                check(found, sixths as f64 / 6.0, 1e-15, &context);
                met += usize::from(sixths > 0);
                touching += usize::from(sixths == 0);
            }
            Err(QueryError::SelfIntersecting { .. }) => refused += 1,
            Err(error) => panic!("{error}"),
        }
    }
    let least = run.cases as usize / 8;
    assert!(met > least && touching > least / 2, "{met} {touching} {refused}");
}

/// Overlaps from metres to a micrometre, of boxes with edges along the axes and, moved together, of any direction: what
/// they have in common is a box.
#[test]
fn thin_overlaps_are_known_as_well() {
    let cube = model_of(&cuboid([0.0; 3], [1.0; 3]));
    let mut random = Random::new(12);
    for power in 0..24 {
        let thin = 1.0 - 1.0 / f64::from(1 << power);
        for offset in [[thin, 0.0, 0.0], [thin, thin, thin], [0.5, thin, -0.25]] {
            let pose = Pose::from_translation(offset);
            let exact: f64 = offset.iter().map(|x| 1.0 - x.abs()).product();
            let found = overlap_volume((&cube, &Pose::IDENTITY), (&cube, &pose)).unwrap();
            check(found, exact, 0.0, "not moved");
            if power <= 20 && power > 0 {
                // Rounding moves the corners by 2⁻⁵³, so only that much of the least side is known.
                let both = random_pose(&mut random, 0.5);
                let second = Pose::from_translation(both.apply(offset));
                let second = Pose::from_matrix(*both.rotation(), second.translation()).unwrap();
                let found = overlap_volume((&cube, &both), (&cube, &second)).unwrap();
                check(found, exact, 1e-15 * 8.0 * f64::from(1 << power), "moved");
            }
        }
    }
}

/// Bodies in each other, with cavities, turned inside out, and the same twice.
#[test]
fn enclosed_bodies_have_their_own_volume() {
    let volume = |a: &Model, b: &Model| overlap_volume(unmoved(a), unmoved(b)).unwrap();
    let torus = shape("shape:torus?faces=400");
    let whole = volume(&torus, &torus);
    assert!(whole.at_least > 0.1);
    let around = model_of(&cuboid([-3.0; 3], [3.0; 3]));
    check(volume(&torus, &around), whole.at_least, 1e-9, "in a box");
    let shell = [cuboid([0.0; 3], [8.0; 3]), super::flipped(&cuboid([2.0; 3], [4.0; 3]))];
    let hollow = model_of(&joined(&shell));
    check(volume(&hollow, &hollow), 504.0, 0.0, "hollow");
    check(volume(&hollow, &model_of(&cuboid([1.0; 3], [3.0; 3]))), 7.0, 0.0, "at its corner");
    check(volume(&hollow, &model_of(&cuboid([2.0; 3], [4.0; 3]))), 0.0, 0.0, "fills the cavity");
    let nested = [cuboid([0.0; 3], [8.0; 3]), cuboid([2.0; 3], [4.0; 3])];
    check(volume(&model_of(&joined(&nested)), &hollow), 504.0, 0.0, "two shells, one body");
    let inverted = model_of(&super::flipped(&cuboid([0.0; 3], [8.0; 3])));
    check(volume(&inverted, &hollow), 504.0, 0.0, "inside out");
}

/// Turned bodies: what A has in common with B and with the box beside B is the whole of A.
#[test]
fn parts_of_a_body_add_up() {
    let mut random = Random::new(4);
    let halves = [cuboid([-4.0, -4.0, -4.0], [0.0, 4.0, 4.0]), cuboid([0.0, -4.0, -4.0], [4.0; 3])];
    let halves = halves.map(|mesh| model_of(&mesh));
    for spec in ["shape:torus?faces=300", "shape:knot?faces=600", "shape:polytope?vertices=60"] {
        let body = shape(spec);
        let whole = overlap_volume(unmoved(&body), unmoved(&body)).unwrap().at_least;
        for _ in 0..8 {
            let pose = random_pose(&mut random, 0.4);
            let placed = Placed::new(&body, &pose).unwrap();
            let parts = [0, 1].map(|half| overlap_volume(placed, unmoved(&halves[half])).unwrap());
            let sum = parts[0].at_least + parts[1].at_least;
            assert!((sum - whole).abs() < 1e-8 * whole, "{spec}: {parts:?} of {whole}");
            let back = overlap_volume(unmoved(&halves[0]), placed).unwrap();
            assert!((back.at_least - parts[0].at_least).abs() <= 2e-9 * whole);
        }
    }
}

/// What has no volume is a typed error, and what does not meet has none.
#[test]
fn open_and_self_intersecting_models_are_refused() {
    let cube = model_of(&cuboid([0.0; 3], [1.0; 3]));
    let sheet = model(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[vec![0, 1, 2]]);
    let found = overlap_volume(unmoved(&cube), unmoved(&sheet));
    assert_eq!(found, Err(QueryError::NoBody { side: "second" }));
    let crossed = joined(&[cuboid([0.0; 3], [1.0; 3]), cuboid([0.5; 3], [2.0; 3])]);
    let found = overlap_volume(unmoved(&model_of(&crossed)), unmoved(&cube));
    assert_eq!(found, Err(QueryError::SelfIntersecting { side: "first" }));
    let far = Pose::from_translation([1.0, 0.0, 0.0]);
    let found = overlap_volume((&cube, &Pose::IDENTITY), (&cube, &far)).unwrap();
    assert_eq!(found, OverlapVolume::default(), "they touch");
}

/// A volume that is too small for f64 is between 0 and the smallest number; models beyond 1e60 are refused.
#[test]
fn volumes_at_the_ends_of_the_range_are_bounded_or_refused() {
    let cube = |side: f64| model_of(&cuboid([0.0; 3], [side; 3]));
    let own = |side: f64| overlap_volume(unmoved(&cube(side)), unmoved(&cube(side)));
    check(own(1e-100).unwrap(), 1e-300, 1e-15, "within the range");
    let smallest = f64::from_bits(1);
    assert_eq!(own(1e-120), Ok(OverlapVolume { at_least: 0.0, at_most: smallest }));
    let (tiny, beside) = (cube(1e-120), Pose::from_translation([1e-120, 0.0, 0.0]));
    let found = overlap_volume((&tiny, &Pose::IDENTITY), (&tiny, &beside));
    assert_eq!(found, Ok(OverlapVolume::default()), "they touch");
    assert_eq!(own(2e60), Err(QueryError::Scale { side: "first" }));
}
