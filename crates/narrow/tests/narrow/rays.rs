//! Rays, moving spheres and points against all triangles one by one, and against integers.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Random, random_pose, shape};
use xcollide_brep::FaceId;
use xcollide_narrow::point_in_polyhedron::{Location, locate};
use xcollide_narrow::rays::{
    MovingSphere, Ray, RayHit, all_hits, all_hits_of_each, any_hit, any_hits, first_hit,
    first_hits, sphere_cast, sphere_casts,
};
use xcollide_narrow::{
    Placed, Pose, QueryError, nearest_point, nearest_points, signed_distance, signed_distances,
};
use xcollide_predicates::{Point, ray_reaches, ray_triangle, triangle_distance, triangles_within};

/// The plain way: every triangle is tried.
fn plain(placed: Placed<'_>, line: xcollide_predicates::Ray, reach: f64) -> Vec<u32> {
    let meets = |&number: &u32| {
        let triangle = placed.triangle(number as usize);
        ray_triangle(&line, &triangle)
            .is_some_and(|contact| ray_reaches(&line, &triangle, &contact, reach))
    };
    (0..placed.model().triangulation().len() as u32).filter(meets).collect()
}

/// Rays at vertices, along edges and elsewhere, of models at random poses and far from the origin.
#[test]
fn hits_are_those_of_all_triangles() {
    let mut random = Random::new(5);
    let (mut met, mut many) = (0, 0);
    for spec in ["torus?faces=900", "box", "sphere?faces=300", "tetraflake?depth=3"] {
        let model = shape(spec);
        let count = model.used_vertices().len();
        for far in [0.0, 3.0, 1e7] {
            let pose = if far == 0.0 { Pose::IDENTITY } else { random_pose(&mut random, far) };
            let placed = Placed::new(&model, &pose).unwrap();
            let some = |random: &mut Random| {
                let vertex = model.used_vertices()[random.below(count)];
                placed.position(vertex)
            };
            for round in 0..150 {
                let to = some(&mut random);
                let from = match round % 3 {
                    0 => some(&mut random),
                    1 => [to[0] - 2.0, to[1], to[2]],
                    _ => {
                        let offset = random.point(3.0);
                        [0, 1, 2].map(|k| to[k] + offset[k])
                    }
                };
                if from == to {
                    continue;
                }
                let segment = Ray::segment(from, to).unwrap();
                let line = xcollide_predicates::Ray::through(from, to);
                for reach in [1.0, f64::INFINITY, 0.4] {
                    let ray = segment.up_to(reach).unwrap();
                    let mut hits = Vec::new();
                    all_hits(placed, &ray, &mut hits);
                    let mut numbers: Vec<u32> =
                        hits.iter().filter_map(|hit| hit.triangle).collect();
                    assert!(hits.is_sorted_by(|p, q| p.parameter <= q.parameter * (1.0 + 1e-9)));
                    numbers.sort_unstable();
                    assert_eq!(numbers, plain(placed, line, reach), "{spec} {from:?} {to:?}");
                    assert_eq!(first_hit(placed, &ray), hits.first().copied());
                    let any = any_hit(placed, &ray);
                    assert_eq!(any.is_some(), !hits.is_empty());
                    assert!(any.is_none_or(|any| hits.contains(&any)));
                    hits.iter().for_each(|hit| check(placed, &ray, hit));
                    met += usize::from(!hits.is_empty());
                    many += usize::from(hits.len() > 2);
                }
                assert!(first_hit(placed, &segment).is_some(), "it ends at a vertex");
            }
        }
    }
    assert!(met > 2000 && many > 1000, "{met} {many}");
}

/// The point of a hit is on the ray and in the triangle, as closely as rounding permits.
fn check(placed: Placed<'_>, ray: &Ray, hit: &RayHit) {
    let triangle = hit.triangle.unwrap_or(u32::MAX);
    let corners = placed.triangle(triangle as usize);
    let weights = hit.barycentric;
    assert!(
        (weights.iter().sum::<f64>() - 1.0).abs() < 1e-9 && weights.iter().all(|w| *w >= -1e-12)
    );
    let size =
        corners.as_flattened().iter().chain(&ray.origin()).fold(1.0, |m: f64, x| m.max(x.abs()));
    for k in 0..3 {
        let there: f64 = (0..3).map(|i| weights[i] * corners[i][k]).sum();
        let here = ray.origin()[k] + hit.parameter * ray.direction()[k];
        assert!((here - there).abs() < 1e-9 * size, "{hit:?} {ray:?}");
        assert!((here - hit.point[k]).abs() < 1e-9 * size);
    }
    let face = placed.model().triangulation().face_of(triangle as usize);
    assert_eq!(hit.face, Some(face));
}

