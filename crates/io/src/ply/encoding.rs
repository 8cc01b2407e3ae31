//! Encodings of PLY files.

/// Encoding of the values of a PLY file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// Decimal numbers.
    Text,
    /// Binary, the least significant byte first.
    #[default]
    LittleEndian,
    /// Binary, the most significant byte first.
    BigEndian,
}
