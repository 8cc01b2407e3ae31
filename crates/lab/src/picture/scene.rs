//! The drawn scene: faces and volumes in colours.

use std::collections::BTreeSet;

use xcollide::Pose;
use xcollide::brep::{FaceId, MeshError, PolygonMesh};
use xcollide::narrow::Model;
use xcollide_io::glb::{GlbError, GlbScene, Material, Node};

use super::outlines::{OutlinedVolume, ReachedVolume};

/// Colours of volumes, in turn; distinct for the colour-blind too (Okabe and Ito).
pub(super) const COLORS: [[f64; 3]; 6] = [
    [0.00, 0.45, 0.70],
    [0.90, 0.62, 0.00],
    [0.00, 0.62, 0.45],
    [0.80, 0.47, 0.65],
    [0.34, 0.71, 0.91],
    [0.84, 0.37, 0.00],
];
pub(super) const BODIES: [[f64; 3]; 2] = [[0.36, 0.56, 0.78], [0.80, 0.70, 0.42]];
/// Colours of reached leaves, of overlapping ones, and of faces in contact.
const REACHED: [f64; 3] = [0.55, 0.55, 0.60];
const OVERLAPS: [f64; 3] = [1.0, 0.50, 0.0];
const MEETS: [f64; 3] = [1.0, 0.06, 0.03];

/// Why the scene cannot be made: glTF cannot represent it, or a mesh has too many corners.
#[derive(Debug, thiserror::Error)]
pub(super) enum SceneError {
    #[error(transparent)]
    Glb(#[from] GlbError),
    #[error(transparent)]
    Mesh(#[from] MeshError),
    #[error(transparent)]
    Shape(#[from] xcollide_scenes::ShapeError),
}

/// A mesh and the volumes of a level, each in the colour of its faces.
pub(super) fn of_level(model: &Model, volumes: &[OutlinedVolume]) -> Result<Vec<u8>, SceneError> {
    let mut glb = GlbScene::new();
    let mut lines: [Vec<[[f64; 3]; 2]>; 6] = Default::default();
    let mut triangles: [Vec<u32>; 6] = Default::default();
    let mut drawn = vec![false; model.triangulation().len()];
    // Boxes without triangles are not drawn.
    let volumes = volumes.iter().filter(|volume| !volume.triangles.is_empty());
    for (number, volume) in volumes.enumerate() {
        let color = number % COLORS.len();
        lines[color].extend(&volume.lines);
        // A triangle in several boxes has the colour of the first.
        let new = |&&triangle: &&u32| !std::mem::replace(&mut drawn[triangle as usize], true);
        triangles[color].extend(volume.triangles.iter().filter(new));
    }
    for (number, color) in COLORS.into_iter().enumerate() {
        // glTF has no empty nodes.
        if lines[number].is_empty() {
            continue;
        }
        let name = format!("colour {number}");
        let faces = Material::new(&name, color.map(|part| 0.55 * part + 0.45 * 0.85));
        let faces = glb.material(&faces);
        if !triangles[number].is_empty() {
            let shape = glb.mesh(&part(model, &triangles[number])?)?;
            glb.node(Node::new(&format!("faces {number}")).shape(shape, faces));
        }
        let edges = glb.material(&Material::new(&format!("{name}, lines"), color).glow(1.0));
        let shape = glb.lines(&lines[number])?;
        glb.node(Node::new(&format!("volumes {number}")).shape(shape, edges));
    }
    Ok(glb.to_bytes()?)
}

/// Two transparent meshes, the reached leaves, and the faces in contact.
pub(super) fn at_work(
    models: [&Model; 2],
    poses: [Pose; 2],
    reached: &[Vec<ReachedVolume>; 2],
    meeting: &[BTreeSet<FaceId>; 2],
) -> Result<Vec<u8>, SceneError> {
    let mut glb = GlbScene::new();
    let [plain, marked] = [("reached", REACHED), ("overlaps", OVERLAPS)]
        .map(|(name, color)| glb.material(&Material::new(name, color).glow(1.0)));
    let meets = glb.material(&Material::new("meets", MEETS).glow(0.55));
    for side in 0..2 {
        let name = ["A", "B"][side];
        let body = Node::new(name).at(poses[side].translation(), poses[side].to_quaternion());
        let body = glb.node(body);
        let triangulation = models[side].triangulation();
        let all = 0..triangulation.len() as u32;
        let (red, rest): (Vec<u32>, Vec<u32>) = all.partition(|&triangle| {
            meeting[side].contains(&triangulation.face_of(triangle as usize))
        });
        let look = glb.material(&Material::new(name, BODIES[side]).opacity(0.45));
        // glTF has no empty nodes.
        let parts = [("faces", look, rest), ("faces that meet", meets, red)];
        for (name, look, triangles) in parts.into_iter().filter(|(.., some)| !some.is_empty()) {
            let shape = glb.mesh(&part(models[side], &triangles)?)?;
            glb.node(Node::new(name).shape(shape, look).below(body));
        }
        for (name, look, overlaps) in
            [("leaves reached", plain, false), ("leaves that overlap", marked, true)]
        {
            // Boxes without triangles are not drawn.
            let leaves = reached[side]
                .iter()
                .filter(|leaf| leaf.overlaps == overlaps && !leaf.volume.triangles.is_empty());
            let lines: Vec<_> = leaves.flat_map(|leaf| leaf.volume.lines.iter().copied()).collect();
            if !lines.is_empty() {
                let shape = glb.lines(&lines)?;
                glb.node(Node::new(name).shape(shape, look).below(body));
            }
        }
    }
    Ok(glb.to_bytes()?)
}

fn part(model: &Model, triangles: &[u32]) -> Result<PolygonMesh, MeshError> {
    let corners = model.triangulation().triangles();
    let mut numbers = vec![u32::MAX; model.mesh().vertex_count()];
    let mut mesh = PolygonMesh::new();
    for &triangle in triangles {
        let mut face = [0; 3];
        for (place, vertex) in face.iter_mut().zip(corners[triangle as usize]) {
            let number = &mut numbers[vertex.index()];
            if *number == u32::MAX {
                *number = mesh.push_vertex(model.mesh().position(vertex))?.0;
            }
            *place = *number;
        }
        mesh.push_face(&face)?;
    }
    Ok(mesh)
}
