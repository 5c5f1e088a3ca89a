"""The measurements of latency.py, each on a program and a page of its own."""

import asyncio
import os
import pathlib
import random
import statistics
import time

import photos
import studio

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
RATE = 125
SECONDS = 2

# `drawn` of the page is when its drawing was ordered; a message posted in that animation frame comes when it is done.
WATCH = """
  window.seen = [];
  window.firsts = {};
  const wait = setInterval(() => {
    const studio = window.safelightStudio;
    if (!studio) return;
    const { store, latencies } = studio;
    if (!seen.watched) {
      seen.watched = true;
      const push = latencies.push;
      latencies.push = function (entry) {
        const record = { ...entry, photo: store.state.photo };
        seen.push(record);
        firsts.frame ??= entry.drawn;
        const [early] = performance.getEntriesByName("first picture");
        firsts.picture ??= Math.min(early?.startTime ?? Infinity, entry.drawn);
        const channel = new MessageChannel();
        channel.port1.onmessage = () => (record.shown = performance.now());
        channel.port2.postMessage(0);
        return push.call(this, entry);
      };
    }
    const images = [...document.querySelectorAll('.look img')];
    if (images.length && images.every((one) => one.classList.contains('there'))) {
      firsts.looks = performance.now();
      clearInterval(wait);
    }
  }, 4);
  addEventListener('keydown', (event) => (window.keyTime = event.timeStamp), true);
  for (const type of ['pointermove', 'pointerup']) addEventListener(type, (event) => (window.lastPointer = event.timeStamp), true);
"""


def use(program):
    studio.PROGRAM = str(pathlib.Path(program).resolve())


def make_photo(folder):
    """A photo of 24 megapixels: the scene of the demonstration, enlarged, with grain so that it is no easy JPEG."""
    scene = photos.make_scene(folder)
    path = folder / "p24.jpg"
    studio.safelight("edit", scene, "-o", path, "--resize", "6000x4000", "--grain", 30)
    return path


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


class Bench:
    def __init__(self, browser, size, photo, folder, options):
        self.browser, self.size, self.photo, self.folder, self.options = browser, size, photo, folder, options
        self.context = self.program = self.tab = None

    async def tab_of(self, ratio=1):
        width, height = self.size
        self.context = await self.browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=ratio)
        self.tab = await self.context.new_page()
        await self.tab.add_init_script(WATCH)
        # A new window loads Chromium's own start page, on the same processors.
        await asyncio.sleep(2)

    async def open(self, photos_path, *options):
        """Starts the program and opens its page; returns when the command was given, in the page's time."""
        if not self.tab:
            await self.tab_of()
        began = time.time()
        self.program = studio.Studio(photos_path, 0, *options)
        await self.tab.goto(self.program.address, wait_until="commit")
        # A camera's frames are never final.
        await self.until("seen.some((one) => one.final || one.age !== null)")
        return 1000 * began - await self.ask("performance.timeOrigin")

    async def ask(self, expression):
        return await self.tab.evaluate(f"() => {expression}")

    async def until(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not await self.ask(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            await asyncio.sleep(0.01)

    async def close(self):
        if self.context:
            await self.context.close()
        if self.program:
            self.program.stop()

    async def mouse(self, connection, kind, x, y):
        await connection.send("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left", "buttons": int(kind != "mouseReleased"),
            "clickCount": int(kind != "mouseMoved")})


async def drags(bench):
    """Drags of a slider with mouse events at 125 Hz, as a mouse gives them: nobody waits for their answers."""
    await bench.open(bench.photo)
    await asyncio.sleep(1.5)
    connection = await bench.context.new_cdp_session(bench.tab)
    box = await bench.tab.locator('#adjust-panel [data-flag="exposure"] .slider-rail').bounding_box()
    y = box["y"] + box["height"] / 2
    drawn, shown, rates, gaps, stops, lets, waits = [], [], [], [], [], [], []
    for turn in range(bench.options.drags):
        thumb = await bench.tab.locator('#adjust-panel [data-flag="exposure"] .slider-thumb').bounding_box()
        start = thumb["x"] + thumb["width"] / 2
        await bench.ask("seen.splice(0)")
        await bench.mouse(connection, "mousePressed", start, y)
        tasks = []
        began = time.monotonic()
        for step in range(RATE * SECONDS):
            # To and fro, never twice the same place.
            part = abs((step / (RATE * SECONDS) * 2 + 0.5 * (turn % 2)) % 2 - 1)
            x = box["x"] + (0.1 + 0.8 * part) * box["width"] + random.random()
            await asyncio.sleep(max(0, began + step / RATE - time.monotonic()))
            tasks.append(asyncio.ensure_future(bench.mouse(connection, "mouseMoved", x, y)))
        await asyncio.gather(*tasks)
        await bench.until("seen.length && seen.at(-1).final")
        frames = await bench.ask("seen.filter((one) => one.input !== null)")
        stopped = await bench.ask("lastPointer")
        moving = [one for one in frames if not one["final"]]
        stops.append(frames[-1]["drawn"] - stopped)
        drawn += [one["drawn"] - one["input"] for one in moving]
        shown += [one["shown"] - one["input"] for one in moving if "shown" in one]
        times = [one["drawn"] for one in moving]
        rates.append(len({one["id"] for one in moving}) / ((times[-1] - times[0]) / 1000))
        gaps.append(max(b - a for a, b in zip(times, times[1:])))
        waits += [one["decoded"] - one["received"] for one in moving]
        # Moved once more and let go: the sharp picture of that.
        await bench.mouse(connection, "mouseMoved", x + 9, y)
        await bench.ask("seen.splice(0)")
        await bench.mouse(connection, "mouseReleased", x + 9, y)
        await bench.until("seen.length && seen.at(-1).final")
        lets.append(await bench.ask("seen.at(-1).drawn - lastPointer"))
        await asyncio.sleep(0.3)
    return {
        "input to drawn, p50": percentile(drawn, 0.5), "input to drawn, p95": percentile(drawn, 0.95),
        "input to shown, p50": percentile(shown, 0.5), "input to shown, p95": percentile(shown, 0.95),
        "decoding, p50": percentile(waits, 0.5), "decoding, p95": percentile(waits, 0.95),
        "distinct frames": statistics.median(rates), "longest gap": max(gaps),
        "sharp after stop, p95": percentile(stops, 0.95), "sharp after release, p95": percentile(lets, 0.95),
    }


async def first_picture(bench):
    """From the command to the first picture and to the page's first frame, with a browser that is there; then the looks."""
    times, frames, looks = [], [], []
    for _ in range(3):
        await bench.tab_of()
        began = await bench.open(bench.photo)
        await bench.until("firsts.looks")
        firsts = await bench.ask("firsts")
        times.append(firsts["picture"] - began)
        frames.append(firsts["frame"] - began)
        looks.append(firsts["looks"] - firsts["frame"])
        await bench.close()
    rows = {"first picture": times, "first frame": frames, "looks": looks}
    return {name: statistics.median(values) for name, values in rows.items()}


def many(bench, count):
    """A folder of so many photos; they differ in name alone, which is all that the program goes by."""
    folder = bench.folder / f"many-{count}"
    if not folder.exists():
        folder.mkdir()
        for number in range(count):
            os.link(bench.photo, folder / f"{number}.jpg") if bench.photo.is_relative_to(bench.folder) else os.symlink(
                bench.photo.resolve(), folder / f"{number}.jpg")
    return folder


async def next_photo(bench):
    """The next photo, which was read in advance; then the program at rest."""
    await bench.open(many(bench, 8))
    times = []
    for _ in range(6):
        await asyncio.sleep(2.5)
        await bench.ask("seen.splice(0)")
        before = await bench.ask("safelightStudio.store.state.photo")
        await bench.tab.keyboard.press("ArrowRight")
        await bench.until(f"seen.some((one) => one.photo !== '{before}')")
        times.append(await bench.ask(f"seen.find((one) => one.photo !== '{before}').drawn - keyTime"))
    await asyncio.sleep(3)
    return {"next photo, median": statistics.median(times), "idle": await at_rest(bench.program.process.pid)}


async def at_rest(process, seconds=5):
    def used():
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before = used()
    await asyncio.sleep(seconds)
    return 100 * (used() - before) / seconds


async def browsing(bench):
    """The memory of the program after 100 photos of 24 megapixels were looked at."""
    await bench.open(many(bench, 101))
    for _ in range(100):
        await bench.ask("seen.splice(0)")
        await bench.tab.keyboard.press("ArrowRight")
        await bench.until("seen.some((one) => one.final)")
    await asyncio.sleep(2)
    status = pathlib.Path(f"/proc/{bench.program.process.pid}/status").read_text()
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in status.splitlines() if line.startswith("Vm")}
    return {"memory": kilobytes["VmRSS"] / 1024, "memory, most": kilobytes["VmHWM"] / 1024}


