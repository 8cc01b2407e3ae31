//! Crowds of bodies in a cage, on which the sources measured whole pipelines (Zachmann 1994, 3.6.4
//! and 6.6; I-COLLIDE 1995, 5.3).

use xcollide::narrow::Model;
use xcollide_scenes::{Response, Scene, Simulation};

/// What flies in a cage.
#[derive(Clone, Copy, Debug)]
pub struct Crowd<'a> {
    /// The kinds of bodies, which take turns: `torus?faces=500`.
    pub shapes: &'a [&'a str],
    /// How many bodies there are.
    pub count: usize,
    /// The volume of a body, about.
    pub volume: f64,
    /// The part of the cage that the bodies fill.
    pub density: f64,
    /// How far a body moves in a frame.
    pub step: f64,
    /// How far it turns in a frame, in degrees.
    pub degrees: f64,
    /// What bodies do that collide.
    pub response: Response,
}

impl Crowd<'_> {
    /// So many bodies of one volume that fill a part of their cage, move by 5 % of a radius of 1 and
    /// turn by 6 degrees a frame, and go through each other.
    #[must_use]
    pub const fn new<'a>(
        shapes: &'a [&'a str],
        count: usize,
        volume: f64,
        density: f64,
    ) -> Crowd<'a> {
        let response = Response::None;
        Crowd { shapes, count, volume, density, step: 0.05, degrees: 6.0, response }
    }
}

/// The crowd in motion, with its models by the number of the mesh. The bodies, which begin apart,
/// have gone through each other for long enough to be anywhere.
///
/// # Errors
/// A shape is unknown.
pub fn cage(crowd: &Crowd<'_>) -> Result<(Simulation, Vec<Model>), Box<dyn std::error::Error>> {
    let shapes: Vec<String> = crowd.shapes.iter().map(|spec| format!("shape:{spec}")).collect();
    let shapes: Vec<&str> = shapes.iter().map(String::as_str).collect();
    let room = crowd.volume / crowd.density;
    let mut scene = Scene::crowd(&shapes, crowd.count, room, crowd.step, crowd.degrees);
    scene.response = crowd.response;
    let mut simulation = Simulation::new(&scene)?;
    (0..100).for_each(|_| simulation.advance());
    let models = simulation.meshes().iter().map(|mesh| Model::from_mesh(mesh.clone()));
    let models = models.collect::<Result<_, _>>()?;
    Ok((simulation, models))
}
