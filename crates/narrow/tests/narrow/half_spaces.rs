//! Two half spaces: against exact integer arithmetic, and where rounding hides where their borders cross.

use xcollide_math::Motion;
use xcollide_narrow::continuous::{Moving, time_of_contact};
use xcollide_narrow::formula::{self, Formulas};
use xcollide_narrow::relation::kind;
use xcollide_narrow::{
    Formula, Kind, Manifold, Model, NarrowPhase, PairCache, Placed, Pose, Query, QueryError,
    Reason, Semantics, Verdict, overlap_volume, penetration,
};
use xcollide_scenes::Poses;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const BITS: f64 = (1_u64 << 30) as f64;

/// The matrix with entries that are multiples of 2⁻³⁰.
fn short(pose: &Pose) -> [[f64; 3]; 3] {
    pose.rotation().map(|row| row.map(|x| (x * BITS).round() / BITS))
}

/// The half space on the other side of the same border.
fn turned(rows: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    rows.map(|[x, y, z]| [x, -y, -z])
}

/// The kind by integers: normals in units of 2⁻³⁰, places are integers.
fn expected(a: &Pose, b: &Pose) -> Kind {
    let integers = |point: [f64; 3], unit: f64| point.map(|x| (x * unit) as i128);
    let [m, n] = [a, b].map(|pose| integers(pose.rotation().map(|row| row[2]), BITS));
    let [p, q] = [a, b].map(|pose| integers(pose.translation(), 1.0));
    let dot = |u: [i128; 3], v: [i128; 3]| -> i128 { (0..3).map(|k| u[k] * v[k]).sum() };
    let parallel = dot(m, n) * dot(m, n) == dot(m, m) * dot(n, n);
    let above = dot(n, [0, 1, 2].map(|k| p[k] - q[k])).signum();
    match (parallel, dot(m, n) > 0, above) {
        (false, ..) | (_, false, -1) => Kind::Overlapping,
        (_, true, -1) => Kind::Enclosed,
        (_, true, 0) => Kind::Equal,
        (_, true, _) => Kind::Enclosing,
        (_, false, 0) => Kind::Touching,
        (_, false, _) => Kind::Apart,
    }
}

fn ground() -> Model {
    Model::from_formula(Formula::HalfSpace)
}

fn verdict(a: Placed<'_>, b: Placed<'_>) -> Result<Verdict, Box<dyn std::error::Error>> {
    let verdict = Formulas.test(a, b, &Query::new(), &mut PairCache::new());
    match &verdict {
        Verdict::Apart(separation) => separation.verify(a, b, Semantics::Solid)?,
        Verdict::Collides(witness) => witness.verify(a, b, Semantics::Solid)?,
        Verdict::Undecided(reason) => return Err(format!("{reason:?} of {a:?} and {b:?}").into()),
    }
    Ok(verdict)
}

