//! Which of two algorithms will know first, as far as a pair's past tells.

use std::time::Duration;

/// How long an algorithm is asked alone at least: about what it takes until another thread is there.
const ALONE: Duration = Duration::from_micros(20);

/// What is put down for one that did not know, or not as soon as the other.
const LOST: Duration = Duration::MAX;

/// The favourite of a race, by what both took for the answer that the pair had the last time: motion
/// is slow, so it mostly has it again.
#[derive(Debug, Default)]
pub(crate) struct Favourite {
    last: Option<bool>,
    /// By runner and answer.
    took: [[Option<Duration>; 2]; 2],
}

impl Favourite {
    /// The number of the favourite, and how long it is worth asking it alone: twice what it took the
    /// last time. Who has not been seen yet is the favourite, to be seen.
    pub(crate) fn choose(&self) -> (usize, Duration) {
        let Some(last) = self.last else {
            return (0, ALONE);
        };
        let [first, second] = [0, 1].map(|runner| self.took[runner][usize::from(last)]);
        // None is less than any time.
        let (number, took) = if first <= second { (0, first) } else { (1, second) };
        let twice = took.filter(|&took| took != LOST).map(|took| took.saturating_mul(2));
        (number, twice.unwrap_or(ALONE).max(ALONE))
    }

    /// A runner knew the answer.
    pub(crate) fn knew(&mut self, runner: usize, answer: bool, took: Duration) {
        if self.last != Some(answer) {
            // A new story: who lost in an older one may try again.
            for of in &mut self.took {
                of[usize::from(answer)].take_if(|&mut took| took == LOST);
            }
        }
        self.last = Some(answer);
        self.took[runner][usize::from(answer)] = Some(took);
    }

    /// A runner did not know what was the answer in the end, or the other knew it before.
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
        // Contact, of which only the first knows.
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
