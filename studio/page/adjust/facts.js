// What the camera wrote into the photo, and what the plan has to say of the edit.
import { h, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";

export function createFacts(store) {
  const list = h("dl", { class: "facts", id: "facts" });
  const toggle = h(
    "button",
    { type: "button", class: "section-title", "aria-expanded": "true", "aria-controls": "facts" },
    icon("chevron"),
    "Info",
  );
  toggle.addEventListener("click", () => {
    list.hidden = !list.hidden;
    toggle.setAttribute("aria-expanded", !list.hidden);
  });
  const notes = h("p", { class: "plan-notes" });
  const element = h(
    "section",
    { class: "section", "aria-label": "Info" },
    h("div", { class: "section-head" }, h("h2", {}, toggle)),
    list,
    notes,
  );
  store.subscribe((s) => s.plan, (plan) => {
    const total = plan ? `One frame takes ${plan.total.toFixed(1)} ms.` : "";
    setText(notes, [...(plan?.notes ?? []), total].join(" ").trim());
  });
  store.subscribe(
    (s) => s.info,
    (info) => {
      element.hidden = !info;
      if (!info) return;
      const size = { name: "Size", value: `${info.width} × ${info.height}` };
      const facts = [...(info.facts ?? [])];
      if (!facts.some(({ name }) => name === "Size")) facts.unshift(size);
      list.replaceChildren(...facts.map(({ name, value }) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
    },
  );
  return element;
}
