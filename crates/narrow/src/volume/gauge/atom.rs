//! The parts whose gauges bound a body: the gauge of the body is the greatest of these.

use xcollide_math::vector::dot;

use super::quadric::Quadric;

/// A part of a body.
pub(super) enum Atom {
    /// What a quadric or a plane bounds.
    Quadric(Quadric),
    /// All of a body with a radius: it is smooth, and which of its features a ray leaves it through depends on the direction.
    Rounded(Rounded),
}

/// A polytope with a radius, by its features: facets, edges and vertices.
pub(super) struct Rounded {
    pub(super) features: Vec<Feature>,
    pub(super) radius: f64,
    /// No more than the distance of the origin from the surface.
    pub(super) depth: f64,
}

/// Where the surface has a constant distance from a facet, an edge or a vertex.
pub(super) struct Feature {
    pub(super) quadric: Quadric,
    /// Where it ends.
    pub(super) borders: Vec<Border>,
    /// A point that is beyond borders by v at most is at most `factor` v from what the feature is of, or its normal from the normals there.
    pub(super) factor: f64,
}

/// Points x of the feature have a·x ≤ e for a unit vector a; beyond is another feature.
pub(super) struct Border {
    pub(super) normal: [f64; 3],
    pub(super) level: f64,
    pub(super) beyond: u32,
}

impl Border {
    /// How far beyond the border a ray is where it leaves a quadric, times the gauge of that.
    pub(super) fn beyond(&self, d: [f64; 3], gauge: f64) -> f64 {
        dot(self.normal, d) - self.level * gauge
    }
}

impl Atom {
    /// The gauge in a direction, and through which feature the ray leaves; the search begins at a feature.
    pub(super) fn at(&self, d: [f64; 3], hint: u32) -> (f64, u32) {
        match self {
            Self::Quadric(quadric) => (quadric.at(d), 0),
            Self::Rounded(rounded) => rounded.at(d, hint),
        }
    }

    pub(super) fn feature(&self, number: u32) -> &Quadric {
        match self {
            Self::Quadric(quadric) => quadric,
            Self::Rounded(rounded) => &rounded.features[number as usize].quadric,
        }
    }

    /// The gradient of the gauge, if this is convex: no linear function that has it is anywhere greater.
    pub(super) fn tangent(&self, d: [f64; 3], hint: u32) -> Option<[f64; 3]> {
        let (_, feature) = self.at(d, hint);
        let is_convex = match self {
            Self::Quadric(quadric) => quadric.is_convex(),
            Self::Rounded(_) => true,
        };
        if is_convex { self.feature(feature).gradient(d) } else { None }
    }

    /// A linear function that is nowhere greater than the gauge, if one is known.
    pub(super) fn floor(&self, d: [f64; 3]) -> f64 {
        match self {
            Self::Quadric(quadric) => quadric.floor(d),
            Self::Rounded(_) => f64::NEG_INFINITY,
        }
    }

    pub(super) fn borders(&self, number: u32) -> &[Border] {
        match self {
            Self::Quadric(_) => &[],
            Self::Rounded(rounded) => &rounded.features[number as usize].borders,
        }
    }

    /// By what part of itself the gauge of a feature differs from that of the body where a ray leaves the former `far` beyond its borders.
    ///
    /// Let q be the point of the feature's facet, edge or vertex nearest to such a point x, w its distance from where x is over the plane
    /// or line of this, and α the angle of their normals. Then x is at most √(r² + w²) from the body without its radius r, and
    /// at least r cos α. A body that contains a ball of the radius `depth` about the origin has a gauge that differs from 1 by
    /// no more than the distance from its surface, divided by this.
    pub(super) fn difference(&self, number: u32, far: f64) -> f64 {
        match self {
            Self::Quadric(_) => 0.0,
            Self::Rounded(rounded) => rounded.difference(number, far),
        }
    }
}

impl Rounded {
    fn difference(&self, number: u32, far: f64) -> f64 {
        let far = self.features[number as usize].factor * far;
        if far.is_nan() || far > 0.5 * self.radius {
            return f64::INFINITY;
        }
        0.55 * far * far / (self.radius * self.depth)
    }

    /// The gauge is infinite if no feature is known to be the one up to rounding.
    fn at(&self, d: [f64; 3], hint: u32) -> (f64, u32) {
        let mut number = hint;
        for _ in 0..32 {
            let feature = &self.features[number as usize];
            let gauge = feature.quadric.at(d);
            let far = feature.borders.iter().map(|border| (border.beyond(d, gauge), border.beyond));
            let worst = far.max_by(|(one, _), (other, _)| one.total_cmp(other));
            match worst.filter(|(far, _)| *far > 0.0) {
                Some((_, beyond)) => number = beyond,
                None if gauge > 0.0 && feature.quadric.is_met(d) => return (gauge, number),
                None => break,
            }
        }
        // The way went in a circle, or ended on the side from which no ray leaves.
        let mut best = (f64::INFINITY, f64::INFINITY, hint);
        for (number, feature) in self.features.iter().enumerate() {
            let gauge = feature.quadric.at(d);
            let far = feature.borders.iter().map(|border| border.beyond(d, gauge) / gauge);
            let far = far.fold(0.0, f64::max);
            if gauge > 0.0 && feature.quadric.is_met(d) && far < best.0 {
                best = (far, gauge, number as u32);
            }
        }
        let (far, gauge, number) = best;
        let is_known = self.difference(number, far) <= f64::EPSILON;
        (if is_known { gauge } else { f64::INFINITY }, number)
    }
}
