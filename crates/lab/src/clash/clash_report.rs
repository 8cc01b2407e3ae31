//! The report: who clashes, in a table; each clash in 3-D; what was tested.

use std::collections::BTreeMap;

use xcollide::Kind;
use xcollide::brep::PolygonMesh;
use xcollide::math::vector::{add, scale};
use xcollide_clash::{Clash, Clashes, InstanceId, InstanceSet, Interference};
use xcollide_io::glb::{GlbError, GlbScene, Material, MaterialId, Node, ShapeId};

use super::ClashOptions;
use super::focus::Focus;
use super::record::{Summary, kind_in_words, pair_of_groups};
use super::source::Source;
use crate::meetings::point;
use crate::moving_scene::FRAMES_PER_SECOND;
use crate::output::count;
use crate::report::{
    Cell, Column, Page, Section, Table, View, how_to_repeat, invoked_command, number,
};

/// Rows of the table, and moments of the view.
const MOST_ROWS: usize = 1000;
/// Failures that are listed.
const MOST_FAILURES: usize = 200;

pub(crate) fn page(
    options: &ClashOptions,
    source: &Source,
    found: &Clashes,
    summary: Summary,
) -> Page {
    let name = options.table.file_stem().unwrap_or_default().to_string_lossy();
    let set = &source.set;
    let ranked = ranked(found);
    let page = Page::new(&format!("Clashes of {name}"))
        .lead("Which instances interfere, where, and how deep or how near.")
        .section(meetings(&ranked, found, set))
        .section(view(&ranked, set))
        .section(groups(found, set));
    let page = match failures(source, found) {
        Some(section) => page.section(section),
        None => page,
    };
    page.section(what_was_run(options, summary)).section(how_to_repeat(&invoked_command()))
}

/// The deepest first, then those without depth, then those apart, the nearest first; else by ids.
fn ranked(found: &Clashes) -> Vec<&Clash> {
    let mut ranked: Vec<&Clash> = found.clashes.iter().collect();
    let depth = |clash: &Clash| clash.interference.depth.map_or(0.0, |depth| depth.at_most);
    let is_apart = |clash: &Clash| clash.interference.kind == Kind::Apart;
    ranked.sort_by(|p, q| {
        let distances = p.interference.distance.total_cmp(&q.interference.distance);
        let depths = depth(q).total_cmp(&depth(p));
        is_apart(p).cmp(&is_apart(q)).then(depths).then(distances).then(p.pair.cmp(&q.pair))
    });
    ranked.truncate(MOST_ROWS);
    ranked
}

fn meetings(ranked: &[&Clash], found: &Clashes, set: &InstanceSet) -> Section {
    let section = Section::new("Who clashes");
    let all = found.clashes.len();
    if all == 0 {
        return section.prose("Nobody clashes.");
    }
    let mut prose = format!(
        "{} of {}.",
        count(all, "clash", "clashes"),
        count(set.len(), "instance", "instances")
    );
    if ranked.len() < all {
        prose += &format!(" The {} deepest and nearest are listed; --json has all.", ranked.len());
    }
    prose += " A heading sorts the table, a number in the first column shows the clash below. The depth is how far one of \
              two bodies must move at most to part them.";
    let has_volumes = found.clashes.iter().any(|clash| clash.interference.volume.is_some());
    let mut columns = vec![
        Column::number("clash"),
        Column::text("who"),
        Column::text("kind"),
        Column::number("depth or gap"),
        Column::text("where"),
        Column::text("groups"),
        Column::number("issue"),
    ];
    if has_volumes {
        columns.insert(4, Column::number("volume in common"));
    }
    let mut table = Table::new("Who clashes, where and how", columns).sortable();
    for (moment, clash) in ranked.iter().enumerate() {
        let [a, b] = clash.pair.map(|id| set.instance(id));
        let found = &clash.interference;
        let kind = match found.kind {
            Kind::Apart => "within the tolerance".to_owned(),
            Kind::Enclosed => format!("enclosed: {}", a.id),
            Kind::Enclosing => format!("enclosed: {}", b.id),
            kind => kind.name().to_owned(),
        };
        let measured = match (found.kind, found.depth) {
            (Kind::Apart, _) => Cell::from(kind_in_words(clash)).sort(-found.distance),
            (_, Some(depth)) => {
                Cell::from(format!("{} deep", number(depth.at_most))).sort(depth.at_most)
            }
            _ => Cell::from("–"),
        };
        let moment = Cell::from(moment.to_string()).moment(moment as u64).sort(moment as f64);
        let mut cells = vec![
            moment,
            Cell::from(format!("{} – {}", a.id, b.id)),
            Cell::from(kind),
            measured,
            Cell::from(point(found.point)),
            Cell::from(pair_of_groups([&a.group, &b.group])),
            Cell::from(clash.issue.index().to_string()).sort(clash.issue.index() as f64),
        ];
        if has_volumes {
            cells.insert(4, volume(found));
        }
        table = table.row(cells);
    }
    section.prose(&prose).table(table)
}

