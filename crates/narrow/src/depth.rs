//! The penetration depth of bodies that are not convex, in an interval that is proved.
//!
//! *From below.* Let a ball of radius r about a point p be in the body of A, and one of radius s about p in that of B. If A is
//! moved by less than r + s, the two balls still meet. The radius of a ball in a body is the distance of its center from the
//! surface, if the center is inside. So every point gives a lower bound, and the search climbs to good ones.
//!
//! *From above.* If A is apart from B when it is moved by s along a direction, s is an upper bound. A direction is tried by
//! moving A along it to a place where it is apart, at most the best bound away, and from there towards B until they touch
//! ([`meshes_contact`]): all places before are apart. The last one is moved on by an allowance for rounding, and proved to
//! be apart by more than that.

use xcollide_brep::Interior;
use xcollide_convex::Penetration;
use xcollide_math::vector::{add, cross, dot, length, perpendicular, scale, sub, unit};
use xcollide_predicates::Point;

use crate::combine::Auto;
use crate::continuous::{MeshesVerdict, MovingMesh, meshes_contact};
use crate::convex::Hybrid;
use crate::formula::pair::Side;
use crate::formula::{self, any_formula, hull_penetration, normals_near};
use crate::hierarchy::search::surface_contacts;
use crate::point_distance::signed_distance;
use crate::proximity::within;
use crate::{Formula, NarrowPhase, PairCache, Placed, Pose, Query, QueryError, Semantics};

/// The penetration depth of any two placed models; `None` if they are apart.
///
/// Of two models that fill their hulls it is [`Hybrid::penetration`]. Of others the bounds are proved as well, but need
/// not be close; `at_least` is 0 if one is a polygon, a segment or a point. With less `effort` they are farther from each other.
pub(crate) fn penetration(
    a: Placed<'_>,
    b: Placed<'_>,
    cache: &mut PairCache,
    mut effort: Effort,
) -> Result<Option<Penetration>, QueryError> {
    let is_ground =
        |placed: &Placed<'_>| matches!(placed.model().formula(), Some(Formula::HalfSpace));
    let has_ground = is_ground(&a) || is_ground(&b);
    for (placed, side) in [(a, "first"), (b, "second")] {
        if !has_body(placed) && !fills_hull(placed) && !has_ground {
            return Err(QueryError::NoBody { side });
        }
    }
    let found = match any_formula(a, b) {
        true => hull_penetration(a, b)?,
        false => Hybrid::penetration(a, b, cache)?,
    };
    let Some(mut found) = found else { return Ok(None) };
    // Of what is below the border of a half space only the lowest point counts.
    if has_ground || fills_hull(a) && fills_hull(b) {
        return Ok(Some(found));
    }
    let size = [a, b].iter().map(|placed| reach(placed)).fold(0.0, f64::max);
    let mut directions = vec![found.direction];
    if has_body(a) && has_body(b) {
        // Points are cheap; the larger part is for the ways out.
        let deepest = Deepest::search(a, b, &mut effort.part(3));
        let at_least = match any_formula(a, b) {
            // Only of a point in both bodies their depths add up.
            true => match [a, b].map(|placed| proved_depth(placed, deepest.point)) {
                [one, other] if one > 0.0 && other > 0.0 => one + other,
                _ => 0.0,
            },
            false => deepest.depth - ROUNDING * size,
        };
        found.at_least = found.at_least.max(at_least);
        directions.extend(deepest.ways_out(a, b));
    }
    directions.extend(contact_normals(a, b));
    directions.extend([0, 1, 2].map(|axis| [0, 1, 2].map(|k| f64::from(u8::from(k == axis)))));
    let mut exit =
        Exit { a, b, size, best: found.at_most, direction: found.direction, point: None };
    for direction in directions {
        exit.try_direction(direction, &mut effort);
        exit.try_direction(scale(direction, -1.0), &mut effort);
    }
    exit.refine(&mut effort);
    if let Some(at_most) = exit.proved(found.at_most)
        && let Some([p, q]) = exit.points()
    {
        found.at_most = at_most;
        found.direction = exit.direction;
        found.points = [sub(p, scale(exit.direction, at_most)), q];
    }
    found.at_least = found.at_least.min(found.at_most);
    Ok(Some(found))
}

