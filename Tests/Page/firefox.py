"""Firefox, and the studio's page in it. Playwright drives a Firefox of its own only; Debian's speaks WebDriver BiDi."""

import base64
import json
import pathlib
import shutil
import socket
import subprocess

from bidi import connected
from driver import PAGE, TYPES, Page, file_of
from studio import PATIENCE

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")

# Nothing is asked of anyone, and nothing is shown before the page.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.prefetch-next": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "extensions.getAddons.cache.enabled": False,
    # A mouse: without windows Firefox has nothing that hovers.
    "ui.primaryPointerCapabilities": 6,
    "ui.allPointerCapabilities": 6,
}
# Special keys, as WebDriver writes them.
KEYS = {
    "Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
    "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Shift": "\ue008", "Control": "\ue009", "Space": " ",
}


class Firefox:
    """A Firefox without windows, in a profile of its own."""

    def __init__(self, folder):
        profile = pathlib.Path(folder)
        profile.mkdir(parents=True, exist_ok=True)
        (profile / "user.js").write_text(
            "".join(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in PREFERENCES.items()))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-remote", "--remote-debugging-port", str(port), "--profile", str(profile)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.session = connected(port, PATIENCE)
        except BaseException:
            self.process.kill()
            raise

    def close(self):
        self.session.close()
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


class FirefoxPage(Page):
    """A tab with the studio. It does what `Page` does that needs no more than `ask`, and has a mouse and keys of its own."""

    def __init__(self, firefox, address, size=(1440, 900), ratio=1, opens=True):
        self.address = address
        self.session = firefox.session
        self.complaints = []
        self.context = self.session.command("browsingContext.create", type="tab")["context"]
        self.session.events = {"log.entryAdded": self._logged, "network.beforeRequestSent": self._asked}
        self.session.command("session.subscribe", events=["log.entryAdded"], contexts=[self.context])
        self._do(
            "browsingContext.setViewport", viewport={"width": size[0], "height": size[1]}, devicePixelRatio=ratio)
        if PAGE:
            self._serve_instead()
        self._do("browsingContext.navigate", url=address, wait="complete")
        if opens:
            self.opened()

    def _do(self, method, **parameters):
        return self.session.command(method, context=self.context, **parameters)

    def _logged(self, entry):
        if entry["level"] in ("error", "warn"):
            self.complaints.append(entry["text"])

    def _serve_instead(self):
        origin = self.address.split("#")[0].rstrip("/")
        self.folder, self.start = pathlib.Path(PAGE), origin + "/studio/"
        host, port = origin.removeprefix("http://").split(":")
        self.session.command("session.subscribe", events=["network.beforeRequestSent"], contexts=[self.context])
        self.session.command(
            "network.addIntercept", phases=["beforeRequestSent"], contexts=[self.context],
            urlPatterns=[{"type": "pattern", "protocol": "http", "hostname": host, "port": port}])

    def _asked(self, event):
        if not event["isBlocked"]:
            return
        request = event["request"]
        address = request["url"].split("?")[0].split("#")[0]
        if not address.startswith(self.start):
            self.session.tell("network.continueRequest", request=request["request"])
            return
        path = address.removeprefix(self.start)
        self.session.tell(
            "network.provideResponse", request=request["request"], statusCode=200, reasonPhrase="OK",
            headers=[{"name": "content-type", "value": {"type": "string", "value": TYPES[pathlib.Path(path).suffix]}}],
            body={"type": "base64", "value": base64.b64encode(file_of(self.folder, path)).decode()})

    def close(self):
        self._do("browsingContext.close")

    def ask(self, expression, argument=None):
        """What a function in the page returns: as JSON, which is shorter than the protocol's own values."""
        found = self.session.command(
            "script.callFunction", target={"context": self.context}, awaitPromise=True,
            functionDeclaration=f"async (text) => JSON.stringify(await ({expression})(JSON.parse(text)))",
            arguments=[{"type": "string", "value": json.dumps(argument)}])
        assert found["type"] == "success", found["exceptionDetails"]["text"]
        text = found["result"].get("value")
        return None if text is None else json.loads(text)

    # What people do

    def box(self, selector):
        """Where an element is, brought into sight: x, y, width, height in CSS pixels of the window."""
        return self.ask(
            """(selector) => {
              const one = document.querySelector(selector);
              one.scrollIntoView({ block: 'nearest' });
              const { x, y, width, height } = one.getBoundingClientRect();
              return [x, y, width, height];
            }""",
            selector)

    def center(self, selector):
        x, y, width, height = self.box(selector)
        return x + width / 2, y + height / 2

    def _act(self, kind, actions, **more):
        self._do("input.performActions", actions=[{"type": kind, "id": kind, "actions": actions, **more}])

    @staticmethod
    def _move(place, duration=0):
        x, y = place
        return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": duration}

    def stroke(self, start, end, steps=12, release=True, pause=0):
        """Presses the mouse, moves it in a line, and lets go; `pause`: milliseconds for each step."""
        path = [tuple(a + (b - a) * step / steps for a, b in zip(start, end)) for step in range(1, steps + 1)]
        actions = [self._move(start), {"type": "pointerDown", "button": 0}]
        for place in path:
            actions += [self._move(place), {"type": "pause", "duration": pause}]
        self._act("pointer", actions + ([{"type": "pointerUp", "button": 0}] if release else []))

    def release(self):
        self._act("pointer", [{"type": "pointerUp", "button": 0}])

    def point(self, place):
        self._act("pointer", [self._move(place)])

    def click(self, selector):
        self.stroke(self.center(selector), self.center(selector), steps=1)

    def drag(self, flag, by, steps=12, release=True, pause=0):
        slider = f'#adjust-panel .control[data-flag="{flag}"] .slider'
        _, y, width, height = self.box(slider + " .slider-rail")
        x, _ = self.center(slider + " .slider-thumb")
        y += height / 2
        self.stroke((x, y), (x + by * width, y), steps, release, pause)

    def press(self, *keys):
        for key in keys:
            *held, last = key.split("+") if len(key) > 1 else [key]
            names = [KEYS.get(one, one) for one in [*held, last]]
            self._act(
                "key",
                [{"type": "keyDown", "value": one} for one in names]
                + [{"type": "keyUp", "value": one} for one in reversed(names)])

    def screenshot(self, path):
        data = self._do("browsingContext.captureScreenshot")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
