// What the page knows at its start, and what each name means.
import { initialCamera } from "../camera/camera-state.js";

import { noFilter } from "../library/filter.js";
import { noSelection } from "../library/selection.js";

export const emptyEdit = () => ({ base: [], look: null, values: {}, groups: [] });

export const initialState = () => ({
  /** no-token, refused, connecting, open or lost */
  connection: "connecting",
  /** The server's `welcome`: filters, presets, photos, folder, formats. */
  welcome: null,
  /** The photo that is open: its id, then what the server said of it. */
  photo: null,
  info: null,
  /** No frame of this photo has been drawn yet. */
  loading: false,
  problem: null,
  /** The photo that is open has left the folder: it can be seen, but not edited. */
  isGone: false,
  /** What is said for a moment of something that has no other sign. */
  said: "",

  edit: emptyEdit(),
  undo: 0,
  redo: 0,
  /** Whether marks are what is undone, or done again, next: see core/steps.js. */
  markSteps: { undo: false, redo: false },
  command: null,
  plan: null,
  /** The flag of the control that is being dragged. */
  dragging: null,
  /** It is dragged on the picture itself, perhaps far from its slider. */
  sliding: false,
  /** The flag of the control used last: a drag across the picture moves it. */
  active: null,
  /** The white balance is picked on the picture. */
  picksGrey: false,
  /** What picks bands of colours on the picture: the id of its tool. See adjust/bands/pick.js. */
  picking: null,
  /** Sentences of automatic values, by section. */
  notices: {},

  /** The masks tool: see masks/masks-tool.js. `adding` is a brush that has not painted yet: `{ kind, join }`. */
  masks: {
    selected: null,
    part: 0,
    adding: null,
    overlay: false,
    pipette: false,
    /** A handle or a stroke is being dragged. */
    dragging: false,
    brush: { radius: 0.04, hardness: 0.5, flow: 1, erase: false },
  },

  /** The live camera: see camera/camera-state.js. */
  camera: initialCamera(),

  /** adjust, looks, crop, masks, photos or camera. On a wide window looks are always there. */
  mode: "adjust",
  view: { mode: "fit", scale: 1, x: 0.5, y: 0.5 },
  /** Device pixels of the canvas, and how many of them make a CSS pixel. */
  canvas: { width: 0, height: 0, ratio: 1 },
  /** In how many JPEGs a picture is wanted; null for as many as the server likes. */
  stripes: null,
  /** Of the newest frame drawn: full size, zoom, whether it is sharp, milliseconds from input to screen. */
  frame: null,

  /** What the window shows: photo, grid or compare (two of them). */
  room: "photo",
  /** Marks that are not neutral, by photo: one map that changes, in an object that is new with each change. */
  marks: { byPhoto: new Map() },
  /** Photos that have an edit beside them. */
  edited: new Set(),
  /** Which photos are shown, and which are chosen: see library/filter.js and library/selection.js. */
  filter: noFilter,
  selection: noSelection,
  /** A tap chooses, as on a phone after "Select". */
  choosing: false,
  /** Work on many photos: see library/jobs.js. */
  job: null,

  compare: "off",
  holding: false,
  split: 0.5,
  scopes: { shown: false, tab: "histogram" },
  /** Whether photos are shown as the device that the server proofs by has them, and colours that it lacks as grey. */
  proof: { shown: false, marksGamut: false },
  sheet: null,
});
