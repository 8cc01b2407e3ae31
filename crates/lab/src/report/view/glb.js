// Reads binary glTF as xcollide writes it: one binary chunk; triangles and lines with indices, positions and perhaps
// normals and morph targets; colours with opacity and glow; a translation, rotation, scale for each node, which samplers of
// one animation move, linearly or in steps. Nothing else is read.

const WORDS = { 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const SIZES = { SCALAR: 1, VEC3: 3, VEC4: 4 };

function readGlb(bytes) {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (head.getUint32(0, true) !== 0x46546c67) throw new Error("this is no GLB");
  const length = head.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const start = bytes.byteOffset + 20 + length + 8;
  const views = json.bufferViews ?? [];
  // Views of the numbers of an accessor; offsets are multiples of four.
  const accessors = (json.accessors ?? []).map((accessor) => {
    const offset = (views[accessor.bufferView].byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const size = SIZES[accessor.type];
    const numbers = new WORDS[accessor.componentType](bytes.buffer, start + offset, accessor.count * size);
    return { ...accessor, numbers, size };
  });
  const materials = (json.materials ?? []).map((material) => ({
    name: material.name ?? "",
    color: material.pbrMetallicRoughness?.baseColorFactor ?? [1, 1, 1, 1],
    glow: material.emissiveFactor ?? [0, 0, 0],
  }));
  // A mesh is one primitive.
  const meshes = (json.meshes ?? []).map(({ primitives: [primitive] }) => ({
    isLines: primitive.mode === 1,
    positions: accessors[primitive.attributes.POSITION],
    normals: accessors[primitive.attributes.NORMAL],
    indices: accessors[primitive.indices],
    targets: (primitive.targets ?? []).map((target) => accessors[target.POSITION]),
    material: materials[primitive.material],
  }));
  const nodes = json.nodes.map((node, number) => ({
    number,
    name: node.name ?? "",
    mesh: meshes[node.mesh],
    translation: node.translation ?? [0, 0, 0],
    rotation: node.rotation ?? [0, 0, 0, 1],
    scale: node.scale ?? [1, 1, 1],
    children: node.children ?? [],
    parent: undefined,
    tracks: [],
  }));
  for (const node of nodes) for (const child of node.children) nodes[child].parent = node;
  for (const { channels, samplers } of json.animations ?? []) {
    for (const { sampler, target } of channels) {
      const { input, output, interpolation } = samplers[sampler];
      const track = { path: target.path, times: accessors[input].numbers, values: accessors[output].numbers };
      nodes[target.node].tracks.push({ ...track, isStep: interpolation === "STEP" });
    }
  }
  return { nodes, meshes, roots: json.scenes[json.scene ?? 0].nodes };
}

// The two keys around a time, and how far it is from the first to the second.
function keysAt({ times, isStep }, time) {
  let [low, high] = [0, times.length - 1];
  if (time <= times[0]) return [0, 0, 0];
  if (time >= times[high]) return [high, high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle; else high = middle;
  }
  return isStep ? [low, low, 0] : [low, high, (time - times[low]) / (times[high] - times[low])];
}

// The value of a translation, rotation or scale at a time.
function valueAt(track, time) {
  const size = track.path === "rotation" ? 4 : 3;
  const [from, to, part] = keysAt(track, time);
  const a = track.values.subarray(size * from, size * from + size);
  const b = track.values.subarray(size * to, size * to + size);
  if (from === to) return [...a];
  if (size === 4) return slerp(a, b, part);
  return [0, 1, 2].map((k) => a[k] + part * (b[k] - a[k]));
}

function slerp(a, b, part) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, sign * cosine);
  const angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const [p, q] = sine < 1e-6 ? [1 - part, part] : [Math.sin((1 - part) * angle) / sine, Math.sin(part * angle) / sine];
  return [0, 1, 2, 3].map((k) => p * a[k] + sign * q * b[k]);
}

// The morph targets that are shown at a time, at most two of them, with their weights.
function morphAt(node, time) {
  const track = node.tracks.find((one) => one.path === "weights");
  if (!track) return [];
  const count = node.mesh.targets.length;
  const [from, to, part] = keysAt(track, time);
  const shown = [];
  for (let target = 0; target < count; target++) {
    const [a, b] = [track.values[count * from + target], track.values[count * to + target]];
    const weight = a + part * (b - a);
    if (weight !== 0) shown.push([target, weight]);
  }
  return shown.slice(0, 2);
}
