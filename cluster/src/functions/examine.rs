//! `xcollide_examine`: the exact test of a pair, by the rules.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, FixedSizeBinaryArray, FixedSizeBinaryBuilder, Float64Array,
    Float64Builder, Int8Array, Int8Builder, StringArray, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields, Float64Type, Int8Type};
use datafusion::common::{Result, ScalarValue, exec_datafusion_err, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use xcollide_bounds::Aabb;
use xcollide_clash::{Instance, Interference, Rules, examine};
use xcollide_convex::Penetration;
use xcollide_math::Pose;
use xcollide_narrow::{Kind, Model, Placed};

use super::arguments::{Column, bytes, decoded};
use crate::instance_table::{POSE, attributes_of_text, pose_of_bytes};
use crate::margins::Margins;
use crate::model_cache::ModelCache;
use crate::stored_box::aabb_of_bytes;

/// What is known of a pair of the join.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It is no candidate: the boxes are apart in f64, or the rules ignore it.
    NoCandidate,
    /// It does not interfere.
    Apart,
    /// It does.
    Clash(Interference),
    /// The narrow phase has no answer.
    Failed,
}

/// `xcollide_examine`: for each of two instances id, source, pose, group, attributes and bounds; then rules, margins and
/// whether depths are bounded.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Examine(Signature);

impl Default for Examine {
    fn default() -> Self {
        let text = DataType::Utf8;
        let side = [
            text.clone(),
            text.clone(),
            POSE,
            text.clone(),
            text.clone(),
            DataType::FixedSizeBinary(48),
        ];
        let settings = [text.clone(), text, DataType::Boolean];
        let types = side.clone().into_iter().chain(side).chain(settings).collect();
        // Volatile, as the engine must not evaluate it twice.
        Self(Signature::exact(types, Volatility::Volatile))
    }
}

impl ScalarUDFImpl for Examine {
    fn name(&self) -> &str {
        "xcollide_examine"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(Examined::fields()))
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = call.number_rows;
        let columns: Vec<Column> = call.args[..12]
            .iter()
            .map(|column| Column::new(column, rows))
            .collect::<Result<_>>()?;
        let sides = [Side::new(&columns[..6])?, Side::new(&columns[6..])?];
        let rules = decoded::<Rules>(&call.args[12])?;
        let margins = decoded::<Margins>(&call.args[13])?;
        let ColumnarValue::Scalar(ScalarValue::Boolean(Some(depth))) = call.args[14] else {
            return exec_err!("found a column, expected a literal depth");
        };
        let mut examined = ExaminedBuilder::default();
        for row in 0..rows {
            let pair = [sides[0].placed(row)?, sides[1].placed(row)?];
            examined.push(outcome(pair, &rules, &margins, depth)?)?;
        }
        Ok(ColumnarValue::Array(Arc::new(examined.finish())))
    }
}

/// The columns of one of the two instances.
struct Side<'c> {
    ids: &'c StringArray,
    sources: &'c StringArray,
    poses: &'c FixedSizeBinaryArray,
    groups: &'c StringArray,
    attributes: &'c StringArray,
    bounds: &'c FixedSizeBinaryArray,
}

/// An instance of a pair.
struct Row<'c> {
    instance: Instance,
    source: &'c str,
    bounds: Aabb,
}

impl<'c> Side<'c> {
    fn new(columns: &'c [Column]) -> Result<Self> {
        Ok(Self {
            ids: columns[0].of()?,
            sources: columns[1].of()?,
            poses: columns[2].of()?,
            groups: columns[3].of()?,
            attributes: columns[4].of()?,
            bounds: columns[5].of()?,
        })
    }

    fn placed(&self, row: usize) -> Result<Row<'c>> {
        let instance = Instance {
            id: self.ids.value(row).to_owned(),
            model: String::new(),
            pose: pose_of_bytes(bytes(self.poses, row)?),
            group: self.groups.value(row).to_owned(),
            attributes: attributes_of_text(self.attributes.value(row))?,
        };
        let bounds = aabb_of_bytes(self.bounds.value(row));
        let bounds = bounds.ok_or_else(|| exec_datafusion_err!("a box has not 48 bytes"))?;
        Ok(Row { instance, source: self.sources.value(row), bounds })
    }
}

