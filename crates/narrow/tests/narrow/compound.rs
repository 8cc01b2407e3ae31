//! Models in convex pieces: the answers of the hierarchy of triangles to the last bit, whatever the
//! pieces; pieces that hold the surface; bounds on how far they reach beyond it.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use crate::support;

use nalgebra::Vector3;
use support::{Random, checked, cuboid, joined, model, random_pose, shape};
use xcollide_narrow::compound::{Compound, DecompositionOptions, Pieces, PiecesError};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, Stats};
use xcollide_predicates::triangle_distance;

/// An L of two arms, of unit thickness; all faces are polygons of the whole.
fn l_shape() -> Model {
    let outline = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let positions =
        [0.0, 1.0].iter().flat_map(|&z| outline.map(|[x, y]| [x, y, z])).collect::<Vec<_>>();
    let mut faces: Vec<Vec<u32>> = vec![(0..6).rev().collect(), (6..12).collect()];
    faces.extend((0..6).map(|i| vec![i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6]));
    model(positions, &faces)
}

/// A cross of three bars, as a union.
fn cross() -> Model {
    let bars = [0, 1, 2].map(|axis| {
        let half = [0, 1, 2].map(|k| if k == axis { 0.8 } else { 0.2 });
        Model::from_mesh(cuboid(half.map(|x: f64| -x), half)).unwrap()
    });
    Pieces::union(&bars).unwrap()
}

fn concave() -> Vec<(&'static str, Model)> {
    let specs = [
        "shape:torus?faces=300",
        "shape:tetraflake?depth=2",
        "shape:schoenhardt",
        "shape:knot?faces=600",
        "shape:gear",
        "shape:soup?faces=30",
        "shape:mobius?faces=60",
        "shape:icosahedron",
        "shape:plane",
    ];
    let mut models: Vec<(&str, Model)> = specs.iter().map(|spec| (*spec, shape(spec))).collect();
    models.push(("L", l_shape()));
    models.push(("cross", cross()));
    models.push(("none", Model::from_mesh(xcollide_brep::PolygonMesh::new()).unwrap()));
    let point = model(vec![[0.1, 0.2, 0.3]], &[vec![0]]);
    models.push(("point", point));
    models
}

/// Asks with and without memory; checks agreement and proofs. Returns the answer and the counts.
fn agreed(
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
    cache: &mut PairCache,
) -> (bool, Stats) {
    let query = Query::new().semantics(semantics).stats(true);
    let expected = Wide::new().test(a, b, &query, &mut PairCache::new()).is_collision();
    let fresh = Compound.test(b, a, &query, &mut PairCache::new());
    checked(&fresh, b, a, semantics);
    assert_eq!(fresh.is_collision(), expected);
    let verdict = Compound.test(a, b, &query, cache);
    checked(&verdict, a, b, semantics);
    assert_eq!(verdict.is_collision(), expected);
    (expected, cache.stats())
}

#[test]
fn all_models_are_answered_as_by_their_triangles() {
    let models = concave();
    let mut random = Random::new(91);
    let (mut hits, mut asked, mut fallbacks) = (0, 0, 0);
    let mut of_bodies = 0;
    for (i, (name, a)) in models.iter().enumerate() {
        for (other, b) in &models[i..] {
            let bodies = [name, other].iter().all(|name| {
                ["torus", "icosa", "L", "cross"].iter().any(|known| name.contains(known))
            });
            let mut cache = PairCache::new();
            let start = random_pose(&mut random, 2.0);
            for step in 0..12 {
                // Through each other.
                let mut pose = start;
                pose = pose.with_translation(
                    (Vector3::from(pose.translation()) * (1.0 - f64::from(step) / 8.0)).into(),
                );
                let here = Placed::new(a, &Pose::IDENTITY).unwrap();
                let there = Placed::new(b, &pose).unwrap();
                let semantics = [Semantics::Solid, Semantics::Surface][step as usize % 3 / 2];
                let (hit, stats) = agreed(here, there, semantics, &mut cache);
                hits += usize::from(hit);
                asked += 1;
                if bodies && semantics == Semantics::Solid {
                    of_bodies += 1;
                    fallbacks += stats.fallbacks;
                }
            }
        }
    }
    println!("{hits} hits in {asked} queries; {fallbacks} fallbacks in {of_bodies} about bodies");
    assert!(hits > 200 && asked - hits > 200);
    // Of shallow contacts, and of those with pieces that fit less well.
    assert!(fallbacks * 2 < of_bodies, "{fallbacks} of {of_bodies}");
}

