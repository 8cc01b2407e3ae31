//! The cells of a grid: which boxes occupy them.

use super::cover::Cover;
use crate::classic::lattice::Lattice;
use crate::classic::object_array::ObjectArray;
use crate::parallel::{HEAVY, for_shares, share_count};
use crate::stats::held;

/// The object arrays of all cells, in one of two forms.
#[derive(Debug)]
pub(crate) enum Cells {
    /// The simple form: a cell stores the indices of its boxes, and is searched when a box leaves (Zachmann
    /// 1994, 5.5).
    Searched(Vec<ObjectArray<u32>>),
    Indexed(Indexed),
}

impl Cells {
    pub(crate) fn new(indexed: bool) -> Self {
        if indexed { Self::Indexed(Indexed::default()) } else { Self::Searched(Vec::new()) }
    }

    /// Moves a box from the cells of `old` to those of `new`, without touching common cells. Returns the number
    /// of cells that it left or entered.
    pub(crate) fn change(
        &mut self,
        object: u32,
        old: &Cover,
        new: &Cover,
        lattice: &Lattice,
    ) -> u64 {
        match self {
            Self::Searched(cells) => change_searched(cells, object, old, new, lattice),
            Self::Indexed(cells) => cells.change(object, old, new, lattice),
        }
    }

    /// As [`change`](Self::change) for many boxes with their old and new cells, on several threads: each has some layers of the
    /// lattice, so that no cell needs a lock, and goes through all changes in order (Zachmann 1994, 6). The doubly indexed
    /// form, in which cells of one thread would write to boxes of another, changes on the calling thread.
    pub(crate) fn change_many(
        &mut self,
        changes: &[(u32, &Cover, &Cover)],
        lattice: &Lattice,
        threads: bool,
    ) -> u64 {
        let shares = share_count(changes.len(), HEAVY, threads) as u32;
        let Self::Searched(cells) = self else {
            let change = |(object, old, new): &(u32, &Cover, &Cover)| {
                self.change(*object, old, new, lattice)
            };
            return changes.iter().map(change).sum();
        };
        if changes.is_empty() {
            return 0;
        }
        let all = lattice.all();
        if cells.is_empty() {
            cells.resize_with(all.count() as usize, ObjectArray::default);
        }
        let layers = all.high[2] + 1;
        let layer = cells.len() / layers as usize;
        let (mut rest, mut first) = (&mut cells[..], 0);
        let mut slabs = Vec::new();
        for number in 1..=shares {
            let end = (u64::from(layers) * u64::from(number) / u64::from(shares)) as u32;
            let (own, others) = rest.split_at_mut((end - first) as usize * layer);
            if end > first {
                let mut slab = all;
                (slab.low[2], slab.high[2]) = (first, end - 1);
                slabs.push((slab, own, 0));
            }
            (rest, first) = (others, end);
        }
        for_shares(&mut slabs, |(slab, cells, moves)| {
            let before = slab.low[2] as usize * layer;
            for (object, old, new) in changes {
                old.for_each_without_in(new, slab, |cell| {
                    let objects = &mut cells[lattice.place(cell) as usize - before];
                    if let Some(place) = objects.iter().position(|other| other == object) {
                        objects.take(place);
                        *moves += 1;
                    }
                });
                new.for_each_without_in(old, slab, |cell| {
                    cells[lattice.place(cell) as usize - before].push(*object);
                    *moves += 1;
                });
            }
        });
        slabs.iter().map(|(.., moves)| moves).sum()
    }

