//! Rows of f32 from which eight numbers can be loaded at any place.
#![allow(unsafe_code)]

/// `ROWS` rows of the same length in one block of memory. Each row ends with padding of eight numbers, so
/// that eight numbers can be loaded at any place.
///
/// ```
/// use xcollide_simd::F32Rows;
///
/// let mut rows = F32Rows::<2>::default();
/// rows.resize(3);
/// for row in rows.rows_mut() {
///     row.fill(1.5);
/// }
/// assert_eq!(rows.eight(1, 3), &[1.5; 8], "the padding");
/// ```
#[derive(Clone, Debug, Default)]
pub struct F32Rows<const ROWS: usize> {
    /// Invariant: in each of the `ROWS` rows eight numbers can be loaded from places below `places`.
    values: Vec<f32>,
    places: usize,
}

/// How many numbers are loaded at once.
const LANES: usize = 8;

impl<const ROWS: usize> F32Rows<ROWS> {
    /// How long each row is, without its padding.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.saturating_sub(1)
    }

    /// Whether the rows have no numbers but the padding.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// From the beginning of a row to that of the next.
    #[inline(always)]
    fn stride(&self) -> usize {
        self.places + (LANES - 1)
    }

    /// Makes the rows `len` long. All numbers, the padding included, are then unspecified.
    pub fn resize(&mut self, len: usize) {
        self.places = len + 1;
        self.values.resize(ROWS * self.stride(), 0.0);
        if self.values.capacity() > 4 * self.values.len() + 4096 {
            self.values.shrink_to(2 * self.values.len());
        }
    }

    /// All rows, each with its padding.
    #[inline(always)]
    pub fn rows_mut(&mut self) -> [&mut [f32]; ROWS] {
        let stride = self.stride();
        let mut rows = self.values.chunks_exact_mut(stride);
        [(); ROWS].map(|()| rows.next().unwrap_or_default())
    }

    /// A row without its padding.
    ///
    /// # Panics
    /// There is no such row.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.stride()..][..self.len()]
    }

    /// A number.
    ///
    /// # Panics
    /// There is no such row or place.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, row: usize, at: usize) -> f32 {
        self.values[row * self.stride() + at]
    }

    /// The eight numbers from place `at` on.
    ///
    /// # Panics
    /// There is no such row or place.
    #[inline(always)]
    #[must_use]
    pub fn eight(&self, row: usize, at: usize) -> &[f32; LANES] {
        assert!(row < ROWS && at < self.places, "place {at} of {}", self.places);
        // SAFETY: there is such a row, and eight numbers from this place on; f32 arrays are aligned as f32
        // are.
        unsafe { &*self.values.as_ptr().add(row * self.stride() + at).cast() }
    }

    /// Memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<f32>()
    }
}
