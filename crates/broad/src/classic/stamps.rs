//! Time-stamps, which prevent visiting something twice (Zachmann 1994, 7.3.1).

use crate::stats::held;

/// Marks that are all cleared at once by incrementing a counter.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    query: u32,
    marks: Vec<u32>,
}

impl Stamps {
    /// Clears all marks, and makes room for `len` of them.
    #[inline]
    pub(crate) fn begin(&mut self, len: usize) {
        if self.marks.len() < len || self.query == u32::MAX {
            self.marks = vec![0; len + len / 8];
            self.query = 0;
        }
        self.query += 1;
    }

    /// Sets a mark; returns whether it was not set.
    #[inline]
    pub(crate) fn mark(&mut self, place: u32) -> bool {
        let mark = &mut self.marks[place as usize];
        let is_new = *mark != self.query;
        *mark = self.query;
        is_new
    }

    /// Releases memory if only `len` marks are needed.
    pub(crate) fn shrink(&mut self, len: usize) {
        if self.marks.len() > 2 * len + 64 {
            self.marks = Vec::new();
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_with_the_query_also_when_the_counter_overflows() {
        let mut stamps = Stamps { query: u32::MAX - 2, marks: vec![u32::MAX - 2; 4] };
        for _ in 0..5 {
            stamps.begin(4);
            assert!(stamps.mark(3) && !stamps.mark(3) && stamps.mark(0));
        }
        stamps.begin(40);
        assert!(stamps.mark(39));
    }
}
