// Looks for what keeps readers out of a page: pale text, controls and pictures without a name, headings out of order, what
// scrolls but cannot be reached by the keyboard.
(() => {
  const told = [];
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0);
  const parts = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [r, g, b] = parts(color).map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      const opacity = parts(color)[3] ?? 1;
      if (opacity > 0.99) return color;
    }
    return "rgb(255, 255, 255)";
  };
  if (!document.documentElement.lang) told.push("the page has no language");
  if (all("h1").length !== 1) told.push(`${all("h1").length} titles`);
  let level = 0;
  for (const heading of all("h1, h2, h3, h4")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) told.push(`h${next} follows h${level}`);
    level = next;
  }
  let texts = 0;
  for (const element of all("body *")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("").trim();
    if (!own || element.closest("script, style, title, desc, #verdict")) continue;
    texts++;
    const style = getComputedStyle(element);
    const color = element instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [luminance(color), luminance(background(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    // The level AA of WCAG 2.
    if (contrast < 4.5) told.push(`"${own.slice(0, 40)}" has a contrast of ${contrast.toFixed(1)}`);
  }
  const name = (element) => element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
  for (const element of all("button, input, select, a")) {
    const kind = element.tagName.toLowerCase();
    if (!name(element).trim()) told.push(`${kind === "input" ? "an" : "a"} ${kind} has no name`);
    if (element.tabIndex < 0) told.push(`"${name(element)}" is not reached by the keyboard`);
  }
  for (const picture of all("svg, canvas, img")) {
    const ids = (picture.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
    const named = ids.length > 0 && ids.every((id) => document.getElementById(id)?.textContent.trim());
    if (!named && !picture.getAttribute("aria-label") && !picture.alt) told.push("a picture has no text alternative");
  }
  for (const element of all("body *")) {
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflow)
      && (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1);
    // What can be focused inside scrolls along.
    const reached = element.tabIndex >= 0 || element.querySelector("a, button, input, [tabindex='0']");
    if (scrolls && !reached) told.push(`a ${element.tagName.toLowerCase()} scrolls but has no focus`);
  }
  for (const link of all("a[href^='#']")) {
    const to = link.getAttribute("href");
    if (!to.startsWith("#moment=") && !document.getElementById(to.slice(1))) told.push(`${to} leads nowhere`);
  }
  const verdict = document.createElement("pre");
  verdict.id = "verdict";
  verdict.textContent = JSON.stringify({ told, texts, dark: matchMedia("(prefers-color-scheme: dark)").matches });
  document.body.append(verdict);
})();
