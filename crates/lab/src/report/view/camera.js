// A camera that goes around a point. Angles in radians; y is up.

class Camera {
  constructor() {
    this.frame([-1, -1, -1], [1, 1, 1]);
  }

  // Looks at a box from a side where all of it is seen.
  frame(min, max) {
    this.target = [0, 1, 2].map((k) => (min[k] + max[k]) / 2);
    this.radius = Math.max(Math.hypot(...[0, 1, 2].map((k) => (max[k] - min[k]) / 2)), 1e-6);
    [this.yaw, this.pitch] = [0.5, 0.45];
    this.distance = 2.4 * this.radius;
  }

  // Looks at a ball from the same direction.
  lookAt(x, y, z, radius) {
    this.target = [x, y, z];
    this.distance = 2.4 * radius;
  }

  // The directions to the right, up and back.
  axes() {
    const [sy, cy, sp, cp] = [Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch)];
    return [[cy, 0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]];
  }

  eye() {
    const back = this.axes()[2];
    return this.target.map((at, k) => at + this.distance * back[k]);
  }

  orbit(right, up) {
    this.yaw -= right;
    this.pitch = Math.min(1.57, Math.max(-1.57, this.pitch + up));
  }

  // Moves with the picture: parts of its height.
  pan(right, up) {
    const [x, y] = this.axes();
    const size = this.distance * 2 * Math.tan(Camera.ANGLE / 2);
    this.target = this.target.map((at, k) => at - size * (right * x[k] + up * y[k]));
  }

  zoom(factor) {
    this.distance = Math.min(100 * this.radius, Math.max(1e-3 * this.radius, this.distance * factor));
  }

  matrix(aspect) {
    const [x, y, z] = this.axes();
    const eye = this.eye();
    const along = (axis) => -(axis[0] * eye[0] + axis[1] * eye[1] + axis[2] * eye[2]);
    const view = Float32Array.of(
      x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, along(x), along(y), along(z), 1,
    );
    const far = this.distance + 4 * this.radius;
    const near = Math.max(this.distance - 4 * this.radius, 0.005 * this.distance);
    return multiply(perspective(Camera.ANGLE, aspect, near, far), view);
  }
}
Camera.ANGLE = 0.75;
