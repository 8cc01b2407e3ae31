//! Parses the parameters of a spec.

use std::str::FromStr;

use crate::message_number::number;
use crate::{Kind, Parameter, ShapeError, error::excerpt};

/// The given values of a shape's parameters, each checked against its declaration.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    given: Vec<(&'static str, Value)>,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Count(usize),
    Number(f64),
    Choice(&'static str),
    Seed(u64),
}

impl Arguments {
    /// Parses `name=value&name=value` for a shape or scene. Empty text gives no arguments.
    pub(crate) fn parse(
        shape: &'static str,
        parameters: &[Parameter],
        text: &str,
    ) -> Result<Self, ShapeError> {
        let mut arguments = Self::default();
        let wrong = |problem: String| Err(ShapeError::Parameters { shape, problem });
        for part in text.split('&').filter(|_| !text.is_empty()) {
            let Some((name, value)) = part.split_once('=') else {
                let (found, names) = (excerpt(part), names(parameters));
                return wrong(format!(
                    "found `{found}`, expected name=value with a name out of {names}"
                ));
            };
            let Some(parameter) = parameters.iter().find(|known| known.name == name) else {
                let (found, names) = (excerpt(name), names(parameters));
                return wrong(format!("there is no parameter `{found}`, expected {names}"));
            };
            if arguments.has(parameter) {
                return wrong(format!("parameter `{name}` is given twice, expected once"));
            }
            arguments.given.push((parameter.name, read(parameter, value)?));
        }
        Ok(arguments)
    }

    pub(crate) fn count(&self, parameter: &Parameter) -> usize {
        match self.value(parameter) {
            Value::Count(value) => value,
            _ => 0,
        }
    }

    pub(crate) fn number(&self, parameter: &Parameter) -> f64 {
        match self.value(parameter) {
            Value::Number(value) => value,
            _ => f64::NAN,
        }
    }

    pub(crate) fn numbers<const N: usize>(&self, parameters: [&Parameter; N]) -> [f64; N] {
        parameters.map(|parameter| self.number(parameter))
    }

    pub(crate) fn choice(&self, parameter: &Parameter) -> &'static str {
        match self.value(parameter) {
            Value::Choice(value) => value,
            _ => "",
        }
    }

    pub(crate) fn seed(&self) -> u64 {
        match self.value(&Parameter::SEED) {
            Value::Seed(value) => value,
            _ => 1,
        }
    }

    pub(crate) fn has(&self, parameter: &Parameter) -> bool {
        self.given.iter().any(|(name, _)| *name == parameter.name)
    }

    fn value(&self, parameter: &Parameter) -> Value {
        let given = self.given.iter().find(|(name, _)| *name == parameter.name);
        given.map_or_else(
            || match parameter.kind {
                Kind::Count { default, .. } => Value::Count(default),
                Kind::Number { default, .. } => Value::Number(default),
                Kind::Choice(among) => Value::Choice(among.first().copied().unwrap_or_default()),
                Kind::Seed => Value::Seed(1),
            },
            |&(_, value)| value,
        )
    }
}

fn read(parameter: &Parameter, text: &str) -> Result<Value, ShapeError> {
    let refuse = || parameter.refuse(format!("`{}`", excerpt(text)), parameter.kind);
    match parameter.kind {
        Kind::Count { .. } => {
            let value = usize::from_str(text).map_err(|_| refuse())?;
            parameter.check_count(value)?;
            Ok(Value::Count(value))
        }
        Kind::Number { min, max, .. } => {
            let value = f64::from_str(text).map_err(|_| refuse())?;
            if !(min..=max).contains(&value) {
                return Err(parameter.refuse(number(value), parameter.kind));
            }
            Ok(Value::Number(value))
        }
        Kind::Choice(among) => {
            let word = among.iter().copied().find(|word| *word == text);
            word.map(Value::Choice).ok_or_else(refuse)
        }
        Kind::Seed => u64::from_str(text).map(Value::Seed).map_err(|_| refuse()),
    }
}

fn names(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return "none".to_owned();
    }
    let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use crate::{ShapeError, list, shape};

    #[test]
    fn every_default_spec_means_the_same_as_the_bare_name() {
        for known in list() {
            assert_eq!(shape(&known.to_string()), shape(known.name), "{known}");
            assert_eq!(shape(&format!("shape:{known}")), shape(known.name), "{known}");
        }
    }

    #[test]
    fn wrong_specs_are_refused_with_what_was_found_and_expected() {
        let cases = [
            ("spher", "shape `spher` is unknown, expected one of: antiprism, box,"),
            ("", "shape `` is unknown"),
            ("shape:shape:sphere", "shape `shape:sphere` is unknown"),
            ("Sphere", "shape `Sphere` is unknown"),
            (
                "sphere?depth=2",
                "shape `sphere`: there is no parameter `depth`, expected faces, radius",
            ),
            ("schoenhardt?faces=8", "shape `schoenhardt`: there is no parameter `faces`"),
            ("sphere?faces", "shape `sphere`: found `faces`, expected name=value"),
            ("sphere?faces=20&", "shape `sphere`: found ``, expected name=value"),
            ("sphere?faces=20&faces=20", "parameter `faces` is given twice"),
            ("sphere?faces=", "parameter `faces`: found ``, expected a whole number from 8"),
            ("sphere?faces=-8", "found `-8`, expected a whole number"),
            ("sphere?faces=1e3", "found `1e3`, expected a whole number"),
            ("sphere?faces=7", "found 7, expected a whole number from 8 to 10000000"),
            ("sphere?faces=10000001", "found 10000001, expected a whole number"),
            ("sphere?faces=99999999999999999999999", "found `99999999999999999999999`"),
            ("sphere?radius=0", "found 0, expected a length from 1e-100 to 1e100"),
            ("sphere?radius=NaN", "found NaN, expected a length"),
            ("sphere?radius=inf", "found inf, expected a length"),
            ("sphere?radius=1 m", "found `1 m`, expected a length"),
            ("tetraflake?depth=13", "found 13, expected a whole number from 0 to 12"),
            ("cubes?n=0", "found 0, expected a whole number from 1"),
            ("polytope?kind=ball", "found `ball`, expected one of ellipsoid, rod, plate, sphere"),
            ("polytope?seed=-1", "found `-1`, expected a whole number below 2^64"),
        ];
        for (spec, expected) in cases {
            match shape(spec) {
                Ok(_) => panic!("{spec} should be refused"),
                Err(error) => {
                    let message = error.to_string();
                    assert!(message.contains(expected), "{spec}: {message}");
                }
            }
        }
    }

    #[test]
    fn messages_stay_short_whatever_the_spec() {
        let long = "é\n".repeat(100_000);
        for spec in [long.clone(), format!("sphere?{long}"), format!("sphere?faces={long}")] {
            let message = shape(&spec).map_err(|error| error.to_string());
            assert!(message.as_ref().is_err_and(|text| text.len() < 700), "{message:?}");
            assert!(message.is_err_and(|text| !text.contains('\n')));
        }
        assert!(matches!(shape("sphere?faces=0"), Err(ShapeError::BadValue { .. })));
    }
}
