//! Meshes of rows of vertices: fits rows and columns to a given number of faces, and builds the faces.
//!
//! ```text
//!   row 2   o---o---o---o       Cells between two rows are quadrilaterals, or triangles if one row
//!           |   |   | / |       is a single vertex (a pole). `halved` cells, evenly spread, are cut
//!   row 1   o---o---o---o       in two to meet the number of faces exactly.
//!            \ / \ / \ /
//!   row 0     o (pole)
//! ```

use xcollide_brep::{MeshError, PolygonMesh};

use crate::{Parameter, ShapeError};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    /// Cells in a row.
    pub(crate) along: usize,
    /// Rows of cells.
    pub(crate) across: usize,
    pub(crate) halved: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GridRequirements {
    /// Total number of faces, without caps.
    pub(crate) faces: usize,
    /// `across / along` for square cells.
    pub(crate) aspect: f64,
    pub(crate) min_along: usize,
    pub(crate) min_across: usize,
    /// Number of rows of triangles at poles, which are never halved.
    pub(crate) poles: usize,
    pub(crate) even: bool,
}

impl GridRequirements {
    /// A request for this number of faces with these minima of `along` and `across`, without poles.
    pub(crate) const fn new(
        faces: usize,
        aspect: f64,
        [min_along, min_across]: [usize; 2],
    ) -> Self {
        Self { faces, aspect, min_along, min_across, poles: 0, even: false }
    }

    /// The grid, and a builder for its cells. Too few faces are an error of `parameter`, which was given as
    /// `total`.
    pub(crate) fn builder(
        &self,
        parameter: &Parameter,
        total: usize,
    ) -> Result<(Grid, GridBuilder), ShapeError> {
        let grid = self.fit().ok_or_else(|| parameter.refuse(total, parameter.kind))?;
        Ok((grid, GridBuilder::new(grid.halved, grid.along * (grid.across - self.poles))))
    }

    /// The grid of exactly this number of faces with the fewest halved cells, preferably with nearly square
    /// cells; `None` if there are too few faces. Takes O(√`faces`) time, O(`faces`) for few faces.
    pub(crate) fn fit(&self) -> Option<Grid> {
        let ideal = (self.faces as f64 * self.aspect).sqrt();
        let most = self.faces / self.min_along.max(1);
        let near = (0.8 * ideal) as usize..=((1.25 * ideal) as usize).min(most);
        let all = 1..=most;
        self.best(near, ideal).or_else(|| self.best(all, ideal))
    }

    fn best(&self, across: std::ops::RangeInclusive<usize>, ideal: f64) -> Option<Grid> {
        let from = (*across.start()).max(self.min_across).max(1);
        let grids = (from..=*across.end())
            .filter(|across| !self.even || across % 2 == 0)
            .map(|across| Grid { along: self.faces / across, across, halved: self.faces % across })
            .filter(|grid| grid.along >= self.min_along)
            .filter(|grid| grid.halved <= grid.along * grid.across.saturating_sub(self.poles));
        let far = |grid: &Grid| (grid.across as f64 - ideal).abs();
        grids.min_by(|a, b| a.halved.cmp(&b.halved).then(far(a).total_cmp(&far(b))))
    }
}

#[derive(Debug)]
pub(crate) struct GridBuilder {
    mesh: PolygonMesh,
    halved: usize,
    quads: usize,
    placed: usize,
}

impl GridBuilder {
    /// Prepares for `quads` quadrilaterals and cuts `halved` of them in two.
    pub(crate) fn new(halved: usize, quads: usize) -> Self {
        Self { mesh: PolygonMesh::new(), halved, quads, placed: 0 }
    }

    pub(crate) fn row(
        &mut self,
        points: impl IntoIterator<Item = [f64; 3]>,
    ) -> Result<Vec<u32>, MeshError> {
        points.into_iter().map(|point| Ok(self.mesh.push_vertex(point)?.0)).collect()
    }

    pub(crate) fn rows<Points: IntoIterator<Item = [f64; 3]>>(
        &mut self,
        numbers: impl IntoIterator<Item = usize>,
        points: impl Fn(usize) -> Points,
    ) -> Result<Vec<Vec<u32>>, MeshError> {
        numbers.into_iter().map(|number| self.row(points(number))).collect()
    }

    /// Fills the band between two closed rows. Seen from outside with `lower` at the bottom, rows run to the
    /// right.
    pub(crate) fn ring(&mut self, lower: &[u32], upper: &[u32]) -> Result<(), MeshError> {
        let along = lower.len().max(upper.len());
        for i in 0..along {
            self.cell(lower, upper, i, (i + 1) % along)?;
        }
        Ok(())
    }

