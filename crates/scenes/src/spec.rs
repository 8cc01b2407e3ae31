//! Parses the parameters of a spec.

use std::str::FromStr;

use crate::{Kind, Parameter, Shape, ShapeError, error::excerpt};

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
    /// Parses `name=value&name=value`. Empty text gives no arguments.
    pub(crate) fn parse(shape: &Shape, text: &str) -> Result<Self, ShapeError> {
        Self::parse_for(shape.name, shape.parameters, text)
    }

    /// Parses the parameters of a shape or scene.
    pub(crate) fn parse_for(
        shape: &'static str,
        parameters: &[Parameter],
        text: &str,
    ) -> Result<Self, ShapeError> {
        let mut arguments = Self::default();
        if text.is_empty() {
            return Ok(arguments);
        }
        for part in text.split('&') {
            let Some((name, value)) = part.split_once('=') else {
                let (found, expected) = (excerpt(part), names(parameters));
                return Err(ShapeError::NotAParameter { shape, found, expected });
            };
            let Some(parameter) = parameters.iter().find(|known| known.name == name) else {
                let (found, expected) = (excerpt(name), names(parameters));
                return Err(ShapeError::UnknownParameter { shape, found, expected });
            };
            if arguments.given(parameter).is_some() {
                return Err(ShapeError::Repeated { shape, parameter: parameter.name });
            }
            arguments.given.push((parameter.name, read(parameter, value)?));
        }
        Ok(arguments)
    }

    pub(crate) fn count(&self, parameter: &Parameter) -> usize {
        match (self.given(parameter), parameter.kind) {
            (Some(Value::Count(value)), _) => value,
            (_, Kind::Count { default, .. }) => default,
            _ => 0,
        }
    }

    pub(crate) fn number(&self, parameter: &Parameter) -> f64 {
        match (self.given(parameter), parameter.kind) {
            (Some(Value::Number(value)), _) => value,
            (_, Kind::Number { default, .. }) => default,
            _ => f64::NAN,
        }
    }

    /// The chosen word, or the first one.
    pub(crate) fn choice(&self, parameter: &Parameter) -> &'static str {
        match (self.given(parameter), parameter.kind) {
            (Some(Value::Choice(value)), _) => value,
            (_, Kind::Choice([first, ..])) => first,
            _ => "",
        }
    }

    pub(crate) fn seed(&self, parameter: &Parameter) -> u64 {
        match self.given(parameter) {
            Some(Value::Seed(value)) => value,
            _ => 1,
        }
    }

    pub(crate) fn has(&self, parameter: &Parameter) -> bool {
        self.given(parameter).is_some()
    }

    fn given(&self, parameter: &Parameter) -> Option<Value> {
        self.given.iter().find(|(name, _)| *name == parameter.name).map(|&(_, value)| value)
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
        Kind::Number { .. } => {
            let value = f64::from_str(text).map_err(|_| refuse())?;
            parameter.check_number(value)?;
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
            ("sphere?depth=2", "shape `sphere` has no parameter `depth`, expected faces, radius"),
            ("schoenhardt?faces=8", "shape `schoenhardt` has no parameter `faces`"),
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
