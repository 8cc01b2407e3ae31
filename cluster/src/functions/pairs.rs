//! `xcollide_pairs`: the pairs of the boxes in each cell.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, FixedSizeBinaryArray, LargeBinaryBuilder,
    LargeListArray, StructArray, UInt64Array,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Int32Type, UInt64Type};
use datafusion::common::{Result, ScalarValue, exec_datafusion_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};

use super::arguments::bytes;
use crate::StoredBox;
use crate::cell_pairs::{CellEntry, Role, cell_pairs};
use crate::grid::CellKey;

/// `xcollide_pairs(key, role, row, box)`, grouped by key: a list of structs of `row_a` and `row_b`. Lists and states are the large
/// ones of Arrow: those of one partition may have more than 2³¹ pairs or bytes.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct PairsOfCell(Signature);

impl Default for PairsOfCell {
    fn default() -> Self {
        let types = vec![
            DataType::UInt64,
            DataType::Int32,
            DataType::UInt64,
            DataType::FixedSizeBinary(24),
        ];
        Self(Signature::exact(types, Volatility::Immutable))
    }
}

fn fields() -> Fields {
    let row = |name| Field::new(name, DataType::UInt64, false);
    Fields::from(vec![row("row_a"), row("row_b")])
}

fn item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Struct(fields()), false))
}

impl AggregateUDFImpl for PairsOfCell {
    fn name(&self) -> &str {
        "xcollide_pairs"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::LargeList(item()))
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let name = format!("{}[entries]", args.name);
        Ok(vec![Arc::new(Field::new(name, DataType::LargeBinary, true))])
    }

    fn accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(OneCell(Cells::default())))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs<'_>) -> bool {
        true
    }

    fn create_groups_accumulator(
        &self,
        _: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Cells::default()))
    }
}

/// The entries of many cells, in the order in which they came.
#[derive(Debug, Default)]
struct Cells {
    keys: Vec<CellKey>,
    entries: Vec<CellEntry>,
    /// The cell of each entry: a place in `keys`.
    cells: Vec<u32>,
}

/// Entries by cell.
struct Sorted {
    keys: Vec<CellKey>,
    /// Those of cell i are `order[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    order: Vec<u32>,
}

impl Cells {
    fn push(&mut self, cell: usize, key: CellKey, entry: CellEntry) {
        self.keys[cell] = key;
        self.cells.push(cell as u32);
        self.entries.push(entry);
    }

    /// The entries of the cells that are wanted, which are removed: their order, and all entries that there were.
    fn take(&mut self, emit_to: EmitTo) -> Result<(Sorted, Vec<CellEntry>)> {
        let many = |_| exec_datafusion_err!("more than 2³² boxes in the cells of a partition");
        u32::try_from(self.entries.len().max(self.keys.len())).map_err(many)?;
        let keys = emit_to.take_needed(&mut self.keys);
        let mut starts = vec![0_u32; keys.len() + 1];
        for &cell in self.cells.iter().filter(|&&cell| (cell as usize) < keys.len()) {
            starts[cell as usize + 1] += 1;
        }
        for place in 0..keys.len() {
            starts[place + 1] += starts[place];
        }
        let mut next = starts.clone();
        let mut order = vec![0; starts[keys.len()] as usize];
        let (mut kept, mut kept_cells) = (Vec::new(), Vec::new());
        for (place, &cell) in self.cells.iter().enumerate() {
            match (cell as usize).checked_sub(keys.len()) {
                None => {
                    order[next[cell as usize] as usize] = place as u32;
                    next[cell as usize] += 1;
                }
                Some(cell) => {
                    kept.push(self.entries[place]);
                    kept_cells.push(cell as u32);
                }
            }
        }
        self.cells = kept_cells;
        let entries = std::mem::replace(&mut self.entries, kept);
        Ok((Sorted { keys, starts, order }, entries))
    }
}

impl Sorted {
    /// The key of each cell, and the places of its entries.
    fn cells(&self) -> impl Iterator<Item = (CellKey, &[u32])> {
        let ranges = self.starts.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        self.keys.iter().copied().zip(ranges.map(|range| &self.order[range]))
    }
}

/// The columns of a batch of boxes in cells.
struct Batch<'b> {
    keys: &'b UInt64Array,
    roles: &'b [i32],
    rows: &'b UInt64Array,
    boxes: &'b FixedSizeBinaryArray,
    wanted: Option<&'b BooleanArray>,
}

