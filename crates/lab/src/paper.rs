//! Experiments of the sources, repeated: `xcollide compare --paper NAME`.
//!
//! Each experiment follows its source, runs on the harness of [`compare`](crate::compare), and
//! returns tables with the published figures beside ours. Times of machines thirty years apart
//! cannot be compared; ratios, thresholds, orders and counts can. Experiments state what they assume
//! where a source leaves something open.

mod box_tree_thresholds;
mod car_drive;
mod command;
mod experiment;
mod figure_table;
mod flying_boxes;
mod grid;
mod multibody;
mod octree;
mod perceptron;
mod polytopes;
mod searching_steps;
mod tumble;

pub(crate) use command::run;
pub use experiment::{Effort, Experiment};
pub use figure_table::{Cell, FigureTable, Published, Row};

/// All experiments, by source.
#[must_use]
pub fn experiments() -> &'static [Experiment] {
    &[
        perceptron::ERRORS,
        box_tree_thresholds::EXPERIMENT,
        octree::EXPERIMENT,
        grid::EXPERIMENT,
        grid::EXACT,
        grid::PIPELINE,
        tumble::EXPERIMENT,
        searching_steps::APART,
        searching_steps::ALL,
        searching_steps::MOST,
        polytopes::VELOCITY_20,
        polytopes::VELOCITY_500,
        polytopes::ROTATION_20,
        polytopes::ROTATION_500,
        polytopes::DENSITY_20,
        polytopes::DENSITY_500,
        multibody::NUMBER,
        multibody::FACES,
        multibody::DENSITY,
        multibody::ROTATION,
        multibody::PARTS_DYNAMIC,
        multibody::PARTS_FIXED,
        car_drive::CARS,
        car_drive::SPHERES,
    ]
}

/// The experiment of this name.
#[must_use]
pub fn experiment(name: &str) -> Option<&'static Experiment> {
    experiments().iter().find(|experiment| experiment.name == name)
}
