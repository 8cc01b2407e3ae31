//! Accessors: bounds-checked numbers in a buffer.

use ::gltf::json::accessor::{Accessor, ComponentType, Type};
use ::gltf::json::buffer;
use ::gltf::json::validation::{Checked, USize64};
use ::gltf::json::{Index, Root, Value};

use super::buffers::Buffers;
use crate::error::{Position, Problem, ReadError, quote};
use crate::report::ReadReport;

/// The document, its buffers, a budget for the vertices and corners that are read from them, and a
/// report of what is not.
pub(super) struct Source<'a> {
    pub(super) root: &'a Root,
    pub(super) buffers: &'a Buffers<'a>,
    pub(super) report: ReadReport,
    /// The number of vertices and corners that may still be read.
    budget: u64,
    allowed: u64,
}

impl<'a> Source<'a> {
    /// `bytes`: the size of the file with its buffers.
    pub(super) fn new(root: &'a Root, buffers: &'a Buffers<'a>, bytes: usize) -> Self {
        const FREE: u64 = 1 << 20;
        const PER_BYTE: u64 = 256;
        let budget = FREE.saturating_add(PER_BYTE.saturating_mul(bytes as u64));
        Self { root, buffers, report: ReadReport::default(), budget, allowed: budget }
    }

    /// Number of vertices and corners that may still be read.
    #[cfg(feature = "draco")]
    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    /// Deducts `count` vertices or corners, or equivalent work, from the budget.
    pub(super) fn spend(&mut self, count: u64) -> Result<(), Problem> {
        match self.budget.checked_sub(count) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => Err(Problem::unexpected(
                "meshes that are repeated again and again",
                format!("at most {} vertices and corners from a file of this size", self.allowed),
            )),
        }
    }

    /// The values of an accessor of vectors of `N` numbers.
    pub(super) fn vectors<const N: usize>(
        &mut self,
        index: Index<Accessor>,
        kind: Type,
        what: &str,
    ) -> Result<Vec<[f64; N]>, ReadError> {
        let accessor = self.accessor(index)?;
        let at = Position::element("accessor", index.value());
        let component = match (accessor.type_, accessor.component_type) {
            (Checked::Valid(found), Checked::Valid(component)) if found == kind => component.0,
            _ => {
                let expected = match N {
                    1 => "SCALAR of numbers",
                    3 => "VEC3 of numbers",
                    4 => "VEC4 of numbers",
                    _ => "MAT4 of numbers",
                };
                let found = format!("{what} of another type");
                return Err(Problem::unexpected(found, expected).at(at));
            }
        };
        let vector = |bytes: &[u8]| {
            std::array::from_fn(|axis| {
                number(&bytes[axis * component.size()..], component, accessor.normalized)
            })
        };
        self.read_all(accessor, N * component.size(), [0.0; N], vector)
            .map_err(|problem| problem.at(at))
    }

    pub(super) fn indices(&mut self, index: Index<Accessor>) -> Result<Vec<u32>, ReadError> {
        const WRONG: &str = "indices of another type";
        let accessor = self.accessor(index)?;
        let at = Position::element("accessor", index.value());
        let component = match (accessor.type_, accessor.component_type) {
            (Checked::Valid(Type::Scalar), Checked::Valid(component)) => component.0,
            _ => return Err(Problem::unexpected(WRONG, "SCALAR").at(at)),
        };
        check_index_type(component, WRONG)
            .and_then(|()| {
                self.read_all(accessor, component.size(), 0, |bytes| unsigned(bytes, component))
            })
            .map_err(|problem| problem.at(at))
    }

    /// All values of an accessor, each decoded from `size` bytes; `zero` for those that a sparse accessor
    /// omits.
    fn read_all<T: Clone>(
        &mut self,
        accessor: &Accessor,
        size: usize,
        zero: T,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Problem> {
        /// Implicit zeros take no bytes in the file.
        const PRICE_OF_ZERO: u64 = 16;
        let count = accessor.count;
        self.spend(count.0)?;
        let mut values: Vec<T> = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.unwrap_or_default();
                self.elements(view, offset, count, size)?.map(&decode).collect()
            }
            None if accessor.sparse.is_some() => {
                self.spend(count.0.saturating_mul(PRICE_OF_ZERO))?;
                vec![zero; count.0 as usize]
            }
            None => return Err(Problem::unexpected("no bufferView", "one, or sparse values")),
        };
        let Some(sparse) = &accessor.sparse else { return Ok(values) };
        let component = match sparse.indices.component_type {
            Checked::Valid(component) => component.0,
            Checked::Invalid => ComponentType::F32,
        };
        check_index_type(component, "sparse indices of another type")?;
        // There may be more sparse values than elements of the accessor.
        self.spend(sparse.count.0)?;
        let (indices, replacements) = (&sparse.indices, &sparse.values);
        let indices = self.elements(
            indices.buffer_view,
            indices.byte_offset,
            sparse.count,
            component.size(),
        )?;
        let replacements =
            self.elements(replacements.buffer_view, replacements.byte_offset, sparse.count, size)?;
        for (index, bytes) in indices.zip(replacements) {
            let index = unsigned(index, component);
            let value = values.get_mut(index as usize).ok_or_else(|| {
                let expected = format!("less than {}", count.0);
                Problem::unexpected(format!("sparse index {index}"), expected)
            })?;
            *value = decode(bytes);
        }
        Ok(values)
    }

    fn accessor(&self, index: Index<Accessor>) -> Result<&'a Accessor, ReadError> {
        get("accessor", &self.root.accessors, index.value())
            .map_err(|problem| problem.at(Position::File))
    }

    /// The bytes of a view.
    pub(super) fn view(&self, view: Index<buffer::View>) -> Result<&'a [u8], Problem> {
        let view = get("bufferView", &self.root.buffer_views, view.value())?;
        let buffer = get("buffer", &self.buffers.0, view.buffer.value())?;
        slice(buffer, view.byte_offset.unwrap_or_default().0, view.byte_length.0).ok_or_else(|| {
            let found = "a bufferView that leaves its buffer";
            Problem::unexpected(found, format!("a part of its {} bytes", buffer.len()))
        })
    }

    /// `count` elements of `size` bytes, `offset` bytes into a view.
    fn elements(
        &self,
        view: Index<buffer::View>,
        offset: USize64,
        count: USize64,
        size: usize,
    ) -> Result<impl Iterator<Item = &'a [u8]> + use<'a>, Problem> {
        let bytes = self.view(view)?;
        let view = &self.root.buffer_views[view.value()];
        let stride = match view.byte_stride {
            // Zero means tightly packed.
            None => size,
            Some(stride) if stride.0 == 0 => size,
            Some(stride) if stride.0 >= size => stride.0,
            Some(stride) => {
                let found = format!("a byteStride of {}", stride.0);
                return Err(Problem::unexpected(found, format!("at least {size}")));
            }
        };
        let room = (bytes.len() as u64).saturating_sub(offset.0);
        let fitting = if room < size as u64 { 0 } else { (room - size as u64) / stride as u64 + 1 };
        if count.0 > fitting {
            return Err(Problem::count("elements in an accessor", count.0, fitting));
        }
        let bytes = bytes.get(offset.0 as usize..).unwrap_or_default();
        Ok(bytes.chunks(stride).take(count.0 as usize).map(move |chunk| &chunk[..size]))
    }
}

