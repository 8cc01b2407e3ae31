//! The output of `picture`, as JSON or text.

use serde::Serialize;
use xcollide::narrow::Model;
use xcollide::narrow::bvh::levels::Level;

use super::outlines::{OutlinedVolume, ReachedVolume};
use crate::options::PictureOptions;
use crate::output::count;

/// A level of one mesh's hierarchy, or two hierarchies in a query.
#[derive(Clone, Debug, Serialize)]
pub struct PictureRecord {
    /// The algorithm whose hierarchies are drawn.
    pub algorithm: String,
    /// One mesh: the level's number or `"leaves"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<serde_json::Value>,
    /// One mesh: number of drawn volumes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volumes: Option<usize>,
    /// One mesh: number of faces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<usize>,
    /// Two meshes: numbers of leaves of A and B that the descent reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<[usize; 2]>,
    /// Two meshes: those of them that overlap a leaf of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlapping: Option<[usize; 2]>,
    /// Two meshes: pairs of faces in contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contacts: Option<usize>,
    /// The file.
    pub file: String,
}

impl PictureRecord {
    pub(super) fn of_level(
        options: &PictureOptions,
        level: Level,
        volumes: &[OutlinedVolume],
        model: &Model,
    ) -> Self {
        let level = match level {
            Level::At(level) => level.into(),
            Level::Leaves => "leaves".into(),
        };
        let drawn = volumes.iter().filter(|volume| !volume.triangles.is_empty()).count();
        Self {
            level: Some(level),
            volumes: Some(drawn),
            faces: Some(model.mesh().face_count()),
            ..Self::empty(options)
        }
    }

    pub(super) fn at_work(
        options: &PictureOptions,
        reached: &[Vec<ReachedVolume>; 2],
        contacts: usize,
    ) -> Self {
        let overlapping =
            |leaves: &Vec<ReachedVolume>| leaves.iter().filter(|leaf| leaf.overlaps).count();
        Self {
            reached: Some(reached.each_ref().map(Vec::len)),
            overlapping: Some(reached.each_ref().map(overlapping)),
            contacts: Some(contacts),
            ..Self::empty(options)
        }
    }

    fn empty(options: &PictureOptions) -> Self {
        Self {
            algorithm: options.algorithm.clone(),
            level: None,
            volumes: None,
            faces: None,
            reached: None,
            overlapping: None,
            contacts: None,
            file: options.export.display().to_string(),
        }
    }

    /// The record as text.
    pub(super) fn in_words(&self) -> String {
        let Self { algorithm, file, .. } = self;
        let shown = match (&self.level, self.reached, self.overlapping) {
            (_, Some([a, b]), Some([of_a, of_b])) => {
                let pairs =
                    count(self.contacts.unwrap_or(0), "pair of faces meets", "pairs of faces meet");
                format!(
                    "{a} leaves of A and {b} of B reached, {of_a} and {of_b} of them overlap; {pairs}"
                )
            }
            (level, ..) => {
                let volumes = count(self.volumes.unwrap_or(0), "volume", "volumes");
                let faces = count(self.faces.unwrap_or(0), "face", "faces");
                let level = match level {
                    Some(serde_json::Value::Number(level)) => format!("level {level}"),
                    _ => "leaves".to_owned(),
                };
                format!("{level}: {volumes} around {faces}")
            }
        };
        format!("{algorithm}, {shown}; drawn into {file}")
    }
}
