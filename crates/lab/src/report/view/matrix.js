// Matrices of 4 x 4 numbers, column by column, as WebGL takes them.

function multiply(a, b) {
  const product = new Float32Array(16);
  for (let column = 0; column < 16; column += 4) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[column + k];
      product[column + row] = sum;
    }
  }
  return product;
}

const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

// Translation after rotation (a unit quaternion x, y, z, w) after scale.
function placed([tx, ty, tz], [x, y, z, w], [sx, sy, sz]) {
  return Float32Array.of(
    sx * (1 - 2 * (y * y + z * z)), sx * 2 * (x * y + z * w), sx * 2 * (x * z - y * w), 0,
    sy * 2 * (x * y - z * w), sy * (1 - 2 * (x * x + z * z)), sy * 2 * (y * z + x * w), 0,
    sz * 2 * (x * z + y * w), sz * 2 * (y * z - x * w), sz * (1 - 2 * (x * x + y * y)), 0,
    tx, ty, tz, 1,
  );
}

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return Float32Array.of(
    f / aspect, 0, 0, 0,
    0, f, 0, 0,
    0, 0, (far + near) / (near - far), -1,
    0, 0, 2 * far * near / (near - far), 0,
  );
}

const transformed = (m, [x, y, z]) =>
  [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
