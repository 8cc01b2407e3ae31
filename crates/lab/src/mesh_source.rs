//! Sources of meshes: files, standard input and generated shapes.

use std::ffi::OsString;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use xcollide::brep::{MeshError, PolygonMesh};
use xcollide::convex::shape::ShapeError as FormulaError;
use xcollide::narrow::Model;
use xcollide::robot::model_of_formula;
use xcollide_io::{MeshFile, ReadError};
use xcollide_scenes::{Formula, ShapeError};

use crate::exit::Failure;
use crate::files::STANDARD_INPUT;
use crate::foreign_format::ForeignFormat;
use crate::output::count;
use crate::progress::Progress;
use crate::read_warnings;

/// A file, `-` for standard input, or a generated shape such as `shape:sphere?faces=5000`.
///
/// ```
/// use xcollide_lab::mesh_source::MeshSource;
///
/// let ball = MeshSource::from("shape:sphere?faces=100").mesh()?;
/// assert!((95..=105).contains(&ball.face_count()));
/// # Ok::<(), xcollide_lab::mesh_source::MeshSourceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshSource {
    /// A mesh file; its ending and content determine the format.
    File(PathBuf),
    /// Standard input, `-`; the content determines the format. It can be read once.
    StandardInput,
    /// A spec that begins with `shape:`, or with `formula:` for a body that is given by a formula.
    Shape(String),
}

/// Why a source gives no mesh. Each message names the file or the spec.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshSourceError {
    /// The file cannot be read or is not a mesh.
    #[error(transparent)]
    File(#[from] ReadError),
    /// It is a file of a known format that is not one of meshes.
    #[error("{origin}: {problem}")]
    OtherFormat {
        /// The file.
        origin: String,
        /// Its format, and what to do.
        problem: String,
    },
    /// Standard input cannot be read.
    #[error("{STANDARD_INPUT}: cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// Standard input is not a mesh.
    #[error("{STANDARD_INPUT}: {0}")]
    StandardInput(ReadError),
    /// Something was skipped, and `--strict` rejects that.
    #[error("{origin}: {what}")]
    Skipped {
        /// The file.
        origin: String,
        /// What was skipped.
        what: String,
    },
    /// The shape does not exist.
    #[error("{spec}: {error}")]
    Shape {
        /// The spec.
        spec: String,
        /// The error in it.
        error: ShapeError,
    },
    /// The source is a body that is given by a formula, where a mesh is needed.
    #[error("{origin}: found a body by a formula, expected a mesh; `shape:` makes one")]
    NoMesh {
        /// The spec.
        origin: String,
    },
    /// A length of a formula is out of range.
    #[error("{origin}: {error}")]
    Formula {
        /// The spec.
        origin: String,
        /// Which length.
        error: FormulaError,
    },
    /// The mesh has no faces, so that nothing collides with it.
    #[error("{origin}: found {} and no faces, expected at least one face", counted(*.vertices))]
    NoFaces {
        /// The file or shape.
        origin: String,
        /// The number of its vertices, such as those of points and lines.
        vertices: usize,
    },
    /// The mesh is too large.
    #[error("{origin}: {error}")]
    Brep {
        /// The file or shape.
        origin: String,
        /// What is too large.
        error: MeshError,
    },
}

impl From<MeshSourceError> for Failure {
    fn from(error: MeshSourceError) -> Self {
        Self::bad_input(error)
    }
}

impl MeshSource {
    /// Reads the file or generates the shape. Polygons stay polygons. The mesh may have no faces.
    ///
    /// # Errors
    /// The file cannot be read or is not a mesh; the shape does not exist, or is given by a formula.
    pub fn mesh(&self) -> Result<PolygonMesh, MeshSourceError> {
        let file = match self {
            Self::File(path) => MeshFile::read(path)
                .map_err(|error| self.named(ForeignFormat::of_file(path), error))?,
            Self::StandardInput => {
                let mut bytes = Vec::new();
                let read = std::io::stdin().read_to_end(&mut bytes);
                read.map_err(MeshSourceError::Unreadable)?;
                MeshFile::from_bytes(&bytes, None)
                    .map_err(|error| self.named(ForeignFormat::of(&bytes, Path::new("")), error))?
            }
            Self::Shape(spec) if spec.starts_with(Formula::PREFIX) => {
                return Err(MeshSourceError::NoMesh { origin: spec.clone() });
            }
            Self::Shape(spec) => {
                return xcollide_scenes::shape(spec)
                    .map_err(|error| MeshSourceError::Shape { spec: spec.clone(), error });
            }
        };
        let origin = self.to_string();
        match read_warnings::show(&origin, &file.report) {
            Ok(()) => Ok(file.mesh),
            Err(what) => Err(MeshSourceError::Skipped { origin, what }),
        }
    }

