//! Conversion of the matrix to plain tables and back.

use super::{ASK, DECIDED, InterestMatrix, Member, WANTED, of_groups};
use crate::interest::Ask;
use crate::world::record::{AskRecord, Exact, InterestRecord, MemberRecord};

impl InterestMatrix {
    /// The tables of a snapshot.
    pub(crate) fn store(&self) -> InterestRecord {
        let member =
            |of: &Member| MemberRecord { generation: of.generation, group: of.group, off: of.off };
        InterestRecord {
            default: self.default,
            members: self.members.iter().map(member).collect(),
            decided: half(&self.decided),
            wanted: half(&self.wanted),
            asks: self.asks.iter().map(AskRecord::from).collect(),
            group_asks: self.group_asks.clone(),
            rules: self.pairs.iter().into_iter().map(|([i, j], rule)| (i, j, rule)).collect(),
        }
    }

    /// The matrix of these tables.
    ///
    /// # Errors
    /// The tables are inconsistent.
    pub(crate) fn restored(record: &InterestRecord) -> Result<Self, &'static str> {
        let mut matrix = Self::new();
        matrix.asks = record.asks.iter().map(Ask::from).collect();
        if matrix.asks.is_empty() {
            return Err("the default query is missing");
        }
        let known = |place: u32| (place as usize) < matrix.asks.len();
        let all = of_groups(0, Self::GROUPS as u8);
        if ![0, all].contains(&record.group_asks.len()) {
            return Err("the queries of groups are not half a matrix");
        }
        if !record.group_asks.iter().all(|&place| known(place)) {
            return Err("a query of groups is not in the list");
        }
        matrix.group_asks.clone_from(&record.group_asks);
        for member in &record.members {
            if usize::from(member.group) >= Self::GROUPS {
                return Err("the group of an object does not exist");
            }
            let MemberRecord { generation, group, off } = *member;
            matrix.members.push(Member { generation, group, off, paired: false });
        }
        for &(i, j, rule) in &record.rules {
            if i == j || rule == 0 || !known(rule >> ASK) {
                return Err("the rule of a pair is invalid");
            }
            for index in [i, j] {
                let member = matrix.members.get_mut(index as usize);
                member.ok_or("a rule refers to an object without entry")?.paired = true;
            }
            matrix.pairs.set(i, j, rule);
        }
        matrix.decided = full(&record.decided)?;
        matrix.wanted = full(&record.wanted)?;
        matrix.everything =
            record.rules.iter().all(|(.., rule)| rule & (WANTED | DECIDED) != DECIDED)
                && matrix.members.iter().all(|member| !member.off)
                && matrix
                    .decided
                    .iter()
                    .zip(&matrix.wanted)
                    .all(|(decided, wanted)| decided & !wanted == 0);
        matrix.set_default(record.default);
        matrix.measure_all();
        Ok(matrix)
    }
}

/// The bits 0 to g of row g, up to the last row with any.
fn half(rows: &[u64; InterestMatrix::GROUPS]) -> Vec<u64> {
    let mut half: Vec<u64> =
        rows.iter().enumerate().map(|(g, row)| row & (u64::MAX >> (63 - g))).collect();
    while half.last() == Some(&0) {
        half.pop();
    }
    half
}

/// The symmetric matrix of a half.
fn full(half: &[u64]) -> Result<[u64; InterestMatrix::GROUPS], &'static str> {
    let mut rows = [0; InterestMatrix::GROUPS];
    if half.len() > rows.len() {
        return Err("there are too many groups");
    }
    for (g, row) in half.iter().enumerate() {
        if row & !(u64::MAX >> (63 - g)) != 0 {
            return Err("the rules of groups are not half a matrix");
        }
        for h in (0..=g).filter(|h| row >> h & 1 != 0) {
            rows[g] |= 1 << h;
            rows[h] |= 1 << g;
        }
    }
    Ok(rows)
}

impl From<&Ask> for AskRecord {
    fn from(ask: &Ask) -> Self {
        match *ask {
            Ask::Touch => Self::Touch,
            Ask::Contacts { limit } => Self::Contacts { limit: limit as u64 },
            Ask::Kind => Self::Kind,
            Ask::Depth => Self::Depth,
            Ask::Manifold => Self::Manifold,
            Ask::Within { tolerance } => Self::Within { tolerance: Exact(tolerance) },
            Ask::Distance { up_to } => Self::Distance { up_to: Exact(up_to) },
        }
    }
}

impl From<&AskRecord> for Ask {
    fn from(record: &AskRecord) -> Self {
        match *record {
            AskRecord::Touch => Self::Touch,
            AskRecord::Contacts { limit } => {
                Self::Contacts { limit: usize::try_from(limit).unwrap_or(usize::MAX) }
            }
            AskRecord::Kind => Self::Kind,
            AskRecord::Depth => Self::Depth,
            AskRecord::Manifold => Self::Manifold,
            AskRecord::Within { tolerance } => Self::Within { tolerance: tolerance.0 },
            AskRecord::Distance { up_to } => Self::Distance { up_to: up_to.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ObjectId;

    /// Rules of all kinds come back: the matrix answers, and is stored, as before.
    #[test]
    fn a_stored_matrix_says_the_same() -> Result<(), &'static str> {
        let id = |index| ObjectId::new(index, index % 3);
        let mut matrix = InterestMatrix::nothing();
        matrix.set_groups(63, 0, true);
        matrix.set_groups(5, 63, true);
        matrix.set_groups(5, 5, false);
        matrix.set_groups_ask(63, 63, Ask::Within { tolerance: f64::INFINITY });
        for index in 0..1200 {
            matrix.set_group(id(index), [0, 5, 63, 7][index as usize % 4]);
            matrix.set_object(id(index), index % 11 != 0);
            matrix.set_pair(id(index), id(index * 7 % 1200), index % 2 == 0);
            matrix.set_pair_ask(id(index), id(3), Ask::Contacts { limit: index as usize % 5 });
        }
        let record = matrix.store();
        let again = InterestMatrix::restored(&record)?;
        assert_eq!(again.store(), record);
        for i in 0..1200 {
            for j in (0..1200).filter(|&j| j != i).step_by(13) {
                assert_eq!(again.wants(id(i), id(j)), matrix.wants(id(i), id(j)), "{i} {j}");
                assert_eq!(again.ask(id(i), id(j)), matrix.ask(id(i), id(j)), "{i} {j}");
            }
        }
        Ok(())
    }
}
