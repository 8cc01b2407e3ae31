//! Meshes and poses for the tests of trees.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "each test uses its own part")]

use xcollide_bvh::binary::Split;
use xcollide_math::Pose;
use xcollide_scenes::Random;

pub type Triangle = [[f64; 3]; 3];

/// Every way of splitting.
pub const SPLITS: [Split; 6] = [
    Split::LongestAxis,
    Split::Median,
    Split::MeanVariance,
    Split::TotalVolume,
    Split::SurfaceArea { bins: 16 },
    Split::SurfaceArea { bins: 0 },
];

/// Triangles of about the given size in a cube of side 2, every fourth of them degenerate: a
/// segment, a point, or the same as the one before.
pub fn soup(count: usize, size: f64, random: &mut Random) -> Vec<Triangle> {
    let mut soup: Vec<Triangle> = Vec::new();
    for index in 0..count {
        let center = [0; 3].map(|_| random.between(-1.0, 1.0));
        let mut corner = || {
            let offset = random.in_ball();
            [0, 1, 2].map(|axis| center[axis] + size * offset[axis])
        };
        let [a, b, c] = [corner(), corner(), corner()];
        soup.push(match index % 16 {
            3 => [a, b, b],
            7 => [a, a, a],
            11 => [a, b, [0, 1, 2].map(|axis| 0.5 * (a[axis] + b[axis]))],
            15 => soup[index - 1],
            _ => [a, b, c],
        });
    }
    soup
}

/// Triangles with corners on a grid: nearly everything that meets, touches.
pub fn lattice(count: usize, random: &mut Random) -> Vec<Triangle> {
    (0..count)
        .map(|_| {
            let base = [0; 3].map(|_| (random.bits() % 5) as f64 - 3.0);
            [0; 3].map(|_| base.map(|x| x + (random.bits() % 3) as f64))
        })
        .collect()
}

/// A closed sphere-like grid of triangles, 2 · rings · sectors of them.
pub fn ball(rings: u32, sectors: u32) -> Vec<Triangle> {
    let unit = |x: f64, y: f64, z: f64| {
        let length = (x * x + y * y + z * z).sqrt();
        [x / length, y / length, z / length]
    };
    let at = |ring: u32, sector: u32| {
        // Once around a square, pulled out to the sphere: no trigonometry needed.
        let s = 4.0 * f64::from(sector % sectors) / f64::from(sectors);
        let (x, y) = match s as u32 {
            0 => (1.0, 2.0 * s - 1.0),
            1 => (3.0 - 2.0 * s, 1.0),
            2 => (-1.0, 5.0 - 2.0 * s),
            _ => (2.0 * s - 7.0, -1.0),
        };
        let z = 2.0 * f64::from(ring) / f64::from(rings) - 1.0;
        let width = 1.0 - z * z;
        unit(x * width, y * width, z)
    };
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for sector in 0..sectors {
            let (a, b) = (at(ring, sector), at(ring, sector + 1));
            let (c, d) = (at(ring + 1, sector), at(ring + 1, sector + 1));
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    triangles
}

pub fn scaled(mesh: &[Triangle], factor: f64) -> Vec<Triangle> {
    mesh.iter().map(|t| t.map(|p| p.map(|x| x * factor))).collect()
}

/// Where the corners are in the world, and so what the exact tests look at.
pub fn world(mesh: &[Triangle], motion: &Pose) -> Vec<Triangle> {
    mesh.iter().map(|t| t.map(|p| motion.apply(p))).collect()
}

/// The motion of a unit quaternion, by the formula of the project.
pub fn motion([x, y, z, w]: [f64; 4], translation: [f64; 3]) -> Pose {
    Pose::from_quaternion([x, y, z, w], translation).unwrap()
}

pub fn anywhere(distance: f64, random: &mut Random) -> Pose {
    let rotation = random.rotation();
    motion(rotation, random.direction().map(|x| x * distance))
}

/// One of the 24 rotations that map the axes to axes, exactly.
pub fn quarter_turns(random: &mut Random) -> [[f64; 3]; 3] {
    let turns: [[[f64; 3]; 3]; 3] = [
        [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
        [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    ];
    let mut product = *Pose::IDENTITY.rotation();
    for _ in 0..6 {
        let turn = Pose::from_matrix(turns[(random.bits() % 3) as usize], [0.0; 3]).unwrap();
        let columns = [0, 1, 2].map(|column| turn.rotate(product.map(|row| row[column])));
        product = [0, 1, 2].map(|row| columns.map(|column| column[row] + 0.0));
    }
    product
}
