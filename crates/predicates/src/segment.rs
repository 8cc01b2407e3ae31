//! Points and segments against segments, in space.

use crate::orientation::orient3d;
use crate::projected::{collinear, project, segments_meet};
use crate::{Point, Sign};

/// Whether a point lies on a closed segment, which may be a point itself. Exact for all finite
/// coordinates.
///
/// ```
/// use xcollide_predicates::point_on_segment;
///
/// let segment = [[0.0; 3], [3.0, 3.0, 6.0]];
/// assert!(point_on_segment([1.0, 1.0, 2.0], &segment));
/// assert!(!point_on_segment([1.0, 1.0, 2.0 + f64::EPSILON * 2.0], &segment));
/// ```
#[must_use]
pub fn point_on_segment(p: Point, segment: &[Point; 2]) -> bool {
    let [a, b] = *segment;
    let between = (0..3).all(|k| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]));
    between && collinear(a, b, p)
}

/// Whether two closed segments in space have a point in common. Each may be a point. Exact for all
/// finite coordinates.
///
/// ```
/// use xcollide_predicates::segments_intersect;
///
/// let diagonal = [[0.0; 3], [2.0, 2.0, 2.0]];
/// assert!(segments_intersect(&diagonal, &[[0.0, 2.0, 1.0], [2.0, 0.0, 1.0]]));
/// assert!(!segments_intersect(&diagonal, &[[0.0, 2.0, 1.0], [2.0, 0.0, 1.5]]));
/// assert!(segments_intersect(&diagonal, &[[2.0; 3], [3.0; 3]]));
/// ```
#[must_use]
pub fn segments_intersect(a: &[Point; 2], b: &[Point; 2]) -> bool {
    // On one of the coordinate planes, the plane or line of the four ends projects one to one.
    orient3d(a[0], a[1], b[0], b[1]) == Sign::Zero
        && (0..3).all(|axis| {
            segments_meet(&a.map(|end| project(end, axis)), &b.map(|end| project(end, axis)))
        })
}