impl Row<'_> {
    fn grown(&self, margins: &Margins) -> Aabb {
        margins.grown(&self.bounds, &self.instance.group)
    }

    fn load(&self) -> Result<(Model, Pose)> {
        let lost = |error: &dyn ToString| {
            let (id, source) = (&self.instance.id, self.source);
            exec_datafusion_err!("{id}: {source} was there before: {}", error.to_string())
        };
        let model = ModelCache::shared().get(self.source).map_err(|error| lost(&error))?;
        Ok((model, self.instance.pose().map_err(|error| lost(&error))?))
    }
}

/// Tests a pair; the same as in memory. The smaller id is the first one of the two.
fn outcome(
    mut pair: [Row<'_>; 2],
    rules: &Rules,
    margins: &Margins,
    depth: bool,
) -> Result<Outcome> {
    if pair[0].instance.id > pair[1].instance.id {
        pair.reverse();
    }
    let [a, b] = &pair;
    if !a.grown(margins).overlaps(&b.grown(margins)) {
        return Ok(Outcome::NoCandidate);
    }
    let Some(rule) = rules.pair_rule(&a.instance, &b.instance) else {
        return Ok(Outcome::NoCandidate);
    };
    let [(model_a, pose_a), (model_b, pose_b)] = [a.load()?, b.load()?];
    let (Ok(a), Ok(b)) = (Placed::new(&model_a, &pose_a), Placed::new(&model_b, &pose_b)) else {
        return Ok(Outcome::Failed);
    };
    Ok(match examine(a, b, rule, depth) {
        Ok(None) => Outcome::Apart,
        Ok(Some(interference)) => Outcome::Clash(interference),
        Err(_) => Outcome::Failed,
    })
}

/// The kinds, by their numbers in tables.
const KINDS: [Kind; 7] = [
    Kind::Apart,
    Kind::Touching,
    Kind::Overlapping,
    Kind::Piercing,
    Kind::Enclosed,
    Kind::Enclosing,
    Kind::Equal,
];

/// A column of outcomes.
#[derive(Debug)]
pub(crate) struct Examined<'c> {
    outcomes: &'c Int8Array,
    kinds: &'c Int8Array,
    numbers: [&'c Float64Array; 4],
    depths: &'c FixedSizeBinaryArray,
}

impl<'c> Examined<'c> {
    /// The field with the number of the outcome.
    pub(crate) const OUTCOME: &'static str = "outcome";
    /// The smallest number of an outcome of a candidate.
    pub(crate) const CANDIDATE: i8 = 1;
    /// The smallest number of an outcome that is reported.
    pub(crate) const TOLD: i8 = 2;
    const FAILED: i8 = 3;

    fn fields() -> Fields {
        let mut fields = vec![
            Field::new(Self::OUTCOME, DataType::Int8, false),
            Field::new("kind", DataType::Int8, true),
        ];
        for name in ["distance", "x", "y", "z"] {
            fields.push(Field::new(name, DataType::Float64, true));
        }
        fields.push(Field::new("depth", DataType::FixedSizeBinary(96), true));
        Fields::from(fields)
    }

    /// The columns of a struct.
    pub(crate) fn new(of: &'c StructArray) -> Result<Self> {
        let missing = || exec_datafusion_err!("found {}, expected outcomes", of.data_type());
        let small = |place: usize| of.column(place).as_primitive_opt::<Int8Type>();
        let number = |place: usize| of.column(place).as_primitive_opt::<Float64Type>();
        if of.num_columns() != 7 {
            return Err(missing());
        }
        let mut numbers = [number(2).ok_or_else(missing)?; 4];
        for (place, column) in numbers.iter_mut().enumerate() {
            *column = number(2 + place).ok_or_else(missing)?;
        }
        Ok(Self {
            outcomes: small(0).ok_or_else(missing)?,
            kinds: small(1).ok_or_else(missing)?,
            numbers,
            depths: of.column(6).as_any().downcast_ref().ok_or_else(missing)?,
        })
    }

    /// The outcome of a row.
    pub(crate) fn get(&self, row: usize) -> Result<Outcome> {
        match self.outcomes.value(row) {
            0 => return Ok(Outcome::NoCandidate),
            Self::CANDIDATE => return Ok(Outcome::Apart),
            Self::FAILED => return Ok(Outcome::Failed),
            _ => {}
        }
        let kind = KINDS.get(self.kinds.value(row) as usize).copied();
        let kind = kind.ok_or_else(|| exec_datafusion_err!("a kind is unknown"))?;
        let [distance, x, y, z] = self.numbers.map(|column| column.value(row));
        let depth = match self.depths.is_valid(row) {
            true => Some(depth_of_bytes(bytes(self.depths, row)?)),
            false => None,
        };
        Ok(Outcome::Clash(Interference {
            kind,
            distance,
            point: [x, y, z],
            depth,
            // Measured where the clashes are put together.
            volume: None,
        }))
    }
}

struct ExaminedBuilder {
    outcomes: Int8Builder,
    kinds: Int8Builder,
    numbers: [Float64Builder; 4],
    depths: FixedSizeBinaryBuilder,
}

impl Default for ExaminedBuilder {
    fn default() -> Self {
        Self {
            outcomes: Int8Builder::new(),
            kinds: Int8Builder::new(),
            numbers: [(); 4].map(|()| Float64Builder::new()),
            depths: FixedSizeBinaryBuilder::new(96),
        }
    }
}

impl ExaminedBuilder {
    fn push(&mut self, outcome: Outcome) -> Result<()> {
        let number = match outcome {
            Outcome::NoCandidate => 0,
            Outcome::Apart => Examined::CANDIDATE,
            Outcome::Clash(_) => Examined::TOLD,
            Outcome::Failed => Examined::FAILED,
        };
        self.outcomes.append_value(number);
        let Outcome::Clash(Interference { kind, distance, point, depth, .. }) = outcome else {
            self.kinds.append_null();
            self.numbers.iter_mut().for_each(Float64Builder::append_null);
            self.depths.append_null();
            return Ok(());
        };
        self.kinds.append_option(KINDS.iter().position(|&known| known == kind).map(|k| k as i8));
        for (column, value) in self.numbers.iter_mut().zip([distance, point[0], point[1], point[2]])
        {
            column.append_value(value);
        }
        match depth {
            Some(depth) => self.depths.append_value(depth_bytes(&depth))?,
            None => self.depths.append_null(),
        }
        Ok(())
    }

    fn finish(mut self) -> StructArray {
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.outcomes.finish()), Arc::new(self.kinds.finish())];
        for mut column in self.numbers {
            columns.push(Arc::new(column.finish()));
        }
        columns.push(Arc::new(self.depths.finish()));
        StructArray::new(Examined::fields(), columns, None)
    }
}

