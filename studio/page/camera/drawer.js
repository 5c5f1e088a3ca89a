// A panel beside the viewfinder, which stays live: the cameras, or the camera's controls.
import { h, keepFocusOffButtons } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { follow, patch } from "./camera-state.js";

export const toggleDrawer = (store, name) =>
  patch(store, { drawer: store.state.camera.drawer === name ? null : name });

/** The title of a panel, and the button that closes it. */
export const createDrawerHead = (store, title) =>
  h(
    "header",
    { class: "drawer-head" },
    h("h2", {}, title),
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": `Close ${title}`,
        on: { click: () => patch(store, { drawer: null }) },
      },
      icon("close"),
    ),
  );

/** @returns an element that is there while the camera's `drawer` is `name` */
export function createDrawer(store, name, title, children) {
  const element = h(
    "aside",
    { class: "camera-drawer", "aria-label": title, hidden: true },
    createDrawerHead(store, title),
    h("div", { class: "drawer-body" }, children),
  );
  // Space stays the shutter's after a click in here.
  keepFocusOffButtons(element);
  let opener = null;
  follow(store, ["drawer"], (drawer) => {
    const open = drawer === name;
    if (open === !element.hidden) return;
    if (open) opener = document.activeElement;
    const hadFocus = element.contains(document.activeElement);
    element.hidden = !open;
    if (!open && hadFocus && opener?.isConnected) opener.focus({ focusVisible: false });
  });
  return element;
}
