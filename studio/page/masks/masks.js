// The masks tool and all that shows it: over the stage, and beside it.
import { createBrush } from "./brush.js";
import { createHandles } from "./handles.js";
import { createMasksTool } from "./masks-tool.js";
import { createMasksPanel } from "./panel.js";
import { createVeil } from "./veil.js";
import { createMasksView } from "./view.js";

/** @returns `{ tool, panel, view, paints() }`: whether a single pointer on the picture belongs to a brush */
export function createMasks({ store, editor, stage, histogram }) {
  const view = createMasksView({ store, stage });
  const tool = createMasksTool({ store, editor, view });
  const context = { tool, view, store, editor, stage, histogram };
  createVeil(context);
  const { paints } = createBrush(context);
  createHandles(context);
  return { tool, view, paints, panel: createMasksPanel(context) };
}
