// What each key does while the camera is shown.
import { isClip, patch } from "./camera-state.js";
import { toggleDrawer } from "./drawer.js";

export function cameraKeys({ store, client, shutter, shots, modes, zoom, focus, clip, compare, chrome, enter, leave }) {
  const camera = () => store.state.camera;
  const here = () => store.state.mode === "camera";
  const live = () => here() && !isClip(camera());
  const playing = () => here() && isClip(camera());
  // Keys press a button that has the focus; but for the shutter, which they press anyway.
  const free = (event) =>
    !event.target.matches?.("button:focus-visible:not(.shutter, .mode, .look), select, summary");
  const flip = (name) => () => patch(store, { [name]: !camera()[name] });
  const drawer = (name) => () => toggleDrawer(store, name);

  function escape() {
    const now = camera();
    if (now.countdown !== null) shots.cancel();
    else if (now.drawer) patch(store, { drawer: null });
    else if (now.locked) focus.release();
    else if (!now.recording && store.state.welcome.photos.length) leave();
  }

  const key = (text, label, match, run, more = {}) => ({
    text,
    label,
    match: match.map((one) => (typeof one === "string" ? { key: one } : one)),
    run,
    when: here,
    ...more,
  });
  const press = {
    run: (event) => shutter.press(event.timeStamp),
    up: () => shutter.release(),
  };
  return {
    title: "Camera",
    keys: [
      key("K", "Camera, or back to the photos", ["k"], () => (here() ? leave() : enter()), {
        when: () => here() || client.cameras.length > 0,
      }),
      key("Space", "Shutter, on the press; held, a burst. Of a clip: play, pause", [" "], press.run, {
        up: press.up,
        when: (event) => live() && free(event),
      }),
      key("Space", "", [" "], () => clip.toggle(), { when: (event) => playing() && free(event), shown: false }),
      key("Enter", "Shutter; of a clip: save this frame", ["Enter"], press.run, {
        up: press.up,
        when: (event) => here() && free(event),
      }),
      key("← →", "Mode; of a clip: a second back, on", ["ArrowLeft", "ArrowRight"], (event) => {
        const by = event.key === "ArrowLeft" ? -1 : 1;
        if (playing()) clip.seekBy(by * (event.shiftKey ? 5 : 1));
        else modes.step(by);
      }, { repeats: true }),
      key("↑ ↓", "Brighter, darker", ["ArrowUp", "ArrowDown"], (event) => {
        focus.nudge(event.key === "ArrowUp" ? 0.1 : -0.1);
      }, { repeats: true, when: (event) => here() && free(event) }),
      key("A", "Focus and expose in the middle", ["a"], () => live() && focus.middle()),
      key("X", "Hold exposure and focus", ["x"], () => live() && focus.toggleLock()),
      key("1 2 5", "Zoom", ["1", "2", "5"], (event) => zoom.to(Number(event.key))),
      key("+ −", "Zoom in, out", ["+", "=", "-"], (event) => {
        zoom.step(event.key === "-" ? 1 / 1.1 : 1.1);
      }, { repeats: true }),
      key("G L Z P", "Thirds, level, zebra, focus peaking", ["g"], flip("grid")),
      key("L", "", ["l"], flip("level"), { shown: false }),
      key("Z", "", ["z"], flip("zebra"), { shown: false }),
      key("P", "", ["p"], flip("peaking"), { shown: false }),
      key("\\", "Original, while held", ["\\"], () => compare.hold(true), {
        up: () => compare.hold(false),
        shown: false,
      }),
      key("V", "Split", ["v"], () => compare.toggleSplit(), { shown: false }),
      key("F E C D", "Looks, adjust, controls, cameras", ["f"], drawer("looks")),
      key("E", "", ["e"], drawer("adjust"), { shown: false }),
      key("C", "", ["c"], drawer("controls"), { shown: false }),
      key("D", "", ["d"], drawer("source"), { shown: false }),
      key("N", "Next camera", ["n"], () => camera().recording ?? chrome.next()),
      key("T", "3 or 10 seconds", ["t"], () => patch(store, { timer: camera().timer === 3 ? 10 : 3 }), {
        when: () => here() && camera().mode === "timer",
      }),
      key("M", "Sound of movies", ["m"], () => camera().recording ?? flip("sound")()),
      key("Esc", "Cancel the timer, close, or back to the photos", ["Escape"], escape),
    ],
  };
}