async def camera(bench):
    """Frames of the drawn scene, 1920×1080 at 30 a second, with a look, from the capture to the screen."""
    began = await bench.open("synthetic", "--output", bench.folder / "taken")
    first = await bench.ask("firsts.frame") - began
    asked = await bench.ask("performance.getEntriesByType('navigation')[0].responseEnd")
    await bench.ask("safelightStudio.editor.setValue('exposure', 0.5)")
    await bench.ask("safelightStudio.editor.commit('Exposure')")
    await asyncio.sleep(3)
    await bench.ask("seen.splice(0)")
    await asyncio.sleep(10)
    frames = [one for one in await bench.ask("seen") if "shown" in one]
    drawn = [one["age"] + one["drawn"] - one["received"] for one in frames]
    shown = [one["age"] + one["shown"] - one["received"] for one in frames]
    seconds = (frames[-1]["drawn"] - frames[0]["drawn"]) / 1000
    return {
        "camera, start to first frame": first, "camera, page to first frame": first + began - asked,
        "camera, frames": (len(frames) - 1) / seconds,
        "camera, capture to drawn, p50": percentile(drawn, 0.5), "camera, capture to drawn, p95": percentile(drawn, 0.95),
        "camera, capture to shown, p95": percentile(shown, 0.95),
    }


async def grid(bench):
    """A grid of 10,000 photos, scrolled by a wheel for three seconds: pictures of the screen, and the longest wait."""
    await bench.open(many(bench, 10_000))
    await asyncio.sleep(1)
    await bench.tab.keyboard.press("g")
    await bench.until("document.querySelectorAll('.cell').length > 12")
    await asyncio.sleep(3)
    width, height = bench.size
    await bench.tab.mouse.move(width / 2, height / 2)
    await bench.ask("""(() => {
      window.ticks = [];
      const tick = (time) => { ticks.push(time); if (window.ticks) requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    })()""")
    began = time.monotonic()
    for step in range(180):
        await asyncio.sleep(max(0, began + step / 60 - time.monotonic()))
        await bench.tab.mouse.wheel(0, 60)
    ticks = await bench.ask("ticks")
    gaps = [later - earlier for earlier, later in zip(ticks, ticks[1:])]
    return {"grid, pictures of the screen": 1000 * len(gaps) / (ticks[-1] - ticks[0]), "grid, longest wait": max(gaps)}


PARTS = [drags, first_picture, next_photo, browsing, camera, grid]
