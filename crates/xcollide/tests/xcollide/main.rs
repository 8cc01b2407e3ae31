//! Tests of the promises of `xcollide`, one module a topic.

mod examples;
mod registry;
mod world;
