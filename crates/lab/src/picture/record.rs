//! The output of `picture`, as JSON or text.

use serde::Serialize;

use crate::options::PictureOptions;
use crate::output::count;

#[derive(Serialize)]
pub(super) struct PictureRecord<'a> {
    algorithm: &'a str,
    #[serde(flatten)]
    drawn: Drawn,
    file: String,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Drawn {
    /// Of one mesh: the level's number or `"leaves"`, the drawn volumes, the faces.
    Level { level: serde_json::Value, volumes: usize, faces: usize },
    /// Of the inner spheres of one mesh: how many, their part of the body's volume, and the faces.
    Packing {
        spheres: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        filled: Option<f64>,
        faces: usize,
    },
    /// Of two meshes, A's number first: the leaves that the descent reaches, and those of them that
    /// overlap a leaf of the other mesh; and the pairs of faces in contact.
    Query { reached: [usize; 2], overlapping: [usize; 2], contacts: usize },
}

impl<'a> PictureRecord<'a> {
    pub(super) fn new(options: &'a PictureOptions, drawn: Drawn) -> Self {
        let file = options.export.display().to_string();
        let algorithm = match drawn {
            Drawn::Packing { .. } => "inner-spheres",
            _ => &options.algorithm,
        };
        Self { algorithm, drawn, file }
    }

    pub(super) fn in_words(&self) -> String {
        let Self { algorithm, drawn, file } = self;
        let shown = match drawn {
            Drawn::Query { reached: [a, b], overlapping: [of_a, of_b], contacts } => {
                let pairs = count(*contacts, "pair of faces meets", "pairs of faces meet");
                format!(
                    "{a} leaves of A and {b} of B reached, {of_a} and {of_b} of them overlap; {pairs}"
                )
            }
            Drawn::Packing { spheres, filled, faces } => {
                let part = filled
                    .map_or(String::new(), |part| format!(", {:.1} % of its volume", 100.0 * part));
                let spheres = count(*spheres, "sphere", "spheres");
                format!("{spheres} in a body of {}{part}", count(*faces, "face", "faces"))
            }
            Drawn::Level { level, volumes, faces } => {
                let level =
                    level.as_u64().map_or("leaves".to_owned(), |level| format!("level {level}"));
                let volumes = count(*volumes, "volume", "volumes");
                format!("{level}: {volumes} around {}", count(*faces, "face", "faces"))
            }
        };
        format!("{algorithm}, {shown}; drawn into {file}")
    }
}