impl<'b> Batch<'b> {
    fn new(columns: &'b [ArrayRef], wanted: Option<&'b BooleanArray>) -> Self {
        Self {
            keys: columns[0].as_primitive::<UInt64Type>(),
            roles: columns[1].as_primitive::<Int32Type>().values(),
            rows: columns[2].as_primitive::<UInt64Type>(),
            boxes: columns[3].as_fixed_size_binary(),
            wanted,
        }
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    /// An entry and its cell; `None` if it is not wanted.
    fn get(&self, place: usize) -> Result<Option<(CellKey, CellEntry)>> {
        if self.wanted.is_some_and(|wanted| !(wanted.is_valid(place) && wanted.value(place))) {
            return Ok(None);
        }
        let role = Role::from_number(self.roles[place]);
        let of = StoredBox::from_bytes(bytes(self.boxes, place)?);
        Ok(Some((self.keys.value(place), CellEntry { row: self.rows.value(place), of, role })))
    }
}

impl GroupsAccumulator for Cells {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        opt_filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        self.keys.resize(total_num_groups, 0);
        let batch = Batch::new(values, opt_filter);
        for (place, &cell) in group_indices.iter().enumerate() {
            if let Some((key, entry)) = batch.get(place)? {
                self.push(cell, key, entry);
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let (sorted, entries) = self.take(emit_to)?;
        let (mut row_a, mut row_b) = (Vec::new(), Vec::new());
        let mut lengths = Vec::with_capacity(sorted.keys.len());
        let mut of_cell = Vec::new();
        for (key, places) in sorted.cells() {
            of_cell.clear();
            of_cell.extend(places.iter().map(|&place| entries[place as usize]));
            let before = row_a.len();
            cell_pairs(key, &mut of_cell, |[a, b]| {
                row_a.push(a);
                row_b.push(b);
            });
            lengths.push(row_a.len() - before);
        }
        let columns: Vec<ArrayRef> =
            vec![Arc::new(UInt64Array::from(row_a)), Arc::new(UInt64Array::from(row_b))];
        let pairs = Arc::new(StructArray::try_new(fields(), columns, None)?);
        let lists =
            LargeListArray::try_new(item(), OffsetBuffer::from_lengths(lengths), pairs, None)?;
        Ok(Arc::new(lists))
    }

    /// For each cell its key and its entries, as bytes.
    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let (sorted, entries) = self.take(emit_to)?;
        let mut states = LargeBinaryBuilder::with_capacity(
            sorted.keys.len(),
            8 * sorted.keys.len() + CellEntry::BYTES * sorted.order.len(),
        );
        let mut state = Vec::new();
        for (key, places) in sorted.cells() {
            state.clear();
            state.extend_from_slice(&key.to_le_bytes());
            places.iter().for_each(|&place| state.extend(entries[place as usize].to_bytes()));
            states.append_value(&state);
        }
        Ok(vec![Arc::new(states.finish())])
    }

    fn merge_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        total_num_groups: usize,
    ) -> Result<()> {
        self.keys.resize(total_num_groups, 0);
        for (state, &cell) in values[0].as_binary::<i64>().iter().zip(group_indices) {
            let Some((key, entries)) = state.and_then(<[u8]>::split_first_chunk) else { continue };
            for entry in entries.as_chunks().0 {
                self.push(cell, u64::from_le_bytes(*key), CellEntry::from_bytes(entry));
            }
        }
        Ok(())
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        opt_filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let batch = Batch::new(values, opt_filter);
        let mut states =
            LargeBinaryBuilder::with_capacity(batch.len(), batch.len() * (8 + CellEntry::BYTES));
        let mut state = [0; 8 + CellEntry::BYTES];
        for place in 0..batch.len() {
            match batch.get(place)? {
                Some((key, entry)) => {
                    state[..8].copy_from_slice(&key.to_le_bytes());
                    state[8..].copy_from_slice(&entry.to_bytes());
                    states.append_value(state);
                }
                None => states.append_null(),
            }
        }
        Ok(vec![Arc::new(states.finish())])
    }

    fn size(&self) -> usize {
        self.keys.capacity() * size_of::<CellKey>()
            + self.cells.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<CellEntry>()
    }
}

/// The entries of one cell, for plans without groups.
#[derive(Debug)]
struct OneCell(Cells);

impl Accumulator for OneCell {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.update_batch(values, &vec![0; values[0].len()], None, 1)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.0.evaluate(EmitTo::All)?, 0)
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.0.keys.resize(1, 0);
        let states = self.0.state(EmitTo::All)?;
        states.iter().map(|state| ScalarValue::try_from_array(state, 0)).collect()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.0.merge_batch(states, &vec![0; states[0].len()], 1)
    }
}
