//! The events of a world.

use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use xcollide::{Change, Event};

use crate::frame::kind_name;
use crate::object_numbers::number_of;

/// Collisions that have begun, changed their kind or ended.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Events(pub(crate) Mutex<Receiver<Event>>);

#[pymethods]
impl Events {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self) -> Option<(u64, &'static str, u64, u64)> {
        let event = self.0.lock().unwrap_or_else(PoisonError::into_inner).try_recv().ok()?;
        let change = match event.change {
            Change::Began(_) => "began",
            Change::Kind { now, .. } => kind_name(now),
            _ => "ended",
        };
        Some((event.frame, change, number_of(event.pair.a), number_of(event.pair.b)))
    }
}
