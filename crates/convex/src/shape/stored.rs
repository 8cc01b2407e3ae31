//! Deserialisation of the shapes with formulas, by their constructors.

use serde::{Deserialize, Deserializer, de::Error};

use super::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};

macro_rules! by_constructor {
    ($($shape:ident $name:literal { $($field:ident: $type:ty),+ })+) => {$(
        impl<'de> Deserialize<'de> for $shape {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(Deserialize)]
                #[serde(rename = $name)]
                struct Stored {
                    $($field: $type),+
                }
                let Stored { $($field),+ } = Stored::deserialize(deserializer)?;
                Self::new($($field),+).map_err(D::Error::custom)
            }
        }
    )+};
}

by_constructor! {
    Ball "Ball" { radius: f64 }
    Capsule "Capsule" { half: f64, radius: f64 }
    Cuboid "Cuboid" { half: [f64; 3] }
    Cylinder "Cylinder" { half: f64, radius: f64 }
    Cone "Cone" { half: f64, radius: f64 }
    Ellipsoid "Ellipsoid" { half: [f64; 3] }
}

#[cfg(test)]
mod tests {
    use xcollide_fixtures::assert_comes_back;
    use xcollide_math::Pose;

    use super::*;
    use crate::shape::{Core, PlacedShape, Shape};
    use crate::{
        Bias, GjkDistance, GjkSearch, HullFeature, Plane, SearchResult, Solidity, Subalgorithm,
        VertexSearch,
    };

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn shapes_come_back_as_they_were_and_damaged_ones_are_refused() -> Outcome {
        let (half, radius) = (0.1, 1.0 / 3.0);
        assert_comes_back(&Ball::new(radius)?);
        assert_comes_back(&Capsule::new(half, radius)?);
        assert_comes_back(&Cuboid::new([half, radius, 1e-60])?);
        assert_comes_back(&Cylinder::new(half, radius)?);
        assert_comes_back(&Cone::new(half, radius)?);
        assert_comes_back(&Ellipsoid::new([half, radius, 0.7])?);
        for radius in ["0.0", "-1.0", "1e99", "null"] {
            assert!(serde_json::from_str::<Ball>(&format!("{{\"radius\":{radius}}}")).is_err());
        }
        assert!(serde_json::from_str::<Cuboid>("{\"half\":[1,0,1]}").is_err());
        Ok(())
    }

    #[test]
    fn results_and_options_come_back_as_they_were() -> Outcome {
        let (cone, at) = (Cone::new(0.1, 0.7)?, Pose::from_translation([0.3, 0.1, 1.9]));
        let (a, b) = (PlacedShape::new(&cone, &Pose::IDENTITY)?, PlacedShape::new(&cone, &at)?);
        assert_comes_back(&a.distance(&b));
        assert_comes_back(&a.collide(&b));
        assert_comes_back(&a.collide(&a));
        for core in [cone.core(), Core::Segment { half: 0.1 }, Core::Cuboid { half: [0.1; 3] }] {
            assert_comes_back(&core);
        }
        let plane = Plane { normal: [0.1, -0.0, 1.0 / 3.0], offset: 0.2 };
        for result in [
            SearchResult::Separated(plane),
            SearchResult::Intersecting(plane.normal),
            SearchResult::Direction(plane.normal),
            SearchResult::Inconclusive,
            SearchResult::Biased(Bias::Apart),
        ] {
            assert_comes_back(&result);
        }
        for subalgorithm in [Subalgorithm::Regions, Subalgorithm::SignedVolumes] {
            assert_comes_back(&GjkSearch { subalgorithm });
            assert_comes_back(&GjkDistance { subalgorithm, accelerated: true });
        }
        assert_comes_back(&VertexSearch::Hierarchical);
        assert_comes_back(&HullFeature::Edge(7));
        assert_comes_back(&Solidity { inner: 0.1, dent: 1e-17 });
        Ok(())
    }
}
