//! Formulas that touch, nearly touch or just fit in each other: where rounding hides it, exact arithmetic decides.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Float, Signed, Zero};
use xcollide_convex::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
use xcollide_fixtures::{Random, long_run};
use xcollide_math::vector::{add, cross, scale, unit};
use xcollide_narrow::convex::polytope_of;
use xcollide_narrow::relation::kind;
use xcollide_narrow::{self as narrow, Formula, Kind, Model, Placed, Pose, Semantics, Verdict};
use xcollide_scenes::Poses;

use crate::support::{cuboid, formulas, joined, unmoved};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The kind, which must be the reverse in the other order, and what verdicts and their proofs say.
fn of(a: Placed<'_>, b: Placed<'_>) -> Result<Option<Kind>, String> {
    let found = kind(a, b, Semantics::Solid);
    let back = kind(b, a, Semantics::Solid).map(Kind::reversed);
    if back != found {
        return Err(format!("{found:?} {back:?} {a:?} {b:?}"));
    }
    for [one, other] in [[a, b], [b, a]] {
        let tell = |error: &dyn std::fmt::Display| format!("{error}: {one:?} {other:?}");
        let verdict = narrow::check(one, other).map_err(|error| tell(&error))?;
        let collides = match &verdict {
            Verdict::Collides(witness) => {
                witness.verify(one, other, Semantics::Solid).map_err(|error| tell(&error))?;
                Some(true)
            }
            Verdict::Apart(proof) => {
                proof.verify(one, other, Semantics::Solid).map_err(|error| tell(&error))?;
                Some(false)
            }
            Verdict::Undecided(_) => None,
        };
        if collides.is_some()
            && found.is_some_and(|kind| (kind != Kind::Apart) != collides.unwrap_or(true))
            || collides.is_none() && found.is_some()
        {
            return Err(format!("{found:?} {verdict:?} {one:?} {other:?}"));
        }
    }
    Ok(found)
}

fn known(a: Placed<'_>, b: Placed<'_>) -> Result<Kind, String> {
    of(a, b)?.ok_or_else(|| format!("not decided: {a:?} {b:?}"))
}

/// A pose that turns axes into axes, moved by halves.
fn plain_pose(random: &mut Random, reach: i64) -> Result<Pose, Box<dyn std::error::Error>> {
    let (shift, mut matrix) = (random.below(3), [[0.0; 3]; 3]);
    for k in 0..3 {
        matrix[(k + shift) % 3][k] = (1 - 2 * random.integer(0, 1)) as f64;
    }
    // A rotation: all three axes, or two, are turned round.
    let sign = matrix.as_flattened().iter().filter(|&&x| x < 0.0).count() % 2;
    if sign == 1 {
        matrix = matrix.map(|row| row.map(|x| -x + 0.0));
    }
    let place = [(); 3].map(|()| random.integer(-reach, reach) as f64 * 0.5);
    Ok(Pose::from_matrix(matrix, place)?)
}

/// A box by its formula and as a mesh of the same points has the same kind with any formula. Many of the poses make both touch.
#[test]
fn boxes_and_their_meshes_lie_alike_to_every_formula() -> Outcome {
    let mut random = Random::new(31);
    let mut counts = BTreeMap::new();
    for _ in 0..400 {
        let mut size = || random.integer(1, 4) as f64 * 0.5;
        let (half, radius, other) = (size(), size(), size());
        let extents = [size(), size(), size()];
        let tile = Arc::new(polytope_of(&Model::from_mesh(cuboid([-half; 3], [half; 3]))?));
        let body = Model::from_formula(match random.below(7) {
            0 => Formula::Ball(Ball::new(radius)?),
            1 => Formula::Capsule(Capsule::new(half, radius)?),
            2 => Formula::Cuboid(Cuboid::new([half, radius, other])?),
            3 => Formula::Cylinder(Cylinder::new(half, radius)?),
            4 => Formula::Cone(Cone::new(half, radius)?),
            5 => Formula::Ellipsoid(Ellipsoid::new([half, radius, other])?),
            _ => Formula::rounded(Arc::unwrap_or_clone(tile), radius)?,
        });
        let reach = 1 + random.integer(0, 4);
        let (at, of_box) = (plain_pose(&mut random, reach)?, plain_pose(&mut random, 2)?);
        let by_formula = Model::from_formula(Formula::Cuboid(Cuboid::new(extents)?));
        let as_mesh = Model::from_mesh(cuboid(extents.map(|x| -x), extents))?;
        let a = Placed::new(&body, &at)?;
        let found = known(a, Placed::new(&by_formula, &of_box)?)?;
        assert_eq!(
            known(a, Placed::new(&as_mesh, &of_box)?)?,
            found,
            "{a:?} {extents:?} {of_box:?}"
        );
        *counts.entry(found.name()).or_insert(0) += 1;
    }
    let enough = ["apart", "touching", "overlapping", "enclosed"];
    assert!(enough.iter().all(|name| counts.get(name).is_some_and(|&n| n > 15)), "{counts:?}");
    Ok(())
}

