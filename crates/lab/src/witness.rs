//! Where two models meet, as JSON or text.

use serde::Serialize;
use serde_json::{Value, json};
use xcollide::narrow::{Feature, Witness};

use crate::output::{Object, finite_point};

/// Two features that meet, and a point.
#[derive(Serialize)]
pub(crate) struct WitnessRecord {
    a: Object<Value>,
    b: Object<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 3]>,
}

impl WitnessRecord {
    pub(crate) fn new(a: Feature, b: Feature, point: [f64; 3]) -> Self {
        Self { a: feature_object(a), b: feature_object(b), point: finite_point(point) }
    }
}

impl From<&Witness> for WitnessRecord {
    fn from(witness: &Witness) -> Self {
        Self::new(witness.a, witness.b, witness.point)
    }
}

/// `{"face":12}`; an edge of a face `{"face":12,"edge":[3,4]}`; `{"vertex":7}`; `{"body":true}`.
fn feature_object(feature: Feature) -> Object<Value> {
    Object(match feature {
        Feature::Face(face) => vec![("face", json!(face.0))],
        Feature::Edge { face, ends } => {
            vec![("face", json!(face.0)), ("edge", json!(ends.map(|end| end.0)))]
        }
        Feature::Vertex(vertex) => vec![("vertex", json!(vertex.0))],
        Feature::Body => vec![("body", json!(true))],
        _ => vec![],
    })
}

/// "face 1 of A meets face 2 of B at (0.0, 0.0, 0.0)".
pub(crate) fn meeting(witness: &Witness) -> String {
    let (a, b) = (feature(witness.a, "A"), feature(witness.b, "B"));
    let at = point(witness.point);
    match (witness.a, witness.b) {
        (Feature::Body, Feature::Body) => format!("{a} and {b} share {at}"),
        (Feature::Body, _) => format!("{b} lies in {a}, at {at}"),
        (_, Feature::Body) => format!("{a} lies in {b}, at {at}"),
        _ => format!("{a} meets {b} at {at}"),
    }
}

fn feature(feature: Feature, of: &str) -> String {
    match feature {
        Feature::Face(face) => format!("face {face} of {of}"),
        Feature::Edge { face, ends: [start, end] } => {
            format!("edge {start}–{end} of face {face} of {of}")
        }
        Feature::Vertex(vertex) => format!("vertex {vertex} of {of}"),
        Feature::Body => format!("the body of {of}"),
        _ => of.to_owned(),
    }
}

pub(crate) fn point([x, y, z]: [f64; 3]) -> String {
    format!("({x:?}, {y:?}, {z:?})")
}

#[cfg(test)]
mod tests {
    use xcollide::brep::{FaceId, VertexId};

    use super::*;

    #[test]
    fn each_kind_of_feature_has_its_keys() -> serde_json::Result<()> {
        let ends = [VertexId(3), VertexId(4)];
        for (feature, expected) in [
            (Feature::Face(FaceId(12)), json!({"face": 12})),
            (Feature::Edge { face: FaceId(12), ends }, json!({"face": 12, "edge": [3, 4]})),
            (Feature::Vertex(VertexId(7)), json!({"vertex": 7})),
            (Feature::Body, json!({"body": true})),
        ] {
            assert_eq!(serde_json::to_value(feature_object(feature))?, expected);
        }
        Ok(())
    }
}
