//! Predicts, from the past of a pair, which of two algorithms decides first.

use std::time::Duration;

/// The least time that an algorithm runs alone: about as long as another thread takes to wake up.
const ALONE: Duration = Duration::from_micros(20);

/// Recorded for an algorithm that did not decide, or later than the other.
const LOST: Duration = Duration::MAX;

/// The favourite of a race, by the times of both for the pair's last answer, which mostly stays the same.
#[derive(Debug, Default)]
pub(crate) struct Favourite {
    last: Option<bool>,
    /// By algorithm and answer.
    took: [[Option<Duration>; 2]; 2],
}

impl Favourite {
    /// The number of the favourite, and how long to run it alone: twice its last time. An algorithm
    /// without a time is the favourite.
    pub(crate) fn choose(&self) -> (usize, Duration) {
        let Some(last) = self.last else {
            return (0, ALONE);
        };
        let [first, second] = [0, 1].map(|runner| self.took[runner][usize::from(last)]);
        // `None` is less than any time.
        let (number, took) = if first <= second { (0, first) } else { (1, second) };
        let twice = took.filter(|&took| took != LOST).map(|took| took.saturating_mul(2));
        (number, twice.unwrap_or(ALONE).max(ALONE))
    }

    /// Records that an algorithm decided.
    pub(crate) fn knew(&mut self, runner: usize, answer: bool, took: Duration) {
        if self.last != Some(answer) {
            // The answer changed: old losses for it no longer count.
            for of in &mut self.took {
                of[usize::from(answer)].take_if(|&mut took| took == LOST);
            }
        }
        self.last = Some(answer);
        self.took[runner][usize::from(answer)] = Some(took);
    }

    /// Records that an algorithm did not decide, or later than the other.
    pub(crate) fn lost(&mut self, runner: usize, answer: bool) {
        self.took[runner][usize::from(answer)] = Some(LOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_micros(2);
    const LONG: Duration = Duration::from_micros(90);

    /// Each answer has its favourite, whoever said it last.
    #[test]
    fn who_was_faster_for_the_expected_answer_is_the_favourite() {
        let mut favourite = Favourite::default();
        assert_eq!(favourite.choose(), (0, ALONE));
        favourite.knew(0, false, LONG);
        assert_eq!(favourite.choose(), (1, ALONE), "the other has not been seen");
        favourite.knew(1, false, SHORT);
        assert_eq!(favourite.choose(), (1, ALONE));
        // A contact, which only the first detects.
        favourite.knew(0, true, LONG);
        favourite.lost(1, true);
        assert_eq!(favourite.choose(), (0, 2 * LONG));
        // Apart again, as the first finds out.
        favourite.knew(0, false, LONG);
        assert_eq!(favourite.choose(), (1, ALONE));
    }

    /// Who lost is asked again when the pair has come to the answer anew, and not before.
    #[test]
    fn who_lost_may_try_again_in_another_story() {
        let mut favourite = Favourite::default();
        favourite.knew(0, true, LONG);
        favourite.lost(1, true);
        favourite.knew(0, true, LONG);
        assert_eq!(favourite.choose().0, 0);
        favourite.knew(0, false, LONG);
        favourite.knew(0, true, LONG);
        assert_eq!(favourite.choose().0, 1);
        favourite.lost(0, true);
        favourite.lost(1, true);
        assert_eq!(favourite.choose(), (0, ALONE), "nobody is expected to know");
    }
}
