//! Rays against worlds.

use xcollide::World;
use xcollide::narrow::Pose;
use xcollide::narrow::rays::{Ray, RayHit, all_hits};
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
