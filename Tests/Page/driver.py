"""The page of the studio in a browser: what people do with it, and what it shows."""

import json
import os
import pathlib
import re
import xml.etree.ElementTree as ElementTree

from studio import PATIENCE, until

# Another page than the one in the program, for trying changes without building it.
PAGE = os.environ.get("PAGE")
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def file_of(folder, path):
    """A file of the page. The program joins the style sheets; modules are taken one by one."""
    if path != "style.css":
        return (folder / path).read_bytes()
    sheets = re.findall(r'href="/studio/(style/[^"]+)"', (folder / "index.html").read_text())
    return "\n".join((folder / sheet).read_text() for sheet in sheets).encode()


class Page:
    """A tab with the studio. What went wrong in it is in `complaints`, whatever it asked for in `requests`."""

    def __init__(self, context, address, opens=True):
        self.address = address
        self.tab = context.new_page()
        self.tab.set_default_timeout(1000 * PATIENCE)
        self.complaints = []
        self.requests = []
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.on("console", self._heard)
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.on("websocket", lambda socket: self.requests.append(socket.url))
        self.tab.add_init_script(
            "addEventListener('securitypolicyviolation', (e) => console.error('policy: ' + e.violatedDirective))")
        if PAGE:
            self._serve(pathlib.Path(PAGE))
        self.tab.goto(address)
        if opens:
            self.opened()

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _serve(self, folder):
        origin = self.address.split("#")[0].rstrip("/")
        # The policy of the program holds for these files too.
        headers = dict(self.tab.request.get(origin + "/").headers)
        headers.pop("content-length", None)

        def answer(route):
            path = route.request.url.removeprefix(origin + "/studio/").split("?")[0]
            kind = TYPES[pathlib.Path(path).suffix]
            route.fulfill(status=200, headers={**headers, "content-type": kind}, body=file_of(folder, path))

        # Not index.html: with an origin that is no server's, the browser would refuse the page its socket.
        self.tab.route(origin + "/studio/**", answer)

    # What it shows

    def ask(self, expression, argument=None):
        return self.tab.evaluate(expression, argument)

    def state(self, expression):
        """Part of the page's state: `state("s.edit.values")`."""
        return self.ask(f"() => {{ const s = safelightStudio.store.state; return {expression}; }}")

    def opened(self, name=None):
        """Waits until a photo is on the screen, sharp."""
        until(
            lambda: self.sharp() and name in (None, self.state("s.photo === s.info?.photo && s.info.name")),
            f"{name or 'a photo'} is shown")
        return self

    def sharp(self):
        """Whether what is shown is the newest edit of the photo that is open, sharp, and at rest."""
        return self.ask(
            """() => {
              const { store, editor, stage, latencies } = window.safelightStudio ?? {};
              return Boolean(store?.state.frame?.sharp) && !store.state.loading && !stage.painter.gliding &&
                (latencies.at(-1)?.id ?? 0) >= editor.lastInput;
            }""")

    def live(self):
        """Waits until live frames are on the screen."""
        until(
            lambda: self.ask("() => Boolean(window.safelightStudio?.store.state.camera.started)"), "a live frame is shown")
        until(lambda: self.state("s.camera.device?.state") == "running", "the camera runs")
        return self

    def settled(self):
        until(self.sharp, "the frame is sharp")

    @property
    def values(self):
        return self.state("s.edit.values")

    def edited(self, values):
        until(lambda: self.values == values, f"the edit is {values}")

    def steps(self, undo, redo=None):
        """Waits until so many steps can be undone, and done again."""
        until(
            lambda: (lambda now: now[0] == undo and redo in (None, now[1]))(self.state("[s.undo, s.redo]")),
            f"{undo} steps can be undone, {redo} done again")

    @property
    def picture(self):
        """Where the whole picture is, in CSS pixels of the window: x, y, width, height."""
        return self.ask(
            """() => {
              const { painter, canvas } = safelightStudio.stage;
              const { x, y, width, height } = painter.rect;
              const { ratio } = safelightStudio.store.state.canvas;
              const box = canvas.getBoundingClientRect();
              return [box.left + x / ratio, box.top + y / ratio, width / ratio, height / ratio];
            }""")

    def pixels(self):
        """The canvas as a PNG, and where the picture is in it, in its pixels."""
        address, rect = self.ask(
            """() => [safelightStudio.stage.canvas.toDataURL(), safelightStudio.stage.painter.rect]""")
        return address, rect

    def read(self, selector, script, *arguments):
        """Calls a function with a context that has a copy of a canvas, and with arguments."""
        return self.ask(
            f"""([selector, arguments]) => {{
              const canvas = document.querySelector(selector);
              const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {{ willReadFrequently: true }});
              copy.drawImage(canvas, 0, 0);
              return ({script})(copy, ...arguments);
            }}""",
            [selector, list(arguments)])

    # What people do

    def slider(self, flag):
        return self.tab.locator(f'#adjust-panel .control[data-flag="{flag}"] .slider')

    def drag(self, flag, by, steps=12, release=True):
        """Drags a slider's thumb by a part of its length."""
        rail = self.slider(flag).locator(".slider-rail")
        rail.scroll_into_view_if_needed()
        box, thumb = rail.bounding_box(), self.slider(flag).locator(".slider-thumb").bounding_box()
        x, y = thumb["x"] + thumb["width"] / 2, box["y"] + box["height"] / 2
        self.stroke((x, y), (x + by * box["width"], y), steps, release)

    def stroke(self, start, end, steps=12, release=True):
        """Presses the mouse, moves it in a line, and lets go."""
        mouse = self.tab.mouse
        mouse.move(*start)
        mouse.down()
        for step in range(1, steps + 1):
            mouse.move(*(a + (b - a) * step / steps for a, b in zip(start, end)))
        if release:
            mouse.up()

    def button(self, name):
        return self.tab.get_by_role("button", name=name, exact=True)

    def press(self, *keys):
        for key in keys:
            self.tab.keyboard.press(key)

    def choose(self, name):
        """Presses one of a group, such as a look or proportions."""
        self.tab.get_by_role("radio", name=name, exact=True).click()

    def crop(self):
        """Opens the crop tool."""
        self.press("c")
        until(lambda: self.state("s.mode") == "crop", "the crop tool is open")
        self.settled()

    def grid(self):
        """Opens the grid, and waits until each cell in sight has its picture."""
        if self.state("s.room") != "grid":
            self.press("g")
        until(lambda: self.state("s.room") == "grid", "the grid is open")
        self.pictured()

    def pictured(self):
        """Waits until each cell that is in sight has its picture."""
        until(
            lambda: self.ask(
                """() => {
                  const room = document.querySelector('.grid').getBoundingClientRect();
                  const seen = [...document.querySelectorAll('.cell')].filter((one) => {
                    const box = one.getBoundingClientRect();
                    return box.bottom > room.top && box.top < room.bottom;
                  });
                  return seen.length > 0 && seen.every((one) => one.querySelector('img')?.complete);
                }"""),
            "each cell in sight has its picture")

    def cell(self, name):
        return self.tab.get_by_role("option", name=name)

    @property
    def chosen(self):
        """Names of the photos that are chosen in the grid, in order."""
        return self.ask(
            """() => {
              const { welcome, selection } = safelightStudio.store.state;
              return welcome.photos.filter((one) => selection.ids.has(one.photo)).map((one) => one.name);
            }""")

    def mark(self, name):
        """Stars, flag and colour of a photo, as the page knows them."""
        return self.ask(
            """(name) => {
              const { welcome } = safelightStudio.store.state;
              const { rating, flag, color } =
                safelightStudio.marks.of(welcome.photos.find((one) => one.name === name).photo);
              return [rating, flag, color];
            }""",
            name)

    def enter(self, address):
        """Gives the address of another run, when the page asks for it."""
        self.tab.get_by_role("textbox", name="Address").fill(address)
        self.button("Open").click()

    def shows(self, text):
        self.tab.get_by_text(text).filter(visible=True).first.wait_for()

    def look_away(self):
        """Takes the keyboard off whatever has it."""
        self.ask("() => document.activeElement?.blur()")


def sidecar(photo):
    """The edit beside a photo, as the file has it; None without one."""
    path = pathlib.Path(f"{photo}.safelight.json")
    return json.loads(path.read_text()) if path.exists() else None


def filters_of(photo):
    """The filters in the file beside a photo, by name."""
    found = sidecar(photo)
    return {one["filter"]: one for one in (found or {}).get("recipe", {}).get("filters", [])}


NAMES = {
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "digiKam": "http://www.digikam.org/ns/1.0/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}


def xmp(photo, name):
    """A property of the XMP file beside a photo, written as an attribute or as an element; None without one."""
    path = photo.with_name(photo.name + ".xmp")
    if not path.exists():
        return None
    prefix, local = name.split(":")
    key = f"{{{NAMES[prefix]}}}{local}"
    for one in ElementTree.parse(path).getroot().iter(f"{{{NAMES['rdf']}}}Description"):
        if key in one.attrib:
            return one.attrib[key]
        found = one.find(key)
        if found is not None:
            return found.text
    return None
