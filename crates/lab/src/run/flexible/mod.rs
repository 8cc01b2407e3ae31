//! Objects of a run that change their shape: how they give way to what hits them.
//!
//! This is the response of an application, in a simple form; the libraries only detect. Of cloth the response may do what
//! it likes: [`stopping`] lets nothing intersect, and [`FlexibleObjects::measure`] proves it anew in each frame.

mod clay;
mod closest;
mod cloth;
mod stopping;
mod surroundings;

use std::collections::BTreeSet;
use std::time::Instant;

use serde::Serialize;
use xcollide::narrow::self_intersection::SelfSearch;
use xcollide::narrow::{Model, PairCache, Pose, Query};
use xcollide::{contacts, intersects};
use xcollide_scenes::{Flexible, Scene, Simulation};

use crate::output::{count, nanoseconds, time};
use clay::Clay;
use cloth::Cloth;
use stopping::stop;
use surroundings::Surroundings;

/// The flexible objects of a scene, by instance.
pub(crate) struct FlexibleObjects {
    objects: Vec<FlexibleObject>,
    /// The models of all instances; those of flexible ones as they were at the start.
    models: Vec<Model>,
}

struct FlexibleObject {
    instance: usize,
    /// A model of its own, over the vertices of this frame.
    model: Model,
    material: Material,
    cache: PairCache,
}

enum Material {
    Cloth { cloth: Cloth, around: Box<Surroundings> },
    Clay(Clay),
}

/// What became of the flexible objects in a frame.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct FlexibleFrame {
    /// Pairs of faces by which flexible objects intersect themselves.
    pub(crate) self_intersections: usize,
    /// Vertices of cloth that the fail-safe stopped.
    pub(crate) stopped: usize,
    #[serde(rename = "flexible_ns")]
    pub(crate) ns: FlexibleNs,
}

/// The stages of a frame of flexible objects: where they would go, the fail-safe, the test of each with itself.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct FlexibleNs {
    pub(crate) response: u64,
    pub(crate) stop: u64,
    #[serde(rename = "self")]
    pub(crate) self_test: u64,
}

impl FlexibleFrame {
    pub(crate) fn plus(self, other: &Self) -> Self {
        let [a, b] = [self.ns, other.ns];
        Self {
            self_intersections: self.self_intersections + other.self_intersections,
            stopped: self.stopped + other.stopped,
            ns: FlexibleNs {
                response: a.response + b.response,
                stop: a.stop + b.stop,
                self_test: a.self_test + b.self_test,
            },
        }
    }

    /// The sum of some frames.
    pub(crate) fn in_words(&self, frames: usize) -> String {
        let FlexibleNs { response, stop, self_test } = self.ns;
        let [response, stop, self_test] =
            [response, stop, self_test].map(|ns| time(ns / (frames as u64).max(1)));
        format!(
            "flexible objects: {} with themselves, {} stopped; a frame takes {response} of \
             response, {stop} of stopping, {self_test} of testing them",
            count(self.self_intersections, "intersection", "intersections"),
            count(self.stopped, "vertex", "vertices"),
        )
    }
}

impl FlexibleObjects {
    /// The flexible objects of a scene. The error says which cloth cannot be simulated.
    pub(crate) fn new(
        scene: &Scene,
        simulation: &Simulation,
        meshes: &[Model],
    ) -> Result<Self, String> {
        let instances = simulation.instances();
        let models: Vec<Model> = instances.iter().map(|one| meshes[one.mesh].clone()).collect();
        let kind = |instance: usize| scene.objects[instances[instance].object].flexible.as_ref();
        let is_flexible = (0..instances.len()).any(|instance| kind(instance).is_some());
        if let (true, Some(instance)) =
            (is_flexible, models.iter().position(|model| model.formula().is_some()))
        {
            return Err(format!(
                "object {instance} is given by a formula, which flexible objects cannot meet; `shape:` makes a mesh"
            ));
        }
        let mut all = Self { objects: Vec::new(), models };
        for instance in 0..instances.len() {
            let Some(flexible) = kind(instance) else { continue };
            let mesh = all.models[instance].mesh();
            let pose = &simulation.poses()[instance];
            let (model, material) = match flexible {
                Flexible::Clay(settings) => {
                    (all.models[instance].moved(mesh.positions().to_vec()), clay_of(settings, mesh))
                }
                Flexible::Cloth(settings) => {
                    let placed: Vec<_> =
                        mesh.positions().iter().map(|&position| pose.apply(position)).collect();
                    let wanted = |other: &usize| simulation.is_wanted(instance, *other);
                    let others: Vec<usize> = (0..instances.len()).filter(wanted).collect();
                    if let Some(other) = others.iter().find(|&&other| kind(other).is_some()) {
                        let what = "a cloth is tested with rigid objects only";
                        return Err(format!("objects {instance} and {other}: {what}"));
                    }
                    let moved = all.models[instance].moved(placed);
                    let model = moved.map_err(|error| format!("object {instance}: {error}"))?;
                    let material = all.cloth_of(&model, settings, &others);
                    (Ok(model), material)
                }
                _ => continue,
            };
            let model = model.map_err(|error| format!("object {instance}: {error}"))?;
            let mut cache = PairCache::new();
            if let Material::Cloth { around, .. } = &material {
                let search = SelfSearch::new();
                if search.pairs(&model, 0, &Query::new(), &mut cache).count > 0 {
                    return Err(format!(
                        "object {instance}: found a cloth that intersects itself, expected one that does not"
                    ));
                }
                for other in around.bodies.iter().map(|body| body.instance) {
                    let body = (&all.models[other], &simulation.poses()[other]);
                    let touches = intersects((&model, &Pose::IDENTITY), body);
                    if touches.map_err(|error| format!("object {instance}: {error}"))? {
                        let what = "found a cloth that touches the object at the start, expected one that does not";
                        return Err(format!("objects {instance} and {other}: {what}"));
                    }
                }
            }
            all.objects.push(FlexibleObject { instance, model, material, cache });
        }
        Ok(all)
    }

