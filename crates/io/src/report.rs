//! What a reader left out of a mesh or decided by itself, such as
//! ``skipped 12 statements `vp`, the first in line 7``.

use std::borrow::Cow;
use std::fmt;

use crate::error::Position;

/// What a file held beside the mesh.
///
/// ```
/// use xcollide_io::{Format, MeshFile};
///
/// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nfacet 7\nf 1 2 3\n";
/// let report = MeshFile::from_bytes(text, Some(Format::Obj))?.report;
/// let warnings: Vec<String> = report.warnings().map(ToString::to_string).collect();
/// assert_eq!(warnings, ["skipped 1 statement `facet` in line 5"]);
/// assert_eq!(report.remarks().len(), 2); // with the normal, which is no part of the shape
/// # Ok::<(), xcollide_io::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReadReport {
    remarks: Vec<Remark>,
    no_faces: Option<NoFaces>,
    /// Whether the vertices are Gaussian splats.
    pub(crate) splats: bool,
}

/// A group of things of one kind in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Remark {
    /// The kind.
    pub kind: RemarkKind,
    /// How many there are.
    pub count: u64,
    /// The place of the first one.
    pub first: Position,
    /// What one of them is called, such as "statement".
    noun: Cow<'static, str>,
    /// What follows that noun, such as a name in back-ticks.
    detail: String,
}

/// Kind of a [`Remark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RemarkKind {
    /// Skipped data that do not change the shape: normals, colours, texture coordinates, materials,
    /// names. No warning.
    Attribute,
    /// Skipped geometry that has no faces: points, lines, curves, free-form surfaces.
    Geometry,
    /// Skipped parts of unknown meaning.
    Unknown,
    /// Skipped data behind the announced end.
    Trailing,
    /// A pose taken out of many: that of a skin at rest, or of morph targets by default weights.
    Pose,
}

/// Content of a file without faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum NoFaces {
    /// Neither vertices nor faces.
    Empty,
    /// This many vertices, which are points.
    Points(usize),
    /// This many vertices, and lines or curves over them.
    Lines(usize),
    /// This many Gaussian splats.
    Splats(usize),
}

impl ReadReport {
    /// All remarks, in the order in which their kinds appear in the file.
    #[must_use]
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// The remarks on what may change the shape or be a mistake: all but
    /// [attributes](RemarkKind::Attribute). A strict caller rejects a file that has any.
    pub fn warnings(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(|remark| remark.kind != RemarkKind::Attribute)
    }

    /// What the file holds, if it has no faces.
    #[must_use]
    pub fn no_faces(&self) -> Option<NoFaces> {
        self.no_faces
    }

    /// Adds `count` of a `noun` followed by `detail`.
    pub(crate) fn add(
        &mut self,
        kind: RemarkKind,
        noun: &'static str,
        detail: &str,
        count: u64,
        first: Position,
    ) {
        /// What else there is shares one remark.
        const MOST: usize = 64;

        let same = |remark: &&mut Remark| remark.kind == kind && remark.noun == noun;
        if let Some(known) =
            self.remarks.iter_mut().filter(same).find(|remark| remark.detail == detail)
        {
            known.count += count;
            return;
        }
        let detail = if self.remarks.len() < MOST { detail } else { " of other kinds" };
        if self.remarks.len() >= MOST
            && let Some(others) =
                self.remarks.iter_mut().filter(same).find(|remark| remark.detail == detail)
        {
            others.count += count;
            return;
        }
        self.remarks.push(Remark {
            kind,
            count,
            first,
            noun: noun.into(),
            detail: detail.to_owned(),
        });
    }

    /// Notes what there is instead of faces.
    pub(crate) fn set_counts(&mut self, vertices: usize, faces: usize) {
        let lines = || self.remarks.iter().any(|remark| remark.kind == RemarkKind::Geometry);
        self.no_faces = match vertices {
            _ if faces > 0 => None,
            0 => Some(NoFaces::Empty),
            _ if self.splats => Some(NoFaces::Splats(vertices)),
            _ if lines() => Some(NoFaces::Lines(vertices)),
            _ => Some(NoFaces::Points(vertices)),
        };
    }
}

impl Remark {
    /// What one of them is, without number and place: ``statement `vp` ``.
    #[must_use]
    pub fn thing(&self) -> String {
        format!("{}{}", self.noun, self.detail)
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, count, first, noun, detail } = self;
        let verb = if *kind == RemarkKind::Pose { "took the rest pose of" } else { "skipped" };
        let plural = if *count == 1 { "" } else { "s" };
        write!(f, "{verb} {count} {noun}{plural}{detail}")?;
        let place = match first {
            Position::File => return Ok(()),
            Position::Line(line) => format!("in line {line}"),
            other => format!("at {other}"),
        };
        if *count == 1 { write!(f, " {place}") } else { write!(f, ", the first {place}") }
    }
}

impl fmt::Display for NoFaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no vertices and no faces"),
            Self::Points(count) => write!(f, "{count} points and no faces"),
            Self::Lines(count) => write!(f, "lines over {count} vertices and no faces"),
            Self::Splats(count) => write!(f, "{count} splats and no faces"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_things_are_counted_and_their_number_is_bounded() {
        let mut report = ReadReport::default();
        for line in 0..1000_u64 {
            let name = format!(" `{}`", line % 100);
            report.add(RemarkKind::Unknown, "statement", &name, 1, Position::Line(line + 1));
        }
        let remarks: Vec<String> = report.remarks().iter().map(ToString::to_string).collect();
        assert_eq!(remarks.len(), 65);
        assert_eq!(remarks[3], "skipped 10 statements `3`, the first in line 4");
        assert_eq!(remarks[64], "skipped 360 statements of other kinds, the first in line 65");
    }
}
