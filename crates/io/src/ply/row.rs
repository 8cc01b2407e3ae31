//! One element of a PLY file, as parsed by the crate.

use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{
    ElementDef, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};

use crate::error::{Problem, quote};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Vertex,
    Face,
    Strips,
    Other,
}

impl Role {
    pub(super) fn of(element: &ElementDef) -> Self {
        match element.name.as_str() {
            "vertex" => Self::Vertex,
            "face" => Self::Face,
            "tristrips" => Self::Strips,
            _ => Self::Other,
        }
    }
}

/// Whether a property of an element in this role is used.
pub(super) fn is_used(role: Role, name: &str) -> bool {
    match role {
        Role::Vertex => matches!(name, "x" | "y" | "z"),
        Role::Face | Role::Strips => is_corner_list(name),
        Role::Other => false,
    }
}

/// Whether a list of this name contains the vertices of a face.
pub(super) fn is_corner_list(name: &str) -> bool {
    matches!(name, "vertex_indices" | "vertex_index")
}

/// The values of one element that are used.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) position: [f64; 3],
    /// The vertex numbers, from 0.
    pub(super) corners: Vec<i64>,
    /// Number of words read from the line.
    words: usize,
    /// Number of words behind them.
    pub(super) surplus: usize,
}

impl PropertyAccess for Row {
    fn new() -> Self {
        Self { position: [0.0; 3], corners: Vec::new(), words: 0, surplus: 0 }
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        self.words += 1 + list_length(&property);
        match name {
            "x" => self.position[0] = number(&property),
            "y" => self.position[1] = number(&property),
            "z" => self.position[2] = number(&property),
            _ if is_corner_list(name) => self.corners = integers(&property),
            _ => {}
        }
        PropertyAccessResult::Set
    }
}

/// Reads an element from a line of text. The crate requires digits on both sides of a decimal point,
/// unlike C's `strtod`, so lines with `1.` or `.5` are rewritten.
pub(super) fn read_line(
    parser: &Parser<Row>,
    line: &[u8],
    element: &ElementDef,
) -> Result<Row, Problem> {
    let row = std::str::from_utf8(line)
        .ok()
        .and_then(|line| parser.read_ascii_element(line, element).ok());
    let mut row = match row {
        Some(row) => row,
        None => match diagnose(line, element) {
            Some(problem) => return Err(problem),
            None => parser
                .read_ascii_element(&respell(line), element)
                .map_err(|_| Problem::unexpected(quote(line), format!("a {}", element.name)))?,
        },
    };
    row.surplus = words(line).count().saturating_sub(row.words);
    Ok(row)
}

/// The first word of a line that contradicts the header.
pub(super) fn diagnose(line: &[u8], element: &ElementDef) -> Option<Problem> {
    let mut words = words(line);
    for property in element.properties.values() {
        let name = &property.name;
        let missing = || Problem::unexpected("the end of the line", format!("property `{name}`"));
        let (length, item) = match &property.data_type {
            PropertyType::Scalar(item) => (1_usize, item),
            PropertyType::List(_, item) => {
                let Some(word) = words.next() else { return Some(missing()) };
                let length = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                let Some(length) = length else {
                    let expected = format!("the length of list `{name}`");
                    return Some(Problem::unexpected(quote(word), expected));
                };
                (length, item)
            }
        };
        for _ in 0..length {
            let Some(word) = words.next() else { return Some(missing()) };
            if let Some(problem) = diagnose_word(word, item, name) {
                return Some(problem);
            }
        }
    }
    None
}

fn diagnose_word(word: &[u8], item: &ScalarType, name: &str) -> Option<Problem> {
    let text = std::str::from_utf8(word).unwrap_or_default();
    let is_infinite = |value: f64| !value.is_finite() && matches!(name, "x" | "y" | "z");
    let (fits, kind) = match item {
        ScalarType::Char => (text.parse::<i8>().is_ok(), "char"),
        ScalarType::UChar => (text.parse::<u8>().is_ok(), "uchar"),
        ScalarType::Short => (text.parse::<i16>().is_ok(), "short"),
        ScalarType::UShort => (text.parse::<u16>().is_ok(), "ushort"),
        ScalarType::Int => (text.parse::<i32>().is_ok(), "int"),
        ScalarType::UInt => (text.parse::<u32>().is_ok(), "uint"),
        ScalarType::Float | ScalarType::Double => {
            let is_float = *item == ScalarType::Float;
            let value = text.parse().map(|x: f64| if is_float { f64::from(x as f32) } else { x });
            if value.as_ref().is_ok_and(|&value| is_infinite(value)) {
                return Some(Problem::not_finite(quote(word)));
            }
            (value.is_ok(), "number")
        }
    };
    (!fits).then(|| Problem::unexpected(quote(word), format!("property `{name}`, a {kind}")))
}

/// The same numbers with digits on both sides of every point. Non-finite numbers, which occur only in
/// unused properties, become 0.
fn respell(line: &[u8]) -> String {
    let or_zero = |digits: &str| if digits.is_empty() { "0" } else { digits }.to_owned();
    let spell = |word: &[u8]| {
        let word = String::from_utf8_lossy(word);
        if !word.ends_with(|last: char| last.is_ascii_digit() || last == '.') {
            return "0".to_owned();
        }
        let (mantissa, exponent) = match word.find(['e', 'E']) {
            Some(at) => word.split_at(at),
            None => (&*word, ""),
        };
        let digits = mantissa.trim_start_matches(['+', '-']);
        let sign = &mantissa[..mantissa.len() - digits.len()];
        match digits.split_once('.') {
            Some((whole, part)) => {
                format!("{sign}{}.{}{exponent}", or_zero(whole), or_zero(part))
            }
            None => word.into_owned(),
        }
    };
    words(line).map(spell).collect::<Vec<_>>().join(" ")
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn list_length(property: &Property) -> usize {
    match property {
        Property::ListChar(list) => list.len(),
        Property::ListUChar(list) => list.len(),
        Property::ListShort(list) => list.len(),
        Property::ListUShort(list) => list.len(),
        Property::ListInt(list) => list.len(),
        Property::ListUInt(list) => list.len(),
        Property::ListFloat(list) => list.len(),
        Property::ListDouble(list) => list.len(),
        _ => 0,
    }
}

/// The items of a list of integers; none for any other property.
fn integers(property: &Property) -> Vec<i64> {
    fn of<T: Copy + Into<i64>>(list: &[T]) -> Vec<i64> {
        list.iter().map(|&item| item.into()).collect()
    }
    match property {
        Property::ListChar(list) => of(list),
        Property::ListUChar(list) => of(list),
        Property::ListShort(list) => of(list),
        Property::ListUShort(list) => of(list),
        Property::ListInt(list) => of(list),
        Property::ListUInt(list) => of(list),
        _ => Vec::new(),
    }
}

/// The value of a scalar; 0 for a list, which is not a coordinate.
fn number(property: &Property) -> f64 {
    match *property {
        Property::Char(value) => value.into(),
        Property::UChar(value) => value.into(),
        Property::Short(value) => value.into(),
        Property::UShort(value) => value.into(),
        Property::Int(value) => value.into(),
        Property::UInt(value) => value.into(),
        Property::Float(value) => value.into(),
        Property::Double(value) => value,
        _ => 0.0,
    }
}
