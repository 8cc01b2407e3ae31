//! Tests of the promises of `xcollide-lab`, one module a topic.

mod browser;
mod check;
mod classify;
mod compare;
mod documents;
mod exact_poses;
mod examples;
mod faceless;
mod fixtures;
mod gltf_validator;
mod golden;
mod instruction_sets;
mod joint_tables;
mod list;
mod messages;
mod outputs;
mod pairs;
mod paper;
mod picture;
mod program;
mod real_meshes;
mod robot;
mod run;
mod run_queries;
mod standard_input;
mod thresholds;
