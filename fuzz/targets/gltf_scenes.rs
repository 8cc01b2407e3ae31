//! glTF documents with valid parts put together at random: hierarchies, matrices, instances, morph targets, skins,
//! animations, cycles and wrong indices. What is read has valid indices and finite positions, and its parts at
//! rest are the mesh of the whole scene.
#![no_main]

mod number;

use arbitrary::Arbitrary;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::fuzz_target;
use number::Number;
use serde_json::{Map, Value, json};
use xcollide::Pose;
use xcollide::brep::PolygonMesh;
use xcollide_io::gltf::{PartOptions, Parts, parts};
use xcollide_io::{Format, read_bytes};

#[derive(Arbitrary, Debug)]
struct Document {
    positions: Vec<Positions>,
    indices: Vec<(u8, Vec<u8>)>,
    meshes: Vec<Mesh>,
    nodes: Vec<Node>,
    scenes: Vec<Vec<Index>>,
    scene: Option<Index>,
    skins: Vec<Skin>,
    channels: Vec<Channel>,
    /// Bytes that the buffer lacks.
    missing: u8,
}

/// A number among those that there are, usually.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Index(u8);

impl Index {
    fn of(self, count: usize) -> Value {
        match self.0 {
            255 => json!(u32::MAX),
            254 => json!(count),
            253 => json!(-1),
            number => json!(usize::from(number) % count.max(1)),
        }
    }
}

#[derive(Arbitrary, Debug)]
struct Positions {
    vectors: Vec<[Number; 3]>,
    sparse: Option<Vec<(u8, [Number; 3])>>,
}

#[derive(Arbitrary, Debug)]
struct Mesh {
    primitives: Vec<Primitive>,
    weights: Option<Vec<Number>>,
}

#[derive(Arbitrary, Debug)]
struct Primitive {
    mode: Option<u8>,
    positions: Option<Index>,
    indices: Option<Index>,
    targets: Vec<Index>,
    /// Joints and weights of each vertex.
    influences: Option<Vec<([u8; 4], [Number; 4])>>,
}

#[derive(Arbitrary, Debug)]
struct Node {
    children: Vec<Index>,
    /// Whether the next node is a child.
    leads: bool,
    mesh: Option<Index>,
    skin: Option<Index>,
    weights: Option<Vec<Number>>,
    place: Place,
    instances: Option<Vec<[Number; 3]>>,
}

#[derive(Arbitrary, Debug)]
enum Place {
    None,
    Parts { translation: Option<[Number; 3]>, turn: Option<Turn>, scale: Option<[Number; 3]> },
    Matrix([[Number; 3]; 4]),
    Any([Number; 16]),
}

#[derive(Arbitrary, Debug)]
enum Turn {
    Quarter(u8),
    Any([Number; 4]),
}

#[derive(Arbitrary, Debug)]
struct Skin {
    joints: Vec<Index>,
    inverses: Option<Vec<[[Number; 3]; 4]>>,
}

#[derive(Arbitrary, Debug)]
struct Channel {
    node: Index,
    path: u8,
    interpolation: u8,
    keys: Vec<(u8, [Number; 4])>,
}