/// Whether the model is a body.
fn has_body(placed: Placed<'_>) -> bool {
    placed.model().formula().is_some() || placed.model().interior() != Interior::None
}

fn fills_hull(placed: Placed<'_>) -> bool {
    placed.model().formula().is_some() || Hybrid::fills_hull(placed.model())
}

/// The work that a search has left, in probes. It is counted, not timed, so that the result is the same everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    left: u64,
}

impl Effort {
    /// A point whose depths are looked up.
    const POINT: u64 = 1;
    /// A direction along which the first model is moved out.
    const DIRECTION: u64 = 32;

    pub(crate) const UNLIMITED: Self = Self { left: u64::MAX };

    pub(crate) fn probes(left: u64) -> Self {
        Self { left }
    }

    /// A part of what is left, which is taken from it.
    fn part(&mut self, parts: u64) -> Self {
        if self.left == u64::MAX {
            return Self::UNLIMITED;
        }
        let left = self.left / parts;
        self.left -= left;
        Self { left }
    }

    /// Whether there is enough for this work, which is then spent.
    fn spend(&mut self, work: u64) -> bool {
        match self.left.checked_sub(work) {
            Some(left) => {
                self.left = if self.left == u64::MAX { self.left } else { left };
                true
            }
            None => false,
        }
    }
}

/// An allowance for rounding, relative to the largest coordinate: more than a hundred units in the last place.
const ROUNDING: f64 = 1e-13;

fn reach(placed: &Placed<'_>) -> f64 {
    let bounds = placed.world_box();
    bounds.min.iter().chain(&bounds.max).fold(0.0, |reach, x| reach.max(x.abs()))
}

/// The point with the largest sum of depths in both bodies.
struct Deepest {
    point: Point,
    depth: f64,
}

impl Deepest {
    fn search(a: Placed<'_>, b: Placed<'_>, effort: &mut Effort) -> Self {
        /// Vertices of each that are tried.
        const VERTICES: u64 = 200;
        /// Points of the common box on each axis that are tried.
        const GRID: usize = 5;
        /// The best of them from which the search climbs.
        const STARTS: usize = 3;
        let common = a.world_box().intersection(&b.world_box());
        let mut starts: Vec<Self> = Vec::new();
        // The search climbs with the other half.
        let mut first = effort.part(2);
        let most = VERTICES.min(first.left / 4).max(1) as usize;
        let mut consider = |point: Point| {
            if first.spend(Effort::POINT)
                && let Some(depth) = depth_at(a, b, point)
            {
                starts.push(Self { point, depth });
            }
        };
        for (own, other) in [(a, b), (b, a)] {
            let vertices = own.model().used_vertices();
            let inside = vertices.iter().map(|&vertex| own.position(vertex));
            let bounds = other.world_box();
            let inside: Vec<Point> = inside.filter(|&point| bounds.contains(point)).collect();
            inside.iter().step_by(inside.len().div_ceil(most).max(1)).for_each(|&p| consider(p));
        }
        let part =
            |low: f64, high: f64, i: usize| low + (high - low) * (i as f64 + 0.5) / GRID as f64;
        for i in 0..GRID * GRID * GRID {
            let place = [i % GRID, i / GRID % GRID, i / GRID / GRID];
            consider([0, 1, 2].map(|k| part(common.min[k], common.max[k], place[k])));
        }
        starts.sort_by(|p, q| q.depth.total_cmp(&p.depth));
        starts.truncate(STARTS);
        let step = length(common.size()) / GRID as f64;
        let climbed = starts.into_iter().map(|start| start.climb(a, b, step, effort));
        let deepest = climbed.max_by(|p, q| p.depth.total_cmp(&q.depth));
        deepest.unwrap_or(Self { point: common.center(), depth: 0.0 })
    }

