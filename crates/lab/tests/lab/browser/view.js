// Uses a report as a reader does, and writes down what happens: pictures by moment, names by place, what is hidden.
(async () => {
  const told = [];
  const one = (selector) => document.querySelector(selector);
  const next = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const canvas = one(".view canvas");
  const slider = one(".view input[type=range]");
  const status = () => one(".view [role=status]").textContent;
  // The picture must be read in the frame that drew it.
  const picture = (key = "Home") => new Promise((done) => {
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    requestAnimationFrame(() => {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const flat = copy.getContext("2d", { willReadFrequently: true });
      flat.drawImage(canvas, 0, 0);
      const { data } = flat.getImageData(0, 0, copy.width, copy.height);
      let [red, blue, sum] = [0, 0, 0];
      for (let k = 0; k < data.length; k += 4) {
        const [r, g, b] = data.subarray(k, k + 3);
        red += r > 150 && g < 110 && b < 110;
        blue += b > 120 && r < 60;
        sum = (31 * sum + r + 3 * g + 7 * b) >>> 0;
      }
      done({ red, blue, sum });
    });
  });
  const at = async (moment) => {
    slider.value = moment;
    slider.dispatchEvent(new Event("input"));
    await next();
    return picture();
  };
  const click = (x, y) => {
    const box = canvas.getBoundingClientRect();
    const place = { clientX: box.left + x * box.width, clientY: box.top + y * box.height, pointerId: 1, bubbles: true };
    canvas.setPointerCapture = undefined;
    canvas.dispatchEvent(new PointerEvent("pointerdown", place));
    canvas.dispatchEvent(new PointerEvent("pointerup", place));
    return status();
  };
  // The mean place of each name that is picked.
  const names = () => {
    const places = {};
    for (let x = 0.025; x < 1; x += 0.05) {
      for (let y = 0.05; y < 1; y += 0.1) {
        const name = /^Picked: (.*)$/.exec(click(x, y))?.[1] ?? "";
        (places[name] ??= []).push(x);
      }
    }
    const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
    return Object.fromEntries(Object.entries(places).map(([name, list]) => [name, mean(list)]));
  };
  const pressed = async (label) => {
    one(`.view button[aria-label="${label}"]`).click();
    await next();
  };
  try {
    await next();
    const found = { pictures: [], output: [] };
    for (const moment of [0, 4, 8]) {
      found.pictures.push(await at(moment));
      found.output.push(one(".view output").textContent);
    }
    await at(0);
    found.names = names();
    await pressed("hide left");
    found.without = names();
    await pressed("hide left");
    const before = await picture();
    await pressed("fade left");
    found.faded = (await picture()).sum !== before.sum;
    const whole = (await picture()).sum;
    found.keys = [];
    for (const key of ["ArrowLeft", "ArrowUp", "+", "-"]) {
      found.keys.push((await picture(key)).sum !== whole);
      await picture();
    }
    // The pointer turns, moves with shift or the right button, and the wheel zooms.
    const drag = (more) => {
      const box = canvas.getBoundingClientRect();
      const place = (x) => ({ clientX: box.left + x, clientY: box.top + 60, pointerId: 1, bubbles: true, ...more });
      canvas.dispatchEvent(new PointerEvent("pointerdown", place(60)));
      canvas.dispatchEvent(new PointerEvent("pointermove", place(160)));
      canvas.dispatchEvent(new PointerEvent("pointerup", place(160)));
    };
    const scroll = () => canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 200, bubbles: true, cancelable: true }));
    found.pointer = [];
    for (const use of [() => drag({}), () => drag({ shiftKey: true }), () => drag({ buttons: 2 }), scroll]) {
      use();
      found.pointer.push((await picture("Shift")).sum);
      await picture();
    }
    found.pointer = found.pointer.map((sum) => sum !== whole).concat(found.pointer[1] === found.pointer[2]);
    found.back = (await picture()).sum === whole;
    // A layer is switched off, and on again.
    const layer = one(".view .layers input");
    found.layer = [layer.parentElement.textContent.trim()];
    for (let time = 0; time < 3; time++) {
      found.layer.push((await at(4)).blue > 20);
      layer.click();
    }
    layer.click();
    await at(0);
    // The table and the timeline choose the moment, too.
    const link = one("table.sortable a");
    link.click();
    await next();
    found.linked = [link.textContent, slider.value, link.closest("tr").className];
    const line = one("g.timeline");
    const box = line.ownerSVGElement.getBoundingClientRect();
    const scale = box.width / line.ownerSVGElement.viewBox.baseVal.width;
    const right = Number(line.dataset.right);
    line.ownerSVGElement.dispatchEvent(new MouseEvent("click", { clientX: box.left + scale * (right - 2), bubbles: true }));
    await next();
    found.last = slider.value;
    // Sorting.
    const column = () => [...document.querySelectorAll("table.sortable tbody tr")].map((row) => row.cells[1].textContent);
    const heading = document.querySelectorAll("table.sortable thead button")[1];
    heading.click();
    found.ascending = column();
    heading.click();
    found.descending = column();
    found.sort = heading.parentElement.getAttribute("aria-sort");
    told.push(found);
  } catch (error) {
    told.push({ error: String(error.stack) });
  }
  const verdict = document.createElement("pre");
  verdict.id = "verdict";
  verdict.textContent = JSON.stringify(told[0]);
  document.body.append(verdict);
})();
