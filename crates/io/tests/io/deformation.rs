//! Meshes whose vertices move: a viewer that interpolates as the specification says sees each frame.

#![allow(clippy::unwrap_used)]

use gltf::animation::util::ReadOutputs;
use gltf::{Gltf, Semantic};
use proptest::prelude::*;
use xcollide_brep::PolygonMesh;
use xcollide_io::glb::{GlbError, GlbScene, Material, Node};
use xcollide_io::{Format, read_bytes};

const RATE: f64 = 30.0;

/// A pyramid over a square: 5 vertices, 5 faces.
fn pyramid() -> PolygonMesh {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\n\
                f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
    read_bytes(text.as_bytes(), Some(Format::Obj)).unwrap()
}

/// What a viewer knows of a node: its mesh, the displacements of its targets, and their weights by time.
struct Viewed {
    positions: Vec<[f32; 3]>,
    targets: Vec<Vec<[f32; 3]>>,
    times: Vec<f32>,
    weights: Vec<f32>,
}

impl Viewed {
    /// The nodes with a mesh.
    fn read(bytes: &[u8]) -> Vec<Self> {
        let file = Gltf::from_slice(bytes).unwrap();
        let blob = file.blob.as_deref().unwrap_or_default();
        let mut viewed = Vec::new();
        for node in file.nodes().filter(|node| node.mesh().is_some()) {
            let primitive = node.mesh().unwrap().primitives().next().unwrap();
            let reader = primitive.reader(|_| Some(blob));
            assert!(
                primitive.get(&Semantic::Normals).is_none(),
                "flat normals turn with the faces"
            );
            let targets = reader.read_morph_targets();
            let mut found = Self {
                positions: reader.read_positions().unwrap().collect(),
                targets: targets.map(|(positions, ..)| positions.unwrap().collect()).collect(),
                times: Vec::new(),
                weights: Vec::new(),
            };
            for channel in file.animations().flat_map(|animation| animation.channels()) {
                let reader = channel.reader(|_| Some(blob));
                if let Some(ReadOutputs::MorphTargetWeights(weights)) = reader.read_outputs()
                    && channel.target().node().index() == node.index()
                {
                    assert!(found.times.is_empty(), "one channel for a node");
                    found.times = reader.read_inputs().unwrap().collect();
                    found.weights = weights.into_f32().collect();
                }
            }
            assert_eq!(found.weights.len(), found.times.len() * found.targets.len());
            viewed.push(found);
        }
        viewed
    }

    /// The weights at a time, interpolated linearly (glTF 2.0, appendix C.3).
    fn weights_at(&self, time: f32) -> Vec<f32> {
        let count = self.targets.len();
        let of_key = |key: usize| &self.weights[key * count..(key + 1) * count];
        let after = self.times.partition_point(|&key| key < time).min(self.times.len() - 1);
        let before = after.saturating_sub(1);
        let length = self.times[after] - self.times[before];
        let part = if length > 0.0 { (time - self.times[before]) / length } else { 0.0 };
        let pairs = of_key(before).iter().zip(of_key(after));
        pairs.map(|(from, to)| from + part * (to - from)).collect()
    }

    fn positions_at(&self, frame: usize) -> Vec<[f32; 3]> {
        let mut positions = self.positions.clone();
        if self.targets.is_empty() {
            return positions;
        }
        let weights = self.weights_at((frame as f64 / RATE) as f32);
        for (target, weight) in self.targets.iter().zip(weights) {
            for (position, away) in positions.iter_mut().zip(target) {
                for k in 0..3 {
                    position[k] += weight * away[k];
                }
            }
        }
        positions
    }
}

/// A file with the pyramid shown by two nodes.
fn written(frames: &[Vec<[f32; 3]>], tolerance: f64) -> Vec<u8> {
    let mut scene = GlbScene::new();
    let shape = scene.deforming_mesh(&pyramid(), frames, RATE, tolerance).unwrap();
    for name in ["plain", "signal"] {
        let paint = scene.material(&Material::new(name, [0.5; 3]));
        scene.node(Node::new(name).shape(shape, paint));
    }
    scene.to_bytes().unwrap()
}

fn largest_error(viewed: &Viewed, frames: &[Vec<[f32; 3]>]) -> f32 {
    let errors = frames.iter().enumerate().map(|(frame, expected)| {
        let found = viewed.positions_at(frame);
        let differences = found.as_flattened().iter().zip(expected.as_flattened());
        differences.fold(0.0, |most: f32, (a, b)| most.max((a - b).abs()))
    });
    errors.fold(0.0, f32::max)
}

