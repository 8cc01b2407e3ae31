//! Kinds of relation of formulas: against the same bodies as meshes, and where they are known.

mod meshes;

use std::sync::Arc;

use xcollide_convex::Polytope;
use xcollide_convex::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
use xcollide_fixtures::Random;
use xcollide_narrow::relation::kind;
use xcollide_narrow::{self as narrow, Formula, Kind, Model, Placed, Pose, Semantics, Verdict};
use xcollide_scenes::Poses;

use crate::support::formulas;

const BOX_FACES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn shape(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

/// All bounded formulas, about as large as a number.
fn bounded(size: f64) -> Vec<Model> {
    let all = formulas(size).into_iter().filter(|formula| !matches!(formula, Formula::HalfSpace));
    all.map(Model::from_formula).collect()
}

/// The kind, which must be the reverse in the other order.
fn of(a: Placed<'_>, b: Placed<'_>) -> Option<Kind> {
    let found = kind(a, b, Semantics::Solid);
    assert_eq!(kind(b, a, Semantics::Solid), found.map(Kind::reversed), "{a:?} {b:?}");
    found
}

/// Small ones are in large ones, others overlap or are apart; the ground takes all.
#[test]
fn kinds_of_formulas_are_proved() -> Outcome {
    let (large, small) = (bounded(1.0), bounded(0.1));
    let ground = Model::from_formula(Formula::HalfSpace);
    let mut poses = Poses::new(6);
    let (mut counts, mut unknown) = ([0; 3], 0);
    for a in &large {
        for b in &small {
            let at = poses.within(0.3).pose();
            let inside = at.with_translation([0.02, 0.01, -0.05]);
            let (a, b) = (Placed::new(a, &Pose::IDENTITY)?, Placed::new(b, &inside)?);
            assert_eq!(of(b, a), Some(Kind::Enclosed), "{b:?} in {a:?}");
        }
        for b in &large {
            for _ in 0..4 {
                let [of_a, of_b] = [poses.within(0.8).pose(), poses.within(0.8).pose()];
                let (a, b) = (Placed::new(a, &of_a)?, Placed::new(b, &of_b)?);
                match of(a, b) {
                    Some(Kind::Apart) => counts[0] += 1,
                    Some(Kind::Overlapping) => counts[1] += 1,
                    Some(Kind::Enclosed | Kind::Enclosing) => counts[2] += 1,
                    Some(other) => return Err(format!("{a:?} {b:?} {other:?}").into()),
                    None => unknown += 1,
                }
            }
        }
        let here = Placed::new(a, &Pose::IDENTITY)?;
        assert_eq!(of(here, here), Some(Kind::Equal));
        for (height, expected) in
            [(2.0, Kind::Apart), (0.1, Kind::Overlapping), (-2.0, Kind::Enclosed)]
        {
            let at = Pose::from_translation([3.0, 0.0, height]);
            let ground = Placed::new(&ground, &Pose::IDENTITY)?;
            assert_eq!(of(Placed::new(a, &at)?, ground), Some(expected), "{a:?} {height}");
        }
    }
    assert!(counts[0] > 10 && counts[1] > 50 && unknown < 3, "{counts:?} {unknown}");
    // A cone just fits in its cylinder.
    let cone = Model::from_formula(Formula::Cone(Cone::new(0.75, 0.5)?));
    let can = Model::from_formula(Formula::Cylinder(Cylinder::new(0.75, 0.5)?));
    let found = narrow::kind((&cone, &Pose::IDENTITY), (&can, &Pose::IDENTITY));
    assert_eq!(found, Ok(Kind::Enclosed));
    // Cones that touch at the rims of their bases, at fifths.
    let [one, other] = [2.0, 3.0].map(|radius| Cone::new(0.75, radius).map(Formula::Cone));
    let [one, other] = [Model::from_formula(one?), Model::from_formula(other?)];
    let beside = Pose::from_translation([3.0, 4.0, 0.0]);
    let found = narrow::kind((&one, &Pose::IDENTITY), (&other, &beside));
    assert_eq!(found, Ok(Kind::Touching));
    // An ellipsoid just fits in a capsule.
    let capsule = Model::from_formula(Formula::Capsule(Capsule::new(0.5, 0.5)?));
    for (wide, expected) in [(0.5, Kind::Enclosed), (0.5_f64.next_up(), Kind::Overlapping)] {
        let egg = Model::from_formula(Formula::Ellipsoid(Ellipsoid::new([0.5, wide, 1.0])?));
        let place = |model| Placed::new(model, &Pose::IDENTITY);
        assert_eq!(of(place(&egg)?, place(&capsule)?), Some(expected));
    }
    Ok(())
}

/// A body whose core is an axis-parallel box of whole numbers: with a radius a ball or a capsule, else a box, by its formula or as
/// a mesh.
struct Whole {
    model: Model,
    pose: Pose,
    core: [[i64; 3]; 2],
    radius: i64,
}

impl Whole {
    fn new(random: &mut Random) -> Result<Self, Box<dyn std::error::Error>> {
        let center = [(); 3].map(|()| random.integer(-6, 6));
        let radius = if random.below(2) == 0 { 0 } else { random.integer(1, 4) };
        let axis = random.below(3);
        let mut half = [0; 3];
        if radius == 0 {
            half = half.map(|_| random.integer(1, 3));
        } else if random.below(2) == 0 {
            half[axis] = random.integer(1, 3);
        }
        // The axis of the frame is z; a box is turned, too.
        let mut matrix = [[0.0; 3]; 3];
        for k in 0..3 {
            matrix[(k + axis + 1) % 3][k] = 1.0;
        }
        let local = [0, 1, 2].map(|k| half[(k + axis + 1) % 3] as f64);
        let model = match radius {
            0 if random.below(2) == 0 => {
                let [x, y, z] = local.map(|x| 2.0 * x);
                shape(&format!("box?x={x}&y={y}&z={z}"))?
            }
            0 => Model::from_formula(Formula::Cuboid(Cuboid::new(local)?)),
            _ if half == [0; 3] => Model::from_formula(Formula::Ball(Ball::new(radius as f64)?)),
            _ => Model::from_formula(Formula::Capsule(Capsule::new(local[2], radius as f64)?)),
        };
        let core = [-1, 1].map(|side| [0, 1, 2].map(|k| center[k] + side * half[k]));
        let pose = Pose::from_matrix(matrix, center.map(|x| x as f64))?;
        Ok(Self { model, pose, core, radius })
    }

    /// Apart (positive), touching, or with common inner points.
    fn gap(&self, other: &Self) -> i64 {
        let (radius, [a, b], [c, d]) = (self.radius + other.radius, self.core, other.core);
        let gaps = [0, 1, 2].map(|k| (c[k] - b[k]).max(a[k] - d[k]));
        if radius == 0 {
            return gaps[0].max(gaps[1]).max(gaps[2]);
        }
        gaps.iter().map(|gap| gap.max(&0).pow(2)).sum::<i64>() - radius.pow(2)
    }
}

/// For balls, capsules, boxes and meshes of boxes with integer coordinates, many of which touch, the kind is always decided and is
/// that of integer arithmetic. Verdicts agree with it, and their proofs verify.
#[test]
fn kinds_of_formulas_that_touch_are_those_of_integers() -> Outcome {
    let mut random = Random::new(11);
    let (mut counts, mut decided) = ([0; 3], 0);
    for _ in 0..1200 {
        let (a, b) = (Whole::new(&mut random)?, Whole::new(&mut random)?);
        let gap = a.gap(&b);
        let (one, other) = (Placed::new(&a.model, &a.pose)?, Placed::new(&b.model, &b.pose)?);
        let found = of(one, other).ok_or_else(|| format!("{one:?} {other:?}"))?;
        let class = match found {
            Kind::Apart => 1,
            Kind::Touching => 0,
            _ => -1,
        };
        assert_eq!(class, gap.signum(), "{found:?} {one:?} {other:?}");
        counts[(class + 1) as usize] += 1;
        match narrow::check(one, other)? {
            Verdict::Collides(witness) => {
                assert!(gap <= 0);
                witness.verify(one, other, Semantics::Solid)?;
                decided += usize::from(gap == 0);
            }
            Verdict::Apart(proof) => {
                assert!(gap > 0);
                proof.verify(one, other, Semantics::Solid)?;
            }
            Verdict::Undecided(_) => return Err(format!("{one:?} {other:?}").into()),
        }
    }
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    assert!(decided > 10, "{decided} of {counts:?}");
    Ok(())
}

/// Round bodies that stand on the ground, on a table and on each other.
#[test]
fn what_stands_on_a_plane_touches_it() -> Outcome {
    let stand = |formula| Model::from_formula(formula);
    let standing = [
        (stand(Formula::Cylinder(Cylinder::new(1.0, 0.5)?)), 1.0),
        (stand(Formula::Cone(Cone::new(1.5, 0.5)?)), 1.5),
        (stand(Formula::Ellipsoid(Ellipsoid::new([0.5, 1.5, 2.0])?)), 2.0),
        (stand(Formula::Capsule(Capsule::new(1.0, 0.5)?)), 1.5),
        (stand(Formula::Cuboid(Cuboid::new([0.5, 0.25, 1.0])?)), 1.0),
    ];
    let below = [
        (stand(Formula::HalfSpace), 0.0),
        (shape("box?x=4&y=4&z=2")?, -1.0),
        (stand(Formula::Cuboid(Cuboid::new([2.0, 2.0, 1.0])?)), -1.0),
        (stand(Formula::Cylinder(Cylinder::new(1.0, 2.0)?)), -1.0),
        (stand(Formula::Ellipsoid(Ellipsoid::new([2.0, 3.0, 1.0])?)), -1.0),
        (stand(Formula::Ball(Ball::new(1.0)?)), -1.0),
    ];
    for (body, half) in &standing {
        for (other, place) in &below {
            let under = Pose::from_translation([0.0, 0.0, *place]);
            let other = Placed::new(other, &under)?;
            for (height, expected) in
                [(0.0, Kind::Touching), (1e-6, Kind::Apart), (-1e-6, Kind::Overlapping)]
            {
                let at = Pose::from_translation([0.0, 0.0, half + height]);
                let body = Placed::new(body, &at)?;
                let found =
                    of(body, other).ok_or_else(|| format!("{height} {body:?} {other:?}"))?;
                assert_eq!(found, expected, "{height} {body:?} {other:?}");
                if height == 0.0 {
                    let query = narrow::penetration(body, other)?.ok_or("apart")?;
                    assert!(query.at_least == 0.0 && query.at_most < 1e-6, "{query:?}");
                }
            }
        }
    }
    // Upside down on its apex.
    let turned = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
    let at = Pose::from_matrix(turned, [0.25, 0.5, 1.5])?;
    let table = Pose::from_translation([0.0, 0.0, -1.0]);
    let (cone, table) = (Placed::new(&standing[1].0, &at)?, Placed::new(&below[1].0, &table)?);
    assert_eq!(of(cone, table), Some(Kind::Touching));
    // A ball in a box that it fills, and in a ball that it touches from within.
    let [ball, around] = [1.0, 3.0].map(|radius| Ball::new(radius).map(Formula::Ball));
    let [ball, around] = [Model::from_formula(ball?), Model::from_formula(around?)];
    let cube = Model::from_formula(Formula::Cuboid(Cuboid::new([1.0; 3])?));
    let aside = Pose::from_translation([2.0, 0.0, 0.0]);
    let here = Placed::new(&ball, &Pose::IDENTITY)?;
    assert_eq!(of(here, Placed::new(&cube, &Pose::IDENTITY)?), Some(Kind::Enclosed));
    assert_eq!(of(here, Placed::new(&around, &aside)?), Some(Kind::Enclosed));
    Ok(())
}

/// Turned bodies on each other, a unit in the last place apart or into each other: verdicts and kinds are known, and proofs verify.
#[test]
fn stacks_nearer_than_rounding_have_their_kinds() -> Outcome {
    let body = |formula| Model::from_formula(formula);
    let bodies = [
        body(Formula::Cuboid(Cuboid::new([0.5; 3])?)),
        body(Formula::Cylinder(Cylinder::new(0.5, 0.75)?)),
        body(Formula::Capsule(Capsule::new(0.25, 0.25)?)),
        body(Formula::Ellipsoid(Ellipsoid::new([0.75, 0.375, 0.5])?)),
        shape("box?x=1&y=1&z=1")?,
    ];
    let upper = [&bodies[..4], &[body(Formula::Cone(Cone::new(0.5, 0.75)?))]].concat();
    let mut poses = Poses::new(5);
    for _ in 0..6 {
        let angles = [(); 2].map(|()| poses.direction()[0] * 3.0);
        let under = Pose::from_axis_angle([0.0, 0.0, 1.0], angles[0], [0.0; 3])?;
        for (lower, above) in bodies.iter().flat_map(|a| upper.iter().map(move |b| (a, b))) {
            for (height, expected) in [
                (1.0, Kind::Touching),
                (1.0_f64.next_up(), Kind::Apart),
                (1.0_f64.next_down(), Kind::Overlapping),
            ] {
                let at = Pose::from_axis_angle([0.0, 0.0, 1.0], angles[1], [0.0, 0.0, height])?;
                let (a, b) = (Placed::new(lower, &under)?, Placed::new(above, &at)?);
                assert_eq!(of(a, b), Some(expected), "{height} {a:?} {b:?}");
                assert_eq!(of(b, a), Some(expected), "{height} {b:?} {a:?}");
                match narrow::check(a, b)? {
                    Verdict::Apart(proof) => {
                        assert_eq!(expected, Kind::Apart);
                        proof.verify(a, b, Semantics::Solid)?;
                    }
                    Verdict::Collides(witness) => {
                        assert_ne!(expected, Kind::Apart);
                        witness.verify(a, b, Semantics::Solid)?;
                    }
                    Verdict::Undecided(_) => return Err(format!("{height} {a:?} {b:?}").into()),
                }
            }
        }
    }
    Ok(())
}

/// Two turned boxes whose corners f64 does not have are compared exactly wherever they are.
#[test]
fn turned_boxes_always_have_a_kind() -> Outcome {
    let mut poses = Poses::new(6);
    let [one, other] = [[0.5, 0.25, 0.75], [0.375, 0.5, 0.25]].map(Cuboid::new);
    let [one, other] = [one?, other?].map(|cuboid| Model::from_formula(Formula::Cuboid(cuboid)));
    let [mut apart, mut overlapping] = [0; 2];
    for _ in 0..200 {
        let [of_a, of_b] = [poses.within(0.5).pose(), poses.within(0.5).pose()];
        // Moved until they touch, as far as f64 tells.
        let far = Placed::new(&other, &of_b)?;
        let from = Pose::from_matrix(*of_a.rotation(), [4.0, 0.25, 0.0])?;
        let gap = narrow::closest_points(Placed::new(&one, &from)?, far)?;
        let [p, q] = gap.points;
        let to = [0, 1, 2].map(|k| from.translation()[k] + q[k] - p[k]);
        for step in -2..=2 {
            let x = (0..2).fold(to[0], |x, i| match step {
                _ if i >= i32::abs(step) => x,
                ..0 => x.next_down(),
                _ => x.next_up(),
            });
            let at = Pose::from_matrix(*of_a.rotation(), [x, to[1], to[2]])?;
            let a = Placed::new(&one, &at)?;
            let found = of(a, far).ok_or_else(|| format!("{a:?} {far:?}"))?;
            assert!(matches!(found, Kind::Apart | Kind::Touching | Kind::Overlapping), "{found:?}");
            match narrow::check(a, far)? {
                Verdict::Apart(proof) => {
                    assert_eq!(found, Kind::Apart);
                    proof.verify(a, far, Semantics::Solid)?;
                }
                Verdict::Collides(witness) => {
                    assert_ne!(found, Kind::Apart);
                    witness.verify(a, far, Semantics::Solid)?;
                }
                Verdict::Undecided(_) => return Err(format!("{a:?} {far:?}").into()),
            }
            apart += u32::from(found == Kind::Apart);
            overlapping += u32::from(found == Kind::Overlapping);
        }
    }
    assert!(apart > 200 && overlapping > 200, "{apart} {overlapping}");
    Ok(())
}

/// A box by its formula against meshes has the kind of the same box as a mesh.
#[test]
fn kinds_of_boxes_are_those_of_their_meshes() -> Outcome {
    let by_formula = Model::from_formula(Formula::Cuboid(Cuboid::new([1.0, 0.5, 0.75])?));
    let as_mesh = shape("box?x=2&y=1&z=1.5")?;
    let others = [
        shape("torus?faces=120")?,
        shape("box?x=0.3&y=0.3&z=0.3")?,
        shape("box?x=5&y=5&z=5")?,
        shape("plane?x=3&y=3").or_else(|_| shape("plane"))?,
    ];
    let mut poses = Poses::new(27);
    let mut seen = std::collections::BTreeMap::new();
    for other in &others {
        for _ in 0..40 {
            let [of_a, of_b] = [poses.within(0.9).pose(), poses.within(0.9).pose()];
            let b = Placed::new(other, &of_b)?;
            for semantics in [Semantics::Solid, Semantics::Surface] {
                let exact = kind(Placed::new(&as_mesh, &of_a)?, b, Semantics::Solid);
                let found = kind(Placed::new(&by_formula, &of_a)?, b, semantics);
                if semantics == Semantics::Solid {
                    assert_eq!(found, exact, "{of_a:?} {of_b:?}");
                    *seen.entry(found.map(Kind::name)).or_insert(0) += 1;
                }
                if found == Some(Kind::Overlapping) {
                    assert_eq!(semantics, Semantics::Solid, "a surface has no interior");
                }
            }
        }
    }
    assert!(seen.len() >= 4, "{seen:?}");
    // The ground is exact.
    let ground = Model::from_formula(Formula::HalfSpace);
    let ground = Placed::new(&ground, &Pose::IDENTITY)?;
    for (height, expected) in [
        (0.75, Kind::Touching),
        (0.75_f64.next_up(), Kind::Apart),
        (0.5, Kind::Overlapping),
        (-0.75, Kind::Enclosed),
    ] {
        let at = Pose::from_translation([0.0, 0.0, height]);
        assert_eq!(of(Placed::new(&as_mesh, &at)?, ground), Some(expected), "{height}");
    }
    Ok(())
}

/// An ellipsoid in a capsule and in a box with a radius, turned, that just fits or hardly does not.
#[test]
fn ellipsoids_that_just_fit_in_round_polytopes_have_their_kinds() -> Outcome {
    let side = |i: usize, k: usize| if i >> k & 1 == 0 { -0.5 } else { 0.5 };
    let corners: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| side(i, k))).collect();
    let polytope = Arc::new(Polytope::new(corners, BOX_FACES)?);
    let rounded = Model::from_formula(Formula::rounded(polytope, 0.25)?);
    let capsule = Model::from_formula(Formula::Capsule(Capsule::new(1.0, 1.0)?));
    let more = |x: f64| x.next_up();
    // Of which nothing is rounded.
    let turned = [[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]];
    for pose in [Pose::IDENTITY, Pose::from_matrix(turned, [0.5, -3.0, 1.0])?] {
        for (around, half, expected) in [
            (&capsule, [1.0, 1.0, 1.5], Kind::Enclosed),
            (&capsule, [1.0, more(1.0), 1.5], Kind::Overlapping),
            (&capsule, [0.75, 0.5, 2.0], Kind::Enclosed),
            (&capsule, [0.75, 0.5, more(2.0)], Kind::Overlapping),
            (&rounded, [0.75, 0.5, 0.75], Kind::Enclosed),
            (&rounded, [0.75, 0.5, more(0.75)], Kind::Overlapping),
        ] {
            let egg = Model::from_formula(Formula::Ellipsoid(Ellipsoid::new(half)?));
            let found = of(Placed::new(&egg, &pose)?, Placed::new(around, &pose)?);
            assert_eq!(found, Some(expected), "{half:?} {around:?}");
        }
    }
    Ok(())
}
