// In the bar: how many photos are done, Cancel, and at the end where the files are and the command that makes them.
import { bytes } from "../adjust/numbers.js";
import { h, setAttribute, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { codeLine } from "../sheets/copy-button.js";
import { photosText } from "./jobs.js";

/** While it runs, and when it is over. */
const verbs = {
  paste: ["Pasting", "pasted"],
  "undo-paste": ["Taking back", "taken back"],
  "redo-paste": ["Pasting", "pasted"],
  "export-all": ["Exporting", "exported"],
};

export function createJobChip({ store, jobs, nameOf }) {
  const text = h("span", { class: "job-text" });
  const short = h("span", { class: "job-short" });
  const meter = h("progress", { class: "progress", max: 1, value: 0, "aria-label": "Progress" });
  const cancel = h(
    "button",
    { type: "button", class: "icon-button small", title: "Cancel", "aria-label": "Cancel", on: { click: jobs.cancel } },
    icon("close"),
  );
  const running = h("div", { class: "job-running" }, h("div", { class: "job-line" }, text, short, meter), cancel);
  const details = h(
    "button",
    { type: "button", class: "pill-button job-done", "aria-expanded": "false", "aria-haspopup": "true" },
    "Done",
  );
  const panel = h("div", { class: "menu job-panel", role: "group", "aria-label": "What was done", hidden: true });
  const status = h("span", { class: "unseen", role: "status" });
  const element = h("div", { class: "job", hidden: true }, running, details, panel, status);

  const show = (open) => {
    panel.hidden = !open;
    setAttribute(details, "aria-expanded", open);
  };
  details.addEventListener("click", () => show(panel.hidden));
  // Wherever the focus is: it lies over the rest.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden || store.state.sheet !== null) return;
    event.stopPropagation();
    event.preventDefault();
    show(false);
  }, { capture: true });
  document.addEventListener("pointerdown", (event) => {
    if (!panel.hidden && !element.contains(event.target)) show(false);
  });

  function failures(failed) {
    const rows = [...failed.values()].map(({ photo, message, remedy }) => {
      const advice = remedy ? h("span", { class: "remedy" }, remedy) : null;
      return h("li", {}, h("b", {}, nameOf(photo)), h("span", {}, message), advice);
    });
    return rows.length ? h("ul", { class: "job-failures" }, rows) : null;
  }

  /** What is told at the end. */
  function fill(job) {
    const { folder, bytes: size, seconds, command } = job.result;
    const close = h("button", { type: "button", class: "quiet", on: { click: jobs.dismiss } }, "Done");
    const head = job.kind === "export-all"
      ? h(
        "p",
        { class: "job-facts" },
        h("b", {}, photosText(job.done.size)),
        job.done.size ? ` in ${folder}` : " exported",
        h("span", { class: "result-facts" }, size ? `${bytes(size)} · ${seconds.toFixed(1)} s` : ""),
      )
      : h("p", { class: "job-facts" }, h("b", {}, photosText(job.done.size)), " changed");
    panel.replaceChildren(
      head,
      ...[command && job.done.size ? codeLine(command) : null, failures(job.failed), close].filter(Boolean),
    );
  }

  function summary(job) {
    const [, verb] = verbs[job.kind];
    if (job.failed.size) return `${job.failed.size} of ${job.photos.length} not ${verb}`;
    return job.isCancelled ? `${job.done.size} of ${job.photos.length} ${verb}` : `${job.done.size} ${verb}`;
  }

  store.subscribe((s) => s.job, (job) => {
    element.hidden = !job || (job.result !== null && job.kind !== "export-all" && job.failed.size === 0);
    if (!job) {
      show(false);
      return;
    }
    running.hidden = job.result !== null;
    details.hidden = job.result === null;
    const count = `${job.done.size} of ${job.photos.length}`;
    setText(text, job.isCancelled ? "Ending…" : `${verbs[job.kind][0]} ${count}`);
    setText(short, `${job.done.size}/${job.photos.length}`);
    meter.value = job.done.size / job.photos.length;
    if (!job.result) {
      show(false);
      return;
    }
    if (!details.dataset.request || details.dataset.request !== String(job.request)) {
      details.dataset.request = job.request;
      details.classList.toggle("failed", job.failed.size > 0);
      details.replaceChildren(icon(job.failed.size ? "reject" : "check"), h("span", {}, summary(job)));
      fill(job);
      setText(status, summary(job));
    }
  });
  return element;
}