fn motion() -> impl Strategy<Value = Vec<Vec<[f32; 3]>>> {
    let vertices = prop::collection::vec(prop::array::uniform3(-2.0f32..2.0), 5);
    // Some vertices rest for some frames.
    prop::collection::vec((vertices, 1..4usize), 1..20).prop_map(|moves| {
        moves.into_iter().flat_map(|(at, times)| std::iter::repeat_n(at, times)).collect()
    })
}

proptest! {
    #[test]
    fn every_frame_shows_its_own_positions(frames in motion()) {
        let viewed = Viewed::read(&written(&frames, 0.0));
        prop_assert_eq!(viewed.len(), 2);
        for viewed in viewed {
            prop_assert!(largest_error(&viewed, &frames) < 1e-5);
            let distinct = frames.windows(2).filter(|pair| pair[0] != pair[1]).count();
            prop_assert!(viewed.targets.len() <= distinct, "frames that rest take no target");
        }
    }
}

#[test]
fn frames_that_interpolation_reproduces_take_no_space() {
    let at = |height: f32| {
        let mut positions: Vec<_> =
            pyramid().positions().iter().map(|p| p.map(|x| x as f32)).collect();
        positions[4][2] += height;
        positions
    };
    let rising: Vec<_> = (0..=40).map(|frame| at(frame as f32 / 40.0)).collect();
    let viewed = Viewed::read(&written(&rising, 1e-6));
    assert_eq!((viewed[0].targets.len(), viewed[0].times.len()), (1, 2));
    assert!(largest_error(&viewed[0], &rising) < 1e-5);
    let resting = vec![at(0.5); 50];
    let viewed = Viewed::read(&written(&resting, 0.0));
    assert!(viewed[0].targets.is_empty() && viewed[0].times.is_empty());
    assert_eq!(largest_error(&viewed[0], &resting), 0.0);
    // The same mesh in both nodes' files.
    assert!(written(&resting, 0.0).len() < 4000);
}

/// What reads the file as a mesh has the shape of the first frame; y is up there.
#[test]
fn read_as_a_mesh_it_has_its_first_shape() {
    let frames = [1.5, 4.0, 9.0].map(|height| {
        let mut positions: Vec<_> =
            pyramid().positions().iter().map(|p| p.map(|x| x as f32)).collect();
        positions[4][2] = height;
        positions
    });
    let mesh = read_bytes(&written(&frames, 0.0), None).unwrap();
    let highest = mesh.positions().iter().map(|p| p[1]).fold(f64::MIN, f64::max);
    assert!((highest - 1.5).abs() < 1e-6, "{highest}");
}

/// However long and lively the motion is, targets and weights are bounded.
#[test]
fn at_most_255_targets_are_written() {
    let jumping: Vec<Vec<[f32; 3]>> =
        (0..3000).map(|frame| vec![[(frame * 7919 % 1009) as f32; 3]; 5]).collect();
    let bytes = written(&jumping, 0.0);
    let viewed = Viewed::read(&bytes);
    assert_eq!((viewed[1].targets.len(), viewed[1].times.len()), (255, 256));
    let [first, last] = [0, 2999].map(|frame| viewed[1].positions_at(frame)[0][0]);
    assert_eq!(
        [first, last],
        [0.0, (2999 * 7919 % 1009) as f32],
        "the first and the last frame stay"
    );
    // Targets once, though two nodes show them, and a square of weights.
    assert!(bytes.len() < 255 * (5 * 12 + 300) + 256 * 255 * 4 + 4000, "{}", bytes.len());
}

#[test]
fn what_a_frame_lacks_stays_and_what_is_too_large_is_refused() {
    let odd = vec![vec![], vec![[f32::NAN; 3]; 5], vec![[2.0; 3]], vec![[f32::MAX; 3]; 9]];
    let viewed = Viewed::read(&written(&odd, 0.0));
    let resting: Vec<_> = pyramid().positions().iter().map(|p| p.map(|x| x as f32)).collect();
    for frame in [0, 1] {
        assert_eq!(viewed[0].positions_at(frame), resting);
    }
    assert_eq!(viewed[0].positions_at(2)[..2], [[2.0; 3], resting[1]]);
    let mut huge = PolygonMesh::from_positions(vec![[0.0; 3], [1e39; 3], [1.0; 3]]).unwrap();
    huge.push_face(&[0, 1, 2]).unwrap();
    let error = GlbScene::new().deforming_mesh(&huge, &[], RATE, 0.0).unwrap_err();
    assert!(matches!(error, GlbError::TooLarge { .. }), "{error}");
}
