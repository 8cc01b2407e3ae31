//! Meshes of 20,000 triangles whose vertices move from frame to frame, without meeting themselves.

use xcollide_brep::PolygonMesh;

/// A mesh and the positions of its vertices in each frame.
#[derive(Clone, Debug)]
pub struct Frames {
    /// What tables call it.
    pub name: &'static str,
    /// The vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// The positions by frame.
    pub positions: Vec<Vec<[f64; 3]>>,
}

/// Cells of a sheet along each side.
const CELLS: u32 = 100;

impl Frames {
    /// All kinds, with this number of frames.
    #[must_use]
    pub fn all(frames: usize) -> [Self; 2] {
        [Self::of_sheet("waves", frames, wave), Self::of_sheet("roll", frames, roll)]
    }

    /// A square sheet; `place` gives the position of its point (u, v), each from 0 to 1, at a time in frames.
    fn of_sheet(name: &'static str, frames: usize, place: fn([f64; 2], f64) -> [f64; 3]) -> Self {
        let corners = CELLS + 1;
        let at = |i: u32, j: u32| i * corners + j;
        let cells = (0..CELLS).flat_map(|i| (0..CELLS).map(move |j| (i, j)));
        let triangles = cells.flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
            [[a, c, b], [b, c, d]]
        });
        let share = |i: u32| f64::from(i) / f64::from(CELLS);
        let points: Vec<[f64; 2]> =
            (0..corners * corners).map(|k| [share(k / corners), share(k % corners)]).collect();
        let frame = |time: usize| points.iter().map(|&uv| place(uv, time as f64)).collect();
        Self { name, triangles: triangles.collect(), positions: (0..frames).map(frame).collect() }
    }

    /// The mesh of a frame.
    ///
    /// # Panics
    /// There is no such frame.
    #[must_use]
    pub fn mesh(&self, frame: usize) -> PolygonMesh {
        match PolygonMesh::from_polygons(
            self.positions[frame].clone(),
            self.triangles.iter().copied(),
        ) {
            Ok(mesh) => mesh,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Waves that travel through the sheet in two directions.
fn wave([u, v]: [f64; 2], time: f64) -> [f64; 3] {
    let height = 0.05 * (20.0 * u - 0.05 * time).sin() * (14.0 * v + 0.08 * time).cos();
    [u, v, height]
}

/// The sheet as a spiral of some ten turns, a cell and a half apart, which breathes.
fn roll([u, v]: [f64; 2], time: f64) -> [f64; 3] {
    const TURNS: f64 = 10.0;
    let gap = 0.004 * (1.0 + 0.3 * (0.1 * time).sin());
    let angle = std::f64::consts::TAU * TURNS * u;
    let radius = 0.02 + gap * TURNS * u;
    [radius * angle.cos(), radius * angle.sin(), v]
}
