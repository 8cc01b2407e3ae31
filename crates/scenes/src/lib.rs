#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod circle;
mod embedded;
mod error;
mod formula;
mod grid;
mod message_number;
mod parameter;
mod placement;
mod poses;
mod random;
pub mod robot;
mod scene;
mod shape;
mod simulation;
mod spec;
mod stretch;
mod text_table;

mod capsule;
mod car;
mod cone;
mod cubes;
mod cuboid;
mod cylinder;
mod frame;
mod gear;
mod height_field;
mod hyperboloid;
mod icosphere;
mod klein;
mod knot;
mod mobius;
mod plane;
mod platonic;
mod polytope;
mod prism;
mod schoenhardt;
mod sheet;
mod soup;
mod sphere;
mod tetraflake;
mod torus;

pub use error::ShapeError;
pub use formula::{Formula, rounded_hull};
pub use height_field::height_field;
pub use parameter::{Kind, MAX_FACES, Parameter};
pub use placement::{Placement, PlacementError, Rotation};
pub use polytope::{PolytopeKind, polytope};
pub use poses::Poses;
pub use random::Random;
pub use robot::RobotError;
pub use shape::{Shape, list, shape};

pub use embedded::{DEFAULT_SCENE, EmbeddedError, EmbeddedScene, embedded, names, scenes};
pub use scene::{
    CageBox, CageSize, Clay, Cloth, Ending, FilePart, Flexible, HeightField, Heights, Import,
    ImportFrom, JointMotion, Keep, MeshSource, Motion, MotionPromise, Object, Phases, Recording,
    Response, Robot, Rule, Scene, SceneError, SceneFile, SceneFileError, Speed, Start,
    TestSchedule, Way,
};
pub use simulation::{Instance, NoFiles, SceneFiles, Simulation};