    /// The formula, if the source is the spec of one.
    ///
    /// # Errors
    /// There is no such formula.
    pub fn formula(&self) -> Result<Option<Formula>, MeshSourceError> {
        match self {
            Self::Shape(spec) if spec.starts_with(Formula::PREFIX) => Formula::new(spec)
                .map(Some)
                .map_err(|error| MeshSourceError::Shape { spec: spec.clone(), error }),
            _ => Ok(None),
        }
    }

    /// The model of a mesh or of a formula.
    ///
    /// # Errors
    /// As for [`mesh`](Self::mesh), or no faces, or too many elements.
    pub fn model(&self) -> Result<Model, MeshSourceError> {
        if let Some(formula) = self.formula()? {
            return model_of_formula(&formula)
                .map_err(|error| MeshSourceError::Formula { origin: self.to_string(), error });
        }
        let mesh = self.mesh()?;
        self.model_of(mesh)
    }

    /// The [`mesh`](Self::mesh) as a model, for queries that take no formula.
    ///
    /// # Errors
    /// As for [`mesh`](Self::mesh), or no faces, or too many elements.
    pub fn mesh_model(&self) -> Result<Model, MeshSourceError> {
        self.model_of(self.mesh()?)
    }

    fn model_of(&self, mesh: PolygonMesh) -> Result<Model, MeshSourceError> {
        self.check_faces(&mesh)?;
        Model::from_mesh(mesh)
            .map_err(|error| MeshSourceError::Brep { origin: self.to_string(), error })
    }
}

/// The models of two sources; equal sources share one model, which is read and prepared once.
pub(crate) fn two_models(
    a: &MeshSource,
    b: &MeshSource,
    progress: &Progress,
) -> Result<[Model; 2], Failure> {
    let read = |source: &MeshSource| -> Result<Model, Failure> {
        Ok(progress.during(&format!("reading {source}"), || source.model())?)
    };
    let first = read(a)?;
    let second = if a == b { first.clone() } else { read(b)? };
    Ok([first, second])
}

impl MeshSource {
    /// The error of reading this source, which may be of a known other format.
    fn named(&self, format: Option<ForeignFormat>, error: ReadError) -> MeshSourceError {
        match (format, self) {
            (Some(format), _) => {
                let (origin, problem) = (self.to_string(), format.to_string());
                MeshSourceError::OtherFormat { origin, problem }
            }
            (None, Self::StandardInput) => MeshSourceError::StandardInput(error),
            (None, _) => MeshSourceError::File(error),
        }
    }

    /// Refuses a mesh of this source that has no faces.
    pub(crate) fn check_faces(&self, mesh: &PolygonMesh) -> Result<(), MeshSourceError> {
        match mesh.face_count() {
            0 => {
                let vertices = mesh.vertex_count();
                Err(MeshSourceError::NoFaces { origin: self.to_string(), vertices })
            }
            _ => Ok(()),
        }
    }
}

/// "no vertices", "1 vertex", "2 vertices".
pub(crate) fn counted(number: usize) -> String {
    if number == 0 { "no vertices".to_owned() } else { count(number, "vertex", "vertices") }
}

impl From<OsString> for MeshSource {
    fn from(argument: OsString) -> Self {
        match argument.into_string() {
            Ok(text) if text.starts_with("shape:") || text.starts_with(Formula::PREFIX) => {
                Self::Shape(text)
            }
            Ok(text) if text == "-" => Self::StandardInput,
            Ok(text) => Self::File(text.into()),
            Err(bytes) => Self::File(bytes.into()),
        }
    }
}

impl From<&str> for MeshSource {
    fn from(argument: &str) -> Self {
        Self::from(OsString::from(argument))
    }
}

impl fmt::Display for MeshSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::StandardInput => STANDARD_INPUT.fmt(f),
            Self::Shape(spec) => spec.fmt(f),
        }
    }
}
