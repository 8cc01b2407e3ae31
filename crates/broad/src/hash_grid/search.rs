//! Searches neighbouring cells for overlaps.

use std::ops::Range;

use xcollide_bounds::Aabb;
use xcollide_simd::{F32x8, Simd, SimdKernel, SimdLevel};

use super::table::Table;
use crate::PairCollector;
use crate::overlap::{Bits, Probe, Sides, WIDTH};

/// Tests the pairs within a table whose first box is in a cell that starts in `boxes`.
///
/// A box is compared with later boxes in its own cell and with those in 13 of the 26 cells around it: the next
/// along x, three of the next row, and nine of the next layer. Boxes in the other 13 are compared with it.
pub(super) struct Within<'a, 's, 'p> {
    pub(super) table: &'a Table,
    pub(super) boxes: Range<usize>,
    pub(super) collector: &'s mut PairCollector<'p>,
}

impl SimdKernel for Within<'_, '_, '_> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { table, boxes, collector } = self;
        let Some(layout) = &table.layout else { return };
        let inner = 1..layout.width.saturating_sub(1);
        // Cleared once, not for each cell.
        let mut lists = [[0; LISTED]; 2];
        let mut at = boxes.start;
        // A cell belongs to the range in which it starts.
        if at > 0 && at < table.len() {
            let [own, before] = [at, at - 1].map(|at| layout.coordinates(&table.entry(at).1.min));
            if own == before {
                at = table.end(layout.row(own[1], own[2]) + own[0]);
            }
        }
        while at < boxes.end {
            let [x, y, z] = layout.coordinates(&table.entry(at).1.min);
            let own = layout.row(y, z);
            let end = table.end(own + x);
            let rows = [
                layout.row(y + 1, z),
                layout.row(y.wrapping_sub(1), z + 1),
                layout.row(y, z + 1),
                layout.row(y + 1, z + 1),
            ];
            if inner.contains(&x) {
                let (_, after) = table.span(own, x, x + 2);
                let span = |row: usize| table.span(rows[row], x - 1, x + 2);
                let spans = [span(0), span(1), span(2), span(3)];
                cell::<S::F32x8>(table, at..end, after, &spans, &mut lists, collector);
            } else {
                edge_cell::<S::F32x8>(table, at..end, x, own, rows, collector);
            }
            at = end;
        }
    }
}

/// With more candidates, eight are compared at once, span by span.
const CROWDED: usize = 40;

/// A power of two, so that masked indices need no check.
const LISTED: usize = 128;

/// The number of entries that are written at once, valid or not.
const STRIDE: usize = 4;

/// Tests the boxes of one cell against later ones up to `after`, and against four spans. The lists are scratch memory.
#[inline(always)]
fn cell<F: F32x8>(
    table: &Table,
    boxes: Range<usize>,
    after: usize,
    spans: &[(usize, usize); 4],
    [list, hits]: &mut [[u32; LISTED]; 2],
    collector: &mut PairCollector<'_>,
) {
    let others: usize = spans.iter().map(|span| span.1 - span.0).sum();
    let count = after - boxes.start + others;
    if count > CROWDED {
        return crowded_cell::<F>(table, boxes, after, spans, collector);
    }
    // With all candidates in one list, a box has one loop of unpredictable length instead of five: most spans
    // have none, one or two boxes.
    let mut end = 0;
    for &(start, stop) in [(boxes.start, after)].iter().chain(spans) {
        for (at, entry) in (start..).zip(&mut list[end..end + STRIDE]) {
            *entry = at as u32;
        }
        for at in start + STRIDE..stop {
            list[end + at - start] = at as u32;
        }
        end += stop - start;
    }
    let all = &table.sides;
    for (place, at) in boxes.enumerate() {
        let probe = all[at].probe::<F>();
        // The list begins with the cell's own boxes.
        let mut found = 0;
        for &other in &list[place + 1..count] {
            hits[found % LISTED] = other;
            found += usize::from(all[other as usize].overlaps(probe));
        }
        for &other in &hits[..found % LISTED] {
            confirm(table, at, other as usize, collector);
        }
    }
}

