//! What many queries came to.

use crate::exit::Status;
use crate::output::count;

/// Counts of the answers to queries.
#[derive(Default)]
pub(crate) struct Tally {
    queries: usize,
    colliding: usize,
    undecided: usize,
}

impl Tally {
    /// Counts a query: whether the two collide, `None` if that is undecided.
    pub(crate) fn add(&mut self, collides: Option<bool>) {
        self.queries += 1;
        self.colliding += usize::from(collides == Some(true));
        self.undecided += usize::from(collides.is_none());
    }

    /// The exit status with `--exit-code`.
    pub(crate) fn status(&self) -> Status {
        match self {
            Self { colliding: 1.., .. } => Status::Collides,
            Self { undecided: 1.., .. } => Status::Undecided,
            _ => Status::Done,
        }
    }

    pub(crate) fn in_words(&self) -> String {
        let Self { queries, colliding, undecided } = *self;
        let apart = queries - colliding - undecided;
        let queries = count(queries, "query", "queries");
        let undecided =
            if undecided > 0 { format!(", {undecided} undecided") } else { String::new() };
        format!("{queries}: {colliding} colliding, {apart} apart{undecided}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_queries_the_worst_news_is_the_status() {
        let status = |colliding, undecided| Tally { queries: 9, colliding, undecided }.status();
        let statuses = [status(0, 0), status(0, 1), status(1, 0), status(1, 1)];
        use Status::{Collides, Done, Undecided};
        assert_eq!(statuses, [Done, Undecided, Collides, Collides]);
        let mut tally = Tally::default();
        for collides in [Some(true), Some(false), None, Some(false)] {
            tally.add(collides);
        }
        assert_eq!(tally.in_words(), "4 queries: 1 colliding, 2 apart, 1 undecided");
    }
}