fn volume(found: &Interference) -> Cell {
    match found.volume.and_then(Result::ok) {
        Some(volume) => Cell::from(number(volume.at_most)).sort(volume.at_most),
        None => Cell::from("–"),
    }
}

fn view(ranked: &[&Clash], set: &InstanceSet) -> Section {
    let section = Section::new("Each clash in 3-D");
    if ranked.is_empty() {
        return section.prose("There is nothing to show.");
    }
    let balls: Vec<Focus> = ranked.iter().map(|&clash| Focus::of(&[clash], set)).collect();
    let view = scene(ranked, &balls, set).map_err(|error| error.to_string()).and_then(|glb| {
        let view = View::new(glb, ranked.len() as u64, FRAMES_PER_SECOND, "clash");
        view.ok_or_else(|| "its file would be too large for a page".to_owned())
    });
    match view {
        Ok(view) => section
            .prose(
                "The first of the two is red, the second blue, and a cross marks where they meet or are nearest. The other \
                 instances that clash are fainter; instances without a clash are not shown. Drag to turn, with the \
                 right button or shift to move, scroll to zoom; a click tells the name of an instance.",
            )
            .view(view.focus(balls.iter().map(|ball| (ball.center, ball.radius)))),
        Err(why) => section.prose(&format!("There is no view: {why}.")),
    }
}

/// The instances that clash; each moment shows one clash.
fn scene(ranked: &[&Clash], balls: &[Focus], set: &InstanceSet) -> Result<Vec<u8>, GlbError> {
    let mut glb = GlbScene::new();
    let looks = [
        glb.material(&Material::new("first", [0.88, 0.19, 0.12]).glow(0.3).opacity(0.6)),
        glb.material(&Material::new("second", [0.12, 0.43, 0.88]).glow(0.3).opacity(0.6)),
        glb.material(&Material::new("others", [0.6, 0.62, 0.66]).opacity(0.14)),
    ];
    let mut roles: BTreeMap<InstanceId, Vec<(usize, usize)>> = BTreeMap::new();
    for (moment, clash) in ranked.iter().enumerate() {
        for (side, id) in clash.pair.into_iter().enumerate() {
            roles.entry(id).or_default().push((moment, side));
        }
    }
    let mut shapes: BTreeMap<&str, ShapeId> = BTreeMap::new();
    for (&id, roles) in &roles {
        let reference = set.instance(id).model.as_str();
        let mesh: &PolygonMesh = set.model(id).mesh();
        let shape = match shapes.get(reference) {
            Some(&shape) => shape,
            None => *shapes.entry(reference).or_insert(glb.mesh(mesh)?),
        };
        instance(&mut glb, id, set, shape, looks, roles, ranked.len());
    }
    let crosses: Vec<_> = balls.iter().flat_map(cross).collect();
    let lines = glb.lines(&crosses)?;
    let material = glb.material(&Material::new("contact points", [0.95, 0.75, 0.1]).glow(1.0));
    glb.node(Node::new("contact points").shape(lines, material));
    glb.to_bytes()
}

