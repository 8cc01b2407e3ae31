//! A mesh whose vertices move, as morph targets: displacements from the first frame, one target for each later key
//! (glTF 2.0, 3.7.2.2). At the time of a key its target has weight 1 and all others 0. Keys in a row with equal positions
//! share a target.

use xcollide_brep::{PolygonMesh, VertexId};

use super::GlbError;
use super::geometry::{Geometry, rounded};
use super::keyframe_reduction::position_keys;

/// Viewers keep targets in the layers of a texture, of which WebGL 2 promises 256.
const MOST_TARGETS: usize = 255;

pub(super) struct Deformation {
    /// The mesh in the first frame, without normals.
    pub(super) geometry: Geometry,
    /// The frames that are written, the first one included.
    pub(super) keys: Vec<usize>,
    pub(super) targets: Vec<Vec<[f32; 3]>>,
    /// The target of each key; `None` before the first change.
    shown: Vec<Option<usize>>,
}

impl Deformation {
    pub(super) fn of(
        mesh: &PolygonMesh,
        frames: &[Vec<[f32; 3]>],
        tolerance: f64,
    ) -> Result<Self, GlbError> {
        let resting = mesh.positions().iter().enumerate();
        let resting = resting.map(|(vertex, &position)| rounded(vertex, position));
        let resting = resting.collect::<Result<Vec<_>, _>>()?;
        let position = |frame: usize, vertex: usize| {
            let found = frames.get(frame).and_then(|frame| frame.get(vertex));
            // JSON has bounds of positions, and only finite numbers.
            found
                .filter(|found| found.iter().all(|x| x.is_finite()))
                .map_or(resting[vertex], |found| *found)
        };
        let keys = thinned(position_keys([frames.len(), resting.len()], position, tolerance));
        let first: Vec<[f32; 3]> = (0..resting.len()).map(|vertex| position(0, vertex)).collect();
        let displacement = |frame: usize, vertex: usize| {
            let [to, from] = [position(frame, vertex), first[vertex]];
            [0, 1, 2].map(|k| (to[k] - from[k]).clamp(f32::MIN, f32::MAX))
        };
        let (mut targets, mut shown): (Vec<Vec<_>>, Vec<_>) = (Vec::new(), Vec::new());
        let mut last = None;
        for &key in &keys {
            let moves =
                |last: usize| (0..first.len()).any(|at| position(last, at) != position(key, at));
            if last.is_some_and(moves) {
                targets.push((0..first.len()).map(|vertex| displacement(key, vertex)).collect());
            }
            shown.push(targets.len().checked_sub(1));
            last = Some(key);
        }
        let triangles = mesh.triangulate();
        let indices = triangles.triangles().iter().flatten().copied().map(VertexId::index);
        let indices = indices.map(|index| index as u32).collect();
        let geometry = Geometry { positions: first, normals: Vec::new(), indices };
        Ok(Self { geometry, keys, targets, shown })
    }

    /// The weights of all targets, key by key.
    pub(super) fn weights(&self) -> Vec<f32> {
        let targets = self.targets.len();
        let mut weights = vec![0.0; self.keys.len() * targets];
        for (key, shown) in self.shown.iter().enumerate() {
            if let Some(target) = shown {
                weights[key * targets + target] = 1.0;
            }
        }
        weights
    }
}

/// At most one key more than there may be targets: evenly spaced ones, the first and the last among them.
fn thinned(keys: Vec<usize>) -> Vec<usize> {
    if keys.len() <= MOST_TARGETS + 1 {
        return keys;
    }
    let last = keys.len() - 1;
    (0..=MOST_TARGETS).map(|place| keys[place * last / MOST_TARGETS]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_evenly_spaced() {
        assert_eq!(thinned((5..261).collect()), (5..261).collect::<Vec<_>>());
        let kept = thinned((0..1000).map(|key| 3 * key).collect());
        assert_eq!([kept.len(), kept[0], kept[255]], [256, 0, 3 * 999]);
        // 999 steps over 255 intervals.
        assert!(kept.windows(2).all(|pair| [9, 12].contains(&(pair[1] - pair[0]))), "{kept:?}");
    }
}