/// The accessors of a document, all in one buffer.
#[derive(Default)]
struct Accessors {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Accessors {
    fn view(&mut self, bytes: &[u8]) -> usize {
        let length = bytes.len();
        self.views.push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": length}));
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    fn add(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.accessors.push(json!({
            "bufferView": view, "componentType": component, "type": kind, "count": count
        }));
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, kind: &str, vectors: &[[Number; N]]) -> usize {
        self.add(FLOAT, kind, vectors.len(), &floats(vectors))
    }
}

const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const FLOAT: u32 = 5126;

fn floats<const N: usize>(vectors: &[[Number; N]]) -> Vec<u8> {
    vectors.iter().flatten().flat_map(|value| (value.0 as f32).to_le_bytes()).collect()
}

/// JSON has no infinite numbers.
fn list(values: &[Number]) -> Value {
    let value = |value: &Number| json!(if value.0.is_finite() { value.0 } else { 1e39 });
    values.iter().map(value).collect()
}

impl Document {
    fn write(&self) -> Vec<u8> {
        let mut pool = Accessors::default();
        let positions: Vec<usize> =
            self.positions.iter().take(4).map(|positions| positions.write(&mut pool)).collect();
        let indices = self.indices.iter().take(4).map(|(component, numbers)| {
            let numbers = &numbers[..numbers.len().min(24)];
            // Wide ones are rarely wrong.
            let wide = numbers.iter().flat_map(|number| [number % 4, 0]).collect::<Vec<u8>>();
            match component % 4 {
                0 => pool.add(BYTE, "SCALAR", numbers.len(), numbers),
                _ => pool.add(SHORT, "SCALAR", numbers.len(), &wide),
            }
        });
        let indices: Vec<usize> = indices.collect();
        let meshes = self.meshes.iter().take(4).map(|mesh| {
            let primitives = mesh.primitives.iter().take(2);
            let primitives = primitives.map(|one| one.write(&mut pool, &positions, &indices));
            let mut object = json!({"primitives": primitives.collect::<Vec<_>>()});
            if let Some(weights) = &mesh.weights {
                object["weights"] = list(&weights[..weights.len().min(4)]);
            }
            object
        });
        let meshes: Vec<Value> = meshes.collect();
        let nodes = &self.nodes[..self.nodes.len().min(6)];
        let skins = self.skins.iter().take(2).map(|skin| {
            let joints = skin.joints.iter().take(4).map(|joint| joint.of(nodes.len()));
            let mut object = json!({"joints": joints.collect::<Vec<_>>()});
            if let Some(inverses) = &skin.inverses {
                let columns: Vec<_> = inverses.iter().take(4).map(columns).collect();
                object["inverseBindMatrices"] = json!(pool.floats("MAT4", &columns));
            }
            object
        });
        let skins: Vec<Value> = skins.collect();
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for channel in self.channels.iter().take(3) {
            channels.push(channel.write(samplers.len(), nodes.len()));
            samplers.push(channel.sampler(&mut pool));
        }
        let nodes: Vec<Value> =
            (0..nodes.len()).map(|number| nodes[number].write(number, self, &mut pool)).collect();
        let mut document = json!({
            "asset": {"version": "2.0"}, "extensionsUsed": ["EXT_mesh_gpu_instancing"],
            "meshes": meshes, "skins": skins, "accessors": pool.accessors, "bufferViews": pool.views
        });
        if !channels.is_empty() {
            document["animations"] = json!([{"samplers": samplers, "channels": channels}]);
        }
        let scenes = self.scenes.iter().take(2).map(|roots| {
            let roots = roots.iter().take(4).map(|root| root.of(nodes.len()));
            json!({"nodes": roots.collect::<Vec<_>>()})
        });
        document["scenes"] = scenes.collect();
        if let Some(scene) = self.scene {
            document["scene"] = scene.of(self.scenes.len().min(2));
        }
        document["nodes"] = json!(nodes);
        let given = pool.bytes.len().saturating_sub(usize::from(self.missing.saturating_sub(200)));
        let uri = STANDARD.encode(&pool.bytes[..given]);
        let uri = format!("data:application/octet-stream;base64,{uri}");
        document["buffers"] = json!([{"byteLength": pool.bytes.len(), "uri": uri}]);
        serde_json::to_vec(&document).expect("it is JSON")
    }
}

impl Positions {
    fn write(&self, pool: &mut Accessors) -> usize {
        let vectors = &self.vectors[..self.vectors.len().min(8)];
        let accessor = pool.floats("VEC3", vectors);
        if let Some(sparse) = &self.sparse {
            let sparse = &sparse[..sparse.len().min(4)];
            let numbers: Vec<u8> = sparse.iter().map(|(number, _)| number % 9).collect();
            let values: Vec<_> = sparse.iter().map(|(_, vector)| *vector).collect();
            let (numbers, values) = (pool.view(&numbers), pool.view(&floats(&values)));
            pool.accessors[accessor]["sparse"] = json!({
                "count": sparse.len(),
                "indices": {"bufferView": numbers, "componentType": BYTE},
                "values": {"bufferView": values}
            });
        }
        accessor
    }
}

impl Primitive {
    fn write(&self, pool: &mut Accessors, positions: &[usize], indices: &[usize]) -> Value {
        let any = |index: Index, of: &[usize]| {
            let number = index.of(of.len());
            let known = number.as_u64().and_then(|number| of.get(number as usize).copied());
            known.map_or(number, |known| json!(known))
        };
        let mut attributes = Map::new();
        if let Some(index) = self.positions {
            attributes.insert("POSITION".to_owned(), any(index, positions));
        }
        if let Some(influences) = &self.influences {
            let influences = &influences[..influences.len().min(8)];
            let joints: Vec<u8> =
                influences.iter().flat_map(|(joints, _)| joints.map(|joint| joint % 5)).collect();
            let weights: Vec<_> = influences.iter().map(|(_, weights)| *weights).collect();
            let joints = pool.add(BYTE, "VEC4", influences.len(), &joints);
            attributes.insert("JOINTS_0".to_owned(), json!(joints));
            attributes.insert("WEIGHTS_0".to_owned(), json!(pool.floats("VEC4", &weights)));
        }
        let mut object = json!({"attributes": attributes});
        if let Some(mode) = self.mode {
            object["mode"] = json!(if mode < 192 { 4 + mode % 3 } else { mode % 8 });
        }
        if let Some(index) = self.indices {
            object["indices"] = any(index, indices);
        }
        if !self.targets.is_empty() {
            let targets = self.targets.iter().take(3);
            object["targets"] =
                targets.map(|&target| json!({"POSITION": any(target, positions)})).collect();
        }
        object
    }
}

impl Node {
    fn write(&self, number: usize, document: &Document, pool: &mut Accessors) -> Value {
        let count = document.nodes.len().min(6);
        let mut object = json!({});
        let mut children: Vec<Value> = Vec::new();
        if self.leads && number + 1 < count {
            children.push(json!(number + 1));
        } else {
            children.extend(self.children.iter().take(2).map(|child| child.of(count)));
        }
        if !children.is_empty() {
            object["children"] = json!(children);
        }
        if let Some(mesh) = self.mesh {
            object["mesh"] = mesh.of(document.meshes.len().min(4));
        }
        if let Some(skin) = self.skin {
            object["skin"] = skin.of(document.skins.len().min(2));
        }
        if let Some(weights) = &self.weights {
            object["weights"] = list(&weights[..weights.len().min(4)]);
        }
        match &self.place {
            Place::None => {}
            Place::Parts { translation, turn, scale } => {
                if let Some(translation) = translation {
                    object["translation"] = list(translation);
                }
                if let Some(scale) = scale {
                    object["scale"] = list(scale);
                }
                match turn {
                    None => {}
                    Some(Turn::Any(rotation)) => object["rotation"] = list(rotation),
                    Some(Turn::Quarter(axis)) => {
                        let mut rotation = [0.0, 0.0, 0.0, 0.5_f64.sqrt()];
                        rotation[usize::from(axis % 3)] = 0.5_f64.sqrt();
                        object["rotation"] = json!(rotation);
                    }
                }
            }
            Place::Matrix(matrix) => object["matrix"] = list(&columns(matrix)),
            Place::Any(numbers) => object["matrix"] = list(numbers),
        }
        if let Some(instances) = &self.instances {
            let translations = pool.floats("VEC3", &instances[..instances.len().min(4)]);
            object["extensions"] = json!({
                "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": translations}}
            });
        }
        object
    }
}