    fn cloth_of(
        &self,
        model: &Model,
        settings: &xcollide_scenes::Cloth,
        others: &[usize],
    ) -> Material {
        let triangles = model.triangulation().triangles().iter();
        let faces: Vec<[u32; 3]> =
            triangles.map(|corners| corners.map(|vertex| vertex.0)).collect();
        let cloth = Cloth::new(settings, model.mesh().positions().to_vec(), &faces);
        let bodies = others.iter().map(|&other| (other, self.models[other].clone()));
        let around = Surroundings::new(cloth.positions.len(), bodies);
        Material::Cloth { cloth, around: Box::new(around) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Where an instance is in the world. The vertices of cloth are those of the world.
    pub(crate) fn pose(&self, instance: usize, pose: Pose) -> Pose {
        let is_cloth = |object: &FlexibleObject| matches!(object.material, Material::Cloth { .. });
        let cloth = self.objects.iter().filter(|object| is_cloth(object));
        if cloth.into_iter().any(|object| object.instance == instance) {
            Pose::IDENTITY
        } else {
            pose
        }
    }

    /// The instances and the positions of their vertices in this frame.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = (usize, &[[f64; 3]])> {
        self.objects.iter().map(|object| (object.instance, object.model.mesh().positions()))
    }

    /// Takes all objects to the next frame: bodies go from their poses to others, `colliding` met at the former.
    pub(crate) fn advance(
        &mut self,
        [from, to]: [&[Pose]; 2],
        colliding: &[(usize, usize)],
        seen: &mut FlexibleFrame,
    ) -> Result<(), String> {
        let Self { objects, models } = self;
        for FlexibleObject { instance, model, material, .. } in objects {
            let began = Instant::now();
            let failed = |error: &dyn std::fmt::Display| format!("object {instance}: {error}");
            let positions = match material {
                Material::Clay(clay) => {
                    let hit =
                        hit_faces(*instance, (model, &from[*instance]), models, from, colliding);
                    let moved = clay.push(&hit.map_err(|error| failed(&error))?);
                    seen.ns.response += nanoseconds(began.elapsed());
                    if !moved {
                        continue;
                    }
                    &clay.positions
                }
                Material::Cloth { cloth, around } => {
                    around.move_bodies([from, to]);
                    let meshes = cloth.propose(model, around);
                    let mut meshes = meshes.map_err(|error| failed(&error))?;
                    seen.ns.response += nanoseconds(began.elapsed());
                    let began = Instant::now();
                    let stopped = stop(around, &mut meshes, &cloth.neighbours);
                    seen.stopped += stopped.map_err(|error| failed(&error))?;
                    seen.ns.stop += nanoseconds(began.elapsed());
                    cloth.arrive(&around.points);
                    &cloth.positions
                }
            };
            model.set_positions(positions).map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    /// Tests each object with itself, exactly.
    pub(crate) fn measure(&mut self, seen: &mut FlexibleFrame) {
        let began = Instant::now();
        for FlexibleObject { model, cache, .. } in &mut self.objects {
            seen.self_intersections +=
                SelfSearch::new().pairs(model, 0, &Query::new(), cache).count;
        }
        seen.ns.self_test = nanoseconds(began.elapsed());
    }
}

fn clay_of(settings: &xcollide_scenes::Clay, mesh: &xcollide::brep::PolygonMesh) -> Material {
    Material::Clay(Clay::new(settings, mesh))
}

/// The faces of a flexible instance that others meet. An edge of another object that meets a face is told with that face,
/// and an edge of this one with both of its faces, as all touching faces are listed.
fn hit_faces(
    instance: usize,
    own: (&Model, &Pose),
    models: &[Model],
    poses: &[Pose],
    colliding: &[(usize, usize)],
) -> Result<BTreeSet<u32>, xcollide::QueryError> {
    let mut hit = BTreeSet::new();
    for &(a, b) in colliding {
        let other = match (a == instance, b == instance) {
            (true, false) => b,
            (false, true) => a,
            _ => continue,
        };
        let met = contacts(own, (&models[other], &poses[other]))?;
        hit.extend(met.iter().map(|contact| contact.faces[0].0));
    }
    Ok(hit)
}
