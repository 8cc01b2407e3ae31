// Looks at a report as a browser has laid it out, and writes down what it finds: how many plots,
// lines, bars, labels and tables there are, and all that a reader would stumble over.
(() => {
  const told = [];
  const box = (of) => of.getBoundingClientRect();
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) told.push(`the page is ${page.scrollWidth} wide`);
  const plots = [...document.querySelectorAll("svg")];
  const count = (what) => plots.map((plot) => plot.querySelectorAll(what).length);
  let labels = 0;
  plots.forEach((plot, number) => {
    const say = (what) => told.push(`plot ${number}: ${what}`);
    const frame = box(plot);
    if (frame.width < 300 || frame.height < 50) say(`${frame.width} x ${frame.height}`);
    for (const curve of plot.querySelectorAll("polyline.s")) {
      const at = box(curve);
      if (at.width < 5) say("a curve of no width");
      if (at.left < frame.left || at.right > frame.right || at.top < frame.top || at.bottom > frame.bottom)
        say("a curve leaves the plot");
    }
    const texts = [...plot.querySelectorAll("text")].filter((text) => text.textContent.trim());
    labels += texts.length;
    texts.forEach((text, place) => {
      const at = box(text);
      const name = `"${text.textContent}"`;
      if (at.width < 1 || at.height < 1) say(`${name} is not to be seen`);
      const inside = at.left > frame.left - 1 && at.right < frame.right + 1
        && at.top > frame.top - 1 && at.bottom < frame.bottom + 1;
      if (!inside) say(`${name} is cut off`);
      for (const other of texts.slice(place + 1)) {
        const to = box(other);
        const across = Math.min(at.right, to.right) - Math.max(at.left, to.left);
        const along = Math.min(at.bottom, to.bottom) - Math.max(at.top, to.top);
        // Lines of text are higher than their letters.
        const overlap = across > 1 && along > 0.3 * Math.min(at.height, to.height);
        if (overlap) say(`${name} and "${other.textContent}" overlap`);
      }
    });
  });
  const found = {
    plots: plots.length,
    tables: document.querySelectorAll("table").length,
    curves: count("polyline.s"),
    bars: count("rect"),
    labels,
    told,
  };
  const verdict = document.createElement("pre");
  verdict.id = "verdict";
  verdict.textContent = JSON.stringify(found);
  document.body.append(verdict);
})();