/// An affine matrix by columns.
fn columns(matrix: &[[Number; 3]; 4]) -> [Number; 16] {
    let mut columns = [Number(0.0); 16];
    for (column, values) in matrix.iter().enumerate() {
        columns[4 * column..4 * column + 3].copy_from_slice(values);
    }
    columns[15] = Number(1.0);
    columns
}

impl Channel {
    fn write(&self, sampler: usize, nodes: usize) -> Value {
        let path = ["translation", "rotation", "scale", "weights"][usize::from(self.path % 4)];
        json!({"sampler": sampler, "target": {"node": self.node.of(nodes), "path": path}})
    }

    fn sampler(&self, pool: &mut Accessors) -> Value {
        let keys = &self.keys[..self.keys.len().min(4)];
        let mut time = 0.0;
        let times = keys.iter().map(|(gap, _)| {
            time += f64::from(*gap) / 64.0;
            [Number(time)]
        });
        let times: Vec<_> = times.collect();
        let repeated = if self.interpolation % 3 == 2 { 3 } else { 1 };
        let values = keys.iter().flat_map(|(_, value)| [*value; 3].into_iter().take(repeated));
        let values: Vec<[Number; 4]> = values.collect();
        let output = match self.path % 4 {
            1 => pool.floats("VEC4", &values),
            3 => pool.floats("SCALAR", &values.iter().map(|value| [value[0]]).collect::<Vec<_>>()),
            _ => {
                let vectors = values.iter().map(|&[x, y, z, _]| [x, y, z]).collect::<Vec<_>>();
                pool.floats("VEC3", &vectors)
            }
        };
        let interpolation = ["LINEAR", "STEP", "CUBICSPLINE"][usize::from(self.interpolation % 3)];
        let input = pool.floats("SCALAR", &times);
        json!({"input": input, "output": output, "interpolation": interpolation})
    }