/// From inside of a body, every ray meets the surface; the first hits of many are those of each.
#[test]
fn rays_leave_bodies() {
    let model = shape("torus?faces=2000");
    let placed = Placed::new(&model, &Pose::IDENTITY).unwrap();
    let mut random = Random::new(8);
    let mut rays = Vec::new();
    while rays.len() < 300 {
        let origin = random.point(2.0);
        if locate(placed, origin) == Location::Inside {
            rays.push(Ray::new(origin, random.point(1.0)).unwrap());
        }
    }
    let all = first_hits(placed, &rays);
    for (ray, hit) in rays.iter().zip(all) {
        assert_eq!(first_hit(placed, ray), hit);
        assert!(hit.is_some(), "{ray:?}");
    }
}

/// Of many rays and spheres each has the answer that it has alone, at any number of threads; one that is refused keeps no other
/// from its answer.
#[test]
fn many_rays_and_spheres_have_the_answers_of_each() {
    let mut random = Random::new(40);
    let model = shape("torus?faces=2000");
    let pose = random_pose(&mut random, 1.0);
    let placed = Placed::new(&model, &pose).unwrap();
    let center = pose.translation();
    let mut spot = |size: f64| {
        let offset = random.point(size);
        [0, 1, 2].map(|k| center[k] + offset[k])
    };
    let ends: Vec<[Point; 2]> = (0..900).map(|_| [spot(3.0), spot(1.5)]).collect();
    let rays: Vec<Ray> = ends.iter().map(|&[p, q]| Ray::segment(p, q).unwrap()).collect();
    let [one, three] =
        [1, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let many =
        || (first_hits(placed, &rays), any_hits(placed, &rays), all_hits_of_each(placed, &rays));
    let found = three.install(many);
    assert_eq!(found, one.install(many));
    let (first, any, all) = found;
    assert_eq!([first.len(), any.len(), all.len()], [900; 3]);
    assert!(first.iter().zip(&all).all(|(first, all)| first.as_ref() == all.first()));
    let mut met = [0; 2];
    for ((ray, any), all) in rays.iter().zip(any).zip(all) {
        let mut expected = Vec::new();
        all_hits(placed, ray, &mut expected);
        assert_eq!(all, expected);
        assert_eq!(any, any_hit(placed, ray));
        met[usize::from(any.is_some())] += 1;
    }
    assert!(met.iter().all(|&count| count > 20), "{met:?}");
    let radius = |i: usize| if i == 7 { f64::NAN } else { i as f64 * 0.0005 };
    let spheres = ends.iter().enumerate();
    let spheres: Vec<MovingSphere> =
        spheres.map(|(i, &segment)| MovingSphere { segment, radius: radius(i) }).collect();
    let found = three.install(|| sphere_casts(placed, &spheres));
    assert_eq!(found.len(), 900);
    for (i, (sphere, found)) in spheres.iter().zip(found).enumerate() {
        if i == 7 {
            assert!(matches!(found, Err(QueryError::NoRay { what: "radius", .. })));
        } else {
            assert_eq!(found, sphere_cast(placed, sphere.segment, sphere.radius));
        }
    }
}

/// One unit in the last place decides: at a corner, beside an edge, at the end of a segment.
#[test]
fn touching_is_hitting() {
    let cube = shape("box");
    let placed = Placed::new(&cube, &Pose::IDENTITY).unwrap();
    let hits =
        |from: Point, to: Point| first_hit(placed, &Ray::segment(from, to).unwrap()).is_some();
    assert!(hits([1.0, 1.0, 5.0], [1.0, 1.0, 1.0]), "a corner, with the end");
    assert!(!hits([1.0, 1.0, 5.0], [1.0, 1.0, 1.0_f64.next_up()]));
    assert!(hits([1.0, 0.0, 5.0], [1.0, 0.5, -5.0]), "along a face");
    assert!(!hits([1.0_f64.next_up(), 0.0, 5.0], [1.0_f64.next_up(), 0.5, -5.0]));
    // A third is no f64; the exact line passes the edge at x = 1 by less than rounding.
    let ray = |x: f64| Ray::new([x, 0.0, 3.0], [1.0 / 3.0, 0.0, -1.0]).unwrap();
    let third = 1.0 / 3.0;
    let on_edge = 1.0 - 2.0 * third;
    let exactly = on_edge + 2.0 * third == 1.0;
    assert!(exactly && first_hit(placed, &ray(on_edge)).is_some());
    assert!(first_hit(placed, &ray(on_edge.next_up())).is_none());
}

/// Of the triangles that meet in a corner, which the ray meets at one point, the one with the lowest number is the first.
#[test]
fn triangles_at_one_point_are_in_the_order_of_their_numbers() {
    let cube = shape("box");
    let placed = Placed::new(&cube, &Pose::IDENTITY).unwrap();
    for corner in 0..8 {
        let to: Point = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 });
        let ray = Ray::segment(to.map(|x| 3.0 * x), to).unwrap();
        let mut hits = Vec::new();
        all_hits(placed, &ray, &mut hits);
        let numbers: Vec<u32> = hits.iter().filter_map(|hit| hit.triangle).collect();
        let line = xcollide_predicates::Ray::through(to.map(|x| 3.0 * x), to);
        assert_eq!(numbers, plain(placed, line, 1.0), "{to:?}");
        assert!(numbers.len() >= 3, "{hits:?}");
        assert!(hits.iter().all(|hit| (hit.parameter - 1.0).abs() < 1e-12), "{hits:?}");
        assert_eq!(first_hit(placed, &ray).and_then(|hit| hit.triangle), Some(numbers[0]));
    }
}