    /// Steps along the axes and diagonals while they go deeper, then shorter ones.
    fn climb(mut self, a: Placed<'_>, b: Placed<'_>, mut step: f64, effort: &mut Effort) -> Self {
        const SHORTER: usize = 16;
        for _ in 0..SHORTER {
            let mut is_better = false;
            for i in (0..27).filter(|&i| i != 13) {
                let way = [i % 3, i / 3 % 3, i / 9].map(|k| f64::from(k) - 1.0);
                if !effort.spend(Effort::POINT) {
                    return self;
                }
                let point = add(self.point, scale(way, step));
                if let Some(depth) = depth_at(a, b, point).filter(|&depth| depth > self.depth) {
                    self = Self { point, depth };
                    is_better = true;
                }
            }
            if !is_better {
                step *= 0.5;
            }
        }
        self
    }

    /// Directions to the nearest points of both surfaces.
    fn ways_out(&self, a: Placed<'_>, b: Placed<'_>) -> Vec<[f64; 3]> {
        let way = |placed| {
            let nearest = signed_distance(placed, self.point).ok()?;
            unit(sub(nearest.point, self.point))
        };
        [a, b].into_iter().filter_map(way).collect()
    }
}

/// The sum of the depths of a point in two bodies, rounded; `None` if it is outside of one of them.
fn depth_at(a: Placed<'_>, b: Placed<'_>, point: Point) -> Option<f64> {
    let depth = |placed| {
        let distance = signed_distance(placed, point).ok()?.distance;
        (distance <= 0.0).then_some(-distance)
    };
    Some(depth(a)? + depth(b)?)
}

/// A lower bound of how deep a point is in a body.
fn proved_depth(placed: Placed<'_>, point: Point) -> f64 {
    match Side::of(placed) {
        Side::Shape(_, shape) => shape.depth_at(point),
        // Its depth counts as a whole, from its lowest point.
        Side::HalfSpace(_) => 0.0,
        Side::Mesh(mesh) => signed_distance(mesh, point)
            .map_or(0.0, |found| (-found.distance - ROUNDING * reach(&mesh)).max(0.0)),
    }
}

/// The normals of some triangles in contact, the largest of those that differ.
fn contact_normals(a: Placed<'_>, b: Placed<'_>) -> Vec<[f64; 3]> {
    /// Normals that are tried.
    const NORMALS: usize = 12;
    let mut faces = [Vec::new(), Vec::new()];
    if !any_formula(a, b) {
        surface_contacts([a, b], &Query::new(), &mut PairCache::new(), &mut |f, g| {
            faces[0].push(f);
            faces[1].push(g);
            std::ops::ControlFlow::Continue(())
        });
    }
    let mut normals: Vec<[f64; 3]> =
        if any_formula(a, b) { normals_near(a, b) } else { Vec::new() };
    for (placed, mut faces) in [a, b].into_iter().zip(faces) {
        faces.sort_unstable();
        faces.dedup();
        let triangulation = placed.model().triangulation();
        for triangle in faces.into_iter().flat_map(|face| triangulation.triangles_of(face)) {
            let [p, q, r] = placed.triangle(triangle);
            normals.push(cross(sub(q, p), sub(r, p)));
        }
    }
    normals.sort_by(|p, q| dot(*q, *q).total_cmp(&dot(*p, *p)));
    let mut distinct: Vec<[f64; 3]> = Vec::new();
    for normal in normals.into_iter().filter_map(unit) {
        if distinct.iter().all(|known| dot(*known, normal).abs() < 0.999) {
            distinct.push(normal);
        }
        if distinct.len() == NORMALS {
            break;
        }
    }
    distinct
}

/// Gains below this part of the way are not worth a search.
const GAIN: f64 = 1e-9;

/// The shortest way out so far.
struct Exit<'a> {
    a: Placed<'a>,
    b: Placed<'a>,
    size: f64,
    best: f64,
    direction: [f64; 3],
    /// Where the two touch at the end of the way.
    point: Option<Point>,
}

