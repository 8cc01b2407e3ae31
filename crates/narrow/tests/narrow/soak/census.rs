//! What the poses turned out to be, so that no test passes for want of hard ones.

use std::fmt;

use super::approaches::GAPS;

/// Counts of answers.
#[derive(Default)]
pub(crate) struct Census {
    /// For each gap: poses, those where the solids meet, those where the surfaces do.
    gaps: [[usize; 3]; GAPS.len()],
    /// Answers that the construction foretold: apart, touching.
    promises: [usize; 2],
}

impl Census {
    pub(crate) fn count(&mut self, gap: usize, [solids, surfaces]: [bool; 2]) {
        let row = &mut self.gaps[gap];
        row[0] += 1;
        row[1] += usize::from(solids);
        row[2] += usize::from(surfaces);
    }

    pub(crate) fn count_promised(&mut self, touching: bool) {
        self.promises[usize::from(touching)] += 1;
    }

    /// Asserts that there were as many poses, that at every gap at least a share of the surfaces
    /// (in percent: apart, meeting) was so, and how many answers were foretold (apart, touching).
    pub(crate) fn expect(
        &self,
        poses: usize,
        shares: impl Fn(f64) -> [usize; 2],
        promises: [usize; 2],
    ) {
        assert_eq!(self.gaps.iter().map(|row| row[0]).sum::<usize>(), poses, "{self}");
        for (&gap, [poses, _, meeting]) in GAPS.iter().zip(self.gaps) {
            let [least_apart, least_meeting] = shares(gap).map(|percent| percent * poses / 100);
            assert!(meeting >= least_meeting, "at gap {gap:e}\n{self}");
            assert!(poses - meeting >= least_apart, "at gap {gap:e}\n{self}");
        }
        let nested: usize = self.gaps.iter().map(|row| row[1] - row[2]).sum();
        assert!(nested > 0, "no body is inside another\n{self}");
        assert!((0..2).all(|k| self.promises[k] >= promises[k]), "{self}");
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "foretold: {} apart, {} touching", self.promises[0], self.promises[1])?;
        for (gap, [poses, solids, surfaces]) in GAPS.iter().zip(self.gaps) {
            writeln!(
                f,
                "{gap:8.0e}: {poses} poses; meeting: {solids} solids, {surfaces} surfaces"
            )?;
        }
        Ok(())
    }
}
