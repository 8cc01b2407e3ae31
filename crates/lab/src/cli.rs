//! The program's arguments.
//!
//! Names and meanings are a contract with scripts: options may be added, not changed.

use clap::{Parser, Subcommand};

use crate::clash::ClashOptions;
use crate::compare::CompareOptions;
use crate::options::{
    CcdOptions, CheckOptions, ClassifyOptions, Common, ListOptions, PairsOptions, PictureOptions,
    RayOptions, RobotOptions, RunOptions, SelfOptions, SweepOptions, ViewOptions,
};
use crate::paper;

/// Exact collision detection between polyhedra.
#[derive(Debug, Parser)]
#[command(name = "xcollide", version, max_term_width = 100, after_help = MESHES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

const MESHES: &str = "\
A mesh is a file (OBJ, STL, PLY, OFF, glTF, GLB) or a generated shape, such as \
shape:sphere?faces=5000; `xcollide list --shapes` shows them all.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else.";

const POSES: &str = "\
A mesh is a file (OBJ, STL, PLY, OFF, glTF, GLB) or a generated shape, such as \
shape:sphere?faces=5000; `xcollide list --shapes` shows them all.

A pose is 3 numbers, tx ty tz; 7, tx ty tz qx qy qz qw; 12, the rows of the 3×4 matrix [R|t]; or 16, \
these and 0 0 0 1; separated by blanks or commas. Quaternions of length 1 within 1e-6 are normalised, matrices within 1e-6 of a \
rotation are applied as they are given, anything else is refused.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else; with --exit-code 10 if a query \
finds a collision, else 11 if one is undecided, else 0.";

const MOTIONS: &str = "\
A model that is given one of its two poses rests there; one that is given neither rests at the identity. A pose is 3, \
7, 12 or 16 numbers, as for `xcollide check`.

The time goes from 0 to 1. At all times before `at_least` the two are apart, and at `at_most` they touch; both is \
proved. What only comes so close that rounding does not let one tell is undecided.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else; with --exit-code 10 if a query \
finds a collision, else 11 if one is undecided, else 0.";

const MOVING_POINTS: &str = "\
A query is eight lines of seven whole numbers, x_numerator,x_denominator,y_…,z_…,truth: of vertex-face the vertex and \
the three corners at time 0, then the same at time 1; of edge-edge the ends of one edge and of the other. Each \
coordinate must be a number of 64 bits exactly. The truth is 0 or 1; answers do not depend on it. This is the format of \
the public Tight-Inclusion queries.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else.";

const SELF: &str = "\
Two faces may share vertices and edges, by number. If they have any other point in common, the mesh intersects itself: \
faces that cross or overlap, a neighbour that is folded over, a vertex in an edge that does not have it, a face that comes \
twice, vertices that coincide. Triangles of an STL file share nothing until they are welded, which reading does. Touching is \
intersecting. The answer is exact.

`xcollide check A A` is another question: about two bodies at the same place, which collide.

A mesh is a file (OBJ, STL, PLY, OFF, glTF, GLB) or a generated shape, such as \
shape:sphere?faces=5000; `xcollide list --shapes` shows them all.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else; with --exit-code 10 if the mesh intersects itself, 11 if \
that is undecided, else 0.";

const RAYS: &str = "\
A ray is the points origin + t · direction for t ≥ 0, up to --reach. Which faces it hits, and in which order, is exact for \
the numbers as they are given; touching an edge or a corner is a hit.

A mesh is a file (OBJ, STL, PLY, OFF, glTF, GLB) or a generated shape, such as \
shape:sphere?faces=5000; `xcollide list --shapes` shows them all.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else.";

const TRACES: &str = "\
A trace is CSV with the header frame,id,min_x,min_y,min_z,max_x,max_y,max_z. Frames ascend, ids are \
whole numbers. A box that a frame does not name stays as it was; an empty one (min > max) takes its \
id out. Boxes that touch overlap. There is a result for each frame that the trace names.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else, such as broad phases that disagree.";

const PICTURES: &str = "\
For one mesh: the volumes of a level, each in the colour of the faces in it. Level 0 is the root; \
leaves above a level belong to it.

For two meshes: the leaves that a descent of both hierarchies reaches, in orange if they overlap a \
leaf of the other mesh, else grey; faces in contact are red.

