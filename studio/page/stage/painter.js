// Draws the newest frames where the view wants them; between frames the last one is moved and scaled, so nothing jumps.
import { screenSpace } from "../core/screen.js";
import { frameRect, mix, partOf, pictureRect, wholeOf } from "./viewport.js";

const GLIDE = 240;
const CROSSFADE = 90;
/** From this zoom on, pixels are shown as squares. */
const PIXELATED = 4;
const easeOut = (t) => 1 - (1 - t) ** 3;

/**
 * @param {() => object} target what is wanted: `{ view, number, panes, full, uncropped, part, split, side, ratio, drags }`;
 *   `part` is the crop in 0…1 of the uncropped picture; `drags`: frames follow each other in a view that stays
 * @param {object} motion what shows frames of a drag: see motion.js
 */
export function createPainter(canvas, target, motion, reducedMotion) {
  const context = canvas.getContext("2d", { alpha: false, colorSpace: screenSpace });
  /** The newest frame of each kind, and the newest that shows the whole picture, which lies beneath it. */
  const shown = { edited: null, original: null };
  const whole = { edited: null, original: null };
  /** Which views were of the uncropped picture, by number. */
  const uncroppedViews = new Map();
  const listeners = new Set();
  let photo = null;
  let scheduled = false;
  let glide = null;
  let lastRect = null;
  let reveal = { from: 0, to: 0, start: 0 };
  let highlight = null;
  /** Makes marks over a frame as it is drawn; null for none. */
  let marks = null;

  /** Of a picture that was made before views had numbers (see first-picture.js): whether that was for this pane. */
  const isMadeFor = ({ pane }, { width, height }, { mode }) =>
    pane && (mode === "fit" && pane.width === width && pane.height === height);
  const covers = ({ scaled, window }) => window.width >= scaled.width && window.height >= scaled.height;

  function keep(slots, kind, frame) {
    const old = slots[kind];
    slots[kind] = frame;
    if (old && old !== shown[kind] && old !== whole[kind]) old.surface?.close();
  }

  function forget() {
    for (const kind of ["edited", "original"]) {
      for (const frame of new Set([shown[kind], whole[kind]])) frame?.surface?.close();
      shown[kind] = whole[kind] = null;
    }
    highlight = null;
  }

  /** The rectangle of the whole picture, as the view wants it now. */
  function wantedRect(pane, wanted) {
    const frame = shown.edited;
    const current = frame && (isMadeFor(frame.header, pane, wanted.view) ?? frame.header.view === wanted.number);
    const full = current ? frame.header.full : (wanted.full ?? frame?.header.full);
    if (!full) return null;
    return pictureRect(wanted.view, pane, full, current ? frame.header.scaled : null);
  }

  function drawFrame(frame, rect, wanted) {
    if (!frame?.surface) return;
    const { header, surface } = frame;
    const uncropped = uncroppedViews.get(header.view) ?? false;
    let place = rect;
    // On the way into and out of the crop tool a frame shows another part of the picture than the view.
    const other = wanted.part && uncropped !== wanted.uncropped;
    if (other) place = uncropped ? wholeOf(rect, wanted.part) : partOf(rect, wanted.part);
    const to = frameRect(header, place);
    const exact =
      to.width === surface.width && to.height === surface.height && Number.isInteger(to.x) && Number.isInteger(to.y);
    const crisp = to.width >= PIXELATED * header.window.width && surface.width === header.window.width;
    context.imageSmoothingEnabled = !exact && !crisp;
    context.imageSmoothingQuality = header.final ? "high" : "low";
    const paint = () => context.drawImage(surface, to.x, to.y, to.width, to.height);
    if (other && uncropped) clipped(rect, paint);
    else paint();
  }

  function drawKind(kind, rect, wanted) {
    if (whole[kind] !== shown[kind]) drawFrame(whole[kind], rect, wanted);
    drawFrame(shown[kind], rect, wanted);
  }

  function clipped(area, run) {
    context.save();
    context.beginPath();
    context.rect(area.x, area.y, area.width, area.height);
    context.clip();
    run();
    context.restore();
  }

  function draw(now = performance.now()) {
    scheduled = false;
    const wanted = target();
    context.fillStyle = "#000";
    context.fillRect(0, 0, canvas.width, canvas.height);
    const rects = wanted.panes.map((pane) => wantedRect(pane, wanted));
    if (!rects[0]) return;
    if (glide) {
      const t = Math.min(1, (now - glide.start) / GLIDE);
      rects[0] = mix(glide.from, rects[0], easeOut(t));
      if (t >= 1) glide = null;
      else request();
    }
    lastRect = rects[0];
    // A frame that was handed over moves with the view until the next one is here.
    if (motion.isShown && shown.edited) motion.place(frameRect(shown.edited.header, rects[0]), wanted.ratio);
    if (wanted.side) {
      ["original", "edited"].forEach((kind, index) =>
        clipped(wanted.areas[index], () => drawKind(kind, rects[index], wanted)),
      );
    } else {
      drawKind("edited", rects[0], wanted);
      if (wanted.split !== null && shown.original) {
        const { x, y, width, height } = rects[0];
        const left = Math.max(0, x);
        const edge = wanted.split * canvas.width;
        clipped({ x: left, y, width: Math.max(0, Math.min(edge, x + width) - left), height }, () =>
          drawKind("original", rects[0], wanted),
        );
      }
      drawOriginal(rects[0], wanted, now);
      // It is of the edited picture: the original and its half of a split stay free of it.
      const overlay = highlight ?? (shown.edited && reveal.to === 0 ? marks?.(shown.edited) : null);
      if (overlay && shown.edited) {
        const to = frameRect(shown.edited.header, rects[0]);
        const left = wanted.split === null || !shown.original ? 0 : wanted.split * canvas.width;
        clipped({ x: left, y: 0, width: canvas.width - left, height: canvas.height }, () => {
          context.imageSmoothingEnabled = false;
          context.drawImage(overlay, to.x, to.y, to.width, to.height);
        });
      }
    }
    for (const listener of listeners) listener(rects[0], wanted);
  }

  /** Hands a frame of a drag to the browser, where it is all that is to be seen; returns whether it did. */
  function handOver(frames) {
    const [frame] = frames;
    const wanted = target();
    const { header, surface } = frame;
    const isPlain =
      frames.length === 1 && header.kind === "edited" && !header.final && header.photo === photo && wanted.drags &&
      header.view === wanted.number && !wanted.side && wanted.split === null && !glide && !highlight && !marks && reveal.to === 0;
    const rect = isPlain ? wantedRectOf(frame, wanted) : null;
    if (!rect) return false;
    const isWhole = covers(header);
    // What stays beneath is the whole picture as it was: it need not be taken.
    keep(shown, "edited", { ...frame, surface: null });
    motion.show(surface, frameRect(header, rect), wanted.ratio, isWhole);
    lastRect = rect;
    for (const listener of listeners) listener(rect, wanted);
    return true;
  }

  const wantedRectOf = ({ header }, wanted) => pictureRect(wanted.view, wanted.panes[0], header.full, header.scaled);

  function drawOriginal(rect, wanted, now) {
    const t = Math.min(1, (now - reveal.start) / CROSSFADE);
    const alpha = reveal.from + (reveal.to - reveal.from) * t;
    if (t < 1) request();
    if (alpha <= 0 || !shown.original) return;
    context.globalAlpha = alpha;
    drawKind("original", rect, wanted);
    context.globalAlpha = 1;
  }

  function request() {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(draw);
  }

  return {
    request,
    /** Draws now: for frames, which come in an animation frame, and for a canvas whose size has just changed. */
    draw: () => draw(),
    onPaint(listener) {
      listeners.add(listener);
    },
    get rect() {
      return lastRect;
    },
    get frame() {
      return shown.edited;
    },
    get hasOriginal() {
      return shown.original !== null;
    },
    get original() {
      return shown.original;
    },
    noteView(number, uncropped) {
      uncroppedViews.set(number, uncropped);
      if (uncroppedViews.size > 500) uncroppedViews.delete(uncroppedViews.keys().next().value);
    },
    show(frames) {
      if (handOver(frames)) return;
      for (const frame of frames) {
        if (frame.header.photo !== photo) {
          // The photo before stays until the first frame of the next one is there.
          forget();
          photo = frame.header.photo;
        }
        keep(shown, frame.header.kind, frame);
        if (covers(frame.header)) keep(whole, frame.header.kind, frame);
      }
      highlight = null;
      draw();
      motion.hide();
    },
    /**
     * From where the picture is now to where the view wants it, softly. Into the crop tool ("in") that is where the whole
     * picture would be, of which the crop was seen; out of it ("out"), where the crop was in the whole.
     */
    glide(way = null, part = null) {
      if (!lastRect || reducedMotion()) return;
      const from = way === "in" ? wholeOf(lastRect, part) : way === "out" ? partOf(lastRect, part) : lastRect;
      glide = { from, start: performance.now() };
      request();
    },
    get gliding() {
      return glide !== null;
    },
    /** Shows or hides the original over the picture, in 90 ms. */
    reveal(on) {
      const now = performance.now();
      const t = Math.min(1, (now - reveal.start) / CROSSFADE);
      reveal = { from: reveal.from + (reveal.to - reveal.from) * t, to: on ? 1 : 0, start: now };
      request();
    },
    /** Black: for a photo that cannot be shown. */
    clear() {
      motion.hide();
      forget();
      photo = null;
      lastRect = null;
      request();
    },
    /** A small canvas over the frame's pixels, or null: until the next frame. */
    highlight(overlay) {
      highlight = overlay;
      request();
    },
    /** `make(frame)`: a canvas over the pixels of each frame that is drawn from now on, or null; null for none. */
    mark(make) {
      marks = make;
      request();
    },
  };
}
