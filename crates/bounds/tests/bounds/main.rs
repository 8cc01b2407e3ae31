//! Tests of the promises of `xcollide-bounds`, one module a topic.

mod laws;
mod stored;
mod tightness;
