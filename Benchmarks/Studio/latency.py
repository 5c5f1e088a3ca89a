#!/usr/bin/env python3
"""Measures how the studio feels, in a real Chromium: what a drag shows and when, first and next pictures, looks, rest.

    .build/page-tests/bin/python Benchmarks/Studio/latency.py .build/release/safelight [--photo FILE] [--json FILE]

Needs what Tests/Page/install installs.
"""

import argparse
import asyncio
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

from playwright.async_api import async_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Page"))

import measuring  # noqa: E402

WINDOWS = [(1920, 1080), (2560, 1440)]
BARS = {
    "input to drawn, p95": ("ms", 33), "distinct frames": ("/s", 30), "longest gap": ("ms", 66),
    "sharp after stop, p95": ("ms", 120), "first picture": ("ms", 300), "looks": ("ms", 300),
    "next photo, median": ("ms", 50), "idle": ("% CPU", 1), "memory": ("MB", 500),
    "camera, frames": ("/s", 29.5), "camera, capture to drawn, p95": ("ms", 100),
    "camera, page to first frame": ("ms", 250), "grid, pictures of the screen": ("/s", 59),
}
AT_LEAST = {"distinct frames", "camera, frames", "grid, pictures of the screen"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--photo", type=pathlib.Path, help="a photo of 24 megapixels (default: one is made)")
    parser.add_argument("--json", type=pathlib.Path, help="write the numbers to this file")
    parser.add_argument("--only", default="", help="a part of the names of measurements")
    parser.add_argument("--drags", type=int, default=6)
    return parser.parse_args()


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return f"{line.split(':', 1)[1].strip()}, {os.cpu_count()} processors"
    return f"{os.uname().machine}, {os.cpu_count()} processors"


async def measure(options, folder):
    """Returns the rows of the table: `(window, name, value)`."""
    photo = options.photo or measuring.make_photo(folder)
    rows = []
    async with async_playwright() as playwright:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=path, args=measuring.FLAGS)
        for size in WINDOWS:
            name = f"{size[0]}×{size[1]}"
            for part in measuring.PARTS:
                if options.only not in part.__name__:
                    continue
                bench = measuring.Bench(browser, size, photo, folder, options)
                for row, value in (await part(bench)).items():
                    rows.append((name, row, value))
                    print_row(name, row, value)
                await bench.close()
        await browser.close()
    return rows


def print_row(window, name, value):
    unit, bar = BARS.get(name, ("MB" if name.startswith("memory") else "ms", None))
    verdict = ""
    if bar is not None:
        held = value >= bar if name in AT_LEAST else value <= bar
        verdict = f"{'≥' if name in AT_LEAST else '≤'} {bar:<4} {'held' if held else 'MISSED'}"
    print(f"{window:<10}  {name:<26} {value:9.1f} {unit:<6} {verdict}", flush=True)


def main():
    options = arguments()
    os.environ["SAFELIGHT"] = str(pathlib.Path(options.program).resolve())
    measuring.use(options.program)
    print(processor())
    print(f"one-minute load at the start: {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(measure(options, pathlib.Path(folder)))
    if options.json:
        options.json.write_text(json.dumps({
            "processor": processor(), "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "rows": [{"window": window, "name": name, "value": round(value, 2)} for window, name, value in rows],
        }, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
