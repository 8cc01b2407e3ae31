//! The picture of an issue: `snapshot.png`, what the camera of the viewpoint sees of the instances that clash.
//!
//! Both sides of the pairs are drawn by a depth buffer each, with one brightness for each triangle. Where both are in sight the
//! nearer one is translucent, so a body within another one is visible. Yellow spots mark the points of the clashes.

use std::collections::BTreeSet;

use xcollide::math::vector::{add, cross, dot, scale, sub, unit};
use xcollide_clash::InstanceId;

use super::camera::{ASPECT_RATIO, Camera, FIELD_OF_VIEW};
use super::png::png;
use super::{COLORS, Issue};

/// Rows of pixels.
const HEIGHT: usize = 200;
const WIDTH: usize = (HEIGHT as f64 * ASPECT_RATIO) as usize;
const BACKGROUND: [f64; 3] = [246.0, 246.0, 248.0];
const SPOT: [f64; 3] = [242.0, 190.0, 20.0];
/// Pixels from the middle of a spot to its border.
const SPOT_RADIUS: f64 = 3.0;
/// How much of the nearer side covers the other one.
const COVER: f64 = 0.6;
/// What is nearer than this share of the way to the middle is cut off.
const NEAREST: f64 = 0.02;

pub(super) fn snapshot(issue: &Issue<'_>) -> std::io::Result<Vec<u8>> {
    let camera = issue.camera();
    let layers = issue.sides().map(|side| Layer::of(&side, issue, &camera));
    let mut pixels: Vec<[f64; 3]> = (0..WIDTH * HEIGHT).map(|at| blended(&layers, at)).collect();
    for clash in &issue.clashes {
        spot(&mut pixels, &camera, clash.interference.point);
    }
    // The casts saturate.
    let pixels: Vec<[u8; 3]> =
        pixels.into_iter().map(|pixel| pixel.map(|part| (part + 0.5) as u8)).collect();
    png([WIDTH, HEIGHT], &pixels)
}

/// The color of a pixel, from what both sides show there.
fn blended(layers: &[Layer; 2], at: usize) -> [f64; 3] {
    let color =
        |side: usize| COLORS[side].map(|part| f64::from(part) * layers[side].brightness[at]);
    let nearness = layers.each_ref().map(|layer| layer.nearness[at]);
    match nearness.map(|nearness| nearness > 0.0) {
        [false, false] => BACKGROUND,
        [true, false] => color(0),
        [false, true] => color(1),
        [true, true] => {
            let front = usize::from(nearness[1] > nearness[0]);
            add(scale(color(front), COVER), scale(color(1 - front), 1.0 - COVER))
        }
    }
}

/// What is in sight of one side.
struct Layer {
    /// One divided by the depth, for each pixel; 0 where there is nothing.
    nearness: Vec<f64>,
    brightness: Vec<f64>,
}

impl Layer {
    fn of(side: &BTreeSet<InstanceId>, issue: &Issue<'_>, camera: &Camera) -> Self {
        let mut layer =
            Self { nearness: vec![0.0; WIDTH * HEIGHT], brightness: vec![0.0; WIDTH * HEIGHT] };
        for &id in side {
            let Ok(placed) = issue.set.placed(id) else { continue };
            for triangle in 0..issue.set.model(id).triangulation().len() {
                layer.draw(placed.triangle(triangle), camera);
            }
        }
        layer
    }

    /// Draws a triangle, both sides of which are visible.
    fn draw(&mut self, corners: [[f64; 3]; 3], camera: &Camera) {
        let [a, b, c] = corners;
        let Some(normal) = unit(cross(sub(b, a), sub(c, a))) else { return };
        // A light above the camera.
        let light = add(scale(camera.forward, -0.8), scale(camera.up, 0.6));
        let brightness = 0.45 + 0.55 * dot(normal, light).abs();
        let seen =
            before_camera(corners.map(|corner| camera.sees(corner)), NEAREST * camera.distance);
        let pixels: Vec<[f64; 3]> = seen.into_iter().map(projected).collect();
        for k in 2..pixels.len() {
            self.fill([pixels[0], pixels[k - 1], pixels[k]], brightness);
        }
    }