type Number = Ratio<BigInt>;

fn exact(x: f64) -> Number {
    let (mantissa, exponent, sign) = x.integer_decode();
    let power = BigInt::from(1) << u32::from(exponent.unsigned_abs());
    let mantissa = BigInt::from(mantissa) * BigInt::from(sign);
    if exponent < 0 { Number::new(mantissa, power) } else { Number::from(mantissa * power) }
}

/// The coordinates of a point in the frame of a pose: by Cramer's rule.
fn local(pose: &Pose, point: [f64; 3]) -> [Number; 3] {
    let line = [0, 1, 2].map(|k| exact(point[k]) - exact(pose.translation()[k]));
    let matrix = pose.rotation().map(|row| row.map(exact));
    let determinant = |m: &[[Number; 3]; 3]| {
        let minor = |i: usize, j: usize| &m[1][i] * &m[2][j] - &m[1][j] * &m[2][i];
        &m[0][0] * minor(1, 2) - &m[0][1] * minor(0, 2) + &m[0][2] * minor(0, 1)
    };
    [0, 1, 2].map(|column| {
        let mut replaced = matrix.clone();
        for k in 0..3 {
            replaced[k][column] = line[k].clone();
        }
        determinant(&replaced) / determinant(&matrix)
    })
}

/// A sign as that of a comparison: of a body that bulges out at a point of its frame.
fn side(formula: &Formula, [x, y, z]: &[Number; 3]) -> Number {
    let square = |number: &Number| number * number;
    let of = |x: f64| exact(x);
    match formula {
        Formula::Cuboid(_) => x.abs().max(y.abs()).max(z.abs()) - of(1.0),
        Formula::Cylinder(_) => square(x) + square(y) - of(1.0),
        // The radius is 1 at −1, and 0 at 1.
        Formula::Cone(_) => of(4.0) * (square(x) + square(y)) - square(&(of(1.0) - z)),
        Formula::Ellipsoid(_) => {
            square(x) + square(&(y / of(0.5))) + square(&(z / of(0.75))) - of(1.0)
        }
        _ => Number::zero(),
    }
}

