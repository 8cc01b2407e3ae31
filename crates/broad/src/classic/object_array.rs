//! Small arrays that grow and shrink in steps (Zachmann 1994, 7.3.4).

use crate::stats::held;

/// The objects of a cell. Memory grows by [`STEP`](Self::STEP) places and shrinks when twice as many are free,
/// so an object that leaves and returns causes no allocation.
#[derive(Clone, Debug)]
pub(crate) struct ObjectArray<T>(Vec<T>);

impl<T> Default for ObjectArray<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ObjectArray<T> {
    const STEP: usize = 4;

    #[inline]
    pub(crate) fn push(&mut self, entry: T) {
        if self.0.len() == self.0.capacity() {
            // Long arrays grow in proportion to their length, so that filling one takes linear time.
            self.0.reserve_exact(Self::STEP + self.0.len() / 4);
        }
        self.0.push(entry);
    }

    /// Removes an entry; the last one takes its place.
    #[inline]
    pub(crate) fn take(&mut self, place: usize) -> T {
        let entry = self.0.swap_remove(place);
        let len = self.0.len();
        if len + 2 * Self::STEP + len / 2 <= self.0.capacity() {
            self.0.shrink_to(len + Self::STEP);
        }
        entry
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.0)
    }
}

impl<T> std::ops::Deref for ObjectArray<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> std::ops::DerefMut for ObjectArray<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_and_fro_costs_no_allocation_and_emptying_returns_memory() {
        let mut array = ObjectArray::default();
        (0..9).for_each(|entry| array.push(entry));
        let held = array.bytes();
        for entry in 0..50 {
            array.take(entry % 9);
            array.push(entry);
            assert_eq!(array.bytes(), held);
        }
        (0..1000).for_each(|entry| array.push(entry));
        while !array.is_empty() {
            array.take(array.len() / 2);
        }
        assert!(array.bytes() <= 64, "{} bytes", array.bytes());
    }
}
