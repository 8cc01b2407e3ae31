//! Serialisation of meshes: positions, and for each face its contours, the outer one first. Deserialising checks what
//! [`PolygonMesh`] promises.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{Face, PolygonMesh};

impl Serialize for PolygonMesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("PolygonMesh", 2)?;
        fields.serialize_field("positions", self.positions())?;
        fields.serialize_field("faces", &Faces(self))?;
        fields.end()
    }
}

struct Faces<'a>(&'a PolygonMesh);

impl Serialize for Faces<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.faces().map(Contours))
    }
}

struct Contours<'a>(Face<'a>);

impl Serialize for Contours<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.contours())
    }
}

#[derive(Deserialize)]
#[serde(rename = "PolygonMesh")]
struct StoredMesh {
    positions: Vec<[f64; 3]>,
    faces: Vec<Vec<Vec<u32>>>,
}

impl<'de> Deserialize<'de> for PolygonMesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredMesh { positions, faces } = StoredMesh::deserialize(deserializer)?;
        let mut mesh = Self::from_positions(positions).map_err(D::Error::custom)?;
        for contours in &faces {
            let contours: Vec<&[u32]> = contours.iter().map(Vec::as_slice).collect();
            let outer = contours.first().copied().unwrap_or_default();
            let holes = contours.get(1..).unwrap_or_default();
            mesh.push_face_with_holes(outer, holes).map_err(D::Error::custom)?;
        }
        Ok(mesh)
    }
}