/// A sphere meets the model iff the segment is within its radius of some triangle, and when it first does, it is as far
/// away as the radius.
#[test]
fn spheres_meet_what_is_within_their_radius() {
    let mut random = Random::new(21);
    let (mut met, mut missed) = (0, 0);
    for spec in ["torus?faces=700", "box", "tetraflake?depth=3"] {
        let model = shape(spec);
        let pose = random_pose(&mut random, 2.0);
        let placed = Placed::new(&model, &pose).unwrap();
        for _ in 0..250 {
            let center = pose.translation();
            let [from, to] = [(); 2].map(|()| {
                let offset = random.point(2.5);
                [0, 1, 2].map(|k| center[k] + offset[k])
            });
            let radius = random.unit();
            let near = |p: &Point| {
                (0..model.triangulation().len())
                    .map(|t| triangle_distance(&[*p; 3], &placed.triangle(t)))
                    .fold(f64::INFINITY, f64::min)
            };
            let within = (0..model.triangulation().len())
                .any(|t| triangles_within(&[from, to, to], &placed.triangle(t), radius));
            let found = sphere_cast(placed, [from, to], radius).unwrap();
            assert_eq!(found.is_some(), within);
            let Some(hit) = found else {
                missed += 1;
                continue;
            };
            met += 1;
            let at = |time: f64| [0, 1, 2].map(|k| from[k] + time * (to[k] - from[k]));
            if hit.parameter > 0.0 {
                assert!((near(&hit.center) - radius).abs() < 1e-9, "{hit:?}");
                for part in [0.25, 0.5, 0.75, 0.999] {
                    assert!(near(&at(part * hit.parameter)) > radius - 1e-9, "{hit:?}");
                }
            } else {
                assert!(near(&from) <= radius);
            }
            assert!((near(&hit.point)) < 1e-9);
        }
    }
    assert!(met > 200 && missed > 100, "{met} {missed}");
    let cube = shape("box");
    let placed = Placed::new(&cube, &Pose::IDENTITY).unwrap();
    let cast = |end: f64| sphere_cast(placed, [[5.0, 0.0, 0.0], [end, 0.0, 0.0]], 0.5).unwrap();
    assert!(cast(1.5).is_some() && cast(1.5_f64.next_up()).is_none());
    assert!(matches!(sphere_cast(placed, [[0.0; 3]; 2], -1.0), Err(QueryError::NoRay { .. })));
}

/// Nearest points by brute force; the sign is that of the exact location.
#[test]
fn distances_of_points_are_those_of_all_triangles() {
    let mut random = Random::new(34);
    let mut inside = 0;
    for (spec, far) in [("torus?faces=900", 1.0), ("box", 0.0), ("sphere?faces=400", 1e5)] {
        let model = shape(spec);
        let pose = random_pose(&mut random, far);
        let placed = Placed::new(&model, &pose).unwrap();
        let center = pose.translation();
        let points: Vec<Point> = (0..300)
            .map(|_| {
                let offset = random.point(1.6);
                [0, 1, 2].map(|k| center[k] + offset[k])
            })
            .collect();
        let all = signed_distances(placed, &points).unwrap();
        let unsigned = nearest_points(placed, &points).unwrap();
        assert!(unsigned.iter().zip(&all).all(|(p, q)| p.distance == q.distance.abs()));
        let on_one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(on_one_thread.install(|| signed_distances(placed, &points).unwrap()), all);
        for (&point, found) in points.iter().zip(all) {
            let measure = |t: usize| triangle_distance(&[point; 3], &placed.triangle(t));
            let least = (0..model.triangulation().len()).map(measure).fold(f64::INFINITY, f64::min);
            let is_inside = locate(placed, point) == Location::Inside;
            assert_eq!(found.distance, if is_inside { -least } else { least });
            assert_eq!(nearest_point(placed, point).unwrap().distance, least);
            assert_eq!(found.triangle.map(|t| measure(t as usize)), Some(least));
            inside += usize::from(is_inside);
        }
        let vertex = placed.position(model.used_vertices()[3]);
        assert_eq!(signed_distance(placed, vertex).unwrap().distance, 0.0);
    }
    assert!(inside > 100, "{inside}");
    let open = support::model(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[vec![0, 1, 2]]);
    let open = Placed::new(&open, &Pose::IDENTITY).unwrap();
    assert!(matches!(signed_distance(open, [0.0; 3]), Err(QueryError::NoBody { .. })));
    assert_eq!(nearest_point(open, [0.0, 0.0, 2.0]).unwrap().face, Some(FaceId(0)));
}
