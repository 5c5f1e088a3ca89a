// The masks tool: which group is chosen, and what is done to it. Each gesture is one step of the history.
import * as groups from "./groups.js";
import * as shapes from "./shapes.js";
import * as tree from "./tree.js";

const LABEL = "Mask";

export function createMasksTool({ store, editor, view }) {
  /** Opacities of groups that are hidden, by their masks: hidden is opacity 0, and a recipe keeps no other. */
  const shownOpacities = new Map();
  const keyOf = (group) => JSON.stringify(group.mask ?? null);
  const own = () => store.state.masks;
  const set = (patch) => store.update((state) => ({ masks: { ...state.masks, ...patch } }));

  function parameters() {
    return groups.groupFilters(store.state.welcome?.filters ?? []).flatMap(({ filter }) =>
      [...editor.parameters.values()].filter((parameter) => parameter.filter === filter));
  }

  const tool = {
    set,
    parameters,
    get groups() {
      return store.state.edit.groups;
    },
    get index() {
      const { selected, adding } = own();
      const count = tool.groups.length;
      return selected === null || count === 0 || (adding && !adding.join) ? null : Math.min(selected, count - 1);
    },
    get group() {
      return tool.index === null ? null : tool.groups[tool.index];
    },
    get leaves() {
      return tree.leavesOf(tool.group?.mask);
    },
    /** The mask that handles and options are of. */
    get leaf() {
      const { leaves } = tool;
      return leaves[Math.min(own().part, leaves.length - 1)] ?? null;
    },
    /** What a stroke is added to: "brush" masks, and one that is about to be. */
    get paints() {
      return own().adding?.kind === "brush" || tool.leaf?.mask.kind === "brush";
    },

    enter() {
      const { mode, compare } = store.state;
      if (mode === "masks") return;
      editor.flush();
      // The handles are of one picture.
      store.update({ mode: "masks", compare: compare === "side" ? "off" : compare });
      if (tool.index === null && tool.groups.length) tool.select(tool.groups.length - 1);
    },
    select(selected, part = 0) {
      editor.flush();
      set({ selected, part, adding: null, pipette: false });
    },

    /** A new group, or with `join` ("add", "subtract", "intersect") another mask in the chosen one. */
    add(kind, join = null) {
      const place = view.place();
      if (!place) return;
      if (kind === "brush") {
        // A mask without a stroke is none: it begins with the first.
        set({ adding: { kind, join }, pipette: false });
        return;
      }
      tool.insert(newMask(kind, place), join);
      tool.commit();
      // A colour is picked from the picture next.
      if (kind === "color") set({ pipette: true });
    },
    /** Puts a mask into the edit, without saving it yet. */
    insert(mask, join, options = { dragging: false }) {
      const { edit } = store.state;
      const { group, index } = tool;
      editor.flush();
      if (!join || !group) {
        editor.change(groups.withInserted(edit, edit.groups.length, { filter: "group", mask }), options);
        set({ selected: tool.groups.length - 1, part: 0, adding: null, pipette: false });
        return;
      }
      const parts = tree.unwrapped(group.mask ?? mask);
      const next = tree.wrapped({ ...parts, inner: tree.combined(parts.inner, join, mask) });
      editor.change(groups.withGroup(edit, index, { ...group, mask: next }), options);
      set({ part: tool.leaves.length - 1, adding: null, pipette: false });
    },

    setGroup(group, options = { dragging: false }) {
      if (tool.index === null) return;
      const old = tool.group;
      const opacity = shownOpacities.get(keyOf(old));
      if (opacity !== undefined) shownOpacities.set(keyOf(group), opacity);
      editor.change(groups.withGroup(store.state.edit, tool.index, group), options);
    },
    setLeaf(mask, options) {
      const { group, leaf } = tool;
      if (!leaf || mask === leaf.mask) return;
      tool.setGroup({ ...group, mask: tree.replacedAt(group.mask, leaf.path, mask) }, options);
    },
    commit: (label = LABEL) => editor.commit(label),

    invert() {
      const { group } = tool;
      if (!group?.mask) return;
      tool.setGroup({ ...group, mask: tree.inverted(group.mask) });
      tool.commit();
    },
    duplicate() {
      const { index, group } = tool;
      if (!group) return;
      editor.apply(groups.withInserted(store.state.edit, index + 1, structuredClone(group)), LABEL);
      set({ selected: index + 1 });
    },
    /** Without the chosen group. */
    remove() {
      const { index } = tool;
      if (index === null) return;
      editor.apply(groups.withoutGroup(store.state.edit, index), LABEL);
      set({ selected: tool.groups.length ? Math.max(0, index - 1) : null, part: 0, pipette: false });
    },
    /** Without the chosen part of the mask. */
    removePart() {
      const { group, leaf, leaves } = tool;
      if (!leaf || leaves.length < 2) return;
      const mask = tree.removedAt(group.mask, leaf.path);
      if (!mask) return;
      tool.setGroup({ ...group, mask });
      tool.commit();
      set({ part: 0 });
    },
    /** Hides a group, or shows it as it was. */
    toggle(index) {
      const group = tool.groups[index];
      const opacity = groups.opacityOf(group);
      if (opacity > 0) shownOpacities.set(keyOf(group), opacity);
      const next = opacity > 0 ? 0 : (shownOpacities.get(keyOf(group)) ?? 100);
      editor.apply(groups.withGroup(store.state.edit, index, { ...group, opacity: next }), LABEL);
    },
    cycleOverlay: () => set({ overlay: !own().overlay }),
    setBrush: (patch) => set({ brush: { ...own().brush, ...patch } }),
    scaleBrush(factor) {
      const radius = Math.min(1, Math.max(0.001, own().brush.radius * factor));
      tool.setBrush({ radius: Math.round(radius * 1e4) / 1e4 });
    },
    hardenBrush(by) {
      const hardness = Math.min(1, Math.max(0, own().brush.hardness + by));
      tool.setBrush({ hardness: Math.round(hardness * 100) / 100 });
    },
    /** A pipette's colour: what is chosen becomes a range around it. */
    pick(sample, options) {
      const { leaf } = tool;
      if (leaf?.mask.kind === "color") tool.setLeaf({ ...leaf.mask, color: sample.hex }, options);
      if (leaf?.mask.kind === "luminance") tool.setLeaf({ ...leaf.mask, ...shapes.lightnessAround(sample) }, options);
    },
    /** Back one step: the pipette, the brush that waits, the tool itself. */
    escape() {
      const { pipette, adding } = own();
      if (pipette || adding) set({ pipette: false, adding: null });
      else store.update({ mode: "adjust" });
    },
  };

  function newMask(kind, place) {
    const seen = view.seen();
    if (kind === "linear") return shapes.newLinear(place, seen);
    if (kind === "radial") return shapes.newRadial(place, seen);
    if (kind === "luminance") return { kind, from: 0.6, to: 1, softness: 0.1 };
    const sample = view.sample({ x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 });
    return { kind: "color", color: sample?.hex ?? "#808080", range: 0.05, softness: 0.05 };
  }

  // Another photo has other groups.
  store.subscribe((s) => s.info?.photo, () => {
    shownOpacities.clear();
    const count = tool.groups.length;
    set({ selected: count ? count - 1 : null, part: 0, adding: null, pipette: false });
  });
  return tool;
}