/// As [`cell`], for many candidates: compares eight of a span at once.
#[inline(always)]
fn crowded_cell<F: F32x8>(
    table: &Table,
    boxes: Range<usize>,
    after: usize,
    spans: &[(usize, usize); 4],
    collector: &mut PairCollector<'_>,
) {
    // A branch for each hit would be unpredictable.
    let mut hits = [(0_u32, 0_u32, 0_u32); LISTED];
    let mut found = 0;
    for at in boxes {
        let probe = Probe::<F>::new(&table.packed.get(at));
        for &(start, end) in [(at + 1, after)].iter().chain(spans) {
            let mut first = start;
            while first < end {
                let valid = (1 << (end - first).min(WIDTH)) - 1;
                let mask = probe.overlap(&table.packed, first) & valid;
                hits[found % LISTED] = (at as u32, first as u32, mask);
                found += usize::from(mask != 0);
                if found == LISTED {
                    confirm_all(table, &hits, collector);
                    found = 0;
                }
                first += WIDTH;
            }
        }
    }
    confirm_all(table, &hits[..found % LISTED], collector);
}

#[inline(always)]
fn confirm_all(table: &Table, hits: &[(u32, u32, u32)], collector: &mut PairCollector<'_>) {
    for &(at, first, mask) in hits {
        for lane in Bits(mask) {
            confirm(table, at as usize, first as usize + lane, collector);
        }
    }
}

/// As [`cell`], at the end of a folded row, whose spans wrap around.
#[inline(always)]
fn edge_cell<F: F32x8>(
    table: &Table,
    boxes: Range<usize>,
    x: u32,
    own: u32,
    rows: [u32; 4],
    collector: &mut PairCollector<'_>,
) {
    let width = table.layout.map_or(1, |layout| layout.width);
    let next = (x + 1) % width;
    for at in boxes.clone() {
        span::<F>(table, at, (at + 1, boxes.end), collector);
        span::<F>(table, at, table.span(own, next, next + 1), collector);
        for row in rows {
            for x in [(x + width - 1) % width, x, next] {
                span::<F>(table, at, table.span(row, x, x + 1), collector);
            }
        }
    }
}

#[inline(always)]
fn span<F: F32x8>(
    table: &Table,
    at: usize,
    (start, end): (usize, usize),
    collector: &mut PairCollector<'_>,
) {
    let probe = Probe::<F>::new(&table.packed.get(at));
    for_hits(&probe, table, (start, end), |other| confirm(table, at, other, collector));
}

/// Visits the boxes of a span that overlap the probe in f32.
#[inline(always)]
fn for_hits<F: F32x8>(
    probe: &Probe<F>,
    table: &Table,
    (start, end): (usize, usize),
    mut hit: impl FnMut(usize),
) {
    for first in (start..end).step_by(WIDTH) {
        let valid = (1 << (end - first).min(WIDTH)) - 1;
        for lane in Bits(probe.overlap(&table.packed, first) & valid) {
            hit(first + lane);
        }
    }
}

/// As [`for_hits`], for a probe far away in memory from the one before it: few boxes are compared one by one, as each is in
/// one place.
#[inline(always)]
fn for_far_hits<F: F32x8>(
    (one, eight): (F, &Probe<F>),
    table: &Table,
    (start, end): (usize, usize),
    mut hit: impl FnMut(usize),
) {
    if end - start > WIDTH {
        return for_hits(eight, table, (start, end), hit);
    }
    for (at, sides) in (start..).zip(&table.sides[start..end]) {
        if sides.overlaps(one) {
            hit(at);
        }
    }
}

/// The exact test of two boxes of a table.
#[inline(always)]
fn confirm(table: &Table, a: usize, b: usize, collector: &mut PairCollector<'_>) {
    collector.test_boxes(table.entry(a), table.entry(b));
}

/// Tests boxes against those of a table with other indices.
pub(super) struct Across<'a, 's, 'p> {
    pub(super) probes: &'a [(u32, Aabb)],
    pub(super) table: &'a Table,
    pub(super) collector: &'s mut PairCollector<'p>,
}

impl SimdKernel for Across<'_, '_, '_> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { probes, table, collector } = self;
        let Some(layout) = &table.layout else { return };
        for &(index, aabb) in probes {
            let sides = Sides::around(&aabb, &layout.origin);
            let probe = Probe::<S::F32x8>::new(&sides.to_box());
            let one = sides.probe::<S::F32x8>();
            let mut hit = |other: usize| {
                if table.entry(other).0 != index {
                    collector.test_boxes((index, &aabb), table.entry(other));
                }
            };
            // A row costs about as much as testing four boxes.
            let most = table.len().div_ceil(4);
            let Some(around) = layout.around(&aabb).filter(|around| around.rows() <= most) else {
                for_hits(&probe, table, (0, table.len()), hit);
                continue;
            };
            around.each_row(layout, |row| {
                for (first, last) in around.stretches {
                    for_far_hits((one, &probe), table, table.span(row, first, last), &mut hit);
                }
            });
        }
    }
}
