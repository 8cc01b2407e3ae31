//! Names of algorithms, and execution modes by name and number of threads.

use xcollide::execution::{Execution, FineGrain, Parallel, Serial, ThreadsError, TwoPhases};
use xcollide::registry::{self, Kind};

/// The execution mode in which a world checks in a thread of its own.
pub(crate) const CONCURRENT: &str = "concurrent";

pub(crate) fn phase_names(kind: Kind) -> impl Iterator<Item = &'static str> {
    registry::of_kind(kind).map(|entry| entry.name)
}

/// The name of a scene's algorithm, if the registry has it. The error names the scene's key.
pub(crate) fn known_phase(kind: Kind, name: &str) -> Result<&str, String> {
    if registry::find(kind, name).is_some() {
        return Ok(name);
    }
    let (key, known) = (kind.name(), registry::names(kind));
    Err(format!("key `phases.{key}`: found `{name}`, expected one of: {known}"))
}

/// Creates a mode any number of times, always on the same threads.
pub(crate) type MakeMode = Box<dyn Fn() -> Box<dyn Execution> + Send + Sync>;

/// The registry's mode of this name, on `threads` threads if it uses several; 0 means one per
/// processor. `None` for unknown names and `concurrent`, which takes a whole world. The error says
/// why threads cannot be started.
pub(crate) fn execution_mode(name: &str, threads: usize) -> Result<Option<MakeMode>, ThreadsError> {
    Ok(Some(match name {
        "serial" => shared(Serial),
        "parallel" => shared(Parallel::with_threads(threads)?),
        "fine-grain" => shared(FineGrain::with_threads(threads)?),
        "two-phases" => shared(TwoPhases::with_threads(threads)?),
        _ => return Ok(None),
    }))
}

/// All copies share one pool.
fn shared<E: Execution + Clone + Sync + 'static>(mode: E) -> MakeMode {
    Box::new(move || Box::new(mode.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mode that the registry gets and that is not made here on threads of its own would take all
    /// processors, whatever is asked for.
    #[test]
    fn every_mode_of_the_registry_is_made_under_its_name() -> Result<(), ThreadsError> {
        for entry in registry::of_kind(Kind::Execution) {
            let made = execution_mode(entry.name, 2)?.map(|make| [make(), make()]);
            assert_eq!(made.is_some(), entry.execution().is_some(), "{}", entry.name);
            for mode in made.into_iter().flatten() {
                assert_eq!(mode.name(), entry.name);
                assert_eq!(mode.is_parallel(), entry.name != "serial");
            }
        }
        assert!(execution_mode("guesswork", 1)?.is_none());
        Ok(())
    }
}
