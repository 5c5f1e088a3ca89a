// Calm screens for when there is no picture, and the pill for when the line is down.
import { h, setText } from "./core/dom.js";
import { tokenIn } from "./core/token.js";
import { createLoading } from "./stage/loading.js";

export function createScreens(store, useToken, openCamera) {
  const field = h(
    "input",
    {
      class: "text-field",
      type: "text",
      placeholder: "http://localhost:8555/#token=…",
      "aria-label": "Address",
      autocomplete: "off",
      spellcheck: "false",
    },
  );
  const wrong = h("p", { class: "screen-note", role: "alert" });
  const form = h("form", {}, field, h("button", { type: "submit", class: "wide-button accent" }, "Open"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const token = tokenIn(field.value);
    if (token) useToken(token);
    else setText(wrong, "There is no token in this address. It ends in #token= and many letters.");
  });
  const title = h("h1", { id: "screen-title" });
  const text = h("p", {});
  const mark = h("span", { class: "mark large", "aria-hidden": "true" });
  const camera = h(
    "button",
    { type: "button", class: "wide-button accent", on: { click: openCamera } },
    "Open the camera",
  );
  const element = h(
    "section",
    { class: "screen", "aria-labelledby": "screen-title", hidden: true },
    mark,
    title,
    text,
    camera,
    form,
    wrong,
  );

  const pill = h(
    "div",
    { class: "pill", role: "status", hidden: true },
    h("span", { class: "pill-dot" }),
    "Reconnecting…",
  );
  const problem = h("div", { class: "problem floating", role: "alert", hidden: true });

  function show(heading, body, { asks = false, photographs = false } = {}) {
    element.hidden = false;
    camera.hidden = !photographs;
    setText(title, heading);
    setText(text, body);
    form.hidden = !asks;
  }

  store.subscribe((s) => [s.connection, s.welcome, s.photo], ([connection, welcome, photo]) => {
    document.body.dataset.connection = connection;
    pill.hidden = connection !== "lost";
    element.hidden = true;
    if (connection === "no-token") {
      show(
        "This page needs the address that safelight studio printed",
        "It carries a key, so that only you can open your photos. Paste it here:",
        { asks: true },
      );
    } else if (connection === "refused") {
      show(
        "This address is from another run",
        "Safelight was started again since, with a new key. Paste the address that it printed last:",
        { asks: true },
      );
    } else if (!welcome && connection === "lost") {
      show("Waiting for Safelight", "Start it with: safelight studio");
    } else if (welcome && photo === null) {
      show(
        "No photos here",
        welcome.folder
          ? `${welcome.folder} holds none that Safelight can open.`
          : "Start Safelight with a photo or a folder: safelight studio PHOTO",
        { photographs: welcome.cameras?.length > 0 },
      );
    }
  });
  store.subscribe((s) => s.problem, (message) => {
    problem.hidden = !message;
    if (!message) return;
    const close = h(
      "button",
      { type: "button", class: "quiet", on: { click: () => store.update({ problem: null }) } },
      "OK",
    );
    problem.replaceChildren(h("p", {}, message.message), h("p", { class: "remedy" }, message.remedy ?? ""), close);
  });
  const gone = h(
    "div",
    { class: "gone-note floating", role: "status", hidden: true },
    h("p", {}),
    h("p", { class: "remedy" }),
  );
  store.subscribe((s) => [s.isGone, s.info], ([isGone, info]) => {
    gone.hidden = !isGone;
    document.body.classList.toggle("gone", isGone);
    if (!isGone) return;
    setText(gone.firstChild, `${info?.name ?? "This photo"} is no longer in the folder.`);
    setText(gone.lastChild, "Its edit is kept beside where it was. Put it back, or go on to another photo.");
  });

  const said = h("p", { class: "said", role: "status" });
  let saidTimer = 0;
  store.subscribe((s) => s.said, (text) => {
    setText(said, text);
    clearTimeout(saidTimer);
    if (text) saidTimer = setTimeout(() => store.update({ said: "" }), 2200);
  });
  return { element, overStage: [pill, createLoading(store), problem, gone, said] };
}
