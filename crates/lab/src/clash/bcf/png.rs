//! Pictures as PNG: eight bits for each of red, green and blue, without filters.
//!
//! Source: W3C, *Portable Network Graphics (PNG) Specification*, third edition, 2025.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// The file of a picture: rows from the top, pixels from the left.
pub(super) fn png([width, height]: [usize; 2], pixels: &[[u8; 3]]) -> std::io::Result<Vec<u8>> {
    debug_assert_eq!(pixels.len(), width * height, "a pixel for each place");
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::with_capacity(13);
    header.extend((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    // Eight bits, colours, and the only methods that there are, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    for row in pixels.chunks(width.max(1)) {
        packed.write_all(&[0])?;
        packed.write_all(row.as_flattened())?;
    }
    chunk(&mut file, b"IDAT", &packed.finish()?);
    chunk(&mut file, b"IEND", &[]);
    Ok(file)
}

/// A chunk: its length, its name, its data and a checksum of both.
fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let mut sum = Crc::new();
    sum.update(name);
    sum.update(data);
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(name);
    file.extend(data);
    file.extend(sum.sum().to_be_bytes());
}
