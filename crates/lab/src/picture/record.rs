//! What `picture` says it has drawn.

use serde::Serialize;
use xcollide::narrow::Model;
use xcollide::narrow::mesh::{Level, OutlinedVolume, ReachedVolume};

use crate::cli::PictureOptions;
use crate::output::count;

/// What a picture shows: a level of one mesh's hierarchy, or two hierarchies at work.
#[derive(Clone, Debug, Serialize)]
pub struct PictureRecord {
    /// Whose hierarchies.
    pub algorithm: String,
    /// Of one mesh: the number of the level, or `"leaves"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<serde_json::Value>,
    /// Of one mesh: volumes that are drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volumes: Option<usize>,
    /// Of one mesh: its faces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<usize>,
    /// Of two: leaves of A and of B that a descent comes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<[usize; 2]>,
    /// Of two: those of them that overlap a leaf of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlapping: Option<[usize; 2]>,
    /// Of two: pairs of faces that meet.
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

    /// For people.
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