    /// Calls `f` for every box in every cell of a cover, once a cell. Skips cells with fewer than `least`
    /// boxes.
    #[inline]
    pub(crate) fn visit(
        &self,
        cover: &Cover,
        lattice: &Lattice,
        least: usize,
        mut f: impl FnMut(u32),
    ) {
        fn look<T>(
            cells: &[ObjectArray<T>],
            cover: &Cover,
            lattice: &Lattice,
            least: usize,
            mut f: impl FnMut(&T),
        ) {
            if !cells.is_empty() {
                cover.for_each(|cell| {
                    let objects = &cells[lattice.place(cell) as usize];
                    if objects.len() >= least {
                        objects.iter().for_each(&mut f);
                    }
                });
            }
        }
        match self {
            Self::Searched(cells) => {
                look(cells, cover, lattice, least, |&object| f(object));
            }
            Self::Indexed(Indexed { cells, .. }) => {
                look(cells, cover, lattice, least, |entry| f(entry.object));
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        fn of<T>(table: &Vec<ObjectArray<T>>) -> usize {
            held(table) + table.iter().map(ObjectArray::bytes).sum::<usize>()
        }
        match self {
            Self::Searched(cells) => of(cells),
            Self::Indexed(Indexed { cells, objects }) => of(cells) + of(objects),
        }
    }
}

fn change_searched(
    cells: &mut Vec<ObjectArray<u32>>,
    object: u32,
    old: &Cover,
    new: &Cover,
    lattice: &Lattice,
) -> u64 {
    let mut changes = 0;
    old.for_each_without(new, |cell| {
        let objects = &mut cells[lattice.place(cell) as usize];
        if let Some(place) = objects.iter().position(|&other| other == object) {
            objects.take(place);
            changes += 1;
        }
    });
    if cells.is_empty() {
        cells.resize_with(lattice.all().count() as usize, ObjectArray::default);
    }
    new.for_each_without(old, |cell| {
        cells[lattice.place(cell) as usize].push(object);
        changes += 1;
    });
    changes
}

/// The doubly indexed form ("Overkill"): a cell and a box store each other's index and their place in
/// each other's array, so that nothing is searched.
///
/// ```text
///   cell 7:  [ box 3, its array's place 1 | box 5, … ]
///                        |            ^
///                        v            |
///   box 3:   [ cell 4, … | cell 7, its array's place 0 | … ]
/// ```
#[derive(Debug, Default)]
pub(crate) struct Indexed {
    cells: Vec<ObjectArray<InCell>>,
    objects: Vec<ObjectArray<InObject>>,
}

#[derive(Clone, Copy, Debug)]
struct InCell {
    object: u32,
    /// The place of this cell in the object's array.
    place: u32,
}

#[derive(Clone, Copy, Debug)]
struct InObject {
    cell: u32,
    /// The place of this object in the cell's array.
    place: u32,
}

impl Indexed {
    fn change(&mut self, object: u32, old: &Cover, new: &Cover, lattice: &Lattice) -> u64 {
        let index = object as usize;
        if self.objects.len() <= index {
            self.objects.resize_with(index + 1, ObjectArray::default);
        }
        if self.cells.is_empty() {
            self.cells.resize_with(lattice.all().count() as usize, ObjectArray::default);
        }
        let mut changes = 0;
        for place in (0..self.objects[index].len()).rev() {
            if !new.contains(lattice.cell_of_place(self.objects[index][place].cell)) {
                self.part(index, place);
                changes += 1;
            }
        }
        new.for_each_without(old, |cell| {
            let cell = lattice.place(cell);
            let (in_cell, in_object) = (&mut self.cells[cell as usize], &mut self.objects[index]);
            in_object.push(InObject { cell, place: in_cell.len() as u32 });
            in_cell.push(InCell { object, place: in_object.len() as u32 - 1 });
            changes += 1;
        });
        changes
    }

    /// Removes a cell and a box from each other's arrays. The last entries take their places, and the places
    /// stored in the partners of those entries are updated.
    fn part(&mut self, index: usize, place: usize) {
        let from_object = self.objects[index].take(place);
        if let Some(&InObject { cell, place: in_cell }) = self.objects[index].get(place) {
            self.cells[cell as usize][in_cell as usize].place = place as u32;
        }
        let InObject { cell, place } = from_object;
        self.cells[cell as usize].take(place as usize);
        if let Some(&InCell { object, place: in_object }) =
            self.cells[cell as usize].get(place as usize)
        {
            self.objects[object as usize][in_object as usize].place = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::lattice::CellBox;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        /// Compares both forms with a map of sets and with their counts of changes.
        #[test]
        fn both_forms_know_who_is_where(
            history in prop::collection::vec(
                (0_u32..5, prop::array::uniform3(0_u32..5), prop::array::uniform3(0_u32..3)), 1..40
            )
        ) {
            let lattice = Lattice::new([0.0; 3], 1.0, [8; 3]);
            let all = Cover::Cells(lattice.all());
            let mut forms = [Cells::new(false), Cells::new(true)];
            let mut covers = BTreeMap::<u32, Cover>::new();
            for (object, low, size) in history {
                let old = covers.remove(&object).unwrap_or_default();
                let high = [0, 1, 2].map(|k| low[k] + size[k]);
                let new = if size == [0; 3] {
                    Cover::Nowhere
                } else {
                    Cover::Cells(CellBox { low, high })
                };
                let set = |cover: &Cover| {
                    let mut cells = BTreeSet::new();
                    cover.for_each(|cell| { cells.insert(cell); });
                    cells
                };
                let changes = set(&old).symmetric_difference(&set(&new)).count() as u64;
                covers.insert(object, new.clone());
                for form in &mut forms {
                    prop_assert_eq!(form.change(object, &old, &new, &lattice), changes);
                    let mut found = Vec::new();
                    for cell in lattice.all().cells() {
                        let one = Cover::Cells(CellBox { low: cell, high: cell });
                        form.visit(&one, &lattice, 1, |object| found.push((cell, object)));
                    }
                    let mut expected = Vec::new();
                    all.for_each(|cell| {
                        let here = covers.iter().filter(|(_, cover)| cover.contains(cell));
                        expected.extend(here.map(|(&object, _)| (cell, object)));
                    });
                    found.sort_unstable();
                    expected.sort_unstable();
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }
}
