//! Any bytes, read as glTF.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xcollide_io::Format;

mod check;

fuzz_target!(|bytes: &[u8]| check::read(bytes, Some(Format::Gltf)));
