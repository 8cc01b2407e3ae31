//! The binary chunk of a GLB: number arrays and their accessors.

use std::collections::BTreeMap;

use ::gltf::json::accessor::{ComponentType, GenericComponentType, Type};
use ::gltf::json::buffer::{Stride, Target, View};
use ::gltf::json::validation::{Checked, USize64};
use ::gltf::json::{Accessor, Index, Root, Value};

/// Purpose of an array; each has its own buffer view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Vertices,
    Indices,
    Animation,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Bytes {
    parts: [Vec<u8>; 3],
    /// Key times already written, by their bits.
    times: BTreeMap<Vec<u32>, Index<Accessor>>,
}

impl Bytes {
    /// Positions or normals of vertices. Positions get the required bounds.
    pub(super) fn vertices(
        &mut self,
        root: &mut Root,
        vertices: &[[f32; 3]],
        are_positions: bool,
    ) -> Index<Accessor> {
        let range = are_positions.then(|| {
            let fold = |start: f32, pick: fn(f32, f32) -> f32| {
                vertices.iter().fold([start; 3], |all, one| [0, 1, 2].map(|k| pick(all[k], one[k])))
            };
            [fold(f32::INFINITY, f32::min), fold(f32::NEG_INFINITY, f32::max)].map(|v| v.to_vec())
        });
        let numbers = vertices.as_flattened();
        self.floats(root, Purpose::Vertices, Type::Vec3, numbers, range)
    }

    /// Corners of triangles or ends of lines, as 16-bit numbers if they fit.
    pub(super) fn indices(&mut self, root: &mut Root, indices: &[u32]) -> Index<Accessor> {
        let part = &mut self.parts[Purpose::Indices as usize];
        let offset = part.len();
        // The greatest 16-bit number is reserved.
        let is_short = indices.iter().all(|&index| index < u32::from(u16::MAX));
        let component = if is_short {
            part.extend(indices.iter().flat_map(|&index| (index as u16).to_le_bytes()));
            ComponentType::U16
        } else {
            part.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
            ComponentType::U32
        };
        part.resize(part.len().next_multiple_of(4), 0);
        let count = indices.len();
        root.push(accessor(Purpose::Indices, offset, component, Type::Scalar, count, None))
    }

    /// Key times of an animation in seconds, ascending; equal arrays are shared.
    pub(super) fn times(&mut self, root: &mut Root, times: &[f32]) -> Index<Accessor> {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&there) = self.times.get(&bits) {
            return there;
        }
        let range = [times.first(), times.last()].map(|end| end.copied().into_iter().collect());
        let index = self.floats(root, Purpose::Animation, Type::Scalar, times, Some(range));
        self.times.insert(bits, index);
        index
    }

    pub(super) fn floats(
        &mut self,
        root: &mut Root,
        purpose: Purpose,
        kind: Type,
        numbers: &[f32],
        range: Option<[Vec<f32>; 2]>,
    ) -> Index<Accessor> {
        let part = &mut self.parts[purpose as usize];
        let offset = part.len();
        part.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let count = numbers.len() / kind.multiplicity();
        root.push(accessor(purpose, offset, ComponentType::F32, kind, count, range))
    }

    pub(super) fn len(&self) -> u64 {
        self.parts.iter().map(|part| part.len() as u64).sum()
    }

    /// Concatenates the arrays, adds a view for each non-empty purpose, and replaces the purposes in
    /// accessors by these views.
    pub(super) fn join(self, root: &mut Root) -> Vec<u8> {
        let mut chunk = Vec::with_capacity(self.len() as usize);
        let mut views: [Option<Index<View>>; 3] = [None; 3];
        let purposes = [Purpose::Vertices, Purpose::Indices, Purpose::Animation];
        for ((view, part), purpose) in views.iter_mut().zip(self.parts).zip(purposes) {
            if part.is_empty() {
                continue;
            }
            let (target, stride) = match purpose {
                Purpose::Vertices => (Some(Target::ArrayBuffer), Some(Stride(12))),
                Purpose::Indices => (Some(Target::ElementArrayBuffer), None),
                Purpose::Animation => (None, None),
            };
            *view = Some(root.push(View {
                buffer: Index::new(0),
                byte_length: USize64::from(part.len()),
                byte_offset: Some(USize64::from(chunk.len())),
                byte_stride: stride,
                name: None,
                target: target.map(Checked::Valid),
                extensions: None,
                extras: None,
            }));
            chunk.extend(part);
        }
        for accessor in &mut root.accessors {
            accessor.buffer_view = accessor.buffer_view.and_then(|purpose| views[purpose.value()]);
        }
        chunk
    }
}

fn accessor(
    purpose: Purpose,
    offset: usize,
    component: ComponentType,
    kind: Type,
    count: usize,
    range: Option<[Vec<f32>; 2]>,
) -> Accessor {
    let [min, max] =
        range.map(|ends| ends.map(Value::from)).map_or([None, None], |ends| ends.map(Some));
    Accessor {
        buffer_view: Some(Index::new(purpose as u32)),
        byte_offset: Some(USize64::from(offset)),
        count: USize64::from(count),
        component_type: Checked::Valid(GenericComponentType(component)),
        extensions: None,
        extras: None,
        type_: Checked::Valid(kind),
        min,
        max,
        name: None,
        normalized: false,
        sparse: None,
    }
}
