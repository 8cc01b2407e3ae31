//! Boxes of 24 bytes, as they travel between machines.

use xcollide_bounds::Aabb;

/// A box whose bounds are f32, rounded outward: the smaller corner, then the larger one.
///
/// Such boxes overlap where the boxes that they were made of do, so a join of them misses no pair; the few pairs more are found
/// by the exact test of the boxes in f64 that follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredBox {
    /// The smaller corner.
    pub min: [f32; 3],
    /// The larger corner.
    pub max: [f32; 3],
}

/// The size of a stored box in bytes.
pub const STORED_BOX_BYTES: usize = 24;

impl StoredBox {
    /// The smallest stored box around another box.
    #[must_use]
    pub fn new(of: &Aabb) -> Self {
        Self { min: of.min.map(rounded_down), max: of.max.map(|value| -rounded_down(-value)) }
    }

    /// Whether the boxes have a point in common. Touching boxes do.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let mut apart = false;
        for axis in 0..3 {
            apart |= self.min[axis] > other.max[axis] || other.min[axis] > self.max[axis];
        }
        !apart
    }

    /// The six numbers, little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; STORED_BOX_BYTES] {
        let mut bytes = [0; STORED_BOX_BYTES];
        let numbers = self.min.iter().chain(&self.max);
        for (place, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
            *place = number.to_le_bytes();
        }
        bytes
    }

    /// The box of the bytes of [`to_bytes`](Self::to_bytes).
    #[inline]
    #[must_use]
    pub fn from_bytes(bytes: &[u8; STORED_BOX_BYTES]) -> Self {
        let number = |place: usize| {
            let at = 4 * place;
            f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        Self { min: [number(0), number(1), number(2)], max: [number(3), number(4), number(5)] }
    }
}

/// The largest f32 that is at most a number.
fn rounded_down(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value { near.next_down() } else { near }
}

/// The six numbers of a box in f64, little-endian.
#[cfg(feature = "program")]
#[must_use]
pub(crate) fn aabb_bytes(of: &Aabb) -> [u8; 48] {
    let mut bytes = [0; 48];
    let numbers = of.min.iter().chain(&of.max);
    for (place, number) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
        *place = number.to_le_bytes();
    }
    bytes
}

/// The box of the bytes of [`aabb_bytes`]; `None` if they are not 48.
#[cfg(feature = "program")]
#[must_use]
pub(crate) fn aabb_of_bytes(bytes: &[u8]) -> Option<Aabb> {
    let bytes: &[u8; 48] = bytes.try_into().ok()?;
    let numbers = bytes.as_chunks::<8>().0;
    let number = |place: usize| f64::from_le_bytes(numbers[place]);
    Some(Aabb { min: [number(0), number(1), number(2)], max: [number(3), number(4), number(5)] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_boxes_contain_what_they_are_made_of() {
        let numbers = [0.0, 0.1, -0.1, 1e-60, -1e-60, 16_777_217.0, 1e300, -1e300, f64::MAX];
        for low in numbers {
            for high in numbers.into_iter().filter(|high| *high >= low) {
                let stored = StoredBox::new(&Aabb { min: [low; 3], max: [high; 3] });
                assert!(f64::from(stored.min[0]) <= low && high <= f64::from(stored.max[0]));
                assert_eq!(StoredBox::from_bytes(&stored.to_bytes()), stored);
            }
        }
        let exact = StoredBox::new(&Aabb { min: [-1.5; 3], max: [2.25; 3] });
        assert_eq!((exact.min, exact.max), ([-1.5; 3], [2.25; 3]));
    }
}