#[test]
fn half_spaces_have_the_kinds_of_integers() -> Outcome {
    let (model, mut poses) = (ground(), Poses::new(71));
    let axes = [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]];
    let rows = (0..40).map(|_| short(&poses.within(1.0).pose())).chain(axes).collect::<Vec<_>>();
    let mut seen = std::collections::HashMap::new();
    for rows in &rows {
        let mut leaning = *rows;
        leaning[0][2] += 1.0 / BITS;
        // Along the border, if it is the floor, and off it.
        let places = [[0.0; 3], [3.0, -2.0, 0.0], [1.0, 5.0, -2.0], [-4.0, 1.0, 7.0]];
        let others = [*rows, turned(*rows), leaning, turned(leaning)];
        for (other, place) in others.iter().flat_map(|rows| places.map(|place| (rows, place))) {
            let of_a = Pose::from_matrix(*rows, [0.0; 3])?;
            let of_b = Pose::from_matrix(*other, place)?;
            let [a, b] = [Placed::new(&model, &of_a)?, Placed::new(&model, &of_b)?];
            let expected = expected(&of_a, &of_b);
            assert_eq!(kind(a, b, Semantics::Solid), Some(expected), "{of_a:?} {of_b:?}");
            assert_eq!(kind(b, a, Semantics::Surface), Some(expected.reversed()));
            for (a, b) in [(a, b), (b, a)] {
                assert_eq!(verdict(a, b)?.is_collision(), expected != Kind::Apart);
            }
            measure(a, b, expected)?;
            *seen.entry(expected).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
    Ok(())
}

/// Distance and depth, where there are any: those of the middle of the border of the one to the border of the other.
fn measure(a: Placed<'_>, b: Placed<'_>, kind: Kind) -> Outcome {
    let normal = a.pose().rotation().map(|row| row[2]);
    let [p, q] = [a, b].map(|placed| placed.pose().translation());
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    let height = (0..3).map(|k| normal[k] * (q[k] - p[k])).sum::<f64>() / length;
    let opposite = (0..3).all(|k| normal[k] == -b.pose().rotation()[k][2]);
    let found = formula::distance(a, b, Semantics::Solid)?;
    let gap = if kind == Kind::Apart { height } else { 0.0 };
    assert!(found.at_least <= gap + 1e-14 && found.at_most >= gap - 1e-14, "{found:?} {gap}");
    assert!(found.at_most - found.at_least < 1e-13, "{found:?}");
    assert_eq!(overlap_volume(a, b), Err(QueryError::Unbounded));
    let found = penetration(a, b);
    if !opposite {
        assert_eq!(found, Err(QueryError::Unbounded));
        assert_eq!(Manifold::of(a, b, None).err(), Some(QueryError::Unbounded));
        return Ok(());
    }
    assert_eq!(found?.is_some(), kind != Kind::Apart);
    if let Some(found) = found? {
        assert!(found.at_least <= -height + 1e-14 && found.at_most >= -height - 1e-14);
        assert!(found.at_most - found.at_least < 1e-13, "{found:?}");
        let manifold = Manifold::of(a, b, None)?.ok_or("apart")?;
        assert_eq!((manifold.normal, manifold.points.len()), (found.direction, 1));
    }
    Ok(())
}

/// The borders cross at some 1e16 times the gap, where f64 has few points; or as far as f64 goes.
#[test]
fn half_spaces_that_lean_by_one_bit_meet_far_away() -> Outcome {
    let (model, mut poses) = (ground(), Poses::new(72));
    let mut exact = 0;
    for number in 0..60 {
        let rows = *poses.within(1.0).pose().rotation();
        let mut leaning = turned(rows);
        leaning[number % 3][2] = leaning[number % 3][2].next_up();
        for gap in [1e-200, 1e-9, 1.0, 1e9, 1e150] {
            let of_a = Pose::from_matrix(rows, [0.0; 3])?;
            let of_b = Pose::from_matrix(leaning, rows.map(|row| gap * row[2]))?;
            let (a, b) = (Placed::new(&model, &of_a)?, Placed::new(&model, &of_b)?);
            assert_eq!(kind(a, b, Semantics::Solid), Some(Kind::Overlapping));
            let Verdict::Collides(witness) = verdict(a, b)? else { return Err("apart".into()) };
            exact += i32::from(xcollide_narrow::contains_point(a, witness.point)?);
        }
    }
    assert!(exact > 30, "{exact}");
    // Where f64 ends no point is known, and they are not told apart.
    let leaning = [[1.0, 0.0, 0.0], [0.0, -1.0, 1e-16], [0.0, 0.0, -1.0]];
    let of_b = Pose::from_matrix(leaning, [0.0, 0.0, 1e300])?;
    let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &of_b)?);
    assert_eq!(kind(a, b, Semantics::Solid), Some(Kind::Overlapping));
    let found = Formulas.test(a, b, &Query::new(), &mut PairCache::new());
    assert_eq!(found, Verdict::Undecided(Reason::TooClose));
    assert_eq!(formula::distance(a, b, Semantics::Solid)?.at_most, 0.0);
    Ok(())
}

#[test]
fn a_ceiling_comes_down_on_the_ground() -> Outcome {
    let model = ground();
    let down = turned(*Pose::IDENTITY.rotation());
    let [high, low] = [1.0, -1.0].map(|z| Pose::from_matrix(down, [5.0, 0.0, z]));
    let path = Motion::linear(high?, low?)?;
    let (a, b) = (Moving::new(&model, &path), Moving::new(&model, &Pose::IDENTITY));
    for (a, b) in [(a, b), (b, a)] {
        let found = time_of_contact(a, b, 1e-9, &Query::new())?;
        let time = found.interval().ok_or("apart")?;
        assert!(time.lo <= 0.5 && 0.5 <= time.hi && time.hi - time.lo <= 1e-9, "{time:?}");
        found.verify(a, b, Semantics::Solid)?;
    }
    Ok(())
}
