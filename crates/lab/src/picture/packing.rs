//! A transparent body filled with its inner spheres.

use xcollide::brep::MassProperties;
use xcollide::narrow::Model;
use xcollide::narrow::classic::{PackingOptions, SpherePacking};
use xcollide_io::glb::{GlbScene, Material, Node};

use super::scene::{BODIES, COLORS, SceneError};

/// What a sphere is drawn as.
const BALL: &str = "icosphere?frequency=3";

/// The scene, with the number of spheres and their part of the body's volume, if that is known.
pub(super) fn of_packing(
    model: &Model,
    most_spheres: usize,
) -> Result<(Vec<u8>, usize, Option<f64>), SceneError> {
    let options = PackingOptions { most_spheres, ..PackingOptions::default() };
    let packing = SpherePacking::of(model, options);
    let mut glb = GlbScene::new();
    let ball = glb.mesh(&xcollide_scenes::shape(BALL)?)?;
    let colors = COLORS.map(|color| glb.material(&Material::new("sphere", color)));
    // Spheres of one size have one color, so that layers are seen.
    let spheres = packing.tree().spheres();
    let largest = spheres.iter().map(|sphere| sphere.radius).fold(0.0, f64::max);
    for sphere in spheres {
        let order = (largest / sphere.radius).log2().max(0.0) as usize;
        let node = Node::new("sphere").shape(ball, colors[order % colors.len()]);
        glb.node(node.at(sphere.center, [0.0, 0.0, 0.0, 1.0]).scale([sphere.radius; 3]));
    }
    let body = glb.mesh(model.mesh())?;
    let glass = glb.material(&Material::new("body", BODIES[0]).opacity(0.2));
    glb.node(Node::new("body").shape(body, glass));
    let volume = MassProperties::of(model.mesh()).ok().map(|mass| mass.volume.abs());
    let filled =
        volume.filter(|&volume| volume > 0.0).map(|volume| packing.tree().volume() / volume);
    Ok((glb.to_bytes()?, spheres.len(), filled))
}
