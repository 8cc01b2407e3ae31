//! Scene builder: shapes, materials, nodes and their animation.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ::gltf::binary::{Glb, Header};
use ::gltf::json::accessor::Type;
use ::gltf::json::animation::{Channel, Interpolation, Property, Sampler, Target};
use ::gltf::json::mesh::{Mode, MorphTarget, Primitive, Semantic};
use ::gltf::json::scene::UnitQuaternion;
use ::gltf::json::validation::{Checked, USize64};
use ::gltf::json::{self, Accessor, Animation, Buffer, Index, Mesh, Root};
use xcollide_brep::PolygonMesh;

use super::bytes::{Bytes, Purpose};
use super::deformation::Deformation;
use super::geometry::{self, Geometry};
use super::keyframe_reduction::{
    Rotation, dot, rotation_keys, translation_keys, with_aligned_signs,
};
use super::{GlbError, Material, Node};

/// Quarter turn about x that maps z to y.
const Z_UP: [f32; 4] =
    [-std::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2];

/// A scene for a GLB file. Ids of another scene have no effect.
#[derive(Clone, Debug)]
pub struct GlbScene {
    root: Root,
    bytes: Bytes,
    shapes: Vec<Shape>,
    /// With their indices in the file; only used materials are written.
    materials: Vec<(json::Material, Option<Index<json::Material>>)>,
    /// Meshes by shape and material.
    meshes: BTreeMap<(u32, u32), Index<Mesh>>,
    motion: Animation,
}

/// A shape that nodes can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShapeId(u32);

/// A material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaterialId(u32);

/// A node of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(u32);

#[derive(Clone, Debug)]
struct Shape {
    mode: Mode,
    positions: Index<Accessor>,
    normals: Option<Index<Accessor>>,
    indices: Index<Accessor>,
    /// If its vertices move: the displacements of each target, and the sampler of their weights.
    morph: Option<(Vec<Index<Accessor>>, Index<Sampler>)>,
}

impl Default for GlbScene {
    fn default() -> Self {
        Self::new()
    }
}

impl GlbScene {
    /// An empty scene.
    #[must_use]
    pub fn new() -> Self {
        let mut root = Root::default();
        root.asset.generator = Some(concat!("xcollide ", env!("CARGO_PKG_VERSION")).to_owned());
        let upright = root.push(json::Node {
            name: Some("z up".to_owned()),
            rotation: Some(UnitQuaternion(Z_UP)),
            ..json::Node::default()
        });
        root.scene = Some(Index::new(0));
        root.scenes.push(json::Scene {
            extensions: None,
            extras: None,
            name: None,
            nodes: vec![upright],
        });
        let motion = Animation {
            extensions: None,
            extras: None,
            channels: Vec::new(),
            name: Some("motion".to_owned()),
            samplers: Vec::new(),
        };
        let (shapes, materials) = (Vec::new(), Vec::new());
        Self { root, bytes: Bytes::default(), shapes, materials, meshes: BTreeMap::new(), motion }
    }

    /// Adds the faces of a mesh, triangulated, with normals that are smooth where faces meet at less
    /// than 30°. O(n).
    ///
    /// # Errors
    /// A coordinate exceeds the range of f32.
    pub fn mesh(&mut self, mesh: &PolygonMesh) -> Result<ShapeId, GlbError> {
        Ok(self.shape(&geometry::of_mesh(mesh)?, Mode::Triangles))
    }

    /// Adds the faces of a mesh whose vertices move: `frames` are their positions, frame by frame. Every node with
    /// this shape shows its motion. Faces are shaded flat, as they turn.
    ///
    /// The first frame is the mesh of the file; others are morph targets, between which viewers interpolate linearly.
    /// Omits frames that this reproduces within `tolerance` on each axis; if more than 255 targets remain, it keeps
    /// evenly spaced ones of them, so the file has at most 3 kB for a vertex. A frame without a position of a vertex has
    /// that of the mesh. O(n) in the positions, times at most 64 for choosing frames.
    ///
    /// # Errors
    /// A coordinate of the mesh exceeds the range of f32.
    pub fn deforming_mesh(
        &mut self,
        mesh: &PolygonMesh,
        frames: &[Vec<[f32; 3]>],
        frames_per_second: f64,
        tolerance: f64,
    ) -> Result<ShapeId, GlbError> {
        let deformation = Deformation::of(mesh, frames, tolerance)?;
        let id = self.shape(&deformation.geometry, Mode::Triangles);
        if deformation.targets.is_empty() || deformation.geometry.indices.is_empty() {
            return Ok(id);
        }
        let (root, bytes) = (&mut self.root, &mut self.bytes);
        let targets = deformation.targets.iter();
        let targets = targets.map(|target| bytes.vertices(root, target, true)).collect();
        let times = key_times(&deformation.keys, frames_per_second);
        let (weights, linear) = (deformation.weights(), Interpolation::Linear);
        let sampler = self.sampler(&times, Type::Scalar, &weights, linear);
        if let Some(shape) = self.shapes.last_mut() {
            shape.morph = Some((targets, sampler));
        }
        Ok(id)
    }