impl Exit<'_> {
    /// The pose of the first model, moved.
    fn moved(&self, direction: [f64; 3], way: f64) -> Pose {
        let pose = self.a.pose();
        pose.with_translation(add(pose.translation(), scale(direction, way)))
    }

    /// Whether the first model is apart, moved.
    fn is_apart(&self, pose: &Pose) -> bool {
        Placed::new(self.a.model(), pose).is_ok_and(|moved| {
            Auto::new().test(moved, self.b, &Query::new(), &mut PairCache::new()).is_apart()
        })
    }

    /// Shortens the way if it is shorter along a direction. Whether it did.
    fn try_direction(&mut self, direction: [f64; 3], effort: &mut Effort) -> bool {
        let start = self.moved(direction, self.best * (1.0 - GAIN));
        if self.best <= 0.0 || !effort.spend(Effort::DIRECTION) || !self.is_apart(&start) {
            return false;
        }
        if any_formula(self.a, self.b) {
            self.best = self.least_apart(direction);
            (self.direction, self.point) = (direction, None);
            return true;
        }
        let Some((way, point)) = self.way_in(direction, &start) else { return false };
        if way < self.best {
            (self.best, self.direction, self.point) = (way, direction, Some(point));
            return true;
        }
        false
    }

    /// A way along a direction at which the first model is apart, at most the best, at which it is: by bisection, as if it
    /// were so from there on. Each end is proved.
    fn least_apart(&self, direction: [f64; 3]) -> f64 {
        /// What is left of the way.
        const PART: f64 = 1e-10;
        let (mut low, mut high) = (0.0, self.best * (1.0 - GAIN));
        while high - low > PART * self.best {
            let middle = 0.5 * low + 0.5 * high;
            if self.is_apart(&self.moved(direction, middle)) { high = middle } else { low = middle }
        }
        high
    }

    /// How far the first model is when it touches, moved from a place where it is apart to its own; and where.
    fn way_in(&self, direction: [f64; 3], start: &Pose) -> Option<(f64, Point)> {
        let moving = MovingMesh::between(self.a.model(), start, self.a.pose()).ok()?;
        let resting = MovingMesh::resting(self.b.model(), self.b.pose()).ok()?;
        let far = dot(sub(start.translation(), self.a.pose().translation()), direction);
        match meshes_contact(&moving, &resting, 1e-15, &Query::new()).ok()? {
            MeshesVerdict::Collides { contact, .. } => {
                Some((far * (1.0 - contact.time.lo), contact.witness.point))
            }
            _ => None,
        }
    }

    /// Turns the direction by smaller and smaller angles.
    fn refine(&mut self, effort: &mut Effort) {
        let mut angle = 0.25;
        while angle > 1e-3 {
            let u = perpendicular(self.direction);
            let v = cross(self.direction, u);
            let mut is_better = false;
            for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
                let turned = add(self.direction, add(scale(u, x * angle), scale(v, y * angle)));
                is_better |= unit(turned).is_some_and(|turned| self.try_direction(turned, effort));
            }
            if !is_better {
                angle *= 0.5;
            }
        }
    }

    /// The points in which the two touch at the end of the way.
    fn points(&self) -> Option<[Point; 2]> {
        if !any_formula(self.a, self.b) {
            return self.point.map(|point| [point; 2]);
        }
        let pose = self.moved(self.direction, self.best);
        let moved = Placed::new(self.a.model(), &pose).ok()?;
        Some(formula::distance(moved, self.b, Semantics::Solid).ok()?.points)
    }

    /// The way with an allowance for rounding, if it is shorter than what is known and proved: at its end the two are
    /// farther apart than a part of the allowance.
    fn proved(&self, known: f64) -> Option<f64> {
        let mut allowance = 16.0 * ROUNDING * self.size;
        while self.best + allowance < known {
            let pose = self.moved(self.direction, self.best + allowance);
            let moved = Placed::new(self.a.model(), &pose).ok()?;
            if self.is_clear(moved) {
                return Some(self.best + allowance);
            }
            allowance *= 16.0;
        }
        None
    }

    /// Whether the first model, moved, is surely farther away than rounding.
    fn is_clear(&self, moved: Placed<'_>) -> bool {
        let tolerance = ROUNDING * self.size;
        if any_formula(self.a, self.b) {
            let found = formula::within(moved, self.b, tolerance, Semantics::Solid);
            return found.is_some_and(|(near, _)| !near);
        }
        within(moved, self.b, tolerance, Semantics::Solid).is_none()
    }
}
