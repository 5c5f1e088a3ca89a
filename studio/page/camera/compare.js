// The original beside or instead of the live picture. It is shown when its first frame is there, not a stale one before.
import { follow, patch } from "./camera-state.js";

export function createCameraCompare({ store, client }) {
  const want = (kind) => {
    if (store.state.mode !== "camera" || store.state.camera.compare === kind) return;
    patch(store, { compare: kind });
    client.assist();
  };
  let split = false;
  follow(store, ["compare"], (kind) => {
    if (kind === "none") store.update({ compare: "off", holding: false });
    else if (kind === "split") store.update({ holding: false });
  });
  return {
    hold(on) {
      if (on) split = store.state.camera.compare === "split";
      if (on || store.state.camera.compare === "hold") want(on ? "hold" : split ? "split" : "none");
    },
    toggleSplit: () => want(store.state.camera.compare === "split" ? "none" : "split"),
    /** A frame of the original was drawn. */
    original() {
      const kind = store.state.camera.compare;
      if (kind === "split" && store.state.compare !== "split") store.update({ compare: "split" });
      if (kind === "hold" && !store.state.holding) store.update({ holding: true });
    },
  };
}
