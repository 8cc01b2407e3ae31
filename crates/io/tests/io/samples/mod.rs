//! Small valid files of every format: the tests break them, the fuzzers start from them.

#![allow(dead_code, clippy::unwrap_used)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use xcollide_io::ply::Encoding;
use xcollide_io::{Format, PolygonMesh, ply, write_bytes};

/// A valid file.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) format: Format,
    pub(crate) bytes: Vec<u8>,
}

/// One or more of every format, using what the format has.
pub(crate) fn samples() -> Vec<Sample> {
    let mesh = prism();
    let sample = |name, format, bytes| Sample { name, format, bytes };
    let text = |name, format, text: &str| sample(name, format, text.as_bytes().to_vec());
    let ply = |encoding| {
        let mut bytes = Vec::new();
        ply::write(&mesh, encoding, &mut bytes).unwrap();
        bytes
    };
    vec![
        text("plain.obj", Format::Obj, OBJ),
        sample("written.obj", Format::Obj, write_bytes(&mesh, Format::Obj).unwrap()),
        text("text.stl", Format::Stl, STL),
        sample("binary.stl", Format::Stl, write_bytes(&mesh, Format::Stl).unwrap()),
        text("mixed.ply", Format::Ply, PLY),
        sample("text.ply", Format::Ply, ply(Encoding::Text)),
        sample("little.ply", Format::Ply, ply(Encoding::LittleEndian)),
        sample("big.ply", Format::Ply, ply(Encoding::BigEndian)),
        text("coloured.off", Format::Off, OFF),
        sample("written.off", Format::Off, write_bytes(&mesh, Format::Off).unwrap()),
        sample("embedded.gltf", Format::Gltf, gltf().into_bytes()),
        sample("binary.glb", Format::Gltf, glb()),
        sample("draco.glb", Format::Gltf, draco()),
        sample("meshopt.glb", Format::Gltf, meshopt("EXT_meshopt_compression")),
        sample("skinned.glb", Format::Gltf, skinned()),
        sample("binary.off", Format::Off, binary_off()),
        sample("utf16.obj", Format::Obj, utf16(OBJ)),
    ]
}

/// Two triangles and three quadrilaterals, with digits that f32 cannot hold.
pub(crate) fn prism() -> PolygonMesh {
    let positions = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.1, 0.7, 0.0],
        [0.0, 0.0, 1.3],
        [1.0, -0.0, 1.3],
        [0.1, 0.7, 1.3],
    ];
    let faces: [&[u32]; 5] = [&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]];
    PolygonMesh::from_polygons(positions, faces).unwrap()
}

/// Two triangles of one colour, with vertex normals.
pub(crate) fn binary_off() -> Vec<u8> {
    let mut bytes = b"NOFF BINARY\n".to_vec();
    let whole = |bytes: &mut Vec<u8>, numbers: &[i32]| {
        bytes.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    };
    whole(&mut bytes, &[4, 2, 5]);
    for [x, y] in [[0.0_f32, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
        let numbers = [x, y, 0.5, 0.0, 0.0, 1.0];
        bytes.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    }
    whole(&mut bytes, &[3, 0, 1, 2, 1, 0, 3, 0, 2, 3, 0]);
    bytes
}

/// A text in UTF-16 with a byte order mark.
fn utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

const OBJ: &str = "\
# a tent
mtllib tent.mtl
o tent
v 0 0 0
v 2 0 0 1.0
v 2 2 0 .5 .5 .5
v 0 2 0
vt 0 0
vn 0 0 1
g floor base
usemtl cloth
f 1/1/1 4/1/1 3//1 2/1
v 1 1 3.5e-1
g roof
s off
f 1 2 5
f -4 -3 \\
  -1
f 3 4 5
f 4 1 -1
f 1 5
l 1 2 3
";

const STL: &str = "\
solid left wing
  facet normal 0 0 1
    outer loop
      vertex 0 0 0
      vertex 1.5 0 0
      vertex 0 1e0 0
    endloop
  endfacet
endsolid left wing
SOLID
  FACET NORMAL nan nan nan OUTER LOOP
    VERTEX 0 0 0 VERTEX 0 1 0 VERTEX -1 0 0
  ENDLOOP ENDFACET
ENDSOLID
";

const PLY: &str = "\
ply
format ascii 1.0
comment nothing is as the books have it
obj_info made by hand
element face 2
property uchar red
property list uchar short vertex_index
property list int float texcoord
element material 1
property double shine
element vertex 4
property float nx
property double x
property double y
property int z
end_header
255 3 0 1 2 0
0 4 0 1 2 3 2 0.5 .5
0.25
0 0 0 0
0 1 0 0
1 1. 1e0 0
0 0 1 0
";

const OFF: &str = "\
# shaded
STCNOFF
4 2 -1   # who counts edges
0 0 0  0 0 1  1 0 0 1  0 0

1 0 0  0 0 1  1 0 0 1  1 0
1 1 0  0 0 1  1 0 0 1  1 1
0 1 0  0 0 1  1 0 0 1  0 1
4 0 1 2 3  255 0 0
# an edge
2 0 2
";

/// The numbers of an accessor as the bytes of a buffer.
pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A buffer with four positions, then the indices of two triangles (u16), a sparse index (u8,
/// padded) and a sparse position.
pub(crate) fn buffer() -> Vec<u8> {
    let mut bytes = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    bytes.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()));
    bytes.extend([3, 0, 0, 0]);
    bytes.extend(floats(&[0.0, 2.0, 0.0]));
    bytes
}

