//! Experiments of the sources, repeated: `xcollide compare --paper NAME`.
//!
//! Each experiment follows its source, runs on the harness of [`compare`](crate::compare), and
//! returns tables with the published figures beside ours. Times of machines thirty years apart
//! cannot be compared; ratios, thresholds, orders and counts can. What a source found is stated as an
//! expectation, and the output says whether it is found again. Experiments state what they assume
//! where a source leaves something open.

mod arbitrary_prechecks;
mod box_tree_depths;
mod box_tree_thresholds;
mod car_drive;
mod closed_objects;
mod command;
mod convex_objects;
mod encounters;
mod experiment;
mod figure_table;
mod finding;
mod flying_boxes;
mod grid;
mod half_edges;
mod linear_program;
mod multibody;
mod octree;
mod parallelization;
mod perceptron;
mod point_in_polygon;
mod polytopes;
mod potter;
mod searching_steps;
mod tumble;
mod twenty_eight_times;

pub(crate) use command::run;
pub use experiment::{Effort, Experiment};
pub use figure_table::{Cell, FigureTable, Published};
pub use finding::Finding;

/// All experiments, by source.
#[must_use]
pub fn experiments() -> &'static [Experiment] {
    &[
        Experiment {
            name: "zachmann-3.2.1",
            about: "pre-checks of the algorithm for arbitrary polyhedra, accumulated",
            source: "Zachmann 1994, 3.2.1, results",
            run: arbitrary_prechecks::run,
        },
        Experiment {
            name: "zachmann-3.2.2",
            about: "which pre-check of the point-in-polygon test decides an edge",
            source: "Zachmann 1994, 3.2.2, results",
            run: point_in_polygon::run,
        },
        Experiment {
            name: "zachmann-3.4.1",
            about: "the algorithm for convex objects against that for arbitrary ones, and its pre-checks",
            source: "Zachmann 1994, 3.4.1, both tables",
            run: convex_objects::run,
        },
        Experiment {
            name: "zachmann-3.15",
            about: "errors of the perceptron, by its rate and the most iterations",
            source: "Zachmann 1994, 3.4.2, figure 3.15",
            run: perceptron::run,
        },
        Experiment {
            name: "zachmann-3.16",
            about: "errors of the perceptron, by the relaxation of its rate",
            source: "Zachmann 1994, 3.4.2, figure 3.16",
            run: perceptron::relaxation,
        },
        Experiment {
            name: "zachmann-3.4.2",
            about: "errors of the perceptron, by its first plane",
            source: "Zachmann 1994, 3.4.2, the table of initial planes",
            run: perceptron::first_planes,
        },
        Experiment {
            name: "zachmann-3.5.1",
            about: "the Monte-Carlo test of closed objects: frames a second, and what it finds",
            source: "Zachmann 1994, 3.5.1, results",
            run: closed_objects::run,
        },
        Experiment {
            name: "zachmann-3.32",
            about: "the depth of box-trees and the polygons of their leaves",
            source: "Zachmann 1994, 3.6.5, figures 3.32 to 3.34",
            run: box_tree_depths::run,
        },
        Experiment {
            name: "zachmann-3.35",
            about: "box-tree against the algorithm for arbitrary polyhedra, by polygons",
            source: "Zachmann 1994, 3.6.5, figures 3.35 to 3.37",
            run: box_tree_thresholds::run,
        },
        Experiment {
            name: "zachmann-4.1.3",
            about: "building the half-edge structure by search and in linear time",
            source: "Zachmann 1994, 4.1.3",
            run: half_edges::run,
        },
        Experiment {
            name: "zachmann-5.4.4",
            about: "references of an octree by level, its memory and time, by depth",
            source: "Zachmann 1994, 5.4.4",
            run: octree::run,
        },
        Experiment {
            name: "zachmann-5.14",
            about: "octrees kept by traversals, octant arrays, box differences and paths, by depth",
            source: "Zachmann 1994, 5.4.4 and 5.4.5, figures 5.13 and 5.14",
            run: octree::methods,
        },
        Experiment {
            name: "zachmann-5.5.2",
            about: "memory and time of grids by size, simple and doubly indexed, stabbed boxes",
            source: "Zachmann 1994, 5.5.2, figures 5.20 and 5.21",
            run: grid::run,
        },
        Experiment {
            name: "zachmann-5.22",
            about: "from how many tetrahedra on a grid pays before exact tests",
            source: "Zachmann 1994, 5.5.2, figure 5.22",
            run: grid::exact,
        },
        Experiment {
            name: "zachmann-5.5.2-pipeline",
            about: "what grid and box-trees save among 30 objects, and a grid for one mover among 500",
            source: "Zachmann 1994, 5.5.2, the last two tables",
            run: grid::pipeline,
        },
        Experiment {
            name: "zachmann-6.3",
            about: "what several processors gain for many pairs",
            source: "Zachmann 1994, 6.6, figure 6.3",
            run: parallelization::many_pairs,
        },
        Experiment {
            name: "zachmann-6.6-medium",
            about: "what two processors gain for both phases of a pair",
            source: "Zachmann 1994, 6.6, medium grain",
            run: parallelization::two_phases,
        },
        Experiment {
            name: "zachmann-6.6-dual",
            about: "arbitrary polyhedra and separating planes at once: two objects, and ten in the cage",
            source: "Zachmann 1994, 6.6, concurrent algorithms",
            run: parallelization::two_algorithms,
        },
        Experiment {
            name: "zachmann-8.2",
            about: "frames a second of the Potter, by polygons and tool, and what the relaxed phase misses",
            source: "Zachmann 1994, 8.2",
            run: potter::run,
        },
        Experiment {
            name: "zachmann-protocol",
            about: "two equal objects at a distance, full tumble: average and worst time, node visits",
            source: "Zachmann 2002, 6",
            run: tumble::run,
        },
        Experiment {
            name: "chung-6.3",
            about: "searching steps of the separating vector where polytopes are apart",
            source: "Chung 1996, 6.2.1, figure 6.3",
            run: |effort, stage| searching_steps::shares(effort, stage, true),
        },
        Experiment {
            name: "chung-6.4",
            about: "searching steps of the separating vector in all tests",
            source: "Chung 1996, 6.2.1, figure 6.4",
            run: |effort, stage| searching_steps::shares(effort, stage, false),
        },
        Experiment {
            name: "chung-6.5",
            about: "the most searching steps, by vertices",
            source: "Chung 1996, 6.2.1, figure 6.5",
            run: searching_steps::most,
        },
        polytopes::VELOCITY_20,
        polytopes::VELOCITY_500,
        polytopes::ROTATION_20,
        polytopes::ROTATION_500,
        polytopes::DENSITY_20,
        polytopes::DENSITY_500,
        Experiment {
            name: "chung-28",
            about: "why the separating vector was 28 times as fast as I-COLLIDE: distances, walks, a linear program",
            source: "Chung 1996, 6.2.2, the four reasons",
            run: twenty_eight_times::run,
        },
        multibody::NUMBER,
        multibody::FACES,
        multibody::DENSITY,
        multibody::ROTATION,
        Experiment {
            name: "icollide-graph-5",
            about: "where the time goes with dynamic boxes, by rotation",
            source: "I-COLLIDE 1995, 7, graph 5",
            run: |effort, stage| multibody::parts(effort, stage, "dynamic-box"),
        },
        Experiment {
            name: "icollide-graph-6",
            about: "where the time goes with fixed cubes, by rotation",
            source: "I-COLLIDE 1995, 7, graph 6",
            run: |effort, stage| multibody::parts(effort, stage, "fixed-cube"),
        },
        Experiment {
            name: "daneu-table-2",
            about: "a car of 905 triangles through one of 878, by the triangles of a patch",
            source: "Daneu 2002, 3.5.1, table 2",
            run: car_drive::cars,
        },
        Experiment {
            name: "daneu-table-3",
            about: "a sphere that turns in a slightly larger one, by the triangles of a patch",
            source: "Daneu 2002, 3.5.1, table 3",
            run: car_drive::spheres,
        },
    ]
}

/// The experiment of this name.
#[must_use]
pub fn experiment(name: &str) -> Option<&'static Experiment> {
    experiments().iter().find(|experiment| experiment.name == name)
}
