//! Tests of the promises of `xcollide-broad`, one module a topic.

mod auto;
mod cells;
mod contract;
mod histories;
mod history;
mod lists;
mod lists_at_rest;
mod lists_in_steps;
mod stored;
mod threads;