/// Parts that were cut have corners that the model has not: down to the last bit that matters not.
#[test]
fn approaching_models_agree_to_the_last_bit() {
    let mut random = Random::new(92);
    let models = [l_shape(), cross(), shape("shape:torus?faces=300"), shape("shape:icosahedron")];
    for round in 0..24 {
        let (a, b) = (&models[round % 4], &models[(round / 4 + 1) % 4]);
        let [mut pose, other] = [random_pose(&mut random, 0.1), random_pose(&mut random, 1.0)];
        let direction = Vector3::from(other.translation()).normalize();
        let mut cache = PairCache::new();
        let (mut inside, mut outside) = (0.0, 10.0);
        for _ in 0..70 {
            let middle = 0.5 * (inside + outside);
            pose = pose.with_translation((direction * middle).into());
            let here = Placed::new(a, &Pose::IDENTITY).unwrap();
            let (hit, _) =
                agreed(here, Placed::new(b, &pose).unwrap(), Semantics::Solid, &mut cache);
            *(if hit { &mut inside } else { &mut outside }) = middle;
        }
        assert!(outside - inside < 1e-14);
    }
}

#[test]
fn a_union_is_the_body_of_its_pieces() {
    let cross = cross();
    assert_eq!(Pieces::of(&cross).models().len(), 3);
    let ball = shape("shape:icosahedron");
    let small = model(
        ball.mesh().positions().iter().map(|p| p.map(|x| 0.05 * x)).collect(),
        &ball.mesh().faces().map(|f| f.outer().iter().map(|v| v.0).collect()).collect::<Vec<_>>(),
    );
    let mut random = Random::new(93);
    let (mut hits, mut fallbacks) = (0, 0);
    for _ in 0..500 {
        let pose = random_pose(&mut random, 0.9);
        let (a, b) =
            (Placed::new(&cross, &Pose::IDENTITY).unwrap(), Placed::new(&small, &pose).unwrap());
        let (hit, stats) = agreed(a, b, Semantics::Solid, &mut PairCache::new());
        // By the center of the small one.
        let at = Vector3::from(pose.translation());
        let bars = (0..3).map(|axis| {
            let beyond = |k: usize| at[k].abs() - if k == axis { 0.8 } else { 0.2 };
            Vector3::from([0, 1, 2].map(|k| beyond(k).max(0.0))).norm()
        });
        let gap = bars.fold(f64::INFINITY, f64::min);
        assert!(hit || gap > 0.0);
        assert!(!hit || gap < 0.06);
        hits += usize::from(hit);
        fallbacks += stats.fallbacks;
    }
    println!("{hits} hits, {fallbacks} fallbacks");
    assert!((30..400).contains(&hits) && fallbacks == 0);
}

#[test]
fn unions_need_bodies() {
    let flat = shape("shape:plane");
    let cube = Model::from_mesh(cuboid([0.0; 3], [1.0; 3])).unwrap();
    let refused = Pieces::union(&[cube, flat]).map(|_| ());
    assert_eq!(refused, Err(PiecesError::Flat { piece: 1, dimension: 2 }));
    assert_eq!(Pieces::union(&[]).map(|_| ()), Err(PiecesError::Empty));
}

