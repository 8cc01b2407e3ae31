//! A part of a surface as convex polygons, cut by planes perpendicular to an axis.

use xcollide_math::vector::{add, scale, sub};

/// Convex polygons over points stored elsewhere: triangles and parts of them; also segments and points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Patch {
    /// Numbers of points, polygon after polygon.
    corners: Vec<u32>,
    /// The end of each polygon in `corners`.
    ends: Vec<u32>,
}

impl Patch {
    pub(crate) fn new(triangles: impl Iterator<Item = [u32; 3]>) -> Self {
        let mut patch = Self::default();
        triangles.for_each(|corners| patch.push(corners));
        patch
    }

    fn push(&mut self, polygon: impl IntoIterator<Item = u32>) {
        self.corners.extend(polygon);
        self.ends.push(self.corners.len() as u32);
    }

    /// The number of polygons.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The corners of a polygon.
    pub(crate) fn polygon(&self, index: usize) -> &[u32] {
        let first = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.corners[first as usize..self.ends[index] as usize]
    }

    pub(crate) fn polygons(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|index| self.polygon(index))
    }

    /// All corners, each once, ascending.
    pub(crate) fn distinct_corners(&self) -> Vec<u32> {
        let mut corners = self.corners.clone();
        corners.sort_unstable();
        corners.dedup();
        corners
    }

    /// Cuts along the plane where a coordinate has a value: the polygons below, including those in the plane,
    /// and those above (Sutherland and Hodgman 1974). Adds new corners to the points; their rounding error is
    /// below 32 · 2⁻⁵³ of the largest coordinate.
    pub(crate) fn cut(&self, points: &mut Vec<[f64; 3]>, axis: usize, at: f64) -> [Self; 2] {
        let (mut below, mut above) = (Self::default(), Self::default());
        let (mut low_side, mut high_side) = (Vec::new(), Vec::new());
        for polygon in self.polygons() {
            let [low, high] = range(polygon, points, axis);
            if high <= at {
                below.push(polygon.iter().copied());
            } else if low >= at {
                above.push(polygon.iter().copied());
            } else {
                low_side.clear();
                high_side.clear();
                for (i, &p) in polygon.iter().enumerate() {
                    let here = points[p as usize];
                    let there = points[polygon[(i + 1) % polygon.len()] as usize];
                    if here[axis] <= at {
                        low_side.push(p);
                    }
                    if here[axis] >= at {
                        high_side.push(p);
                    }
                    if let Some(point) = crossing(here, there, axis, at) {
                        // Four billion points do not fit into memory.
                        let number = points.len() as u32;
                        points.push(point);
                        low_side.push(number);
                        high_side.push(number);
                    }
                }
                below.push(low_side.iter().copied());
                above.push(high_side.iter().copied());
            }
        }
        [below, above]
    }
}

/// The lowest and the highest coordinate of a polygon.
pub(crate) fn range(polygon: &[u32], points: &[[f64; 3]], axis: usize) -> [f64; 2] {
    let coordinates = polygon.iter().map(|&p| points[p as usize][axis]);
    coordinates.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

/// The point where an edge with an end on either side crosses the plane; the same for both directions.
pub(crate) fn crossing(p: [f64; 3], q: [f64; 3], axis: usize, at: f64) -> Option<[f64; 3]> {
    let (p, q) = if p[axis] < q[axis] { (p, q) } else { (q, p) };
    if !(p[axis] < at && at < q[axis]) {
        return None;
    }
    let part = (at - p[axis]) / (q[axis] - p[axis]);
    let mut point = add(p, scale(sub(q, p), part));
    point[axis] = at;
    Some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(patch: &Patch, points: &[[f64; 3]]) -> Vec<Vec<[f64; 3]>> {
        let at = |polygon: &[u32]| polygon.iter().map(|&p| points[p as usize]).collect();
        patch.polygons().map(at).collect()
    }

    #[test]
    fn sides_share_the_cut_and_keep_the_rest() {
        let mut points = vec![[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]];
        let triangle = Patch::new([[0, 1, 2]].into_iter());
        let [below, above] = triangle.cut(&mut points, 0, 1.0);
        assert_eq!(
            corners(&below, &points),
            [[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 3.0, 1.0], [0.0, 4.0, 1.0]]]
        );
        assert_eq!(corners(&above, &points), [[[1.0, 0.0, 1.0], [4.0, 0.0, 1.0], [1.0, 3.0, 1.0]]]);
        assert_eq!(above.distinct_corners(), [1, 3, 4]);
    }

    #[test]
    fn what_touches_the_plane_is_not_cut() {
        let mut points = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [1.0; 3]];
        let mut patch = Patch::default();
        patch.push([0, 1]);
        patch.push([1, 2]);
        patch.push([3]);
        let [below, above] = patch.cut(&mut points, 0, 1.0);
        assert_eq!(below.polygons().collect::<Vec<_>>(), [&[0, 1][..], &[3]]);
        assert_eq!(above.polygons().collect::<Vec<_>>(), [&[1, 2]]);
        assert_eq!(points.len(), 4);
    }
}
