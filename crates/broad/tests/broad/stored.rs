//! Ids, bounds and results go through serde and come back the same; damaged ones are refused.
#![cfg(feature = "serde")]

use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb};
use xcollide_broad::classic::GridSettings;
use xcollide_broad::{
    Auto, Bounds, BroadPhase, Everything, Mobility, MotionBound, Pairs, ProxyError, ProxyIds,
    Volume,
};
use xcollide_fixtures::assert_comes_back;

#[test]
fn values_come_back_as_they_were() -> Result<(), ProxyError> {
    let points = [[0.1, -0.0, 1.0 / 3.0], [2.0, 0.3, 1e-9], [0.7, 5.0, 0.2]];
    let aabb = Aabb::from_points(points);
    let motion = MotionBound { velocity: points[0], acceleration: 0.1, ..MotionBound::default() };
    let bounds = Bounds::new(aabb).oriented(Obb::fit(&points)).kdop(KDop::fit(&points));
    let bounds = bounds.motion(motion).mobility(Mobility::Static);
    assert_eq!(assert_comes_back(&bounds), bounds);
    for volume in [Volume::Aabb, Volume::Oriented, Volume::KDop] {
        assert_comes_back(&volume);
    }

    let (mut ids, mut broad, mut pairs) = (ProxyIds::new(), Auto::new(), Pairs::new());
    let [a, b, c] = [ids.issue(), ids.issue(), ids.issue()];
    for id in [a, b, c] {
        broad.insert(id, &aabb.into())?;
    }
    broad.pairs(&Everything, &mut pairs);
    broad.remove(b)?;
    broad.pairs(&Everything, &mut pairs);
    assert_eq!(assert_comes_back(&pairs), pairs);
    assert_comes_back(&broad.stats());
    ids.retire(b);
    let mut again = assert_comes_back(&ids);
    assert!(again.is_alive(a) && !again.is_alive(b));
    assert_eq!(again.issue(), ids.issue());
    Ok(())
}

#[test]
fn damaged_values_are_refused_or_ignored() -> serde_json::Result<()> {
    let ids = |free| {
        serde_json::from_value::<ProxyIds>(serde_json::json!({"generations": [0, 3], "free": free}))
    };
    assert!(ids(vec![1]).is_ok() && ids(vec![1, 1]).is_err() && ids(vec![2]).is_err());

    let settings = GridSettings::new().cell(0.1).stabbed();
    let settings = settings.universe(&Aabb::new([-0.1; 3], [1.0 / 3.0; 3]));
    assert_eq!(assert_comes_back(&settings), settings);
    let mut damaged = serde_json::to_value(settings)?;
    damaged["cell"] = 0.0.into();
    damaged["universe"]["min"][0] = 7.0.into();
    assert_eq!(serde_json::from_value::<GridSettings>(damaged)?, GridSettings::new().stabbed());
    Ok(())
}
