//! Any bytes, in whatever format they look like.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod check;

fuzz_target!(|bytes: &[u8]| check::read(bytes, None));
