//! Tests of the promises of `xcollide-bvh`, one module a topic.

mod best_first;
mod box_tree_soups;
mod cut_trees;
mod deep_search;
mod exactness;
mod hierarchy;
mod levels;
mod moving_trees;
mod ordered_query;
mod parts;
mod patches;
mod ray_boxes;
mod searches;
mod segment_query;
mod self_candidates;
mod stored;
mod support;
mod swept_tree;
mod temporal_front;
mod wide;
mod wide_build;
