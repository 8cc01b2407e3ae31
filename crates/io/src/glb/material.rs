//! Appearance of surfaces and lines.

use ::gltf::json::material::{
    AlphaMode, EmissiveFactor, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor,
};
use ::gltf::json::validation::Checked;

/// A colour with opacity and glow, shown on both sides of faces.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material {
    name: String,
    color: [f64; 3],
    opacity: f64,
    glow: f64,
}

impl Material {
    /// A matt surface of this colour: red, green and blue from 0 to 1 in sRGB.
    #[must_use]
    pub fn new(name: &str, color: [f64; 3]) -> Self {
        Self { name: name.to_owned(), color, opacity: 1.0, glow: 0.0 }
    }

    /// Sets the opacity, from 0 (transparent) to 1.
    #[must_use]
    pub fn opacity(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    /// Sets the emission, from 0 (none) to 1 (its full colour in any light, as lines need).
    #[must_use]
    pub fn glow(self, glow: f64) -> Self {
        Self { glow, ..self }
    }

    pub(super) fn json(&self) -> ::gltf::json::Material {
        let part = |value: f64| if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        let [red, green, blue] = self.color.map(|value| linear(part(value)));
        let (opacity, glow) = (part(self.opacity), part(self.glow));
        let blends = opacity < 1.0;
        ::gltf::json::Material {
            name: Some(self.name.clone()),
            alpha_mode: Checked::Valid(if blends { AlphaMode::Blend } else { AlphaMode::Opaque }),
            double_sided: true,
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor([red, green, blue, opacity].map(rounded)),
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(0.7),
                ..PbrMetallicRoughness::default()
            },
            emissive_factor: EmissiveFactor([red, green, blue].map(|value| rounded(glow * value))),
            ..::gltf::json::Material::default()
        }
    }
}

/// sRGB to linear (IEC 61966-2-1).
fn linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
}

fn rounded(value: f64) -> f32 {
    ((value * 1e4).round() / 1e4) as f32
}