    /// Fills the bands between consecutive closed rows.
    pub(crate) fn rings(&mut self, rows: &[Vec<u32>]) -> Result<(), MeshError> {
        rows.windows(2).try_for_each(|pair| self.ring(&pair[0], &pair[1]))
    }

    /// Builds a body from closed rows between two polygons.
    pub(crate) fn capped(mut self, rows: &[Vec<u32>]) -> Result<PolygonMesh, MeshError> {
        if let [first, .., last] = rows {
            self.face(first.iter().rev().copied())?;
            self.rings(rows)?;
            self.face(last.iter().copied())?;
        }
        Ok(self.mesh)
    }

    /// Fills the bands between consecutive open rows of equal length.
    pub(crate) fn strips(&mut self, rows: &[Vec<u32>]) -> Result<(), MeshError> {
        rows.windows(2).try_for_each(|pair| {
            (1..pair[0].len()).try_for_each(|i| self.cell(&pair[0], &pair[1], i - 1, i))
        })
    }

    pub(crate) fn face(&mut self, corners: impl IntoIterator<Item = u32>) -> Result<(), MeshError> {
        let corners: Vec<u32> = corners.into_iter().collect();
        self.mesh.push_face(&corners).map(|_| ())
    }

    pub(crate) fn finish(self) -> PolygonMesh {
        self.mesh
    }

    fn cell(&mut self, lower: &[u32], upper: &[u32], i: usize, j: usize) -> Result<(), MeshError> {
        match (lower, upper) {
            (&[pole], _) => self.mesh.push_face(&[pole, upper[j], upper[i]])?,
            (_, &[pole]) => self.mesh.push_face(&[lower[i], lower[j], pole])?,
            _ => {
                let [a, b, c, d] = [lower[i], lower[j], upper[j], upper[i]];
                if self.cut_next() {
                    self.mesh.push_face(&[a, b, c])?;
                    self.mesh.push_face(&[a, c, d])?
                } else {
                    self.mesh.push_face(&[a, b, c, d])?
                }
            }
        };
        Ok(())
    }

    /// Whether to halve the next quadrilateral. Spreads `halved` cuts evenly over `quads`.
    fn cut_next(&mut self) -> bool {
        let share =
            |placed: usize| (placed as u128 * self.halved as u128) / self.quads.max(1) as u128;
        let cut = share(self.placed + 1) > share(self.placed);
        self.placed += 1;
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_the_faces_wanted_and_cuts_less_than_one_cell_a_row_where_it_can() {
        for faces in 8..3000 {
            for aspect in [0.1, 0.5, 1.0, 30.0] {
                for poles in [0, 2] {
                    let requirements = GridRequirements {
                        poles,
                        ..GridRequirements::new(faces, aspect, [3, poles])
                    };
                    let grid = requirements.fit().unwrap_or_else(|| panic!("{requirements:?}"));
                    assert_eq!(grid.along * grid.across + grid.halved, faces);
                    assert!(grid.halved < grid.across, "{requirements:?} {grid:?}");
                    assert!(grid.halved <= grid.along * (grid.across - poles));
                }
            }
        }
    }

    #[test]
    fn round_numbers_need_no_cuts() {
        for faces in [50, 200, 800, 1000, 5000, 10_000, 100_000, 1_000_000] {
            let requirements =
                GridRequirements { poles: 2, ..GridRequirements::new(faces, 0.5, [3, 2]) };
            let grid = requirements.fit();
            assert!(grid.is_some_and(|grid| grid.halved == 0), "{faces}: {grid:?}");
        }
    }

    #[test]
    fn any_aspect_has_its_grid() {
        for aspect in [0.0, 1e-200, 1e-9, 1e9, 1e200, f64::INFINITY] {
            let requirements = GridRequirements::new(1000, aspect, [3, 1]);
            let grid = requirements.fit().unwrap_or_else(|| panic!("{requirements:?}"));
            assert_eq!(grid.along * grid.across + grid.halved, 1000, "{aspect}");
        }
    }

    #[test]
    fn cuts_are_spread_evenly() {
        let mut builder = GridBuilder::new(3, 12);
        let cuts: Vec<bool> = (0..12).map(|_| builder.cut_next()).collect();
        assert_eq!(cuts.iter().filter(|&&cut| cut).count(), 3);
        assert!(cuts.chunks(4).all(|part| part.iter().filter(|&&cut| cut).count() == 1));
    }
}
