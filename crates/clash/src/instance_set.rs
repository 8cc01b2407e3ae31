//! A set of instances with their models.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use xcollide_bounds::Aabb;
use xcollide_math::{Pose, PoseError};
use xcollide_narrow::combine::Auto;
use xcollide_narrow::{Model, NarrowPhase, Placed};

use crate::{Instance, InstanceError, InstanceId};

/// The instances that can be tested, in the order of their ids (that of their bytes), and those that cannot.
///
/// Instances with the same reference share one model, which is loaded and prepared once.
#[derive(Clone, Debug, Default)]
pub struct InstanceSet {
    placed: Vec<PlacedInstance>,
    failures: Vec<InstanceFailure>,
}

#[derive(Clone, Debug)]
struct PlacedInstance {
    instance: Instance,
    model: Model,
    pose: Pose,
    bounds: Aabb,
}

/// An instance that is not in the set, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceFailure {
    /// Its id.
    pub id: String,
    /// The reason.
    pub error: InstanceError,
}

impl InstanceSet {
    /// Loads the models of the instances: one call of `load` for each reference, on the threads of rayon's current pool
    /// with the feature `parallel`. What cannot be loaded is among the [`failures`](Self::failures), once for each
    /// instance that uses it.
    pub fn load<E: Display>(
        mut instances: Vec<Instance>,
        load: impl Fn(&str) -> Result<Model, E> + Sync,
    ) -> Self {
        // Stable: of instances with the same id the first one stays.
        instances.sort_by(|a, b| a.id.cmp(&b.id));
        let references: BTreeSet<&str> = instances.iter().map(|of| of.model.as_str()).collect();
        let references: Vec<&str> = references.into_iter().collect();
        let algorithm = Auto::new();
        let loaded = map(&references, |reference: &&str| {
            let model = load(reference).map_err(|error| error.to_string())?;
            // Auto accepts every model.
            let _ = algorithm.prepare(&model);
            Ok(model)
        });
        let models: BTreeMap<String, Result<Model, String>> =
            references.into_iter().map(str::to_owned).zip(loaded).collect();
        let is_repeated: Vec<bool> =
            (0..instances.len()).map(|k| k > 0 && instances[k - 1].id == instances[k].id).collect();
        let mut set = Self::default();
        for (instance, is_repeated) in instances.into_iter().zip(is_repeated) {
            let placed = match is_repeated {
                true => Err(InstanceError::RepeatedId),
                false => instance.place(models[&instance.model].as_ref().map_err(String::as_str)),
            };
            match placed {
                Ok((model, pose, bounds)) => {
                    let model = model.clone();
                    set.placed.push(PlacedInstance { instance, model, pose, bounds });
                }
                Err(error) => set.failures.push(InstanceFailure { id: instance.id, error }),
            }
        }
        set
    }

    /// The number of instances that can be tested.
    #[must_use]
    pub fn len(&self) -> usize {
        self.placed.len()
    }

    /// Whether no instance can be tested.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// The ids of the instances that can be tested, ascending.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = InstanceId> + use<> {
        (0..self.placed.len() as u32).map(InstanceId::new)
    }

    /// The instance with this id, if it can be tested. O(log n).
    #[must_use]
    pub fn find(&self, id: &str) -> Option<InstanceId> {
        let found = self.placed.binary_search_by(|placed| placed.instance.id.as_str().cmp(id));
        found.ok().map(|index| InstanceId::new(index as u32))
    }

    /// An instance.
    ///
    /// # Panics
    /// The id is that of another set with more instances.
    #[must_use]
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.placed[id.index()].instance
    }

    /// The pose of an instance.
    ///
    /// # Panics
    /// As [`instance`](Self::instance).
    #[must_use]
    pub fn pose(&self, id: InstanceId) -> &Pose {
        &self.placed[id.index()].pose
    }

    /// The model of an instance.
    ///
    /// # Panics
    /// As [`instance`](Self::instance).
    #[must_use]
    pub fn model(&self, id: InstanceId) -> &Model {
        &self.placed[id.index()].model
    }

    /// A box that contains an instance.
    ///
    /// # Panics
    /// As [`instance`](Self::instance).
    #[must_use]
    pub fn bounds(&self, id: InstanceId) -> &Aabb {
        &self.placed[id.index()].bounds
    }

    /// An instance's model at its pose, for queries.
    ///
    /// # Errors
    /// None, as the pose was checked when the set was loaded.
    ///
    /// # Panics
    /// As [`instance`](Self::instance).
    pub fn placed(&self, id: InstanceId) -> Result<Placed<'_>, PoseError> {
        Placed::new(self.model(id), self.pose(id))
    }

    /// The instances that cannot be tested, in the order of their ids.
    #[must_use]
    pub fn failures(&self) -> &[InstanceFailure] {
        &self.failures
    }
}

/// The results for all items, in their order.
pub(crate) fn map<T: Sync, U: Send>(items: &[T], work: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
    #[cfg(feature = "parallel")]
    {
        use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
        items.par_iter().map(work).collect()
    }
    #[cfg(not(feature = "parallel"))]
    items.iter().map(work).collect()
}
