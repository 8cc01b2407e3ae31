//! Growth of the time with a parameter of a scene.

use std::str::FromStr;

use serde::Serialize;

use super::Figures;
use super::combination::by_layer;
use super::figures::mean;

/// A parameter of an embedded scene and its values, such as `objects=10,100,1000`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) parameter: String,
    /// As written.
    pub(crate) values: Vec<String>,
}

impl FromStr for Scale {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected a parameter and its values, such as objects=10,100,1000";
        let (parameter, values) = text.split_once('=').ok_or(EXPECTED)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        let sound = |value: &String| value.parse().is_ok_and(f64::is_finite);
        if parameter.is_empty() || values.len() < 2 || !values.iter().all(sound) {
            return Err(EXPECTED);
        }
        Ok(Self { parameter: parameter.to_owned(), values })
    }
}

impl Scale {
    /// The embedded scene `asked` with this value of the parameter.
    pub(crate) fn scene(&self, asked: &str, value: &str) -> String {
        let (name, given) = asked.split_once('?').unwrap_or((asked, ""));
        let named = |given: &&str| given.split('=').next() != Some(&self.parameter);
        let others = given.split('&').filter(|given| !given.is_empty()).filter(named);
        let mine = format!("{}={value}", self.parameter);
        let all: Vec<&str> = others.chain([mine.as_str()]).collect();
        format!("{name}?{}", all.join("&"))
    }
}

/// Growth of a combination's median time with a parameter, as a power of it.
#[derive(Serialize)]
pub(crate) struct Growth {
    pub(crate) parameter: String,
    /// The names of broad phase, narrow phase, bounds, execution and builder.
    #[serde(flatten, serialize_with = "by_layer")]
    pub(crate) names: [String; 5],
    /// The power; 1 for linear growth.
    pub(crate) exponent: f64,
}

impl Growth {
    /// The growth of the combinations that have figures for every value, in their order; empty if a
    /// value is not positive.
    pub(crate) fn of(parameter: &str, values: &[f64], by_value: &[&[Figures]]) -> Vec<Self> {
        let Some(first) = by_value.first() else { return Vec::new() };
        let grow = |one: &Figures| {
            let same = |of: &&[Figures]| {
                of.iter().find(|other| other.names == one.names).map(|other| other.median_ns)
            };
            let times: Option<Vec<f64>> = by_value.iter().map(same).collect();
            let exponent = exponent(values, &times?)?;
            Some(Self { parameter: parameter.to_owned(), names: one.names.clone(), exponent })
        };
        first.iter().filter_map(grow).collect()
    }
}

/// The power of x with which y grows, by a least-squares line through the logarithms. `None` if a
/// value is not positive or all x are equal.
pub(crate) fn exponent(x: &[f64], y: &[f64]) -> Option<f64> {
    let is_positive = |values: &[f64]| values.iter().all(|value| *value > 0.0);
    if x.len() < 2 || x.len() != y.len() || !is_positive(x) || !is_positive(y) {
        return None;
    }
    let logs = |values: &[f64]| values.iter().map(|value| libm::log(*value)).collect::<Vec<_>>();
    let (x, y) = (logs(x), logs(y));
    let (middle_x, middle_y) = (mean(&x), mean(&y));
    let (mut above, mut below) = (0.0, 0.0);
    for (x, y) in x.iter().zip(&y) {
        above += (x - middle_x) * (y - middle_y);
        below += (x - middle_x) * (x - middle_x);
    }
    (below > 0.0).then(|| above / below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_found() {
        let x = [1.0, 10.0, 1000.0];
        let cube = x.map(|x| 7.0 * x * x * x);
        assert!(exponent(&x, &cube).is_some_and(|slope| (slope - 3.0).abs() < 1e-12));
        assert!(exponent(&x, &[5.0; 3]).is_some_and(|slope| slope.abs() < 1e-12));
        assert_eq!(exponent(&[2.0; 3], &x), None);
        assert_eq!(exponent(&[0.0, 1.0, 2.0], &x), None);
        assert_eq!(exponent(&x[..1], &x[..1]), None);
    }

    #[test]
    fn a_value_takes_the_place_of_what_was_said() -> Result<(), &'static str> {
        let scale: Scale = "objects=10, 20".parse()?;
        assert_eq!(scale.values, ["10", "20"]);
        assert_eq!(scale.scene("cage", "10"), "cage?objects=10");
        assert_eq!(scale.scene("cage?objects=5&side=3", "20"), "cage?side=3&objects=20");
        for wrong in ["objects", "objects=", "objects=10", "objects=10,x", "=1,2", "n=1,inf"] {
            assert!(wrong.parse::<Scale>().is_err(), "{wrong}");
        }
        Ok(())
    }
}
