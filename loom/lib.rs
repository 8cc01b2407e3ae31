//! The kernels of the library that threads meet in, for loom to run in every order that they can take:
//! `cargo xtask loom`. Without its flag there is nothing here.
//!
//! The files are those of the library. A package of their own needs nothing else of it, so it is built
//! in seconds.

#[cfg(all(loom, test))]
#[path = "../crates/xcollide/src/world/double_buffer.rs"]
mod double_buffer;

#[cfg(all(loom, test))]
mod tests;
