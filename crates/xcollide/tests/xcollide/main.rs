//! Tests of the promises of `xcollide`, one module a topic.

mod edges;
mod examples;
mod hidden_work;
mod readme;
mod registry;
mod robots;
mod stored;
mod world;