    /// Fills a triangle of pixels, whose third coordinates are nearness, which is linear in the picture.
    fn fill(&mut self, [p, q, r]: [[f64; 3]; 3], brightness: f64) {
        let area = twice_area(p, q, r);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let range = |axis: usize, most: usize| {
            let parts = [p[axis], q[axis], r[axis]];
            let low = parts.into_iter().fold(f64::INFINITY, f64::min).max(0.0) as usize;
            let high = parts.into_iter().fold(0.0, f64::max).min(most as f64).ceil() as usize;
            low..high
        };
        for row in range(1, HEIGHT) {
            for column in range(0, WIDTH) {
                let middle = [column as f64 + 0.5, row as f64 + 0.5, 0.0];
                let shares =
                    [twice_area(middle, q, r), twice_area(p, middle, r), twice_area(p, q, middle)];
                let shares = shares.map(|share| share / area);
                if shares.iter().any(|&share| share < 0.0) {
                    continue;
                }
                let nearness = shares[0] * p[2] + shares[1] * q[2] + shares[2] * r[2];
                let at = row * WIDTH + column;
                if nearness > self.nearness[at] {
                    (self.nearness[at], self.brightness[at]) = (nearness, brightness);
                }
            }
        }
    }
}

fn twice_area(p: [f64; 3], q: [f64; 3], r: [f64; 3]) -> f64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

impl Camera {
    /// A point to the right, upwards and forward from the camera.
    fn sees(&self, point: [f64; 3]) -> [f64; 3] {
        let way = sub(point, self.at);
        [dot(way, self.right), dot(way, self.up), dot(way, self.forward)]
    }
}

/// The pixel of a point before the camera, and its nearness.
fn projected([x, y, z]: [f64; 3]) -> [f64; 3] {
    let size = 0.5 * HEIGHT as f64 / libm::tan(FIELD_OF_VIEW.to_radians() / 2.0);
    let middle = [0.5 * WIDTH as f64, 0.5 * HEIGHT as f64];
    [middle[0] + size * x / z, middle[1] - size * y / z, 1.0 / z]
}

/// The part of a triangle that is farther from the camera's plane than `nearest`: a convex polygon (Sutherland and Hodgman,
/// *Reentrant polygon clipping*, 1974).
fn before_camera(corners: [[f64; 3]; 3], nearest: f64) -> Vec<[f64; 3]> {
    let mut kept = Vec::with_capacity(4);
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let [before, after] = [from[2] - nearest, to[2] - nearest];
        if before >= 0.0 {
            kept.push(from);
        }
        if (before >= 0.0) != (after >= 0.0) {
            let part = before / (before - after);
            kept.push(add(from, scale(sub(to, from), part)));
        }
    }
    kept
}

fn spot(pixels: &mut [[f64; 3]], camera: &Camera, point: [f64; 3]) {
    let seen = camera.sees(point);
    if seen[2].is_nan() || seen[2] <= NEAREST * camera.distance {
        return;
    }
    let [x, y, _] = projected(seen);
    let near = |middle: f64, most: usize| {
        let low = (middle - SPOT_RADIUS).max(0.0) as usize;
        low..((middle + SPOT_RADIUS).clamp(0.0, most as f64) as usize + 1).min(most)
    };
    for row in near(y, HEIGHT) {
        for column in near(x, WIDTH) {
            let [u, v] = [column as f64 + 0.5 - x, row as f64 + 0.5 - y];
            if u * u + v * v <= SPOT_RADIUS * SPOT_RADIUS {
                pixels[row * WIDTH + column] = SPOT;
            }
        }
    }
}
