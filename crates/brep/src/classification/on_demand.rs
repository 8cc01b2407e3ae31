//! A classification that is renewed on demand after vertices moved.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Classification;
use crate::{Dcel, PolygonMesh, Topology};

/// The classification of a mesh whose vertices move. Of an outdated one, what depends on vertex numbers alone is kept.
#[derive(Debug)]
pub(crate) struct OnDemand {
    /// Kept apart, as most queries need no lists.
    topology: OnceLock<Topology>,
    known: OnceLock<Classification>,
    /// The last one, of other positions. `None` if `known` is there, except while that is computed.
    outdated: Mutex<Option<Classification>>,
}

impl OnDemand {
    pub(crate) fn new(classification: Classification) -> Self {
        Self {
            topology: OnceLock::from(classification.topology),
            known: OnceLock::from(classification),
            outdated: Mutex::new(None),
        }
    }

    /// The positions have changed.
    pub(crate) fn outdate(&mut self) {
        self.topology.take();
        if let Some(known) = self.known.take() {
            *self.outdated.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(known);
        }
    }

    pub(crate) fn classification(&self, mesh: &PolygonMesh, dcel: &Dcel) -> &Classification {
        self.known.get_or_init(|| {
            let outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(mut found) = outdated else { return Classification::new(mesh, dcel) };
            found.renew(mesh, dcel);
            found
        })
    }

    pub(crate) fn topology(&self, mesh: &PolygonMesh, dcel: &Dcel) -> Topology {
        *self.topology.get_or_init(|| {
            if let Some(known) = self.known.get() {
                return known.topology;
            }
            let of_numbers = {
                let outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner);
                outdated.as_ref().map(|outdated| outdated.topology)
            };
            match of_numbers {
                Some(before) => super::flags::renewed(mesh, dcel, before),
                // Another thread computes it.
                None => self.classification(mesh, dcel).topology,
            }
        })
    }
}

impl Clone for OnDemand {
    fn clone(&self) -> Self {
        // While another thread renews it there is neither; the copy then classifies anew.
        let known = self.known.clone();
        let outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { topology: self.topology.clone(), known, outdated: Mutex::new(outdated) }
    }
}
