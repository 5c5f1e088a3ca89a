// Copies a text. Over plain http there may be no clipboard: then the text is selected, ready for Ctrl+C.
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";

export async function copyText(text, field = null) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (field) {
      const range = document.createRange();
      range.selectNodeContents(field);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
    }
    return false;
  }
}

/** A line of code with a button beside it. */
export function codeLine(text) {
  const code = h("code", { class: "code", tabindex: "0" }, text);
  const button = h(
    "button",
    { type: "button", class: "icon-button small", title: "Copy", "aria-label": "Copy the command" },
    icon("copy"),
  );
  button.addEventListener("click", async () => {
    const copied = await copyText(code.textContent, code);
    button.replaceChildren(icon(copied ? "check" : "copy"));
    button.title = copied ? "Copied" : "Selected: press Ctrl+C";
    setTimeout(() => button.replaceChildren(icon("copy")), 1600);
  });
  return h("div", { class: "code-line" }, code, button);
}