/// Rejects components of indices that are not unsigned integers.
fn check_index_type(component: ComponentType, wrong: &str) -> Result<(), Problem> {
    match component {
        ComponentType::U8 | ComponentType::U16 | ComponentType::U32 => Ok(()),
        _ => Err(Problem::unexpected(wrong, "unsigned integers")),
    }
}

pub(super) fn get<'a, T>(what: &str, list: &'a [T], index: usize) -> Result<&'a T, Problem> {
    list.get(index).ok_or_else(|| {
        let expected = format!("a number below {}", list.len());
        Problem::unexpected(format!("{what} {index}, which does not exist"), expected)
    })
}

/// A whole number in the JSON of an extension.
pub(super) fn whole(value: &Value, key: &'static str) -> Result<u64, Problem> {
    value[key].as_u64().ok_or_else(|| {
        let found = format!("`{key}`: {}", quote(value[key].to_string().as_bytes()));
        Problem::unexpected(found, "a whole number")
    })
}

pub(super) fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let offset = usize::try_from(offset).ok()?;
    let length = usize::try_from(length).ok()?;
    bytes.get(offset..)?.get(..length)
}

/// The number at the start of `bytes`; normalized integers are fractions of the largest integer.
fn number(bytes: &[u8], component: ComponentType, normalized: bool) -> f64 {
    use ComponentType::{F32, I8, I16, U8, U16, U32};
    let value = match (component, bytes) {
        (I8, &[a, ..]) => f64::from(a as i8),
        (U8, &[a, ..]) => f64::from(a),
        (I16, &[a, b, ..]) => f64::from(i16::from_le_bytes([a, b])),
        (U16, &[a, b, ..]) => f64::from(u16::from_le_bytes([a, b])),
        (U32, &[a, b, c, d, ..]) => f64::from(u32::from_le_bytes([a, b, c, d])),
        (F32, &[a, b, c, d, ..]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        _ => f64::NAN,
    };
    if !normalized {
        return value;
    }
    match component {
        I8 => (value / 127.0).max(-1.0),
        U8 => value / 255.0,
        I16 => (value / 32767.0).max(-1.0),
        U16 => value / 65535.0,
        U32 | F32 => value,
    }
}

/// The unsigned integer at the start of `bytes`, exact in f64.
fn unsigned(bytes: &[u8], component: ComponentType) -> u32 {
    number(bytes, component, false) as u32
}
