// Draws the nodes of a scene with WebGL 2: opaque surfaces, then transparent ones from back to front, then lines, which
// shine faintly through what hides them. All vertices of the file are one buffer, all indices another.

const SURFACE = [`#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 first;
layout(location = 3) in vec3 second;
uniform mat4 camera, model;
uniform vec2 weights;
out vec3 place, facing;
void main() {
  vec4 at = model * vec4(position + weights.x * first + weights.y * second, 1.0);
  place = at.xyz;
  facing = mat3(model) * normal;
  gl_Position = camera * at;
}`, `#version 300 es
precision highp float;
in vec3 place, facing;
uniform vec4 color;
uniform vec3 glow, eye;
uniform bool isFlat;
out vec4 pixel;
void main() {
  vec3 toEye = normalize(eye - place);
  vec3 n = normalize(isFlat ? cross(dFdx(place), dFdy(place)) : facing);
  // Both sides of a face are lit: from the eye, and from above.
  if (dot(n, toEye) < 0.0) n = -n;
  float light = 0.15 + 0.55 * dot(n, toEye) + 0.2 * (0.5 + 0.5 * n.y);
  pixel = vec4(pow(color.rgb * light + glow, vec3(1.0 / 2.2)), color.a);
}`];

const LINES = [`#version 300 es
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
uniform mat4 camera, model;
uniform vec2 size;
uniform float width;
void main() {
  vec4 a = camera * model * vec4(from, 1.0), b = camera * model * vec4(to, 1.0);
  // Behind the eye there is no place in the picture.
  float near = 1e-4;
  if (a.w < near) a = mix(a, b, (near - a.w) / (b.w - a.w));
  if (b.w < near) b = mix(b, a, (near - b.w) / (a.w - b.w));
  vec2 along = (b.xy / b.w - a.xy / a.w) * size;
  vec2 across = length(along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(0.0, 1.0);
  vec4 end = (gl_VertexID & 1) == 0 ? a : b;
  float side = gl_VertexID < 2 ? -1.0 : 1.0;
  gl_Position = end + vec4(side * width * across / size * end.w, -2e-4 * end.w, 0.0);
}`, `#version 300 es
precision highp float;
uniform vec4 color;
out vec4 pixel;
void main() { pixel = vec4(pow(color.rgb, vec3(1.0 / 2.2)), color.a); }`];

class Renderer {
  // Throws without WebGL 2.
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("there is no WebGL 2");
    this.gl = gl;
    this.canvas = canvas;
    this.surface = this.program(SURFACE);
    this.lines = this.program(LINES);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(sources) {
    const { gl } = this;
    const program = gl.createProgram();
    sources.forEach((source, number) => {
      const shader = gl.createShader(number ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    });
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const at = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(program, k);
      at[name] = gl.getUniformLocation(program, name);
    }
    return { program, at };
  }

