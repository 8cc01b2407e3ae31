//! Clash detection between modules, against brute force.

mod boxes;
mod failures;
mod issues;
mod rules;