A mesh is a file (OBJ, STL, PLY, OFF, glTF, GLB) or a generated shape, such as \
shape:sphere?faces=5000; `xcollide list --shapes` shows them all.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else.";

const VIEWS: &str = "\
One mesh is shown as it is; of two meshes the page has the answers of `check`, of a scene (a file that ends in .toml, .gltf \
or .glb, or an embedded scene by name) those of `run`, of a robot (.urdf) those of `robot`: who met, when and where, and \
the scene in 3-D.

The page is one file that needs no network. It is written into the folder for temporary files and stays there.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else.";

const ROBOTS: &str = "\
The table has names of joints in its first line, then a configuration a line: radians for joints that \
turn, lengths for those that slide. Joints without a column are at 0, those that mimic another follow \
it. Columns named frame, time, t or timestamp are ignored. Values outside the limits of a joint are \
used, with a warning.

Links that a joint connects are not tested against each other, nor are those that the SRDF file \
disables or that cannot move relative to each other. Touching is colliding.

Meshes of package:// are found in the folders above the robot, in those of ROS_PACKAGE_PATH, and where \
--package says, by the package's package.xml or the name of its folder.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else; with --exit-code 10 if a row \
collides, else 0.";

const CLASHES: &str = "\
A table is CSV or Parquet with the columns id, model, m00 to m23 (the rows of the 3×4 matrix [R|t]) and, if there are \
groups, group; other columns are attributes for rules. A model is a path beside the table, or shape:…; Parquet may have \
lists vertices and triangles in its place. In a scene each node \
with a mesh is an instance, named as the node; its group is the name of the node above.

Clashes are ordered by ids, byte by byte. Of two that have a point in common the kind is touching, overlapping, piercing, \
enclosed or equal; apart are two within the tolerance. All of it is exact and the same at any number of threads; without \
--threads all processors are used.

Rules (TOML): tolerance, merge and touching for all, [[test]] with groups = ['pipes', 'steel'], tolerance and touching, \
[[ignore]] with groups, ids or same = 'attribute'. One * in a name stands for any text. See docs/clash.md.

The program reports each row that it cannot use, and tests the rest.

Exit status: 0 done, 1 a row or a pair cannot be used, 2 wrong usage or bad input; with --exit-code 10 if there is a clash.";

/// Help on scenes, with the names of the embedded ones.
fn scenes() -> String {
    let names = xcollide_scenes::names().join(", ");
    format!(
        "A scene is a file (TOML, see docs/scenes.md) or an embedded one: {names}. Those take \
         parameters, such as 'cage?objects=50&faces=500'. Options override the scene's settings.\n\n\
         The same seed gives the same collisions on every machine, at any number of threads, and \
         by all exact algorithms.\n\n\
         Exit status: 0 done, 2 wrong usage or bad input, 1 anything else."
    )
}

