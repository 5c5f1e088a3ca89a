/// The page of a shutter: one button on black, the last photo, and what the button waits for.
enum ShutterPage {
  static let text = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="dark">
    <meta name="theme-color" content="#000000">
    <title>Safelight shutter</title>
    <style>
      html, body { height: 100%; margin: 0; background: #000; color: #aaa; font: 16px system-ui, sans-serif }
      body { display: grid; place-items: center }
    \(style)</style>
    \(controls)
    </html>

    """

  static let style = """
      .controls { display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; width: 100%;
        padding: 24px 16px; box-sizing: border-box; user-select: none; -webkit-user-select: none }
      #shutter { width: 76pt; height: 76pt; padding: 4pt; border: 4pt solid #fff; border-radius: 50%;
        background: none; box-sizing: border-box; cursor: pointer; touch-action: manipulation;
        -webkit-tap-highlight-color: transparent }
      #shutter::before { content: ""; display: block; width: 100%; height: 100%; border-radius: 50%; background: #fff;
        transition: transform 280ms cubic-bezier(.34, 1.56, .64, 1) }
      #shutter.down::before { transform: scale(.88); transition-duration: 16ms }
      #shutter:disabled { opacity: .35; cursor: default }
      #shutter:focus-visible { outline: 3px solid #ffd60a; outline-offset: 4px }
      #last { width: 64px; height: 64px; border-radius: 8px; overflow: hidden; visibility: hidden }
      #last img { width: 100%; height: 100%; object-fit: cover; display: block }
      #state { justify-self: end; text-align: right; min-height: 1.3em }
      #state.problem { color: #ff9f0a }
      #flash { position: fixed; inset: 0; background: #fff; opacity: 0; pointer-events: none }
      #flash.on { animation: flash 180ms ease-out }
      @keyframes flash { 20% { opacity: .85 } }
      @media (prefers-reduced-motion: reduce) {
        #flash.on { animation: none }
        #shutter::before { transition: none }
      }
    """

  static let controls = """
    <div class="controls">
      <a id="last" target="_blank" rel="noopener"><img alt="The last photo"></a>
      <button id="shutter" type="button" aria-label="Take a photo" disabled></button>
      <div id="state" role="status" aria-live="polite">Connecting …</div>
    </div>
    <div id="flash"></div>
    <script src="/shutter.js"></script>
    """

  static let script = #"""
    "use strict";
    const shutter = document.getElementById("shutter");
    const state = document.getElementById("state");
    const last = document.getElementById("last");
    const flash = document.getElementById("flash");
    const words = {
      ready: "Ready",
      notReadyMomentarily: "Waiting for the camera …",
      notReadyWaitingForCapture: "Taking …",
      notReadyWaitingForProcessing: "Writing …",
      sessionNotRunning: "The camera is off",
    };

    // This page's clock and the server's: of the last round trips the shortest tells best how they differ.
    const trips = [];
    function compareClocks(sent, received, clock) {
      trips.push({ time: received - sent, difference: clock - (sent + received) / 2 });
      if (trips.length > 12) trips.shift();
    }
    function moment(time) {
      if (!trips.length) return "age=0";
      const best = trips.reduce((a, b) => (b.time < a.time ? b : a));
      return "at=" + Math.max(0, time + best.difference).toFixed(3);
    }

    let problem = "", shown = 0, underWay = 0;
    function tell(text, isProblem) {
      if (state.textContent !== text) state.textContent = text;
      state.className = isProblem ? "problem" : "";
    }
    function show(photo) {
      if (!photo || photo <= shown) return;
      shown = photo;
      last.href = "/photo/" + photo;
      last.firstElementChild.src = "/photo/" + photo + "/thumbnail";
      last.style.visibility = "visible";
    }

    async function ask() {
      try {
        const sent = performance.now();
        const response = await fetch("/shutter.json", { cache: "no-store" });
        const received = performance.now();
        const now = await response.json();
        compareClocks(sent, received, now.clock);
        shutter.disabled = now.readiness !== "ready";
        show(now.photo);
        if (problem) tell(problem, true);
        else tell(underWay ? "Taking …" : words[now.readiness] || now.readiness, false);
      } catch {
        shutter.disabled = true;
        tell("No connection", true);
      }
    }
    async function watch() {
      for (let trip = 0; trip < 6; trip++) await ask();
      for (;;) {
        await new Promise((done) => setTimeout(done, document.hidden ? 2000 : 400));
        await ask();
      }
    }

    function blink() {
      flash.classList.remove("on");
      void flash.offsetWidth;
      flash.classList.add("on");
      if (navigator.vibrate) navigator.vibrate(10);
    }
    async function press(time) {
      if (shutter.disabled) return;
      blink();
      problem = "";
      underWay++;
      tell("Taking …", false);
      try {
        const response = await fetch("/photo?" + moment(time), { method: "POST", headers: { "X-Safelight": "1" } });
        if (response.ok) show(Number((response.headers.get("Location") || "").split("/").pop()));
        else problem = (await response.text()).trim();
      } catch {
        problem = "The photo's fate is unknown: the connection broke";
      }
      underWay--;
      await ask();
    }

    const up = () => shutter.classList.remove("down");
    shutter.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      shutter.classList.add("down");
      press(event.timeStamp);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) shutter.addEventListener(name, up);
    // A click without a pointer is one of a screen reader; those of keys are prevented below.
    shutter.addEventListener("click", (event) => { if (event.detail === 0) press(event.timeStamp); });
    document.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter" || event.target.closest("a")) return;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (event.repeat) return;
      shutter.classList.add("down");
      press(event.timeStamp);
    });
    document.addEventListener("keyup", (event) => {
      if (event.key !== " " && event.key !== "Enter" || event.target.closest("a")) return;
      event.preventDefault();
      up();
    });
    shutter.addEventListener("contextmenu", (event) => event.preventDefault());
    watch();

    """#
}
