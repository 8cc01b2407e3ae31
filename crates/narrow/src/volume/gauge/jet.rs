//! Bounds of a function and its derivatives on a set of directions.

/// A function that is positive where its least value is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet {
    /// The function is at least this,
    pub(super) least: f64,
    /// and it and its first and second derivatives in any direction are at most this.
    pub(super) most: [f64; 3],
}

impl Jet {
    /// A quadratic form about which only its size is known, for directions that are at most `far` long.
    pub(super) fn form(size: f64, far: f64) -> Self {
        Self { least: 0.0, most: [size * far * far, 2.0 * size * far, 2.0 * size] }
    }

    pub(super) fn linear(size: f64, far: f64) -> Self {
        Self { least: 0.0, most: [size * far, size, 0.0] }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let most = [0, 1, 2].map(|k| self.most[k] + other.most[k]);
        Self { least: self.least + other.least, most }
    }

    pub(super) fn times(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.most, other.most);
        let most = [a * x, a * y + b * x, a * z + 2.0 * b * y + c * x];
        Self { least: self.least * other.least, most }
    }

    pub(super) fn over(self, other: Self) -> Self {
        if other.least.is_nan() || other.least <= 0.0 {
            return Self { least: 0.0, most: [f64::INFINITY; 3] };
        }
        let [most, slope, bend] = other.most;
        let part = 1.0 / other.least;
        let square = part * part;
        let inverse = [part, slope * square, (bend + 2.0 * slope * slope * part) * square];
        self.times(Self { least: 1.0 / most, most: inverse })
    }

    pub(super) fn root(self) -> Self {
        let [most, slope, bend] = self.most;
        let root = self.least.sqrt();
        let half = 0.5 / root;
        let most = [most.sqrt(), slope * half, (bend + 0.5 * slope * slope / self.least) * half];
        Self { least: root, most }
    }
}