  // Uploads the meshes. Shapes that several meshes share are uploaded once.
  load(meshes) {
    const { gl } = this;
    const made = new Map();
    const upload = (target, numbers) => {
      if (!made.has(numbers)) {
        const buffer = gl.createBuffer();
        gl.bindBuffer(target, buffer);
        gl.bufferData(target, numbers, gl.STATIC_DRAW);
        made.set(numbers, buffer);
      }
      return made.get(numbers);
    };
    const segments = new Map();
    for (const mesh of meshes) {
      const { positions, normals, indices } = mesh;
      mesh.array = gl.createVertexArray();
      gl.bindVertexArray(mesh.array);
      if (mesh.isLines) {
        // The two ends of each segment one after the other, for instances.
        if (!segments.has(indices)) {
          const ends = new Float32Array(3 * indices.count);
          indices.numbers.forEach((index, place) => {
            ends.set(positions.numbers.subarray(3 * index, 3 * index + 3), 3 * place);
          });
          segments.set(indices, ends);
        }
        gl.bindBuffer(gl.ARRAY_BUFFER, upload(gl.ARRAY_BUFFER, segments.get(indices)));
        for (const end of [0, 1]) {
          gl.enableVertexAttribArray(end);
          gl.vertexAttribPointer(end, 3, gl.FLOAT, false, 24, 12 * end);
          gl.vertexAttribDivisor(end, 1);
        }
        continue;
      }
      const attribute = (location, { numbers }) => {
        gl.bindBuffer(gl.ARRAY_BUFFER, upload(gl.ARRAY_BUFFER, numbers));
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
      };
      attribute(0, positions);
      if (normals) attribute(1, normals);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, upload(gl.ELEMENT_ARRAY_BUFFER, indices.numbers));
      mesh.kind = indices.componentType === 5123 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT;
      mesh.targetBuffers = mesh.targets.map(({ numbers }) => upload(gl.ARRAY_BUFFER, numbers));
    }
    gl.bindVertexArray(null);
  }

  // Draws items: a mesh, its matrix, its colour and glow, whether it is transparent, and the morph targets shown.
  draw(items, camera, background) {
    const { gl, canvas } = this;
    const matrix = this.begin(camera, canvas.width, canvas.height);
    gl.clearColor(...background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const eye = camera.eye();
    const surfaces = items.filter((item) => !item.mesh.isLines);
    const isClear = (item) => item.color[3] < 1;
    this.surfaces(surfaces.filter((item) => !isClear(item)), matrix, eye);
    const away = ({ matrix: m }) => Math.hypot(m[12] - eye[0], m[13] - eye[1], m[14] - eye[2]);
    const clear = surfaces.filter(isClear).sort((a, b) => away(b) - away(a));
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.surfaces(clear, matrix, eye);
    const lines = items.filter((item) => item.mesh.isLines);
    gl.disable(gl.DEPTH_TEST);
    this.segments(lines, matrix, 0.35);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    this.segments(lines, matrix, 1);
    gl.disable(gl.BLEND);
  }

  // The number of the item in a pixel of the picture, the transparent ones only where no other is; undefined if there is none.
  pick(items, camera, x, y) {
    const { gl, canvas: { width, height } } = this;
    const target = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    const buffers = [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]];
    const made = buffers.map(([format, place]) => {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
      return buffer;
    });
    const matrix = this.begin(camera, width, height);
    const [column, row] = [Math.floor(x), height - 1 - Math.floor(y)];
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(column, row, 1, 1);
    const found = [false, true].map((isClear) => {
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      const numbered = items.map((item, number) => {
        const id = number + 1;
        // The light leaves a glow as it is; its bytes are the number.
        const glow = [id & 255, id >> 8 & 255, id >> 16 & 255].map((byte) => Math.pow(byte / 255, 2.2));
        return { ...item, glow, color: [0, 0, 0, 1], isClear: item.color[3] < 1 };
      });
      this.surfaces(numbered.filter((item) => item.isClear === isClear && !item.mesh.isLines), matrix, camera.eye());
      const pixel = new Uint8Array(4);
      gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return pixel[0] + 256 * pixel[1] + 65536 * pixel[2];
    });
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(target);
    made.forEach((buffer) => gl.deleteRenderbuffer(buffer));
    const id = found[0] || found[1];
    return id ? items[id - 1] : undefined;
  }

  begin(camera, width, height) {
    this.gl.viewport(0, 0, width, height);
    return camera.matrix(width / height);
  }

  surfaces(items, matrix, eye) {
    const { gl, surface: { program, at } } = this;
    gl.useProgram(program);
    gl.uniformMatrix4fv(at.camera, false, matrix);
    gl.uniform3fv(at.eye, eye);
    for (const { mesh, matrix: model, color, glow, morph } of items) {
      gl.bindVertexArray(mesh.array);
      gl.uniformMatrix4fv(at.model, false, model);
      gl.uniform4fv(at.color, color);
      gl.uniform3fv(at.glow, glow);
      gl.uniform1i(at.isFlat, mesh.normals ? 0 : 1);
      const weights = [0, 0];
      (morph ?? []).forEach(([target, weight], place) => {
        weights[place] = weight;
        gl.bindBuffer(gl.ARRAY_BUFFER, mesh.targetBuffers[target]);
        gl.enableVertexAttribArray(2 + place);
        gl.vertexAttribPointer(2 + place, 3, gl.FLOAT, false, 0, 0);
      });
      gl.uniform2fv(at.weights, weights);
      gl.drawElements(gl.TRIANGLES, mesh.indices.count, mesh.kind, 0);
    }
  }

  segments(items, matrix, opacity) {
    const { gl, canvas, lines: { program, at } } = this;
    gl.useProgram(program);
    gl.uniformMatrix4fv(at.camera, false, matrix);
    gl.uniform2f(at.size, canvas.width, canvas.height);
    for (const { mesh, matrix: model, color, width } of items) {
      gl.bindVertexArray(mesh.array);
      gl.uniformMatrix4fv(at.model, false, model);
      gl.uniform4f(at.color, color[0], color[1], color[2], color[3] * opacity);
      gl.uniform1f(at.width, width);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, mesh.indices.count / 2);
    }
  }
}