/// Every point of the surface is in a piece, but for the rounding of cuts.
#[test]
fn pieces_hold_the_surface() {
    let mut random = Random::new(94);
    for (name, model) in concave() {
        let pieces = Pieces::decompose(&model, &DecompositionOptions::default());
        let planes: Vec<Vec<([f64; 3], f64)>> = pieces
            .models()
            .map(|piece| {
                let mesh = piece.mesh();
                let plane = |face: xcollide_brep::Face<'_>| {
                    let [p, q, r] = [0, 1, 2].map(|i| {
                        Vector3::from(mesh.position(face.outer()[i % face.outer().len()]))
                    });
                    let normal = (q - p).cross(&(r - p)).try_normalize(0.0)?;
                    Some((normal.into(), normal.dot(&p)))
                };
                mesh.faces().filter_map(plane).collect()
            })
            .collect();
        let inside = |point: Vector3<f64>| {
            planes.iter().any(|piece| {
                piece.iter().all(|(n, height)| Vector3::from(*n).dot(&point) - height < 1e-12)
            })
        };
        for triangle in model.triangulation().triangles() {
            let corners = triangle.map(|v| Vector3::from(model.mesh().position(v)));
            for _ in 0..4 {
                let [s, t] = [(); 2].map(|()| 0.5 + 0.5 * random.signed());
                let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                let point =
                    corners[0] + (corners[1] - corners[0]) * s + (corners[2] - corners[0]) * t;
                assert!(inside(point), "{name}: {point}");
            }
        }
    }
}

#[test]
fn an_l_is_two_boxes_and_a_convex_body_one() {
    let l = l_shape();
    let pieces = Pieces::decompose(&l, &DecompositionOptions::default());
    assert_eq!(pieces.models().len(), 2);
    for concavity in pieces.concavities(&l) {
        assert!(concavity.at_least < 1e-9 && concavity.at_most < 1e-9, "{concavity:?}");
    }
    let mut one = DecompositionOptions::default();
    one.most_pieces = 1;
    let hull = Pieces::decompose(&l, &one).concavities(&l);
    // Farthest from both arms is the middle of the side across the corner.
    let expected = hull[0];
    let farthest = 1.0;
    assert!(expected.at_least <= farthest + 1e-9 && farthest <= expected.at_most + 1e-9);
    assert!(expected.at_most - expected.at_least < 0.1, "{expected:?}");
    let ball = shape("shape:sphere?faces=300");
    let pieces = Pieces::decompose(&ball, &DecompositionOptions::default());
    assert_eq!(pieces.models().len(), 1);
    assert!(pieces.concavities(&ball)[0].at_most < 1e-9);
}

#[test]
fn more_pieces_are_nearer_and_always_the_same() {
    for spec in ["shape:torus?faces=300", "shape:tetraflake?depth=2"] {
        let model = shape(spec);
        let worst = |most: usize| {
            let mut options = DecompositionOptions::default();
            options.most_pieces = most;
            let pieces = Pieces::decompose(&model, &options);
            let again = Pieces::decompose(&model, &options);
            for (p, q) in pieces.models().zip(again.models()) {
                assert_eq!(p.mesh(), q.mesh());
            }
            assert!(pieces.models().len() <= most);
            let all = pieces.concavities(&model);
            let most = all.iter().map(|c| c.at_most).fold(0.0, f64::max);
            assert!(all.iter().all(|c| c.at_least <= c.at_most));
            (pieces.models().len(), most)
        };
        let found = [1, 4, 16].map(worst);
        println!("{spec}: {found:?}");
        assert!(found[2].1 < 0.85 * found[0].1, "{found:?}");
    }
}

