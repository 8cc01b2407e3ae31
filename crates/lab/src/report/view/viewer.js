// The view of a report: the scene in motion, at the moment that the page tells. Pictures are drawn only when something
// changes. A body is a child of the file's root that shows surfaces; a layer, all lines of one material.

function decoded(text) {
  const step = 1 << 20; // A multiple of four letters.
  const bytes = new Uint8Array(Math.floor(text.length / 4) * 3);
  let end = 0;
  for (let start = 0; start < text.length; start += step) {
    const part = atob(text.slice(start, start + step));
    for (let k = 0; k < part.length; k++) bytes[end + k] = part.charCodeAt(k);
    end += part.length;
  }
  return bytes.subarray(0, end);
}

// An element with attributes, among them listeners, and children.
function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

class Viewer {
  constructor(place, bytes) {
    this.scene = readGlb(bytes);
    this.instants = Number(place.dataset.instants);
    this.rate = Number(place.dataset.rate);
    this.unit = place.dataset.unit;
    // What the camera looks at, moment by moment, if the page says so: x, y, z and radius.
    this.focus = JSON.parse(place.dataset.focus ?? "[]");
    this.canvas = made("canvas", {
      tabindex: "0", role: "application",
      "aria-label": "The scene in 3-D. Arrow keys turn it, with shift they move it, plus and minus zoom, Home shows all of it.",
    });
    this.renderer = new Renderer(this.canvas);
    this.renderer.load(this.scene.meshes);
    this.camera = new Camera();
    this.moment = 0;
    this.sort();
    this.build(place);
    this.lookAtAll();
    this.steer();
    document.addEventListener("moment", ({ detail }) => this.show(detail));
    addEventListener("hashchange", () => place.scrollIntoView({ block: "nearest" }));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.show(0);
  }

  // Tells bodies and layers.
  sort() {
    const { nodes, roots } = this.scene;
    this.bodies = [];
    this.layers = new Map();
    const visit = (node, body) => {
      if (node.mesh?.isLines) {
        const name = node.mesh.material.name;
        if (!this.layers.has(name)) this.layers.set(name, { name, isShown: true });
        node.layer = this.layers.get(name);
      } else if (node.mesh) {
        body.hasSurfaces = true;
      }
      node.body = body;
      node.children.forEach((child) => visit(nodes[child], body));
    };
    for (const child of roots.flatMap((root) => nodes[root].children)) {
      const body = { name: nodes[child].name, hasSurfaces: false, isHidden: false, isFaded: false };
      visit(nodes[child], body);
      if (body.hasSurfaces) this.bodies.push(body);
    }
  }

  // What is drawn at a moment.
  items(moment) {
    const time = Math.fround(moment / this.rate);
    const items = [];
    const visit = (node, above) => {
      const parts = { translation: node.translation, rotation: node.rotation, scale: node.scale };
      for (const track of node.tracks) if (track.path in parts) parts[track.path] = valueAt(track, time);
      if (parts.scale.every((part) => part === 0) || node.body?.isHidden) return;
      const matrix = multiply(above, placed(parts.translation, parts.rotation, parts.scale));
      const { mesh, body, layer } = node;
      if (mesh && layer?.isShown !== false) {
        let { color, glow } = mesh.material;
        // Shades must be seen of what glows, too.
        if (!layer) glow = glow.map((part) => 0.2 * part);
        if (body.isFaded && !layer) color = [color[0], color[1], color[2], Math.min(color[3], 0.15)];
        if (body === this.picked && !layer) glow = glow.map((part, k) => part + 0.25 * color[k] + 0.06);
        const width = (layer?.name === "cage" ? 1 : 1.6) * devicePixelRatio;
        items.push({ mesh, matrix, color, glow, body, width, morph: morphAt(node, time) });
      }
      node.children.forEach((child) => visit(this.scene.nodes[child], matrix));
    };
    this.scene.roots.forEach((root) => visit(this.scene.nodes[root], IDENTITY));
    return items;
  }

  // Frames the bodies, wherever they are at some moments.
  lookAtAll() {
    const [min, max] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    const moments = Math.min(this.instants, 32);
    for (let k = 0; k < moments; k++) {
      const items = this.items(Math.round(k * (this.instants - 1) / Math.max(1, moments - 1)));
      for (const { mesh: { positions, isLines }, matrix } of items) {
        if (isLines) continue;
        for (let corner = 0; corner < 8; corner++) {
          const local = [0, 1, 2].map((axis) => (corner >> axis & 1 ? positions.max : positions.min)[axis]);
          transformed(matrix, local).forEach((value, axis) => {
            min[axis] = Math.min(min[axis], value);
            max[axis] = Math.max(max[axis], value);
          });
        }
      }
    }
    if (min[0] <= max[0]) this.camera.frame(min, max);
    this.draw();
  }

  show(moment) {
    this.moment = Math.min(Math.max(0, moment), Math.max(0, this.instants - 1));
    this.slider.value = this.moment;
    this.output.textContent = `${this.unit} ${this.moment}`;
    this.slider.setAttribute("aria-valuetext", this.output.textContent);
    if (this.focus[this.moment]) this.camera.lookAt(...this.focus[this.moment]);
    this.draw();
  }

  tell(moment) {
    document.dispatchEvent(new CustomEvent("moment", { detail: moment }));
  }

