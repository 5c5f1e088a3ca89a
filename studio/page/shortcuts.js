// What each key does.
import { toggleCompare } from "./stage/compare.js";
import { toggleGamutWarning, toggleProof } from "./stage/proof.js";

export function shortcuts({ store, steps, session, stage, tool, masks, pick, grey, scopes, clipboard, pasteParts, auto, setMode }) {
  const cropping = () => store.state.mode === "crop";
  const masking = () => store.state.mode === "masks";
  const photographing = () => store.state.mode === "camera";
  const looking = () => !cropping() && !photographing();
  // Enter ends the crop, unless the keyboard is on a button that it presses.
  const noControl = (event) => !event.target.matches?.("button:focus-visible:not([role=radio], [role=tab]), select");
  // Text that is still marked in a field which was left is not what is to be copied.
  const noSelection = () => getSelection().isCollapsed;
  return [
    {
      title: "View",
      keys: [
        { text: "Z", label: "Fit, or 100 %", match: [{ key: "z" }], run: () => stage.toggleZoom(), when: looking },
        {
          text: "+ −",
          label: "Zoom in, out",
          match: [{ key: "+" }, { key: "=" }, { key: "-" }],
          run: (event) => stage.zoomTo(stage.scale * (event.key === "-" ? 0.8 : 1.25)),
          when: looking,
          repeats: true,
        },
        {
          text: "\\",
          label: "Original, while held (or hold the picture)",
          match: [{ key: "\\" }],
          run: () => store.update({ holding: true }),
          up: () => store.update({ holding: false }),
          when: looking,
        },
        { text: "V", label: "Split", match: [{ key: "v" }], run: () => toggleCompare(store, "split"), when: looking },
        {
          text: "B",
          label: "Before and after, side by side",
          match: [{ key: "b" }],
          run: () => toggleCompare(store, "side"),
          when: looking,
        },
        {
          text: "S",
          label: "Scopes",
          match: [{ key: "s" }],
          run: () => store.update((s) => ({ scopes: { ...s.scopes, shown: !s.scopes.shown } })),
        },
        {
          text: "J",
          label: "What is clipped: blue for black, red for white",
          match: [{ key: "j" }],
          run: () => scopes.toggleClipping(),
          when: looking,
        },
        {
          text: "Y",
          label: "Proof, of a studio with a profile",
          match: [{ key: "y", shift: false }],
          run: () => toggleProof(store),
          when: looking,
        },
        {
          text: "Shift Y",
          label: "Mark the colours that the print lacks",
          match: [{ key: "y", shift: true }],
          run: () => toggleGamutWarning(store),
          when: looking,
        },
        {
          text: "← →",
          label: "Photo before, next",
          match: [{ key: "ArrowLeft" }, { key: "ArrowRight" }],
          run: (event) => session.step(event.key === "ArrowLeft" ? -1 : 1),
          when: looking,
          repeats: true,
        },
      ],
    },
    {
      title: "Edit",
      keys: [
        {
          text: "Ctrl Z",
          label: "Undo: edits and marks",
          repeats: true,
          match: [{ key: "z", ctrl: true, shift: false }],
          run: () => (cropping() ? tool.undo() : steps.undo()),
        },
        {
          text: "Ctrl Shift Z",
          label: "Redo",
          repeats: true,
          match: [{ key: "z", ctrl: true, shift: true }, { key: "y", ctrl: true }],
          run: () => cropping() || steps.redo(),
        },
        {
          text: "Ctrl C",
          label: "Copy the edit",
          match: [{ key: "c", ctrl: true }],
          run: () => clipboard.copy(),
          when: noSelection,
        },
        {
          text: "Ctrl V",
          label: "Paste look and colours",
          match: [{ key: "v", ctrl: true, shift: false }],
          run: () => clipboard.paste(["colours"]),
          when: looking,
        },
        {
          text: "Ctrl Shift V",
          label: "Paste parts",
          match: [{ key: "v", ctrl: true, shift: true }],
          run: () => pasteParts(),
          when: looking,
        },
        {
          text: "A",
          label: "Auto (in the crop tool: level)",
          match: [{ key: "a" }],
          run: () => (cropping() ? tool.auto() : auto.run("all", ["all"], "Auto")),
        },
        {
          text: "W",
          label: "White balance: press something grey",
          match: [{ key: "w" }],
          run: () => grey.toggle(),
          when: () => store.state.mode === "adjust",
        },
        {
          text: "Ctrl E",
          label: "Export",
          match: [{ key: "e", ctrl: true }],
          run: () => store.update({ sheet: "export" }),
          when: looking,
        },
      ],
    },
    {
      title: "Crop",
      keys: [
        {
          text: "C R",
          label: "Crop",
          match: [{ key: "c" }, { key: "r" }],
          run: () => setMode(cropping() ? "done" : "crop"),
          when: () => !photographing(),
        },
        {
          text: "X",
          label: "Portrait or landscape",
          match: [{ key: "x" }],
          run: () => tool.swapAspect(),
          when: cropping,
        },
        { text: "O", label: "Next grid", match: [{ key: "o" }], run: () => tool.cycleGrid(), when: cropping },
        {
          text: "[ ]",
          label: "Turn left, right",
          match: [{ key: "[" }, { key: "]" }],
          run: (event) => tool.turn(event.key === "]"),
          when: cropping,
        },
        {
          text: "Enter",
          label: "Done",
          match: [{ key: "Enter" }],
          run: () => tool.done(),
          when: (event) => cropping() && noControl(event),
        },
        { text: "Esc", label: "Cancel", match: [{ key: "Escape" }], run: () => tool.cancel(), when: cropping },
      ],
    },
    {
      title: "Masks",
      keys: [
        {
          text: "M",
          label: "Masks",
          match: [{ key: "m" }],
          run: () => setMode(masking() ? "adjust" : "masks"),
        },
        {
          text: "O",
          label: "Show where the mask is",
          match: [{ key: "o" }],
          run: () => masks.cycleOverlay(),
          when: masking,
        },
        {
          text: "[ ]",
          label: "Brush smaller, larger; Alt erases, Space pans",
          match: [{ key: "[", shift: false }, { key: "]", shift: false }],
          run: (event) => masks.scaleBrush(event.key === "]" ? 1.15 : 1 / 1.15),
          when: masking,
          repeats: true,
        },
        {
          text: "Shift [ ]",
          label: "Brush softer, harder",
          match: [{ key: "{" }, { key: "}" }, { code: "BracketLeft", shift: true }, { code: "BracketRight", shift: true }],
          run: (event) => masks.hardenBrush(["}", "]"].includes(event.key) || event.code === "BracketRight" ? 0.1 : -0.1),
          when: masking,
          repeats: true,
        },
        {
          text: "Delete",
          label: "Delete the mask",
          match: [{ key: "Delete" }, { key: "Backspace" }],
          run: () => masks.remove(),
          when: masking,
        },
        { text: "Arrows", label: "A handle by 1 %, with Shift by 5 %" },
        { text: "Esc", label: "Done", match: [{ key: "Escape" }], run: () => masks.escape(), when: masking },
      ],
    },
    {
      title: "Curve, wheels, bands",
      keys: [
        { text: "Arrows", label: "A point, or hue and saturation, by a step; with Shift by ten" },
        { text: "Enter", label: "A point more, beside this one" },
        { text: "Delete", label: "Remove the point; reset the wheel (or double-click)" },
        { text: "Shift", label: "While dragging: ten times finer" },
        { text: "Esc", label: "End picking on the photo", match: [{ key: "Escape" }], run: () => (grey.isOn ? grey.stop() : pick.stop()), when: () => pick.isOn || grey.isOn },
      ],
    },
    {
      title: "A slider",
      keys: [
        { text: "← →", label: "One step" },
        { text: "Shift ← →", label: "Ten steps; while dragging, ten times finer" },
        { text: "Alt", label: "While dragging: no pull to neutral" },
        { text: "Delete", label: "Reset (or double-click)" },
        { text: "?", label: "These keys", everywhere: true, match: [{ key: "?" }], run: () => store.update({ sheet: "keys" }) },
      ],
    },
  ];
}
