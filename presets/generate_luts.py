#!/usr/bin/env python3
"""Makes the looks' 3D LUTs, `luts/*.cube`, from the table in `generator/looks.py`.

    python3 generate_luts.py            write luts/*.cube beside this script, and pack them (pack_luts.py)
    python3 generate_luts.py --check    compare the files with what would be written

Every LUT takes sRGB-encoded RGB in 0…1 and gives sRGB-encoded RGB in 0…1: 33 nodes an edge, red fastest.
Values have four decimals: a quantum of 1e-4 is a tenth of a 10-bit step. Nothing here is random.

A look is made of these steps, in this order:

1. mono        Grey from linear R, G, B by `mono` weights (their sum is 1), as film behind a coloured filter sees it.
2. curve       The tone curve, sRGB-encoded in and out, through the look's control points: a natural cubic spline, so
               its slope and curvature are continuous. The first and last points place black and white. It runs per
               channel, as the layers of film do, which also bends saturation; `HUE_HOLD` of the hue drift that this
               causes is taken back.
3. hues        Hue-selective edits in OKLCH: around `center` (degrees), within ±`width` (a raised cosine), shift the
               hue, scale chroma, add lightness. Each fades out towards grey, so neutrals never move.
4. chroma      `vibrance` scales chroma where it is low, `saturation` everywhere; `highlight_chroma` and
               `shadow_chroma` are the chroma that is left at white and at black.
5. split tone  `shadow_tone` and `highlight_tone` are OKLab (a, b) offsets. They peak in the lower and upper tones,
               fade to nothing at black and to 40 % at white: black stays clean, and white stays paper.
6. gamut       Chroma above 80 % of what sRGB can show at that lightness and hue is rolled off smoothly.

OKLab: Björn Ottosson, "A perceptual color space for image processing", 2020. Hues there, in degrees: skin 40…70,
red 29, orange 60, yellow 110, green 142, cyan 195, blue 264, magenta 328.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import pack_luts
from generator.looks import LOOKS, Look
from generator.steps import apply_look

NODES = 33
DECIMALS = 4
# The largest second difference allowed between neighbouring grey nodes, in encoded units; more shows as a band.
MAXIMUM_GREY_BEND = 0.008


def verify(name: str, look: Look) -> None:
    """Refuses a look whose grey axis would turn back, or bend enough to show as a band."""
    axis = np.repeat(np.linspace(0, 1, NODES)[:, None], 3, axis=1)
    grey = apply_look(look, axis)
    if np.diff(grey, axis=0).min() <= 0:
        raise SystemExit(f"{name}: the grey axis is not strictly rising")
    bend = np.abs(np.diff(grey, n=2, axis=0)).max()
    if bend > MAXIMUM_GREY_BEND:
        raise SystemExit(f"{name}: the grey axis bends by {bend:.4f} a node, at most {MAXIMUM_GREY_BEND} is allowed")


def cube_text(look: Look) -> str:
    axis = np.linspace(0, 1, NODES)
    blue, green, red = np.meshgrid(axis, axis, axis, indexing="ij")
    nodes = np.column_stack([red.ravel(), green.ravel(), blue.ravel()])
    points = "  ".join(f"{x:g}->{y:g}" for x, y in look.curve)
    head = [
        "# sRGB-encoded in and out. Made by presets/generate_luts.py.",
        f"# Tone curve: {points}",
        f'TITLE "{look.title}"',
        f"LUT_3D_SIZE {NODES}",
    ]
    # Adding 0 turns a rounded -0 into 0.
    values = np.round(apply_look(look, nodes), DECIMALS) + 0.0
    rows = [" ".join(f"{v:.{DECIMALS}f}".rstrip("0").rstrip(".") for v in row) for row in values]
    return "\n".join(head + rows) + "\n"


def values_of(text: str) -> np.ndarray:
    rows = [line.split() for line in text.splitlines() if line[:1].isdigit()]
    return np.array(rows, dtype=float)


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the looks' 3D LUTs.")
    parser.add_argument("--check", action="store_true", help="compare the files with what would be written")
    arguments = parser.parse_args()

    folder = Path(__file__).resolve().parent / "luts"
    folder.mkdir(exist_ok=True)
    stale = {path.stem for path in folder.glob("*.cube")} - set(LOOKS)
    failures = [f"{name}.cube belongs to no look" for name in sorted(stale)]
    for name, look in LOOKS.items():
        verify(name, look)
        text, path = cube_text(look), folder / f"{name}.cube"
        if not arguments.check:
            path.write_text(text, encoding="utf-8", newline="\n")
            continue
        there = values_of(path.read_text(encoding="utf-8")) if path.exists() else np.empty((0, 3))
        expected = values_of(text)
        # Another machine's `pow` may round the last decimal the other way.
        if there.shape != expected.shape or np.abs(there - expected).max() > 1.5 * 10**-DECIMALS:
            failures.append(f"{name}.cube differs; run generate_luts.py")
    if failures:
        sys.exit("\n".join(failures))
    if not arguments.check:
        pack_luts.pack(folder.parent)


if __name__ == "__main__":
    main()