/// Adds an instance: three nodes at one place, of which one is visible at a time.
fn instance(
    glb: &mut GlbScene,
    id: InstanceId,
    set: &InstanceSet,
    shape: ShapeId,
    looks: [MaterialId; 3],
    roles: &[(usize, usize)],
    moments: usize,
) {
    const OTHER: usize = 2;
    let pose = set.pose(id);
    let node = Node::new(&set.instance(id).id).at(pose.translation(), pose.to_quaternion());
    let parent = glb.node(node);
    let mut shown = vec![OTHER; moments];
    for &(moment, side) in roles {
        shown[moment] = side;
    }
    for (role, name) in ["first", "second", "other"].into_iter().enumerate() {
        if shown.contains(&role) {
            let node = glb.node(Node::new(name).shape(shape, looks[role]).below(parent));
            glb.show_when(node, shown.iter().map(|&now| now == role), FRAMES_PER_SECOND);
        }
    }
}

/// Three lines through the middle of a ball.
fn cross(ball: &Focus) -> [[[f64; 3]; 2]; 3] {
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        .map(|axis| [-0.1, 0.1].map(|part| add(ball.center, scale(axis, part * ball.radius))))
}

fn groups(found: &Clashes, set: &InstanceSet) -> Section {
    let columns = [Column::text("groups"), Column::number("clashes")];
    let mut table = Table::new("Clashes of each two groups", columns);
    for (groups, number) in found.by_groups(set) {
        table = table.row([pair_of_groups(groups), number.to_string()]);
    }
    Section::new("Between which groups").table(table)
}

/// What could not be tested, if there is any.
fn failures(source: &Source, found: &Clashes) -> Option<Section> {
    let rows = source.failures.iter().map(|failure| [failure.id.clone(), failure.message.clone()]);
    let pairs = found.failures.iter().map(|failure| {
        let [a, b] = failure.pair.map(|id| &source.set.instance(id).id);
        [format!("{a} – {b}"), failure.error.to_string()]
    });
    let all = source.failures.len() + found.failures.len();
    let table = Table::new("Rows and pairs", ["id", "why"].map(Column::text));
    let table = rows.chain(pairs).take(MOST_FAILURES).fold(table, Table::row);
    let prose = match all {
        all if all > MOST_FAILURES => {
            format!("The first {MOST_FAILURES} of {all}; --json has all.")
        }
        _ => "They are not part of the result above.".to_owned(),
    };
    (all > 0).then(|| Section::new("What could not be tested").prose(&prose).table(table))
}

fn what_was_run(options: &ClashOptions, summary: Summary) -> Section {
    let rules =
        options.rules.as_ref().map_or_else(|| "–".to_owned(), |path| path.display().to_string());
    let tolerance = options
        .tolerance
        .map_or_else(|| "as the rules say".to_owned(), |value| format!("{value:?}"));
    let mut table = Table::of_values()
        .row(["instances", &options.table.display().to_string()])
        .row(["rules", &rules])
        .row(["tolerance", &tolerance])
        .row(["rows", &summary.instances.to_string()])
        .row(["pairs of boxes that were examined", &summary.candidates.to_string()])
        .row(["clashes", &summary.clashes.to_string()]);
    if let Some(issues) = summary.issues {
        table = table.row(["issues", &issues.to_string()]);
    }
    let table = table
        .row(["errors", &summary.errors.to_string()])
        .row(["algorithms", "wide-tree for boxes, then auto; exact"])
        .row(["program", &format!("xcollide {}", env!("CARGO_PKG_VERSION"))]);
    Section::new("What was run").table(table)
}
