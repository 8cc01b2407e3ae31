//! What readers skip in files: shown on standard error once a file, or rejected by `--strict`.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

use xcollide_io::ReadReport;

use crate::exit::complain;
use crate::options::Common;

/// The options of the process, which readers deep inside a scene do not know.
static OPTIONS: OnceLock<Common> = OnceLock::new();

/// The files about which there were warnings.
static SHOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

pub(crate) fn set_options(common: &Common) {
    let _ = OPTIONS.set(*common);
}

/// Shows the warnings about a file, unless they were shown before. Callers report a file without faces
/// themselves.
///
/// # Errors
/// The first warning, with `--strict`.
pub(crate) fn show(name: &str, report: &ReadReport) -> Result<(), String> {
    let options = OPTIONS.get().copied().unwrap_or_default();
    let mut warnings = report.warnings().peekable();
    if options.strict {
        return warnings.next().map_or(Ok(()), |warning| Err(format!("{warning} (--strict)")));
    }
    if options.quiet || report.no_faces().is_some() || warnings.peek().is_none() {
        return Ok(());
    }
    if SHOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned()) {
        let warnings: Vec<String> = warnings.map(ToString::to_string).collect();
        complain(&format!("{name}: {}", warnings.join("; ")));
    }
    Ok(())
}
