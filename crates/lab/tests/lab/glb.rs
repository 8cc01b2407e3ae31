//! Binary glTF files, read independently of the library that writes them.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::Value;

/// The parts of a binary glTF file: the JSON, and the numbers of an accessor.
pub(crate) struct Glb {
    pub(crate) json: Value,
    chunk: Vec<u8>,
}

impl Glb {
    pub(crate) fn read(path: &Path) -> Self {
        Self::of(&std::fs::read(path).unwrap())
    }

    pub(crate) fn of(bytes: &[u8]) -> Self {
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let json = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        Self { json, chunk: bytes[28 + length..].to_vec() }
    }

    /// The name of the material of a node's mesh: of a mark in a layer the layer.
    pub(crate) fn layer(&self, node: &Value) -> Option<&str> {
        let mesh = &self.json["meshes"][node["mesh"].as_u64()? as usize];
        let material = mesh["primitives"][0]["material"].as_u64()?;
        self.json["materials"][material as usize]["name"].as_str()
    }

    /// Those of all nodes that have one.
    pub(crate) fn layers(&self) -> Vec<&str> {
        let nodes = self.json["nodes"].as_array().unwrap();
        nodes.iter().filter_map(|node| self.layer(node)).collect()
    }

    pub(crate) fn floats(&self, accessor: &Value) -> Vec<f32> {
        let about = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][about["bufferView"].as_u64().unwrap() as usize];
        let first = about["byteOffset"].as_u64().unwrap() + view["byteOffset"].as_u64().unwrap();
        let width = match about["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let count = about["count"].as_u64().unwrap() as usize * width;
        let numbers = self.chunk[first as usize..].chunks(4).take(count);
        numbers.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
    }

    /// The frames in which a node is shown.
    pub(crate) fn shown(&self, node: u64, frames: usize) -> Vec<bool> {
        let animation = &self.json["animations"][0];
        let channels = animation["channels"].as_array().unwrap();
        let scaled = channels.iter().find(|channel| {
            channel["target"]["node"] == node && channel["target"]["path"] == "scale"
        });
        let sampler = &animation["samplers"][scaled.unwrap()["sampler"].as_u64().unwrap() as usize];
        assert_eq!(sampler["interpolation"], "STEP");
        let times = self.floats(&sampler["input"]);
        let values = self.floats(&sampler["output"]);
        let last = |frame: usize| times.iter().rposition(|&time| time <= frame as f32 / 30.0);
        (0..frames).map(|frame| values[3 * last(frame).unwrap()] == 1.0).collect()
    }
}
