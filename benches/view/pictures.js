// Measures the pictures of the view while the camera turns and time goes on, to the end of each picture.
(async () => {
  const canvas = document.querySelector(".view canvas");
  const slider = document.querySelector(".view input[type=range]");
  const next = () => new Promise((done) => requestAnimationFrame(done));
  const gl = canvas.getContext("webgl2");
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  let triangles = 0;
  const draw = gl.drawElements.bind(gl);
  gl.drawElements = (mode, count, ...rest) => {
    triangles += count / 3;
    draw(mode, count, ...rest);
  };
  const times = [];
  let before = 0;
  for (let picture = 0; picture < 150; picture++) {
    triangles = 0;
    slider.value = picture % (Number(slider.max) + 1);
    slider.dispatchEvent(new Event("input"));
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    await next();
    // Waits until the picture is drawn.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    const now = performance.now();
    if (picture >= 30) times.push(now - before);
    before = now;
  }
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.round(part * (times.length - 1))];
  console.log("pictures: " + JSON.stringify({
    renderer: gl.getParameter(info.UNMASKED_RENDERER_WEBGL), size: [canvas.width, canvas.height], triangles,
    median: at(0.5), most: at(0.99), longest: at(1), pictures: times.length,
  }));
})();