    /// Adds line segments.
    ///
    /// # Errors
    /// A coordinate exceeds the range of f32.
    pub fn lines(&mut self, segments: &[[[f64; 3]; 2]]) -> Result<ShapeId, GlbError> {
        Ok(self.shape(&geometry::of_lines(segments)?, Mode::Lines))
    }

    fn shape(&mut self, geometry: &Geometry, mode: Mode) -> ShapeId {
        let id = ShapeId(self.shapes.len() as u32);
        let Geometry { positions, normals, indices } = geometry;
        // Empty shapes are not written: accessors must not be empty.
        let [positions_at, indices_at] = if indices.is_empty() {
            [Index::new(u32::MAX); 2]
        } else {
            let positions = self.bytes.vertices(&mut self.root, positions, true);
            [positions, self.bytes.indices(&mut self.root, indices)]
        };
        let normals =
            (!normals.is_empty()).then(|| self.bytes.vertices(&mut self.root, normals, false));
        let (positions, indices, morph) = (positions_at, indices_at, None);
        let shape = Shape { mode, positions, normals, indices, morph };
        self.shapes.push(shape);
        id
    }

    /// Adds a material.
    pub fn material(&mut self, material: &Material) -> MaterialId {
        self.materials.push((material.json(), None));
        MaterialId(self.materials.len() as u32 - 1)
    }

