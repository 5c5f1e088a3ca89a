// What the grid says: nothing to show, what was copied, what was refused, that the line is down.
import { h, setText } from "../core/dom.js";
import { noFilter } from "./filter.js";

export function createNotices(store) {
  const button = (name, label, patch) =>
    h("button", { type: "button", class: name, on: { click: () => store.update(patch) } }, label);
  const text = h("p", {});
  const all = button("pill-button", "Show all", { filter: noFilter });
  const nothing = h("div", { class: "nothing", hidden: true }, text, all);
  const status = h("p", { class: "library-status", role: "status" });
  const problem = h("div", { class: "library-problem floating", role: "alert", hidden: true });
  // The stage has its own, which is out of sight here.
  const pill = h(
    "div",
    { class: "pill away", role: "status", hidden: true },
    h("span", { class: "pill-dot" }),
    "Reconnecting…",
  );

  store.subscribe((s) => s.connection === "lost" && s.room !== "photo", (isAway) => {
    pill.hidden = !isAway;
  });
  store.subscribe((s) => [s.problem, s.room], ([message, room]) => {
    problem.hidden = !message || room === "photo";
    if (problem.hidden) return;
    problem.replaceChildren(
      h("p", {}, message.message),
      h("p", { class: "remedy" }, message.remedy ?? ""),
      button("quiet", "OK", { problem: null }),
    );
  });
  // What was said of the photos chosen before is of no use any more.
  store.subscribe((s) => s.selection.ids.size, () => setText(status, ""));

  return {
    elements: [nothing, status, problem],
    pill,
    say: (sentence) => setText(status, sentence),
    /** How many of all photos the filter lets through. */
    count(shown, total) {
      nothing.hidden = shown > 0 || total === 0;
      setText(text, total === 1 ? "The photo does not match this filter." : "No photo matches this filter.");
    },
  };
}
