//! The calls for one question give what the algorithms behind them give, and what exact integer
//! arithmetic gives.

use xcollide_brep::PolygonMesh;
use xcollide_fixtures::Random;
use xcollide_math::PoseError;
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{
    Model, NarrowPhase, PairCache, Placed, Pose, Query, QueryError, Semantics, Verdict, check,
    closest_points, contacts, contains_point, distance, intersects, intersects_many, penetration,
    ray_cast,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const QUARTER_TURN: [[f64; 3]; 3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

fn shape(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

/// Poses on a grid of quarters, with and without a quarter turn: nearly everything that meets,
/// touches.
fn poses(count: usize, random: &mut Random) -> Result<Vec<Pose>, PoseError> {
    let place = |_| {
        let t = [0; 3].map(|_| (random.bits() % 17) as f64 / 4.0 - 2.0);
        if random.bits().is_multiple_of(2) {
            Ok(Pose::from_translation(t))
        } else {
            Pose::from_matrix(QUARTER_TURN, t)
        }
    };
    (0..count).map(place).collect()
}

#[test]
fn calls_give_what_brute_force_gives() -> Outcome {
    let models = [shape("box")?, shape("torus?faces=40")?, shape("polytope?vertices=12&seed=2")?];
    let random = &mut Random::new(11);
    let mut counts = [0; 2];
    for a in &models {
        for b in &models {
            let poses = poses(300, random)?;
            let many = intersects_many(a, &poses, (b, &Pose::IDENTITY))?;
            assert_eq!(many.len(), poses.len());
            for (number, (pose, together)) in poses.iter().zip(many).enumerate() {
                let (a, b) = (Placed::new(a, pose)?, Placed::new(b, &Pose::IDENTITY)?);
                let expected = BruteForce.test(a, b, &Query::new(), &mut PairCache::new());
                let expected = expected.decided().ok_or("undecided")?;
                assert_eq!(intersects(a, b)?, expected, "{pose:?}");
                assert_eq!(together, expected, "{pose:?}");
                match check(a, b)? {
                    Verdict::Collides(witness) => {
                        assert!(expected);
                        witness.verify(a, b, Semantics::Solid)?;
                    }
                    Verdict::Apart(separation) => {
                        assert!(!expected);
                        separation.verify(a, b, Semantics::Solid)?;
                    }
                    Verdict::Undecided(reason) => panic!("{reason:?}"),
                }
                for contact in contacts(a, b)? {
                    contact.verify(a, b)?;
                }
                assert_eq!(distance(a, b)? == 0.0, expected);
                assert_eq!(closest_points(a, b)?.value, distance(a, b)?);
                if number % 10 == 0 {
                    assert_eq!(penetration(a, b)?.is_some(), expected);
                }
                counts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    Ok(())
}

/// A cube of side 4 and points with integer coordinates.
#[test]
fn points_are_found_exactly() -> Outcome {
    let positions = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|x| f64::from(4 * x))).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let cube = Model::from_mesh(PolygonMesh::from_polygons(positions, faces)?)?;
    for x in -1..6 {
        for y in -1..6 {
            for z in -1..6 {
                let expected = [x, y, z].iter().all(|c| (0..=4).contains(c));
                let point = [x, y, z].map(f64::from);
                assert_eq!(contains_point((&cube, &Pose::IDENTITY), point)?, expected);
            }
        }
    }
    Ok(())
}

/// Rays between integer points, against triangles one by one in exact rational arithmetic.
#[test]
fn rays_meet_what_rational_arithmetic_says() -> Outcome {
    let random = &mut Random::new(5);
    let mut hits = 0;
    for _ in 0..300 {
        let mut point = || [0; 3].map(|_| (random.bits() % 9) as i64 - 4);
        let soup: Vec<[[i64; 3]; 3]> = (0..20).map(|_| [point(), point(), point()]).collect();
        let positions = soup.iter().flatten().map(|p| p.map(|x| x as f64)).collect();
        let faces = (0..20_u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let model = Model::from_mesh(PolygonMesh::from_polygons(positions, faces)?)?;
        for _ in 0..10 {
            let (origin, end) = (point(), point());
            let direction = [0, 1, 2].map(|k| end[k] - origin[k]);
            if direction == [0; 3] {
                continue;
            }
            let crossings = soup.iter().filter_map(|t| proper_crossing(origin, direction, t));
            let first = crossings.min_by(|p, q| (p.0 * q.1).cmp(&(q.0 * p.1)));
            let [from, along] = [origin, direction].map(|v| v.map(|x| x as f64));
            let found = ray_cast((&model, &Pose::IDENTITY), from, along, 1.0)?;
            if let Some((numerator, denominator)) = first {
                let found = found.ok_or("a triangle that the ray crosses is missed")?;
                // Triangles that the ray touches in its plane or at a corner may come before.
                let expected = numerator as f64 / denominator as f64;
                assert!(found.parameter <= expected + 1e-12, "{found:?}, {expected}");
                hits += 1;
            }
            if let Some(found) = found {
                // The end of this one is beyond the box and not rounded. Which of several faces at
                // one point is named depends on the rounding of their parameters.
                let again = ray_cast((&model, &Pose::IDENTITY), from, along, f64::INFINITY)?;
                let again = again.ok_or("a longer ray meets nothing")?;
                assert!((again.parameter - found.parameter).abs() < 1e-12, "{again:?}, {found:?}");
                let face = found.face.ok_or("a mesh has faces")?;
                let face = soup[face.index()].map(|p| p.map(|x| x as f64));
                let at = [found.point; 3];
                let gap = xcollide_predicates::triangle_distance(&at, &face);
                assert!(gap < 1e-12, "{found:?} is {gap} off its face");
            }
        }
    }
    assert!(hits > 500, "{hits}");
    Ok(())
}

/// The parameter, as a fraction with a positive denominator, at which a segment goes through the
/// inside of a triangle.
fn proper_crossing(
    origin: [i64; 3],
    direction: [i64; 3],
    &[a, b, c]: &[[i64; 3]; 3],
) -> Option<(i64, i64)> {
    let sub = |p: [i64; 3], q: [i64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let cross = |p: [i64; 3], q: [i64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let dot = |p: [i64; 3], q: [i64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let normal = cross(sub(b, a), sub(c, a));
    let (mut down, mut up) = (dot(normal, direction), dot(normal, sub(a, origin)));
    if down == 0 {
        return None;
    }
    if down < 0 {
        (down, up) = (-down, -up);
    }
    let side = |p: [i64; 3], q: [i64; 3]| dot(direction, cross(sub(p, origin), sub(q, origin)));
    let sides = [side(a, b), side(b, c), side(c, a)];
    let inside = sides.iter().all(|&s| s > 0) || sides.iter().all(|&s| s < 0);
    (inside && 0 <= up && up <= down).then_some((up, down))
}

/// What cannot be asked is an error that says why.
#[test]
fn what_has_no_answer_is_an_error() -> Outcome {
    let model = shape("box")?;
    let empty = Model::from_mesh(PolygonMesh::from_polygons(vec![], Vec::<[u32; 3]>::new())?)?;
    let here = &Pose::IDENTITY;
    let nowhere = &Pose::from_translation([f64::NAN, 0.0, 0.0]);
    assert!(matches!(intersects((&model, nowhere), (&model, here)), Err(QueryError::Pose(_))));
    let poses = [*here, *nowhere];
    let many = intersects_many(&model, &poses, (&model, here));
    assert!(matches!(many, Err(QueryError::PoseOfMany { index: 1, .. })));
    let side = |result: Result<f64, QueryError>| match result {
        Err(QueryError::NoFaces { side }) => side,
        other => panic!("{other:?}"),
    };
    assert_eq!(side(distance((&empty, here), (&model, here))), "first");
    assert_eq!(side(distance((&model, here), (&empty, here))), "second");
    assert!(contains_point((&model, here), [f64::INFINITY, 0.0, 0.0]).is_err());
    let cast = |from, along, reach| ray_cast((&model, here), from, along, reach);
    assert!(cast([f64::NAN; 3], [1.0, 0.0, 0.0], 1.0).is_err());
    assert!(cast([0.0; 3], [0.0; 3], 1.0).is_err());
    assert!(cast([0.0; 3], [1.0, 0.0, 0.0], -1.0).is_err());
    assert_eq!(cast([9.0, 9.0, 9.0], [1.0, 0.0, 0.0], f64::INFINITY)?, None);
    assert_eq!(cast([9.0, 9.0, 9.0], [1e300, 1e-300, 0.0], f64::INFINITY)?, None);
    Ok(())
}

/// Compiles only if all that a query needs can be shared by threads and sent to others.
#[test]
fn queries_go_between_threads() {
    fn shared<T: Send + Sync + ?Sized>() -> usize {
        std::any::type_name::<T>().len()
    }
    use xcollide_narrow::{NarrowPhase, PairCache, Placed, Query, Verdict};
    let names = [
        shared::<Model>(),
        shared::<Placed<'_>>(),
        shared::<Query>(),
        shared::<PairCache>(),
        shared::<Verdict>(),
        shared::<dyn NarrowPhase>(),
    ];
    assert!(names.iter().all(|&name| name > 0));
}
