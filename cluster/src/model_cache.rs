//! Models by reference, each loaded and prepared once in a process.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use object_store::ObjectStoreExt;
use tokio::runtime::{Builder, Runtime};
use url::Url;
use xcollide_io::MeshFile;
use xcollide_lab::clash_engine::model_beside;
use xcollide_narrow::combine::Auto;
use xcollide_narrow::{Model, NarrowPhase};

use crate::mesh_file;

/// The models that an executor has loaded. The ones used longest ago are dropped where there are too many triangles.
#[derive(Debug)]
pub(crate) struct ModelCache {
    triangles: usize,
    state: Mutex<State>,
}

type Loaded = Arc<OnceLock<Result<Model, String>>>;

#[derive(Debug, Default)]
struct State {
    models: HashMap<String, (Loaded, u64)>,
    uses: u64,
    triangles: usize,
}

/// About 2 GB of models with what the narrow phase keeps of them.
const TRIANGLES: usize = 8_000_000;

static SHARED: LazyLock<ModelCache> = LazyLock::new(|| ModelCache::new(TRIANGLES));

impl ModelCache {
    /// The cache of this process.
    pub(crate) fn shared() -> &'static Self {
        &SHARED
    }

    fn new(triangles: usize) -> Self {
        Self { triangles, state: Mutex::default() }
    }

    /// The model at a source, or why it cannot be loaded. Loads it if it is not known; threads that want the same one wait.
    pub(crate) fn get(&self, source: &str) -> Result<Model, String> {
        let loaded = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.uses += 1;
            let uses = state.uses;
            let entry = state.models.entry(source.to_owned()).or_default();
            entry.1 = uses;
            entry.0.clone()
        };
        let mut is_new = false;
        let model = loaded.get_or_init(|| {
            is_new = true;
            load(source)
        });
        if let (true, Ok(model)) = (is_new, model) {
            self.make_room(model.triangulation().triangles().len());
        }
        model.clone()
    }

    /// Counts the triangles of a new model, and drops models used long ago.
    fn make_room(&self, triangles: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.triangles += triangles;
        if state.triangles <= self.triangles {
            return;
        }
        let mut by_use: Vec<(u64, String)> =
            state.models.iter().map(|(source, (_, used))| (*used, source.clone())).collect();
        by_use.sort_unstable();
        // Down to a half, so that this is rare.
        for (_, source) in by_use {
            if state.triangles <= self.triangles / 2 {
                break;
            }
            let Some((loaded, _)) = state.models.remove(&source) else { continue };
            let count = |model: &Model| model.triangulation().triangles().len();
            let dropped = loaded.get().and_then(|model| model.as_ref().ok()).map_or(0, count);
            state.triangles = state.triangles.saturating_sub(dropped);
        }
    }
}

/// Loads and prepares a model: the address of an object, a path, or a generated shape.
fn load(source: &str) -> Result<Model, String> {
    let model = if source.ends_with(mesh_file::ENDING) {
        let bytes = std::fs::read(source).map_err(|error| error.to_string())?;
        let mesh = mesh_file::read(&bytes)?;
        Model::from_mesh(mesh).map_err(|error| error.to_string())?
    } else if is_address(source) {
        let bytes = fetch(source)?;
        let file = MeshFile::from_bytes(&bytes, None);
        let file = file.map_err(|error| format!("{source}: {error}"))?;
        Model::from_mesh(file.mesh).map_err(|error| format!("{source}: {error}"))?
    } else {
        model_beside(Path::new(""), source)?
    };
    // Auto accepts every model.
    let _ = Auto::new().prepare(&model);
    Ok(model)
}

/// Whether a reference is the address of an object in a store, such as `s3://bucket/model.glb`.
pub(crate) fn is_address(reference: &str) -> bool {
    reference.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// The bytes of an object.
fn fetch(address: &str) -> Result<Vec<u8>, String> {
    /// Functions of the engine are called on its own threads, which must not wait for each other.
    static LOADER: LazyLock<Result<Runtime, String>> = LazyLock::new(|| {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.map_err(|error| error.to_string())
    });
    let wrong = |error: &dyn ToString| format!("{address}: {}", error.to_string());
    let url = Url::parse(address).map_err(|error| wrong(&error))?;
    // Credentials and regions are in the environment, where the store needs any.
    let settings = std::env::vars_os().filter_map(|(name, value)| {
        Some((name.into_string().ok()?.to_lowercase(), value.into_string().ok()?))
    });
    let store = object_store::parse_url_opts(&url, settings);
    let (store, path) = store.map_err(|error| wrong(&error))?;
    let loader = LOADER.as_ref().map_err(|error| wrong(error))?;
    let (sender, receiver) = std::sync::mpsc::channel();
    loader.spawn(async move {
        let read = async { store.get(&path).await?.bytes().await };
        // The receiver waits for it.
        let _ = sender.send(read.await.map(|bytes| bytes.to_vec()));
    });
    let received = receiver.recv().map_err(|error| wrong(&error))?;
    received.map_err(|error| wrong(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_used_long_ago_are_dropped() {
        let cache = ModelCache::new(60);
        for number in 0..20 {
            let source = format!("shape:box?x={}", number + 1);
            assert!(cache.get(&source).is_ok());
            assert!(cache.get("shape:box").is_ok());
            let state = cache.state.lock().unwrap_or_else(PoisonError::into_inner);
            assert!(state.triangles <= 60 && state.models.contains_key("shape:box"));
        }
        assert!(cache.get("no such file.off").is_err());
    }

    #[test]
    fn models_come_from_an_object_store() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("model.off");
        std::fs::write(&path, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")?;
        let address = Url::from_file_path(&path).map_err(|()| "no address")?.to_string();
        assert!(is_address(&address) && !is_address("shape:box") && !is_address("a/b.off"));
        let model = ModelCache::shared().get(&address)?;
        assert_eq!(model.triangulation().triangles().len(), 1);
        let missing = ModelCache::shared().get(&format!("{address}x"));
        assert!(missing.is_err_and(|text| text.contains("model.offx")));
        Ok(())
    }
}
