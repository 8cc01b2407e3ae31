//! Groups vertices by equal coordinates or by the cell of a grid.

use rustc_hash::FxHashMap;

use super::Weld;
use crate::PolygonMesh;

/// For each vertex the first one of its group.
pub(crate) fn places(mesh: &PolygonMesh, weld: Weld) -> Vec<u32> {
    let positions = mesh.positions();
    let size = match weld {
        Weld::Off => return (0..positions.len() as u32).collect(),
        Weld::Grid(size) if size > 0.0 && size.is_finite() => Some(size),
        Weld::Equal | Weld::Grid(_) => None,
    };
    let mut first = FxHashMap::default();
    first.reserve(positions.len());
    (0..)
        .zip(positions)
        .map(|(vertex, position)| {
            let key = position.map(|x| key(x, size));
            *first.entry(key).or_insert(vertex)
        })
        .collect()
}

/// A key that is equal for coordinates to be welded.
fn key(x: f64, size: Option<f64>) -> (bool, u64) {
    /// Above this, cells are smaller than the spacing of f64.
    const FINEST: f64 = (1u64 << 52) as f64;
    if let Some(size) = size {
        let cell = (x / size).floor();
        if cell.abs() < FINEST {
            return (true, (cell + 0.0).to_bits());
        }
    }
    // Adding 0 turns −0 into 0.
    (false, (x + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_is_equal_and_cells_are_cells() -> Result<(), crate::MeshError> {
        let at = |x: f64| [x, 1.0, 2.0];
        let xs = [0.0, -0.0, 5e-324, 0.4, -0.4, 1e300, 1e300, 1.1e300, 0.9];
        let mesh = PolygonMesh::from_positions(xs.map(at).to_vec())?;
        assert_eq!(places(&mesh, Weld::Off), (0..9).collect::<Vec<_>>());
        assert_eq!(places(&mesh, Weld::Equal), [0, 0, 2, 3, 4, 5, 5, 7, 8]);
        assert_eq!(places(&mesh, Weld::Grid(0.5)), [0, 0, 0, 0, 4, 5, 5, 7, 8]);
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(places(&mesh, Weld::Grid(nonsense)), places(&mesh, Weld::Equal));
        }
        Ok(())
    }
}
