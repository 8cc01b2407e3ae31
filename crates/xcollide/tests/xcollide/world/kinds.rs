//! The kind of the relation of colliding objects, and its changes.

use xcollide::interest::Ask;
use xcollide::math::Motion;
use xcollide::narrow::{Model, Pose};
use xcollide::{Change, Frame, Kind, Report, World};

use super::Outcome;

fn cube(size: f64) -> Result<Model, Box<dyn std::error::Error>> {
    let (corners, faces) = xcollide_fixtures::cube();
    let corners = corners.map(|corner| corner.map(|x| x * size));
    let mesh = xcollide::brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    Ok(Model::from_mesh(mesh)?)
}

/// A cube goes through a larger one: every change of kind is in a frame, and told to channels and callbacks once.
#[test]
fn changes_of_kind_are_reported() -> Outcome {
    let mut world = World::new();
    world.interest_mut().set_default_ask(Ask::Kind);
    let events = world.events();
    let (sender, told) = std::sync::mpsc::channel();
    world.set_callback(move |report, _, _| {
        if let Report::KindChanged(change) = report {
            let _ = sender.send((change.before, change.now));
        }
    });
    let outer = world.add(&cube(3.0)?, &Pose::IDENTITY)?;
    let inner = world.add(&cube(1.0)?, &Pose::IDENTITY)?;
    let mut frame = Frame::new();
    let mut kinds = Vec::new();
    for x in [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0, 2.0, 2.5, 3.0, 3.5, 2.5] {
        world.set_pose(inner, &Pose::from_translation([x, 0.0, 1.0]))?;
        world.check_into(&mut frame);
        assert!(frame.failures.is_empty());
        kinds.push(frame.colliding().next().and_then(|collision| collision.kind));
        if kinds.len() == 4 {
            let again = World::restore(&world.snapshot(), World::builder())?.check();
            assert_eq!(again.persisting[0].kind, kinds[3], "a snapshot keeps it");
        }
    }
    let [over, touch, inside] = [Kind::Overlapping, Kind::Touching, Kind::Enclosing].map(Some);
    let expected =
        [None, touch, over, inside, inside, inside, inside, inside, over, touch, None, over];
    assert_eq!(kinds, expected, "outer before inner: {outer} {inner}");
    let changes: Vec<_> = told.try_iter().collect();
    let changed = |from: Option<Kind>, to: Option<Kind>| from.zip(to);
    let expected =
        [changed(touch, over), changed(over, inside), changed(inside, over), changed(over, touch)];
    assert_eq!(changes.iter().copied().map(Some).collect::<Vec<_>>(), expected);
    let of_channel: Vec<_> = events
        .try_iter()
        .filter_map(|event| match event.change {
            Change::Kind { before, now } => Some((before, now)),
            _ => None,
        })
        .collect();
    assert_eq!(of_channel, changes);
    Ok(())
}

/// Without the query nothing is told; with it, an object in motion has the kind of its end.
#[test]
fn only_who_asks_is_told() -> Outcome {
    let mut world = World::new();
    let still = world.add(&cube(1.0)?, &Pose::IDENTITY)?;
    let moving = world.add(&cube(1.0)?, &Pose::IDENTITY)?;
    assert_eq!(world.check().began[0].kind, None);
    world.interest_mut().set_pair_ask(still, moving, Ask::Kind);
    let frame = world.check();
    assert_eq!((frame.persisting[0].kind, frame.kind_changes.len()), (Some(Kind::Equal), 0));
    let (start, end) =
        (Pose::from_translation([5.0, 0.0, 0.0]), Pose::from_translation([1.0, 0.0, 0.0]));
    world.set_motion(moving, Motion::linear(start, end)?)?;
    let frame = world.check();
    assert_eq!(frame.colliding().next().and_then(|collision| collision.kind), Some(Kind::Touching));
    Ok(())
}