/// Help on comparisons, with the names of scenes and experiments.
fn comparisons() -> String {
    let names = xcollide_scenes::names().join(", ");
    let papers: Vec<&str> = paper::experiments().iter().map(|one| one.name).collect();
    let papers = papers.join(", ");
    format!(
        "A scene is a file (TOML, see docs/scenes.md) or an embedded one: {names}.\n\n\
         All combinations of the named algorithms play the same recorded motion, in turns. Without \
         names the scene's are taken; without those either, some narrow phases, or broad phases \
         where there are many objects. Algorithms that do not accept the scene's models are left \
         out, and named.\n\n\
         --paper repeats an experiment: {papers}.\n\n\
         Exit status: 0 done, 2 wrong usage or bad input, 1 anything else, such as algorithms that \
         disagree: the scene that shows it is saved."
    )
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Do two meshes touch, at one pose or at many?
    #[command(after_help = POSES)]
    Check(Box<CheckOptions>),
    /// What kind of polyhedron is this?
    #[command(after_help = MESHES)]
    Classify(ClassifyOptions),
    /// Overlapping boxes, frame by frame, by any broad phase.
    #[command(after_help = TRACES)]
    Pairs(PairsOptions),
    /// Simulate a scene and detect its collisions.
    #[command(after_help = scenes())]
    Run(Box<RunOptions>),
    /// Play the same motion with several algorithms: compare their answers and times.
    #[command(after_help = comparisons())]
    Compare(Box<CompareOptions>),
    /// When do two moving meshes first touch?
    #[command(after_help = MOTIONS)]
    Sweep(Box<SweepOptions>),
    /// Moving vertices and faces, edges and edges: do they meet?
    #[command(after_help = MOVING_POINTS)]
    Ccd(CcdOptions),
    /// Where does a mesh meet itself?
    #[command(name = "self", after_help = SELF)]
    SelfIntersection(SelfOptions),
    /// What does a ray hit?
    #[command(after_help = RAYS)]
    Ray(RayOptions),
    /// Does a robot meet itself or its surroundings, configuration by configuration?
    #[command(after_help = ROBOTS)]
    Robot(RobotOptions),
    /// Interferences among many placed models.
    #[command(after_help = CLASHES)]
    Clash(Box<ClashOptions>),
    /// Look at a mesh, two meshes, a scene or a robot in the browser.
    #[command(after_help = VIEWS)]
    View(Box<ViewOptions>),
    /// Draw a level of a mesh's hierarchy, or the hierarchies of two meshes in a query.
    #[command(after_help = PICTURES)]
    Picture(Box<PictureOptions>),
    /// Algorithms, what they accept, what they guarantee, their source.
    List(ListOptions),
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use clap::{CommandFactory, Parser};

    use super::Cli;
    use crate::normalize_arguments::normalized;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    /// The words of a shell command: quotes keep blanks, and a comment ends it.
    fn words(command: &str) -> Vec<OsString> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for character in command.chars() {
            match (quote, character) {
                (Some(open), close) if open == close => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(character);
                    word.get_or_insert_default();
                }
                (None, '#') if word.is_none() => break,
                (None, blank) if blank.is_whitespace() => {
                    words.extend(word.take().map(OsString::from));
                }
                _ => word.get_or_insert_default().push(character),
            }
        }
        words.extend(word.map(OsString::from));
        words
    }

    /// The documents of the project for users.
    fn documents() -> Vec<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let files = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect()
        };
        let mut all = files(&root.join("docs"));
        all.extend(files(&root.join("crates")).iter().map(|folder| folder.join("README.md")));
        all.push(root.join("README.md"));
        all.retain(|path| path.extension().is_some_and(|end| end == "md"));
        all
    }

    /// Every command of the program in a code block of a document is one that it understands.
    /// The README's table has every command of the program, and no other.
    #[test]
    fn commands_of_the_readme_are_those_of_the_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = std::fs::read_to_string(root.join("README.md")).unwrap();
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `xcollide "));
        let told: BTreeSet<&str> = rows.filter_map(|row| row.split([' ', '`']).next()).collect();
        let command = Cli::command();
        let all = command.get_subcommands().filter(|one| !one.is_hide_set());
        assert_eq!(told, all.map(clap::Command::get_name).collect());
    }

    #[test]
    fn commands_in_documents_are_understood() {
        let mut count = 0;
        for document in documents() {
            let text = std::fs::read_to_string(&document).unwrap_or_default();
            let blocks = text.split("\n```").skip(1).step_by(2);
            let shell =
                blocks.filter(|block| block.starts_with("sh\n") || block.starts_with("console\n"));
            for line in shell.flat_map(|block| {
                block.replace("\\\n", " ").lines().map(str::to_owned).collect::<Vec<_>>()
            }) {
                let line = line.strip_prefix("$ ").unwrap_or(&line);
                let program = ["xcollide ", "cargo run --release -- "];
                let Some(rest) = program.iter().find_map(|start| line.strip_prefix(start)) else {
                    continue;
                };
                // What stands for others, and what another program reads or writes.
                let rest = rest.split([';', '|', '>', '<']).next().unwrap_or_default();
                if rest.contains('…') {
                    continue;
                }
                let given = std::iter::once(OsString::from("xcollide")).chain(words(rest));
                let parsed = Cli::try_parse_from(normalized(given));
                let problem = parsed.err().filter(clap::Error::use_stderr);
                assert!(
                    problem.is_none(),
                    "{}: {line}: {}",
                    document.display(),
                    problem.map_or_else(String::new, |error| error.to_string())
                );
                count += 1;
            }
        }
        assert!(count > 50, "{count}");
    }
}
