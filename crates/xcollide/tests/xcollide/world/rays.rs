//! Rays against worlds.

use xcollide::narrow::Pose;
use xcollide::narrow::rays::{MovingSphere, Ray, RayHit, SphereHit, all_hits, sphere_cast};
use xcollide::{ObjectId, World, WorldError};
use xcollide_scenes::Random;

use super::Outcome;
use super::cage::{cage, fill, models};

/// All hits are those of all objects, one by one; the first and any are among them. Between checks, objects move, come and
/// go.
#[test]
fn rays_of_a_world_are_those_of_its_objects() -> Outcome {
    let (models, cage) = (models(40)?, cage(40)?);
    let mut world = World::new();
    let mut objects = fill(&mut world, &models, &cage)?;
    let mut random = Random::new(77);
    let mut met = 0;
    for round in 0..400 {
        if round % 50 == 0 {
            let _ = world.check();
        }
        if round % 50 == 30 {
            for &object in objects.iter().step_by(7) {
                let place = [(); 3].map(|()| random.between(-4.0, 4.0));
                world.set_pose(object, &Pose::from_translation(place))?;
            }
            world.remove(objects.remove(11))?;
            objects.push(world.add(&models[0], &Pose::from_translation([0.0, 0.0, 2.0]))?);
        }
        let mut point = |size: f64| [(); 3].map(|()| random.between(-size, size));
        let (from, to) = (point(6.0), point(4.0));
        let ray = if round % 2 == 0 {
            Ray::segment(from, to)?
        } else {
            Ray::new(from, [0, 1, 2].map(|k| to[k] - from[k]))?
        };
        let mut expected = Vec::new();
        for &object in &objects {
            let mut hits: Vec<RayHit> = Vec::new();
            all_hits(world.placed(object)?, &ray, &mut hits);
            expected.extend(hits.into_iter().map(|hit| (object, hit)));
        }
        let found = world.all_hits(&ray)?;
        assert!(found.is_sorted_by(|p, q| p.1.parameter <= q.1.parameter));
        assert_eq!(found.len(), expected.len());
        assert!(expected.iter().all(|hit| found.contains(hit)));
        assert_eq!(world.first_hit(&ray)?, found.first().copied());
        let any = world.any_hit(&ray)?;
        assert!(any.map_or(found.is_empty(), |any| found.contains(&any)));
        met += usize::from(!found.is_empty());
    }
    assert!(met > 100, "{met}");
    Ok(())
}

type Hit = (ObjectId, RayHit);
type Each<T> = Vec<Result<T, WorldError>>;
type Many = (Each<Option<Hit>>, Each<Option<Hit>>, Each<Vec<Hit>>);

/// The first, any and all hits.
fn many(world: &World, rays: &[Ray]) -> Many {
    (world.first_hits(rays), world.any_hits(rays), world.all_hits_of_each(rays))
}

/// The first object that a moving sphere meets is the first of those that it meets alone, also at rest. Many rays and spheres
/// have the answers of each, at any number of threads, also the first ones after a check.
#[test]
fn spheres_in_a_world_meet_what_they_meet_alone() -> Outcome {
    let (models, cage) = (models(40)?, cage(40)?);
    let mut world = World::new();
    let objects = fill(&mut world, &models, &cage)?;
    let mut random = Random::new(78);
    let (mut spheres, mut rays) = (Vec::new(), Vec::new());
    let mut met = 0;
    for round in 0..300 {
        if round % 60 == 20 {
            let _ = world.check();
        }
        if round % 60 == 50 {
            let place = [(); 3].map(|()| random.between(-4.0, 4.0));
            world.set_pose(objects[round % objects.len()], &Pose::from_translation(place))?;
        }
        let [from, to] = [(); 2].map(|()| [(); 3].map(|()| random.between(-6.0, 6.0)));
        let segment = if round % 5 == 0 { [from; 2] } else { [from, to] };
        let sphere = MovingSphere { segment, radius: random.between(0.0, 0.75) };
        let mut expected: Option<(_, SphereHit)> = None;
        for &object in &objects {
            let alone = sphere_cast(world.placed(object)?, segment, sphere.radius)?;
            let Some(hit) = alone else { continue };
            let is_first = expected
                .as_ref()
                .is_none_or(|(other, known)| (hit.parameter, object) < (known.parameter, *other));
            if is_first {
                expected = Some((object, hit));
            }
        }
        assert_eq!(world.sphere_cast(&sphere)?, expected);
        met += usize::from(expected.is_some());
        spheres.push(sphere);
        rays.push(Ray::segment(from, to)?);
    }
    assert!((60..290).contains(&met), "{met}");
    spheres[3].radius = -1.0;
    let found = world.sphere_casts(&spheres);
    assert!(matches!(found[3], Err(WorldError::Sphere(_))));
    assert_eq!(found, spheres.iter().map(|sphere| world.sphere_cast(sphere)).collect::<Vec<_>>());
    let found = many(&world, &rays);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let again = pool.install(|| {
            let _ = world.check();
            many(&world, &rays)
        });
        assert_eq!(again, found);
    }
    let (first, any, all) = found;
    for (number, ray) in rays.iter().enumerate() {
        assert_eq!(first[number], world.first_hit(ray));
        assert_eq!(any[number], world.any_hit(ray));
        assert_eq!(all[number], world.all_hits(ray));
    }
    Ok(())
}