fn depth_bytes(of: &Penetration) -> [u8; 96] {
    let [p, q] = of.points;
    let numbers = of.direction.into_iter().chain(p).chain(q).chain([of.at_least, of.at_most]);
    let words = numbers.map(f64::to_bits).chain([of.probes]);
    let mut bytes = [0; 96];
    for (place, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
    bytes
}

fn depth_of_bytes(bytes: &[u8; 96]) -> Penetration {
    let words = bytes.as_chunks::<8>().0;
    let number = |place: usize| f64::from_le_bytes(words[place]);
    let vector = |place: usize| [number(place), number(place + 1), number(place + 2)];
    Penetration {
        direction: vector(0),
        points: [vector(3), vector(6)],
        at_least: number(9),
        at_most: number(10),
        probes: u64::from_le_bytes(words[11]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_as_they_were_written() -> Result<()> {
        let depth = Penetration {
            direction: [0.0, -0.0, 1.0],
            points: [[0.1, 0.2, 0.3], [f64::MAX, 5e-324, -7.0]],
            at_least: 0.25,
            at_most: 0.5,
            probes: u64::MAX,
        };
        let mut expected = vec![Outcome::NoCandidate, Outcome::Apart, Outcome::Failed];
        for (number, kind) in KINDS.into_iter().enumerate() {
            let depth = (number % 2 == 0).then_some(depth);
            let point = [0.1, -0.0, 1e300];
            expected.push(Outcome::Clash(Interference {
                kind,
                distance: 0.3,
                point,
                depth,
                volume: None,
            }));
        }
        let mut builder = ExaminedBuilder::default();
        expected.iter().try_for_each(|outcome| builder.push(*outcome))?;
        let column = builder.finish();
        let examined = Examined::new(&column)?;
        for (row, outcome) in expected.iter().enumerate() {
            assert_eq!(examined.get(row)?, *outcome);
        }
        Ok(())
    }
}