    /// Adds a node.
    pub fn node(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.root.nodes.len() as u32);
        let mesh = node.shown.and_then(|(shape, material)| self.shown(shape, material));
        let shape = node.shown.and_then(|(shape, _)| self.shapes.get(shape.0 as usize));
        if let (Some(_), Some((_, sampler))) = (mesh, shape.and_then(|shape| shape.morph.as_ref()))
        {
            self.target(id, Property::MorphTargetWeights, *sampler);
        }
        let translation = node.translation.map(finite);
        let rotation = unit(node.rotation);
        let scale = node.scale.map(finite);
        self.root.nodes.push(json::Node {
            name: Some(node.name),
            mesh,
            translation: (translation != [0.0; 3]).then_some(translation),
            rotation: (rotation != [0.0, 0.0, 0.0, 1.0]).then_some(UnitQuaternion(rotation)),
            scale: (scale != [1.0; 3]).then_some(scale),
            ..json::Node::default()
        });
        let parent = node.parent.filter(|parent| parent.0 < id.0).map_or(0, |parent| parent.0);
        let children = &mut self.root.nodes[parent as usize].children;
        children.get_or_insert_default().push(Index::new(id.0));
        id
    }

    /// Animates a node: for each frame its translation and a unit quaternion (x, y, z, w). Its pose
    /// becomes that of the first frame.
    ///
    /// Omits frames that linear interpolation reproduces, within `tolerance` in translation and 0.001
    /// radians in rotation. O(n) in the frames.
    pub fn animate(
        &mut self,
        node: NodeId,
        frames: &[([f64; 3], [f64; 4])],
        frames_per_second: f64,
        tolerance: f64,
    ) {
        let Some(target) = self.root.nodes.get_mut(node.0 as usize) else { return };
        let Some(&(start, _)) = frames.first() else { return };
        let path: Vec<[f64; 3]> = frames.iter().map(|(at, _)| *at).collect();
        let rotations = with_aligned_signs(frames.iter().map(|(_, rotation)| *rotation));
        target.translation = Some(start.map(finite));
        target.rotation = Some(UnitQuaternion(unit(rotations[0])));
        if path.iter().any(|at| *at != start) {
            let keys = translation_keys(&path, tolerance);
            let value = |key: usize| path[key].map(finite);
            self.channel(node, Property::Translation, &keys, frames_per_second, value);
        }
        if rotations.iter().any(|rotation| *rotation != rotations[0]) {
            let keys = rotation_keys(&rotations, 1e-3);
            let value = |key: usize| unit(rotations[key]);
            self.channel(node, Property::Rotation, &keys, frames_per_second, value);
        }
    }

    /// Shows a node, with all its descendants, only in some frames, by a scale of 1 or 0.
    pub fn show_when(
        &mut self,
        node: NodeId,
        frames: impl IntoIterator<Item = bool>,
        frames_per_second: f64,
    ) {
        let frames = frames.into_iter().map(|is_shown| [f64::from(u8::from(is_shown)); 3]);
        self.animate_scale(node, frames, frames_per_second);
    }

    /// Scales a node, with all its descendants, by a factor for each axis and frame; 0 hides it. The scale jumps from
    /// frame to frame. Its scale becomes that of the first frame. O(n) in the frames.
    pub fn animate_scale(
        &mut self,
        node: NodeId,
        frames: impl IntoIterator<Item = [f64; 3]>,
        frames_per_second: f64,
    ) {
        let Some(target) = self.root.nodes.get_mut(node.0 as usize) else { return };
        let frames: Vec<[f32; 3]> = frames.into_iter().map(|factors| factors.map(finite)).collect();
        let Some(&first) = frames.first() else { return };
        target.scale = Some(first);
        let changes = |&frame: &usize| frame == 0 || frames[frame] != frames[frame - 1];
        let keys: Vec<usize> = (0..frames.len()).filter(changes).collect();
        if keys.len() > 1 {
            self.channel(node, Property::Scale, &keys, frames_per_second, |key| frames[key]);
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// The file would exceed 4 GiB.
    pub fn to_bytes(self) -> Result<Vec<u8>, GlbError> {
        let Self { mut root, bytes, motion, .. } = self;
        if !motion.channels.is_empty() {
            root.animations.push(motion);
        }
        // Checked before allocating.
        check_length(bytes.len())?;
        let chunk = bytes.join(&mut root);
        if !chunk.is_empty() {
            root.buffers.push(Buffer {
                byte_length: USize64::from(chunk.len()),
                name: None,
                uri: None,
                extensions: None,
                extras: None,
            });
        }
        // Cannot fail: keys are text and numbers are finite.
        let json = json::serialize::to_vec(&root).unwrap_or_default();
        check_length((json.len() + chunk.len()) as u64 + 64)?;
        let glb = Glb {
            header: Header { magic: *b"glTF", version: 2, length: 0 },
            json: Cow::Owned(json),
            bin: (!chunk.is_empty()).then_some(Cow::Owned(chunk)),
        };
        // Fails only if the file is too long.
        glb.to_vec().map_err(|_| GlbError::TooLong { bytes: u64::from(u32::MAX) })
    }

    /// The mesh of a shape with a material, created at first use.
    fn shown(&mut self, shape: ShapeId, material: MaterialId) -> Option<Index<Mesh>> {
        let key = (shape.0, material.0);
        if let Some(&mesh) = self.meshes.get(&key) {
            return Some(mesh);
        }
        let Shape { mode, positions, normals, indices, morph } =
            self.shapes.get(shape.0 as usize)?.clone();
        let (look, written) = self.materials.get_mut(material.0 as usize)?;
        if indices.value() >= self.root.accessors.len() {
            return None;
        }
        let name = look.name.clone();
        let material = *written.get_or_insert_with(|| self.root.push(look.clone()));
        let mut attributes = BTreeMap::new();
        attributes.insert(Checked::Valid(Semantic::Positions), positions);
        attributes.extend(normals.map(|normals| (Checked::Valid(Semantic::Normals), normals)));
        let primitive = Primitive {
            attributes,
            extensions: None,
            extras: None,
            indices: Some(indices),
            material: Some(material),
            mode: Checked::Valid(mode),
            targets: morph.map(|(targets, _)| targets.into_iter().map(morph_target).collect()),
        };
        let mesh = self.root.push(Mesh {
            extensions: None,
            extras: None,
            name,
            primitives: vec![primitive],
            weights: None,
        });
        self.meshes.insert(key, mesh);
        Some(mesh)
    }

    fn channel<const N: usize>(
        &mut self,
        node: NodeId,
        path: Property,
        keys: &[usize],
        frames_per_second: f64,
        value: impl Fn(usize) -> [f32; N],
    ) {
        let (kind, interpolation) = match path {
            Property::Scale => (Type::Vec3, Interpolation::Step),
            Property::Rotation => (Type::Vec4, Interpolation::Linear),
            _ => (Type::Vec3, Interpolation::Linear),
        };
        let values: Vec<f32> = keys.iter().flat_map(|&key| value(key)).collect();
        let times = key_times(keys, frames_per_second);
        let sampler = self.sampler(&times, kind, &values, interpolation);
        self.target(node, path, sampler);
    }

    fn sampler(
        &mut self,
        times: &[f32],
        kind: Type,
        values: &[f32],
        interpolation: Interpolation,
    ) -> Index<Sampler> {
        let input = self.bytes.times(&mut self.root, times);
        let output = self.bytes.floats(&mut self.root, Purpose::Animation, kind, values, None);
        let sampler = Index::new(self.motion.samplers.len() as u32);
        self.motion.samplers.push(Sampler {
            extensions: None,
            extras: None,
            input,
            interpolation: Checked::Valid(interpolation),
            output,
        });
        sampler
    }

    fn target(&mut self, node: NodeId, path: Property, sampler: Index<Sampler>) {
        let node = Index::new(node.0);
        let target = Target { extensions: None, extras: None, node, path: Checked::Valid(path) };
        self.motion.channels.push(Channel { sampler, target, extensions: None, extras: None });
    }
}

fn key_times(keys: &[usize], frames_per_second: f64) -> Vec<f32> {
    keys.iter().map(|&frame| (frame as f64 / frames_per_second) as f32).collect()
}

fn morph_target(displacements: Index<Accessor>) -> MorphTarget {
    MorphTarget { positions: Some(displacements), normals: None, tangents: None }
}

fn check_length(bytes: u64) -> Result<(), GlbError> {
    if bytes < u64::from(u32::MAX) { Ok(()) } else { Err(GlbError::TooLong { bytes }) }
}

/// `value`, or 0 if it is not finite, because JSON has only finite numbers.
fn finite(value: f64) -> f32 {
    let value = if value.is_nan() { 0.0 } else { value as f32 };
    value.clamp(f32::MIN, f32::MAX)
}

fn unit(rotation: Rotation) -> [f32; 4] {
    let length = dot(rotation, rotation).sqrt();
    if length > 0.0 && length.is_finite() {
        rotation.map(|value| (value / length) as f32)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_bytes};

    fn tetrahedron() -> PolygonMesh {
        let text = b"OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
        read_bytes(text, Some(Format::Off)).unwrap_or_else(|error| panic!("{error}"))
    }

    fn read(scene: GlbScene) -> (PolygonMesh, Root) {
        let bytes = scene.to_bytes().unwrap_or_else(|error| panic!("{error}"));
        let glb = Glb::from_slice(&bytes).unwrap_or_else(|error| panic!("{error}"));
        let root = Root::from_str(&String::from_utf8_lossy(&glb.json));
        let root = root.unwrap_or_else(|error| panic!("{error}"));
        (read_bytes(&bytes, None).unwrap_or_else(|error| panic!("{error}")), root)
    }

    #[test]
    fn nodes_are_where_they_are_put() -> Result<(), GlbError> {
        let mut scene = GlbScene::new();
        let shape = scene.mesh(&tetrahedron())?;
        let paint = scene.material(&Material::new("paint", [0.5, 0.25, 1.0]));
        let root = scene.node(Node::new("root").at([0.0, 0.0, 5.0], [0.0, 0.0, 0.0, 2.0]));
        scene.node(Node::new("a").shape(shape, paint).below(root));
        scene.node(Node::new("b").shape(shape, paint).below(root).scale([2.0; 3]));
        let (mesh, _) = read(scene);
        assert_eq!(mesh.face_count(), 8);
        let highest = mesh.positions().iter().map(|position| position[1]).fold(f64::MIN, f64::max);
        assert!((highest - 7.0).abs() < 1e-6, "{highest}");
        let back = mesh.positions().iter().map(|position| position[2]).fold(f64::MAX, f64::min);
        assert!((back + 2.0).abs() < 1e-6, "{back}");
        Ok(())
    }

    #[test]
    fn geometry_and_key_times_are_there_once() -> Result<(), GlbError> {
        let mut scene = GlbScene::new();
        let shape = scene.mesh(&tetrahedron())?;
        let materials =
            ["a", "b"].map(|name| scene.material(&Material::new(name, [0.5; 3]).opacity(0.5)));
        for number in 0..10_u32 {
            let material = materials[number as usize % 2];
            let node = scene.node(Node::new("flying").shape(shape, material));
            let at = |frame: u32| [f64::from(number), f64::from(frame), 0.0];
            let path: Vec<_> = (0..50).map(|frame| (at(frame), [0.0, 0.0, 0.0, 1.0])).collect();
            scene.animate(node, &path, 25.0, 1e-6);
            scene.show_when(node, (0..50).map(|frame| (10..20).contains(&frame)), 25.0);
        }
        let (_, root) = read(scene);
        assert_eq!((root.meshes.len(), root.buffer_views.len()), (2, 3));
        // Positions, normals, corners; two sets of times; a path and a visibility for each node.
        assert_eq!(root.accessors.len(), 3 + 2 + 20);
        assert_eq!(root.animations[0].channels.len(), 20);
        let hidden = root.nodes[1].scale;
        assert_eq!(hidden, Some([0.0; 3]), "hidden in frame 0");
        Ok(())
    }

    #[test]
    fn rotations_within_a_thousandth_of_a_radian_take_no_key() -> Result<(), GlbError> {
        let keys = |away: f64| -> Result<u64, GlbError> {
            let mut scene = GlbScene::new();
            let shape = scene.mesh(&tetrahedron())?;
            let paint = scene.material(&Material::new("paint", [0.5; 3]));
            let node = scene.node(Node::new("turning").shape(shape, paint));
            let path = [0.0, 0.1 + away, 0.2].map(|angle: f64| {
                ([0.0; 3], [0.0, 0.0, libm::sin(0.5 * angle), libm::cos(0.5 * angle)])
            });
            scene.animate(node, &path, 30.0, 1e-6);
            let (_, root) = read(scene);
            let sampler = &root.animations[0].samplers[0];
            Ok(root.accessors[sampler.input.value()].count.0)
        };
        assert_eq!([keys(0.0009)?, keys(0.0011)?], [2, 3]);
        Ok(())
    }

    #[test]
    fn scales_jump_where_they_change() -> Result<(), GlbError> {
        let mut scene = GlbScene::new();
        let shape = scene.mesh(&tetrahedron())?;
        let paint = scene.material(&Material::new("paint", [0.5; 3]));
        let node = scene.node(Node::new("growing").shape(shape, paint));
        let sizes = [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [0.0; 3], [4.0; 3]];
        scene.animate_scale(node, sizes, 1.0);
        let (_, root) = read(scene);
        assert_eq!(root.nodes[1].scale, Some([1.0, 2.0, 3.0]));
        let sampler = &root.animations[0].samplers[0];
        assert_eq!(sampler.interpolation, Checked::Valid(Interpolation::Step));
        let times = &root.accessors[sampler.input.value()];
        // The second frame is as the first.
        assert_eq!((times.count.0, &times.max), (3, &Some(json::Value::from(vec![3.0]))));
        Ok(())
    }

    #[test]
    fn empty_shapes_foreign_ids_and_odd_numbers_do_no_harm() -> Result<(), GlbError> {
        let mut other = GlbScene::new();
        let far = (0..9).map(|_| other.node(Node::new("far"))).last();
        let mut scene = GlbScene::new();
        let empty = scene.mesh(&PolygonMesh::new())?;
        let none = scene.lines(&[])?;
        let paint =
            scene.material(&Material::new("paint", [f64::NAN, -1.0, 7.0]).glow(f64::INFINITY));
        scene.node(Node::new("empty").shape(empty, paint));
        scene.node(Node::new("none").shape(none, paint).scale([f64::NAN, 1e300, 0.0]));
        scene.node(Node::new("odd").at([f64::INFINITY; 3], [0.0; 4]).shape(ShapeId(77), paint));
        if let Some(foreign) = far {
            scene.animate(foreign, &[([0.0; 3], [0.0; 4])], 0.0, 0.0);
            scene.show_when(foreign, [true, false], 30.0);
            scene.node(Node::new("lost").below(foreign));
        }
        let bytes = scene.to_bytes()?;
        assert!(bytes.starts_with(b"glTF"));
        Ok(())
    }
}
