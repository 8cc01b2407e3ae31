//! Triangles of primitives.

use ::gltf::json::Index;
use ::gltf::json::accessor::Accessor;
use ::gltf::json::mesh::{Mode, Primitive, Semantic};
use ::gltf::json::validation::Checked;

use crate::error::Problem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Triangles {
    List,
    Strip,
    Fan,
}

impl Triangles {
    /// The kind of a primitive; `None` for points and lines.
    pub(super) fn of(primitive: &Primitive) -> Result<Option<Self>, Problem> {
        match primitive.mode {
            Checked::Valid(Mode::Triangles) => Ok(Some(Self::List)),
            Checked::Valid(Mode::TriangleStrip) => Ok(Some(Self::Strip)),
            Checked::Valid(Mode::TriangleFan) => Ok(Some(Self::Fan)),
            Checked::Valid(Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) => {
                Ok(None)
            }
            Checked::Invalid => Err(Problem::unexpected("an unknown mode", "0..=6")),
        }
    }

    /// Calls `add` with every triangle, in the order and orientation of section 3.7.2.1.
    pub(super) fn each(
        self,
        numbers: &[u32],
        mut add: impl FnMut([u32; 3]) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        match self {
            Self::List => {
                let (triangles, rest) = numbers.as_chunks::<3>();
                if !rest.is_empty() {
                    let found = format!("{} corners of triangles", numbers.len());
                    return Err(Problem::unexpected(found, "a multiple of 3"));
                }
                triangles.iter().try_for_each(|&triangle| add(triangle))
            }
            Self::Strip => numbers.windows(3).enumerate().try_for_each(|(index, window)| {
                let (a, b, c) = (window[0], window[1], window[2]);
                add(if index % 2 == 0 { [a, b, c] } else { [a, c, b] })
            }),
            Self::Fan => numbers
                .windows(2)
                .skip(1)
                .try_for_each(|window| add([window[0], window[1], numbers[0]])),
        }
    }
}

/// The accessor of the positions, if any.
pub(super) fn positions(primitive: &Primitive) -> Option<Index<Accessor>> {
    primitive.attributes.get(&Checked::Valid(Semantic::Positions)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangles(mode: Triangles, count: u32) -> Result<Vec<[u32; 3]>, Problem> {
        let mut found = Vec::new();
        mode.each(&(0..count).collect::<Vec<_>>(), |triangle| {
            found.push(triangle);
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn modes_make_the_triangles_of_the_specification() -> Result<(), Problem> {
        assert_eq!(triangles(Triangles::List, 6)?, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(triangles(Triangles::Strip, 5)?, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
        assert_eq!(triangles(Triangles::Fan, 5)?, [[1, 2, 0], [2, 3, 0], [3, 4, 0]]);
        for short in 0..3 {
            assert_eq!(triangles(Triangles::Strip, short)?, [[0; 3]; 0]);
            assert_eq!(triangles(Triangles::Fan, short)?, [[0; 3]; 0]);
        }
        assert!(triangles(Triangles::List, 4).is_err());
        Ok(())
    }
}
