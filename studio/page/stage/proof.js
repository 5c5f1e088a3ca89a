// The photo as a printer would reproduce it: the server does that, the page asks for it.
import { h, setText } from "../core/dom.js";

export function toggleProof(store) {
  if (!store.state.welcome?.proof) return;
  store.update((s) => ({ proof: { ...s.proof, shown: !s.proof.shown } }));
}

/** Marking colours that the device lacks shows the proof, too: without it nothing would be marked. */
export function toggleGamutWarning(store) {
  if (!store.state.welcome?.proof) return;
  store.update(({ proof }) => ({ proof: { shown: true, marksGamut: !(proof.shown && proof.marksGamut) } }));
}

/** What a view asks for. */
export const proofFields = ({ shown, marksGamut }) => (shown ? { proof: true, ...(marksGamut ? { gamutWarning: true } : {}) } : {});

/** A label over the picture, so that nobody takes the proof for the photo. */
export function createProofLabel(store) {
  const name = h("span", {});
  const marks = h("span", { class: "proof-marks" });
  const element = h("div", { class: "proof-label", hidden: true, role: "status" }, name, marks);
  let known = null;
  store.subscribe(
    (s) => [s.welcome?.proof, s.proof, s.room, s.mode],
    ([device, proof, room, mode]) => {
      // A page that is connected again has the state that it had.
      if (device && known === null) {
        known = device;
        store.update({ proof: { shown: true, marksGamut: device.gamutWarning } });
        return;
      }
      element.hidden = !device || !proof.shown || room !== "photo" || mode === "camera";
      if (element.hidden) return;
      setText(name, `Proof · ${device.name}`);
      setText(marks, proof.marksGamut ? "grey where it lacks the colour" : "");
    },
  );
  return element;
}