/// The JSON of a scene over that buffer: the triangles twice, one of them mirrored, and a fan of
/// sparse positions.
pub(crate) fn scene(uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"children":[1,2],"translation":[10,0,0]}},
{{"mesh":0,"scale":[1,1,-1]}},
{{"mesh":0,"matrix":[0,2,0,0,-2,0,0,0,0,0,2,0,1,2,3,1]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}},
{{"attributes":{{"POSITION":2}},"mode":6}},{{"attributes":{{"POSITION":0}},"mode":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}},
{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{{"count":1,
"indices":{{"bufferView":2,"componentType":5121}},"values":{{"bufferView":3}}}}}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}},
{{"buffer":0,"byteOffset":60,"byteLength":1}},{{"buffer":0,"byteOffset":64,"byteLength":12}}],
"buffers":[{{{uri}"byteLength":76}}]}}"#
    )
}

pub(crate) fn gltf() -> String {
    let data = STANDARD.encode(buffer());
    scene(&format!(r#""uri":"data:application/octet-stream;base64,{data}","#))
}

pub(crate) fn glb() -> Vec<u8> {
    container(&scene(""), &buffer())
}

/// A binary container.
pub(crate) fn container(json: &str, chunk: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    let length = 12 + 8 + json.len() + 8 + chunk.len();
    bytes.extend((length as u32).to_le_bytes());
    for (kind, data) in [(b"JSON", &*json), (b"BIN\0", chunk)] {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(data);
    }
    bytes
}

/// The corner of a cube, compressed by Google's encoder, with 14 bits a coordinate.
pub(crate) fn draco() -> Vec<u8> {
    let json = r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_draco_mesh_compression"],
"extensionsRequired":["KHR_draco_mesh_compression"],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"extensions":{
"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}}]}],
"accessors":[{"componentType":5126,"count":4,"type":"VEC3"},
{"componentType":5125,"count":12,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":76}],"buffers":[{"byteLength":76}]}"#;
    let chunk = "RFJBQ08CAgEBAAAABAQAAwAAAS8BARAB/wAAAQAJAwAAAgEBAQADAwEQATADAFCCJJEEAAAAAP8/\
                 AAAAAAAAAAAAAAAAAAAAAIA/Dg==";
    container(json, &STANDARD.decode(chunk).unwrap())
}

/// A pyramid, compressed by meshoptimizer, with a buffer that readers without the extension would read.
pub(crate) fn meshopt(extension: &str) -> Vec<u8> {
    let json = r#"{"asset":{"version":"2.0"},"extensionsUsed":["NAME"],
"extensionsRequired":["NAME"],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"},
{"bufferView":1,"componentType":5125,"count":18,"type":"SCALAR"}],
"bufferViews":[{"buffer":1,"byteLength":60,"byteStride":12,"extensions":{"NAME":{"buffer":0,
"byteLength":79,"byteStride":12,"count":5,"mode":"ATTRIBUTES"}}},
{"buffer":1,"byteOffset":60,"byteLength":72,"extensions":{"NAME":{"buffer":0,"byteOffset":79,
"byteLength":25,"byteStride":4,"count":18,"mode":"TRIANGLES"}}}],
"buffers":[{"byteLength":104},{"byteLength":132,"extensions":{"NAME":{"fallback":true}}}]}"#;
    let vertices = "oAAAATMAAAD//wEzwAAAfn1+AAABDMAAAP//AQwAAAB+AAABAMAAAP8BAMAAAH4AAAAAAAAAAAAA\
                    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==";
    let corners = "4f4QAAQRAw8IAHaHVmd4qYZliWiYAWkAAA==";
    let chunk = [vertices, corners].map(|text| STANDARD.decode(text).unwrap()).concat();
    container(&json.replace("NAME", extension), &chunk)
}

/// A triangle over two joints, the second of which is turned by a right angle about z at [0, 1, 0]. Its
/// corners follow the first, the second, and both alike. A child of the skinned node shows the triangle
/// without the skin.
pub(crate) fn skinned() -> Vec<u8> {
    let json = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],
"nodes":[{"mesh":0,"skin":0,"translation":[100,0,0],"children":[3]},{"children":[2]},
{"translation":[0,1,0],"rotation":[0,0,0.70710677,0.70710677]},{"mesh":0}],
"skins":[{"joints":[1,2],"inverseBindMatrices":3}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
{"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},
{"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"},
{"bufferView":3,"componentType":5126,"count":2,"type":"MAT4"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},
{"buffer":0,"byteOffset":48,"byteLength":48},{"buffer":0,"byteOffset":96,"byteLength":128}],
"buffers":[{"byteLength":224}]}"#;
    let mut chunk = floats(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 2.0, 0.0]);
    chunk.extend([0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
    chunk.extend(floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]));
    let mut inverse = [0.0; 16];
    for axis in 0..4 {
        inverse[5 * axis] = 1.0;
    }
    chunk.extend(floats(&inverse));
    inverse[13] = -1.0;
    chunk.extend(floats(&inverse));
    container(json, &chunk)
}