/// A body in another's cavity, in the middle of a ring, and in the flesh of a union.
#[test]
fn nested_bodies_are_told_apart() {
    let shell = {
        let inner = support::flipped(&cuboid([-0.5; 3], [0.5; 3]));
        Model::from_mesh(joined(&[cuboid([-1.0; 3], [1.0; 3]), inner])).unwrap()
    };
    let small = Model::from_mesh(cuboid([-0.1; 3], [0.1; 3])).unwrap();
    let at = |model: &Model, x: f64, semantics| {
        let pose = Pose::from_translation([x, 0.0, 0.0]);
        let (a, b) =
            (Placed::new(model, &Pose::IDENTITY).unwrap(), Placed::new(&small, &pose).unwrap());
        agreed(a, b, semantics, &mut PairCache::new()).0
    };
    for semantics in [Semantics::Solid, Semantics::Surface] {
        let solid = semantics == Semantics::Solid;
        assert!(!at(&shell, 0.0, semantics));
        assert_eq!(at(&shell, 0.75, semantics), solid);
        assert!(at(&shell, 0.95, semantics));
        assert_eq!(at(&cross(), 0.0, semantics), solid);
        assert!(!at(&shape("shape:torus"), 0.0, semantics));
    }
}

/// Sizes at which nothing is certified, corners that coincide, faces without area.
#[test]
fn odd_models_are_answered_as_by_their_triangles() {
    let mut random = Random::new(96);
    let mut hits = 0;
    for round in 0..48 {
        let scale = [1.0, 1.0, 1e-300, 1e-200, 1e-20, 1e20, 1e150, 1e300][round % 8];
        let reach = [1, 2, 4][round % 3];
        let [a, b] = [(); 2].map(|()| {
            let count = random.integer(1, 7) as usize;
            let corner = |random: &mut Random| {
                [(); 3].map(|()| random.integer(-reach, reach) as f64 * scale)
            };
            let positions: Vec<[f64; 3]> = (0..3 * count).map(|_| corner(&mut random)).collect();
            let faces: Vec<Vec<u32>> =
                (0..count as u32).map(|i| vec![3 * i, 3 * i + 1, 3 * i + 2]).collect();
            model(positions, &faces)
        });
        let mut cache = PairCache::new();
        for shift in [0.0, 0.5, 1.0] {
            let pose = Pose::from_translation([shift * reach as f64 * scale, 0.0, 0.0]);
            let here = Placed::new(&a, &Pose::IDENTITY).unwrap();
            let there = Placed::new(&b, &pose).unwrap();
            hits += usize::from(agreed(here, there, Semantics::Solid, &mut cache).0);
        }
    }
    println!("{hits} hits");
    assert!((30..130).contains(&hits), "{hits}");
}

/// The measured bound is one: no sample of a piece is farther from the model.
#[test]
fn concavities_bound_the_distance_of_pieces() {
    let mut random = Random::new(95);
    for spec in ["shape:torus?faces=200", "shape:schoenhardt"] {
        let model = shape(spec);
        let here = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let mut options = DecompositionOptions::default();
        options.most_pieces = 4;
        let pieces = Pieces::decompose(&model, &options);
        for (piece, bound) in pieces.models().zip(pieces.concavities(&model)) {
            let corners = piece.mesh().positions();
            for _ in 0..100 {
                let weights: Vec<f64> =
                    corners.iter().map(|_| random.signed().abs().powi(6)).collect();
                let sum: f64 = weights.iter().sum();
                let point = corners
                    .iter()
                    .zip(&weights)
                    .fold([0.0; 3], |point, (p, w)| [0, 1, 2].map(|k| point[k] + p[k] * w / sum));
                if xcollide_narrow::point_in_polyhedron::locate(here, point)
                    != xcollide_narrow::point_in_polyhedron::Location::Outside
                {
                    continue;
                }
                let distance = (0..model.triangulation().len())
                    .map(|t| triangle_distance(&[point; 3], &here.triangle(t)))
                    .fold(f64::INFINITY, f64::min);
                assert!(distance <= bound.at_most, "{distance} {bound:?}");
            }
        }
    }
}