  draw() {
    this.waits ??= requestAnimationFrame(() => {
      this.waits = undefined;
      const { canvas, renderer } = this;
      const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((size) =>
        Math.max(1, Math.round(size * devicePixelRatio)));
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
      const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
      renderer.draw(this.items(this.moment), this.camera, isDark ? [0.09, 0.1, 0.11] : [0.95, 0.95, 0.94]);
    });
  }

  pick(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((at) => at * devicePixelRatio);
    const found = this.renderer.pick(this.items(this.moment), this.camera, x, y);
    this.choose(found?.body);
  }

  choose(body) {
    this.picked = body;
    this.status.textContent = body ? `Picked: ${body.name}` : "Nothing picked. A click on a body tells its name.";
    for (const other of this.bodies) other.row?.classList.toggle("picked", other === body);
    body?.row?.scrollIntoView({ block: "nearest" });
    this.draw();
  }

  build(place) {
    const last = Math.max(0, this.instants - 1);
    this.slider = made("input", {
      type: "range", min: "0", max: String(last), value: "0", "aria-label": this.unit,
      input: () => this.tell(Number(this.slider.value)),
    });
    this.output = made("output");
    this.play = made("button", { type: "button", click: () => this.toggle() }, "Play");
    this.status = made("p", { role: "status" });
    const all = made("button", { type: "button", click: () => this.lookAtAll() }, "Show all");
    const bar = made("div", { class: "bar" }, this.play, this.slider, this.output, all);
    if (this.instants < 2) this.play.hidden = this.slider.hidden = this.output.hidden = true;
    const layers = [...this.layers.values()].map((layer) => made("label", {},
      made("input", {
        type: "checkbox", checked: "",
        change: (event) => { layer.isShown = event.target.checked; this.draw(); },
      }), ` ${layer.name}`));
    const list = made("ul", { class: "bodies" });
    const toggle = (body, key, word) => {
      const button = made("button", {
        type: "button", "aria-pressed": "false", "aria-label": `${word} ${body.name}`,
        click: () => {
          body[key] = !body[key];
          button.setAttribute("aria-pressed", String(body[key]));
          this.draw();
        },
      }, word);
      return button;
    };
    for (const body of this.bodies.slice(0, 2000)) {
      const name = made("button", { type: "button", class: "name", click: () => this.choose(body) }, body.name);
      body.row = made("li", {}, name, toggle(body, "isFaded", "fade"), toggle(body, "isHidden", "hide"));
      list.append(body.row);
    }
    const filter = made("input", {
      type: "search", placeholder: "Filter by name", "aria-label": "Filter the bodies by name",
      input: () => {
        const wanted = filter.value.toLowerCase();
        for (const { row, name } of this.bodies) if (row) row.hidden = !name.toLowerCase().includes(wanted);
      },
    });
    const parts = made("details", {}, made("summary", {}, `Bodies (${this.bodies.length})`), filter, list);
    parts.open = this.bodies.length <= 12;
    place.replaceChildren(this.canvas, bar, this.status, made("div", { class: "layers" }, ...layers), parts);
    this.choose(undefined);
  }

  // Plays a frame after the other, from the beginning if it is at the end.
  toggle() {
    const isPlaying = this.timer !== undefined;
    clearInterval(this.timer);
    this.timer = undefined;
    this.play.textContent = isPlaying ? "Play" : "Pause";
    if (isPlaying) return;
    if (this.moment + 1 >= this.instants) this.tell(0);
    this.timer = setInterval(() => {
      if (this.moment + 1 < this.instants) this.tell(this.moment + 1); else this.toggle();
    }, 1000 / this.rate);
  }

  // Pointers and keys.
  steer() {
    const { canvas, camera } = this;
    const pointers = new Map();
    let moved = 0;
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      moved = 0;
      canvas.setPointerCapture?.(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
      const height = canvas.clientHeight;
      moved += Math.abs(dx) + Math.abs(dy);
      const other = [...pointers.values()].find((one) => one.pointerId !== event.pointerId);
      if (other) {
        // Two fingers move and zoom.
        const distance = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        camera.zoom(distance(last) / Math.max(1, distance(event)));
        camera.pan(dx / height / 2, -dy / height / 2);
      } else if (event.shiftKey || last.buttons & 6) {
        camera.pan(dx / height, -dy / height);
      } else {
        camera.orbit(6 * dx / height, 6 * dy / height);
      }
      pointers.set(event.pointerId, event);
      this.draw();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (pointers.delete(event.pointerId) && moved < 4) this.pick(event);
    });
    canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      camera.zoom(Math.exp((event.deltaMode ? 24 : 1) * event.deltaY / 700));
      this.draw();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      const step = steps[event.key];
      if (step && event.shiftKey) camera.pan(step[0] / 20, step[1] / 20);
      else if (step) camera.orbit(-step[0] / 10, step[1] / 10);
      else if (event.key === "+" || event.key === "=") camera.zoom(0.9);
      else if (event.key === "-") camera.zoom(1 / 0.9);
      else if (event.key === "Home") this.lookAtAll();
      else return;
      event.preventDefault();
      this.draw();
    });
  }
}

for (const place of document.querySelectorAll("div.view")) {
  const data = place.nextElementSibling;
  try {
    new Viewer(place, decoded(data.textContent));
  } catch (error) {
    const why = made("p", { class: "no-view", role: "status" });
    why.textContent = `The 3-D view cannot be shown: ${error.message}. The tables have what it would show.`;
    place.replaceChildren(why);
  }
  data.remove();
}