/// The apex of a pyramid against a turned body, at a place that rounding moves out of its surface or into it: the side of the apex is
/// decided in fractions.
#[test]
fn turned_bodies_touch_points_as_fractions_say() -> Outcome {
    let bodies = [
        // Its face at x = 1, its side, its slope, a point somewhere: the place and the way out.
        (Formula::Cuboid(Cuboid::new([1.0; 3])?), [1.0, 0.25, -0.5], [1.0, 0.0, 0.0]),
        (Formula::Cylinder(Cylinder::new(1.0, 1.0)?), [0.6, 0.8, 0.25], [0.6, 0.8, 0.0]),
        (Formula::Cone(Cone::new(1.0, 1.0)?), [0.3, 0.4, 0.0], [0.6, 0.8, 0.5]),
        (Formula::Ellipsoid(Ellipsoid::new([1.0, 0.5, 0.75])?), [0.6, 0.4, 0.0], [0.6, 1.6, 0.0]),
    ];
    let mut poses = Poses::new(33);
    let mut counts = [0; 3];
    for (formula, place, out) in bodies {
        let body = Model::from_formula(formula.clone());
        for number in 0..60 {
            let turn = poses.within(2.0).pose();
            let matrix = match number % 3 {
                // Nothing is rounded, but for the place itself.
                0 => [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
                1 => [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]],
                _ => *turn.rotation(),
            };
            let pose =
                Pose::from_matrix(matrix, turn.translation().map(|x| (8.0 * x).round() * 0.125))?;
            let apex = pose.apply(place);
            let way = add(pose.apply(out), scale(pose.translation(), -1.0));
            let up = unit(way).ok_or("a way")?;
            let aside = unit(cross(up, [0.3, -0.5, 0.8])).ok_or("a way")?;
            let other = cross(up, aside);
            let corner = |u: f64, v: f64| {
                add(add(apex, scale(up, 1.0)), add(scale(aside, u), scale(other, v)))
            };
            let corners =
                vec![apex, corner(0.25, 0.0), corner(-0.125, 0.25), corner(-0.125, -0.25)];
            let faces = [vec![0, 1, 2], vec![0, 2, 3], vec![0, 3, 1], vec![3, 2, 1]];
            let pyramid = crate::support::model(corners, &faces);
            let (a, b) = (Placed::new(&body, &pose)?, unmoved(&pyramid));
            let sign = side(&formula, &local(&pose, apex));
            let expected = if sign.is_positive() {
                Kind::Apart
            } else if sign.is_zero() {
                Kind::Touching
            } else {
                Kind::Overlapping
            };
            assert_eq!(known(a, b)?, expected, "{formula:?} {pose:?}");
            counts[expected as usize % 3] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
    Ok(())
}

/// What just fits in a body, and what is a unit in the last place too large.
#[test]
fn what_just_fits_is_enclosed() -> Outcome {
    let larger = |x: f64| x.next_up();
    let whole = |x: f64| x;
    let room = Model::from_mesh(cuboid([-1.0; 3], [1.0; 3]))?;
    let tile = polytope_of(&Model::from_mesh(cuboid([-0.5; 3], [0.5; 3]))?);
    for grow in [whole, larger] {
        let expected = if grow(1.0) > 1.0 { Kind::Overlapping } else { Kind::Enclosed };
        let bodies = [
            Formula::Ball(Ball::new(grow(1.0))?),
            Formula::Capsule(Capsule::new(0.5, grow(0.5))?),
            Formula::Cylinder(Cylinder::new(grow(1.0), 1.0)?),
            Formula::Cone(Cone::new(1.0, grow(1.0))?),
            Formula::Ellipsoid(Ellipsoid::new([0.5, grow(1.0), 0.75])?),
            Formula::rounded(tile.clone(), grow(0.5))?,
        ];
        let turned = Pose::from_axis_angle([0.0, 0.0, 1.0], 0.7, [0.0; 3])?;
        for (number, body) in bodies.into_iter().enumerate() {
            let body = Model::from_formula(body);
            let a = Placed::new(&body, &Pose::IDENTITY)?;
            assert_eq!(known(a, unmoved(&room))?, expected, "{a:?}");
            // A turned cylinder keeps its ends.
            if number == 2 {
                let a = Placed::new(&body, &turned)?;
                let kind = known(a, unmoved(&room))?;
                assert!(kind == Kind::Enclosed && expected == kind || kind == Kind::Overlapping);
            }
        }
    }
    // The corners of a box on the rim of a cylinder, by threes, fours and fives.
    let can = |radius: f64| {
        Cylinder::new(2.0, radius).map(|can| Model::from_formula(Formula::Cylinder(can)))
    };
    let inner = cuboid([-3.0, -4.0, -2.0], [3.0, 4.0, 2.0]);
    let as_mesh = Model::from_mesh(inner)?;
    let by_formula = Model::from_formula(Formula::Cuboid(Cuboid::new([3.0, 4.0, 2.0])?));
    for cuboid in [&as_mesh, &by_formula] {
        for (radius, expected) in [(5.0, Kind::Enclosed), (5.0_f64.next_down(), Kind::Overlapping)]
        {
            let can = can(radius)?;
            assert_eq!(known(unmoved(cuboid), unmoved(&can))?, expected);
        }
    }
    // Round bodies in each other, and the same body by two names.
    let of = Model::from_formula;
    let [one, two] = [1.0, 2.0];
    let nested = [
        (
            of(Formula::Ball(Ball::new(one)?)),
            of(Formula::Cylinder(Cylinder::new(one, one)?)),
            Kind::Enclosed,
        ),
        (
            of(Formula::Capsule(Capsule::new(one, one)?)),
            of(Formula::Cylinder(Cylinder::new(two, one)?)),
            Kind::Enclosed,
        ),
        (
            of(Formula::Cone(Cone::new(one, one)?)),
            of(Formula::Cone(Cone::new(one, two)?)),
            Kind::Enclosed,
        ),
        (
            of(Formula::Cylinder(Cylinder::new(one, one)?)),
            of(Formula::Cylinder(Cylinder::new(one, one.next_up())?)),
            Kind::Enclosed,
        ),
        (
            of(Formula::Ball(Ball::new(one)?)),
            of(Formula::Ellipsoid(Ellipsoid::new([one, two, one])?)),
            Kind::Enclosed,
        ),
        (
            of(Formula::Ball(Ball::new(one)?)),
            of(Formula::Ellipsoid(Ellipsoid::new([one; 3])?)),
            Kind::Equal,
        ),
    ];
    for (inner, outer, expected) in &nested {
        assert_eq!(known(unmoved(inner), unmoved(outer))?, *expected, "{inner:?}");
    }
    Ok(())
}

/// A face of a mesh within the mesh itself has the inside on both sides: what it cuts is enclosed all the same.
#[test]
fn faces_within_a_mesh_have_the_inside_on_both_sides() -> Outcome {
    let two = joined(&[cuboid([-4.0; 3], [4.0; 3]), cuboid([-1.0, -1.0, -9.0], [1.0, 1.0, 0.0])]);
    let two = Model::from_mesh(two)?;
    let ball = Model::from_formula(Formula::Ellipsoid(Ellipsoid::new([0.5, 0.5, 0.25])?));
    for (height, expected) in
        [(0.0, Kind::Enclosed), (3.75, Kind::Enclosed), (4.0, Kind::Overlapping)]
    {
        let at = Pose::from_translation([0.0, 0.0, height]);
        assert_eq!(known(Placed::new(&ball, &at)?, unmoved(&two))?, expected, "{height}");
    }
    Ok(())
}

/// Any two bodies, turned and moved until they touch as far as f64 tells, and some units in the last place about it: kinds and
/// verdicts are decided, agree, and have proofs.
#[test]
fn bodies_nearer_than_rounding_are_decided_soak() -> Outcome {
    let run = long_run(1, 20);
    let mut poses = Poses::new(run.seed.wrapping_add(35));
    let mut models: Vec<Model> = formulas(1.0).into_iter().map(Model::from_formula).collect();
    models.truncate(models.len() - 1);
    models.push(Model::from_mesh(cuboid([-0.5; 3], [0.5; 3]))?);
    models.push(Model::from_mesh(xcollide_scenes::shape("torus?faces=60&radius=0.5")?)?);
    let mut counts = BTreeMap::new();
    for _ in 0..run.cases {
        for (number, a) in models.iter().enumerate() {
            for b in &models[number..] {
                if a.formula().is_none() && b.formula().is_none() {
                    continue;
                }
                let [of_a, of_b] = [poses.within(0.5).pose(), poses.within(0.5).pose()];
                let far = Placed::new(b, &of_b)?;
                let from = Pose::from_matrix(*of_a.rotation(), [4.0, 0.25, 0.0])?;
                let [p, q] = narrow::closest_points(Placed::new(a, &from)?, far)?.points;
                let to = [0, 1, 2].map(|k| from.translation()[k] + q[k] - p[k]);
                for step in [-3e-14, -1e-16, 0.0, 1e-16, 3e-14] {
                    let at = Pose::from_matrix(*of_a.rotation(), [to[0] + step, to[1], to[2]])?;
                    let near = Placed::new(a, &at)?;
                    *counts.entry(known(near, far)?.name()).or_insert(0) += 1;
                }
            }
        }
    }
    for name in ["apart", "overlapping"] {
        assert!(counts.get(name).is_some_and(|&count| count > 40), "{counts:?}");
    }
    Ok(())
}

/// A polytope of one point or two with a radius is a ball or a capsule: at the same places they have the same kinds.
#[test]
fn polytopes_with_a_radius_lie_as_balls_and_capsules() -> Outcome {
    let mut poses = Poses::new(36);
    let polytope = |points: Vec<[f64; 3]>, face: &[u32]| {
        xcollide_convex::Polytope::new(points, [face]).map(Arc::new)
    };
    let ends = vec![[0.0, 0.0, -0.75], [0.0, 0.0, 0.75]];
    let twins = [
        [Formula::Ball(Ball::new(0.75)?), Formula::rounded(polytope(vec![[0.0; 3]], &[0])?, 0.75)?],
        [
            Formula::Capsule(Capsule::new(0.75, 0.25)?),
            Formula::rounded(polytope(ends, &[0, 1])?, 0.25)?,
        ],
    ]
    .map(|pair| pair.map(Model::from_formula));
    let others = [
        Model::from_mesh(cuboid([-0.5; 3], [0.5; 3]))?,
        Model::from_formula(Formula::Cuboid(Cuboid::new([0.5, 0.25, 0.75])?)),
        Model::from_formula(Formula::Capsule(Capsule::new(0.5, 0.5)?)),
        Model::from_formula(Formula::HalfSpace),
    ];
    let mut counts = [0; 2];
    for (number, [one, twin]) in twins.iter().enumerate() {
        for other in &others {
            for _ in 0..12 {
                let [of_a, of_b] = [poses.within(0.5).pose(), poses.within(0.5).pose()];
                let far = Placed::new(other, &of_b)?;
                let from = Pose::from_matrix(
                    *of_a.rotation(),
                    scale(of_b.rotation().map(|row| row[2]), 4.0),
                )?;
                let [p, q] = narrow::closest_points(Placed::new(one, &from)?, far)?.points;
                let to = [0, 1, 2].map(|k| from.translation()[k] + q[k] - p[k]);
                let at = Pose::from_matrix(*of_a.rotation(), to)?;
                let found = known(Placed::new(one, &at)?, far)?;
                assert_eq!(known(Placed::new(twin, &at)?, far)?, found, "{at:?} {far:?}");
                counts[number] += usize::from(found != Kind::Apart);
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
    Ok(())
}

/// A box and a cylinder that overlap by some 1e-14: a search for nearest points ends a micrometre beside the box.
#[test]
fn witnesses_are_near_both_bodies_where_a_search_is_not() -> Outcome {
    let cuboid = Model::from_formula(Formula::Cuboid(Cuboid::new([0.5, 0.75, 0.25])?));
    let can = Model::from_formula(Formula::Cylinder(Cylinder::new(0.75, 0.5)?));
    let of_cuboid = Pose::from_matrix(
        [
            [0.9164321568352174, -0.27322018890553607, -0.29240867000274595],
            [-0.10439132703593673, 0.542167872268751, -0.8337604266929749],
            [0.3863347677313391, 0.794609795216494, 0.4683382544571538],
        ],
        [1.3146212074168862, 0.0626943459512963, -0.7955459357265519],
    )?;
    let of_can = Pose::from_matrix(
        [
            [-0.91329487300958, -0.2848137957724225, -0.2911590229962305],
            [0.2282804468186617, -0.9499647030997702, 0.21320201796614685],
            [-0.33731367083871183, 0.12825039805891386, 0.9326153134401362],
        ],
        [0.09768107246468682, 0.25573677164895803, -0.40373342032286164],
    )?;
    let found = known(Placed::new(&cuboid, &of_cuboid)?, Placed::new(&can, &of_can)?)?;
    assert_eq!(found, Kind::Overlapping);
    Ok(())
}
