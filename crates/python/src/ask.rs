//! What a world computes for a pair, by name.

use pyo3::prelude::*;
use xcollide::interest::Ask;

use crate::errors::class::WorldError;

pub(crate) fn ask_of(what: &str, value: Option<f64>) -> PyResult<Ask> {
    let number = || {
        let value = value.filter(|value| *value >= 0.0);
        value.ok_or_else(|| {
            WorldError::new_err(format!("{what:?} needs a value from 0 on, as a length or a count"))
        })
    };
    match (what, value) {
        ("touch", None) => Ok(Ask::Touch),
        ("contacts", None) => Ok(Ask::Contacts { limit: usize::MAX }),
        // Saturates.
        ("contacts", Some(_)) => Ok(Ask::Contacts { limit: number()? as usize }),
        ("within", _) => Ok(Ask::Within { tolerance: number()? }),
        ("distance", _) => Ok(Ask::Distance { up_to: number()? }),
        ("kind", None) => Ok(Ask::Kind),
        ("depth", None) => Ok(Ask::Depth),
        ("manifold", None) => Ok(Ask::Manifold),
        ("touch" | "kind" | "depth" | "manifold", Some(_)) => {
            Err(WorldError::new_err(format!("{what:?} has no value")))
        }
        _ => Err(WorldError::new_err(format!(
            "what is {what:?}, expected \"touch\", \"contacts\", \"within\", \"distance\", \"kind\", \"depth\" or \
             \"manifold\""
        ))),
    }
}
