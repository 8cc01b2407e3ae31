//! What algorithms say of the memory that they keep with a model.

use xcollide_bounds::{Aabb, KDop, Obb, Sphere};
use xcollide_bvh::classic::box_tree::BoxTree;
use xcollide_bvh::classic::interval_tree::IntervalTree;
use xcollide_bvh::wide::{CompactTree, WideOptions};
use xcollide_narrow::classic::{Arbitrary, EdgeFaceTrees, PatchTrees};
use xcollide_narrow::combine::{Auto, Chain, Race};
use xcollide_narrow::compound::Compound;
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::mesh::{BinaryTrees, BruteForce, BvhPair, Wide};
use xcollide_narrow::{Model, NarrowPhase, PairCache, Query};

use crate::support::unmoved;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn torus(faces: usize) -> Result<Model, Box<dyn std::error::Error>> {
    let mesh = xcollide_scenes::shape(&format!("shape:torus?faces={faces}"))?;
    Ok(Model::from_mesh(mesh)?)
}

/// Nothing is known before there is anything; then bytes grow with the triangles, four times as
/// many take about four times as much.
#[test]
fn bytes_are_told_once_prepared_and_grow_with_the_model() -> Outcome {
    let algorithms: [Box<dyn NarrowPhase>; 15] = [
        Box::new(Wide::new()),
        Box::new(BvhPair::<CompactTree>::new()),
        Box::new(BinaryTrees::<Obb>::new()),
        Box::new(BinaryTrees::<Aabb>::new()),
        Box::new(BinaryTrees::<KDop<18>>::new()),
        Box::new(BinaryTrees::<Sphere>::new()),
        Box::new(BvhPair::<BoxTree>::new()),
        Box::new(EdgeFaceTrees::default()),
        Box::new(BvhPair::<IntervalTree>::new()),
        Box::new(PatchTrees::new()),
        Box::new(Auto::new()),
        Box::new(Arbitrary::default()),
        Box::new(Arbitrary::relaxed()),
        Box::new(Chain(Arbitrary::default(), Wide::new())),
        Box::new(Race(Hybrid::default(), Wide::new())),
    ];
    for algorithm in algorithms {
        let mut bytes = [0; 2];
        for (bytes, faces) in bytes.iter_mut().zip([500, 2000]) {
            let model = torus(faces)?;
            assert_eq!(algorithm.prepared_bytes(&model), None, "{}", algorithm.name());
            algorithm.prepare(&model)?;
            *bytes = algorithm.prepared_bytes(&model).ok_or(algorithm.name())?;
        }
        let [small, large] = bytes;
        // Two bytes a triangle is less than any tree can do with.
        assert!(small > 2 * 1000, "{}: {small}", algorithm.name());
        let ratio = large as f64 / small as f64;
        assert!((3.0..5.0).contains(&ratio), "{}: {small}, {large}", algorithm.name());
    }
    assert_eq!(BruteForce.prepared_bytes(&torus(100)?), Some(0));
    Ok(())
}

/// What is made of parts keeps what its parts keep, of a model that they accept.
#[test]
fn bytes_of_parts_are_added() -> Outcome {
    let (round, ring) =
        (Model::from_mesh(xcollide_scenes::shape("sphere?faces=500")?)?, torus(500)?);
    for model in [&round, &ring] {
        let (chain, race) =
            (Chain(Hybrid::default(), Wide::new()), Race(Wide::new(), Hybrid::default()));
        assert_eq!([chain.prepared_bytes(model), race.prepared_bytes(model)], [None; 2]);
        chain.prepare(model)?;
        let parts = [&Hybrid::default() as &dyn NarrowPhase, &Wide::new()]
            .map(|part| part.prepared_bytes(model));
        assert_eq!(parts[0].is_some(), std::ptr::eq(model, &round), "what is not accepted");
        let all = Some(parts.iter().flatten().sum());
        assert_eq!([chain.prepared_bytes(model), race.prepared_bytes(model)], [all; 2]);
    }
    let wide = Wide::new().prepared_bytes(&ring).ok_or("wide")?;
    assert_eq!(Compound.prepared_bytes(&ring), None);
    Compound.prepare(&ring)?;
    let compound = Compound.prepared_bytes(&ring).ok_or("compound")?;
    // Some pieces with a few hundred bytes each at least.
    assert!(compound > wide + 3000, "{compound}, {wide}");
    assert!(Hybrid::default().prepared_bytes(&round) > Some(24 * 250));
    Ok(())
}

/// Patches of more triangles are fewer, and take less memory; what is there already stays.
#[test]
fn the_size_of_patches_can_be_chosen_beforehand() -> Outcome {
    let bytes = |most: usize| -> Result<usize, Box<dyn std::error::Error>> {
        let model = torus(500)?;
        PatchTrees::prepare_with(&model, most)?;
        let bytes = PatchTrees::new().prepared_bytes(&model);
        PatchTrees::new().prepare(&model)?;
        assert_eq!(bytes, PatchTrees::new().prepared_bytes(&model));
        bytes.ok_or_else(|| "nothing is prepared".into())
    };
    assert!(bytes(1)? > bytes(6)? && bytes(6)? > bytes(16)?);
    assert_eq!(bytes(0)?, bytes(1)?);
    Ok(())
}

/// Each settings have a hierarchy of their own; a body within another, which takes rays through the
/// hierarchies, needs no other than those.
#[test]
fn settings_do_not_get_in_each_others_way() -> Outcome {
    let model = |spec| -> Result<Model, Box<dyn std::error::Error>> {
        Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
    };
    let small = model("shape:torus?faces=400&radius=0.2&tube=0.1")?;
    let large = model("shape:knot?faces=4000")?;
    let ball = model("shape:sphere?faces=900&radius=4")?;
    let fast = Wide::with(WideOptions::fast());
    let mut cache = PairCache::new();
    for b in [&large, &ball] {
        let _ = fast.test(unmoved(&small), unmoved(b), &Query::new(), &mut cache);
    }
    for model in [&small, &large, &ball] {
        assert_eq!(Wide::new().prepared_bytes(model), None);
        assert!(fast.prepared_bytes(model).is_some());
    }
    Wide::new().prepare(&large)?;
    assert_ne!(Wide::new().prepared_bytes(&large), fast.prepared_bytes(&large));
    Ok(())
}

/// The default by another way is the default.
#[test]
fn default_settings_have_no_second_hierarchy() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("shape:box")?)?;
    Wide::with(WideOptions::default()).prepare(&model)?;
    assert!(Wide::new().prepared_bytes(&model).is_some());
    Ok(())
}
