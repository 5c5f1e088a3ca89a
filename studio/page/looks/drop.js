// Tables and recipes dropped on the page become looks of one's own, and the photo that is open gets the last of them.
import { h } from "../core/dom.js";

/** `Old Slide` of `Old_Slide.cube`. */
export const lookName = (file) => file.replace(/\.[^.]*$/, "").replace(/[_\s]+/g, " ").trim();

/** What a dropped file is, by its name: null for what cannot become a look. */
export function lookType(file) {
  const name = file.toLowerCase();
  if (name.endsWith(".cube")) return "text/plain";
  // An edit beside a photo is no recipe.
  return name.endsWith(".json") && !name.endsWith(".safelight.json") ? "application/json" : null;
}

export function createLookDrop({ store, editor, api }) {
  const text = h("p", {}, "Drop a table or a recipe to keep it as a look");
  const element = h("div", { class: "drop-zone", hidden: true, "aria-hidden": "true" }, text);
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files") && store.state.welcome !== null;
  let inside = 0;

  function over(count) {
    inside = Math.max(0, count);
    element.hidden = inside === 0;
  }
  addEventListener("dragenter", (event) => hasFiles(event) && over(inside + 1));
  addEventListener("dragleave", (event) => hasFiles(event) && over(inside - 1));
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(0);
    take([...event.dataTransfer.files]);
  });

  const refuse = (message, remedy) => store.update({ problem: { type: "problem", message, remedy } });

  async function take(files) {
    for (const file of files) {
      const type = lookType(file.name);
      if (!type) {
        refuse(`${file.name} is no look`, "drop .cube tables and recipes; photos are opened by: safelight studio FOLDER");
        continue;
      }
      const answer = await api.keep(lookName(file.name), file, type);
      if (answer.problem) refuse(answer.problem, answer.remedy);
      else if (store.state.info) {
        editor.apply({ ...store.state.edit, look: { preset: answer.preset, strength: 100 } }, answer.name);
      }
    }
  }

  return { element, take };
}
