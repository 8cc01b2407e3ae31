//! Objects that change their shape. A scene says what they are made of; how they give way is the business of whoever
//! runs it, as `xcollide run` does.

/// What an object that changes its shape is made of. It has one instance.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Flexible {
    /// Cloth, which falls, hangs and folds. Its vertices move in the world, so it has neither motion nor parent.
    Cloth(Cloth),
    /// Clay, of which colliding objects push faces inside.
    Clay(Clay),
}

impl Flexible {
    /// Both kinds with their names in files.
    pub const KINDS: [&'static str; 2] = ["cloth", "clay"];
}

/// Cloth: edges keep their length, and surfaces a distance.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cloth {
    /// The distance that it keeps from bodies and from itself.
    pub thickness: f64,
    /// The acceleration of free vertices, in units a frame a frame.
    pub gravity: [f64; 3],
    /// How much of a fold is smoothed out in a step, from 0 to 1.
    pub bending: f64,
    /// The friction with bodies and itself, as in Coulomb's law.
    pub friction: f64,
    /// The numbers of vertices that do not move.
    pub fixed: Vec<u32>,
}

impl Default for Cloth {
    fn default() -> Self {
        Self {
            thickness: 0.01,
            gravity: [0.0, 0.0, -0.001],
            bending: 0.1,
            friction: 0.3,
            fixed: Vec::new(),
        }
    }
}

/// Clay, as in the Potter (Zachmann 1994, chapter 8).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clay {
    /// How far a colliding face is pushed inside in a frame.
    pub depth: f64,
    /// The least and the greatest dihedral angle in degrees that pushing may leave; 180 is flat, more is concave.
    pub angles: [f64; 2],
    /// The most scans over the edges whose angle has changed.
    pub scans: usize,
}

impl Default for Clay {
    fn default() -> Self {
        Self { depth: 0.01, angles: [160.0, 200.0], scans: 5 }
    }
}
