//! The boundary of a polytope as flat arrays of vertex numbers.

/// The facets, each a loop of vertices, counter-clockwise seen from outside.
///
/// A polygon has two facets, a segment one of two corners, a point one of one corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facets {
    corners: Vec<u32>,
    /// The corners of facet `f` are `corners[ends[f - 1]..ends[f]]`.
    ends: Vec<u32>,
}

impl Facets {
    pub(crate) fn new<F: AsRef<[u32]>>(facets: impl IntoIterator<Item = F>) -> Self {
        let (mut corners, mut ends) = (Vec::new(), Vec::new());
        for facet in facets {
            corners.extend_from_slice(facet.as_ref());
            ends.push(corners.len() as u32);
        }
        Self { corners, ends }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All corners, facet after facet.
    pub(crate) fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// The range of a facet's corners.
    #[inline]
    pub(crate) fn range(&self, facet: usize) -> std::ops::Range<usize> {
        let start = if facet == 0 { 0 } else { self.ends[facet - 1] as usize };
        start..self.ends[facet] as usize
    }

    #[inline]
    pub(crate) fn get(&self, facet: usize) -> &[u32] {
        &self.corners[self.range(facet)]
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        (0..self.len()).map(|facet| self.get(facet))
    }

    /// See [`Polytope::dimension`](crate::Polytope::dimension).
    pub(crate) fn dimension(&self) -> usize {
        match self.len() {
            0 => 0,
            1 => self.corners.len() - 1,
            2 => 2,
            _ => 3,
        }
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.corners) + size_of_val(&*self.ends)
    }
}