    fn is_skipped(&self) -> bool {
        self.path % 4 == 3
    }
}

fuzz_target!(|document: Document| {
    let bytes = document.write();
    let whole = read_bytes(&bytes, Some(Format::Gltf));
    let scene = parts(&bytes, None, &PartOptions::default());
    match &whole {
        Ok(mesh) => check_mesh(mesh),
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
    match &scene {
        Ok(scene) => check_parts(scene),
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
    // Without nodes the meshes are read where they are, but there are no parts.
    let is_still =
        !document.nodes.is_empty() && document.channels.iter().take(3).all(Channel::is_skipped);
    if let (Ok(mesh), Ok(scene)) = (whole, scene)
        && is_still
        && let Some(tolerance) = tolerance(&document)
    {
        compare(&mesh, &scene, tolerance);
    }
});

fn check_mesh(mesh: &PolygonMesh) {
    assert!(mesh.positions().iter().flatten().all(|value| value.is_finite()));
    for face in mesh.faces() {
        assert!(face.outer().iter().all(|&vertex| vertex.index() < mesh.vertex_count()));
    }
}

fn check_parts(scene: &Parts) {
    for (number, part) in scene.parts.iter().enumerate() {
        check_mesh(&part.mesh);
        assert!(part.parent.is_none_or(|parent| parent < number));
        assert!(part.poses.len() == 1 || part.poses.len() == scene.frames);
        for pose in &part.poses {
            let numbers = [pose.rotation().as_flattened(), &pose.translation()].concat();
            assert!(numbers.iter().all(|number| number.is_finite()), "{pose:?}");
        }
    }
}

/// How far the positions of a still scene may be rounded; `None` if its numbers are odd.
fn tolerance(document: &Document) -> Option<f64> {
    let mut most = 1.0_f64;
    for node in document.nodes.iter().take(6) {
        let numbers: Vec<Number> = match &node.place {
            Place::None => Vec::new(),
            // Nodes of scale 0 may be one body that alternates.
            Place::Parts { scale: Some(scale), .. } if scale.iter().all(|s| s.0 == 0.0) => {
                return None;
            }
            Place::Parts { translation, scale, .. } => {
                translation.iter().chain(scale).flatten().copied().collect()
            }
            Place::Matrix(matrix) => matrix.as_flattened().to_vec(),
            Place::Any(numbers) => numbers.to_vec(),
        };
        for number in numbers {
            let size = number.0.abs();
            if !(size == 0.0 || (1e-3..=100.0).contains(&size)) {
                return None;
            }
            most = most.max(size);
        }
    }
    Some(1e-12 * most.powi(6))
}

/// The parts, put into the world, are the mesh of the scene.
fn compare(mesh: &PolygonMesh, scene: &Parts, tolerance: f64) {
    let mut worlds: Vec<Pose> = Vec::new();
    let mut positions = Vec::new();
    for part in &scene.parts {
        let own = part.poses[0];
        let world = part.parent.map_or(own, |parent| worlds[parent] * own);
        worlds.push(world);
        positions.extend(part.mesh.positions().iter().map(|&position| world.apply(position)));
    }
    assert_eq!(positions.len(), mesh.positions().len());
    let size = positions.iter().flatten().fold(1.0_f64, |most, value| most.max(value.abs()));
    if size > 1e6 {
        return;
    }
    for (found, expected) in positions.iter().zip(mesh.positions()) {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() <= tolerance * size, "{found:?} and {expected:?}");
        }
    }
}
