#!/usr/bin/env python3
"""Makes the looks' 3D LUTs, `luts/*.cube`, from the table LOOKS below.

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
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pack_luts

NODES = 33
DECIMALS = 4
HUE_HOLD = 0.65
# Chroma at which a hue edit has half its effect: below a pale skin tone, above a noisy grey.
HUE_EDIT_HALF_CHROMA = 0.025
# The largest second difference allowed between neighbouring grey nodes, in encoded units; more shows as a band.
MAXIMUM_GREY_BEND = 0.008


@dataclass(frozen=True)
class Hue:
    """One hue-selective edit; angles in degrees of OKLCH."""

    center: float
    width: float
    shift: float = 0.0
    chroma: float = 1.0
    lightness: float = 0.0


@dataclass(frozen=True)
class Look:
    title: str
    curve: tuple[tuple[float, float], ...]
    mono: tuple[float, float, float] | None = None
    hues: tuple[Hue, ...] = ()
    saturation: float = 1.0
    vibrance: float = 0.0
    highlight_chroma: float = 1.0
    shadow_chroma: float = 1.0
    shadow_tone: tuple[float, float] = (0.0, 0.0)
    highlight_tone: tuple[float, float] = (0.0, 0.0)


# The comment above a look says what its curve is for.
LOOKS: dict[str, Look] = {
    # A soft toe from a slightly open black, a touch of mid-tone lift, a long shoulder to a cream white.
    "warm-film": Look(
        title="Warm Film",
        curve=((0, 0.030), (0.12, 0.105), (0.25, 0.232), (0.5, 0.520), (0.75, 0.785), (1, 0.968)),
        hues=(
            Hue(135, 50, shift=-16, chroma=0.82, lightness=-0.006),
            Hue(250, 55, shift=-12, chroma=0.82),
        ),
        highlight_chroma=0.72,
        shadow_chroma=0.85,
        shadow_tone=(0.004, 0.006),
        highlight_tone=(0.003, 0.017),
    ),
    # Firm mid-tones over an open, blue-green black; clean whites, so the cold stays in the shadows.
    "cool-film": Look(
        title="Cool Film",
        curve=((0, 0.040), (0.12, 0.110), (0.25, 0.225), (0.5, 0.505), (0.75, 0.780), (1, 0.975)),
        hues=(
            Hue(130, 50, shift=9, chroma=0.74),
            Hue(250, 50, shift=-8, chroma=0.95, lightness=-0.010),
            Hue(55, 35, chroma=0.94, lightness=0.004),
        ),
        highlight_chroma=0.80,
        shadow_chroma=0.90,
        shadow_tone=(-0.011, -0.017),
        highlight_tone=(-0.004, -0.006),
    ),
    # A print left in the sun: black lifted far, white held down, a slope below one everywhere between.
    "faded": Look(
        title="Faded",
        curve=((0, 0.125), (0.12, 0.178), (0.25, 0.282), (0.5, 0.540), (0.75, 0.762), (1, 0.930)),
        hues=(
            Hue(135, 55, shift=-8, chroma=0.80),
            Hue(255, 55, shift=-14, chroma=0.85),
        ),
        saturation=0.80,
        highlight_chroma=0.75,
        shadow_chroma=0.80,
        shadow_tone=(0.004, -0.012),
        highlight_tone=(0.002, 0.013),
    ),
    # A full-scale print: true black, a gentle S, separation kept in the upper tones.
    "silver": Look(
        title="Silver",
        mono=(0.36, 0.50, 0.14),
        curve=((0, 0.018), (0.12, 0.088), (0.25, 0.218), (0.5, 0.520), (0.75, 0.800), (1, 0.978)),
        shadow_tone=(0.008, -0.003),
        highlight_tone=(0.001, 0.010),
    ),
    # A hard S around middle grey; shadows fall quickly but reach black only at black.
    "noir": Look(
        title="Noir",
        mono=(0.62, 0.33, 0.05),
        curve=((0, 0.008), (0.12, 0.038), (0.25, 0.132), (0.5, 0.485), (0.75, 0.850), (1, 0.990)),
        shadow_tone=(0.0005, -0.004),
        highlight_tone=(0.0003, -0.001),
    ),
    # An S with its toe just open, so that the teal has tones to live in.
    "teal-orange": Look(
        title="Teal & Orange",
        curve=((0, 0.022), (0.12, 0.092), (0.25, 0.215), (0.5, 0.515), (0.75, 0.795), (1, 0.975)),
        hues=(
            Hue(255, 70, shift=-30, chroma=0.76, lightness=-0.012),
            Hue(140, 55, shift=2, chroma=0.58, lightness=-0.010),
            Hue(325, 40, shift=18, chroma=0.70),
            Hue(52, 32, chroma=1.07),
        ),
        highlight_chroma=0.85,
        shadow_tone=(-0.026, -0.020),
        highlight_tone=(0.008, 0.020),
    ),
    # Mid-tones carried up by most of a stop, then a long shoulder: bright without bare paper.
    "high-key": Look(
        title="High Key",
        curve=((0, 0.045), (0.12, 0.178), (0.25, 0.345), (0.5, 0.645), (0.75, 0.862), (1, 0.992)),
        hues=(Hue(55, 40, chroma=0.95),),
        saturation=0.94,
        highlight_chroma=0.75,
        shadow_tone=(0.001, 0.001),
        highlight_tone=(0.001, 0.003),
    ),
    # Mid-tones pushed down, highlights kept as the only light in the room; the toe still opens.
    "low-key": Look(
        title="Low Key",
        curve=((0, 0.014), (0.12, 0.062), (0.25, 0.148), (0.5, 0.395), (0.75, 0.700), (1, 0.955)),
        hues=(Hue(140, 50, chroma=0.80),),
        saturation=0.94,
        shadow_chroma=0.70,
        shadow_tone=(-0.002, -0.006),
        highlight_tone=(0.003, 0.011),
    ),
    # Slide film: a clean black, a firm S, a short shoulder.
    "vivid": Look(
        title="Vivid",
        curve=((0, 0.006), (0.12, 0.088), (0.25, 0.222), (0.5, 0.525), (0.75, 0.810), (1, 0.994)),
        hues=(
            Hue(250, 50, chroma=1.05, lightness=-0.015),
            Hue(135, 50, shift=4, lightness=-0.006),
            Hue(52, 28, chroma=0.88),
        ),
        saturation=1.06,
        vibrance=0.25,
    ),
    # Glowing upper mid-tones and a long shoulder; shadows keep the blue of the sky for contrast.
    "golden-hour": Look(
        title="Golden Hour",
        curve=((0, 0.026), (0.12, 0.108), (0.25, 0.242), (0.5, 0.535), (0.75, 0.795), (1, 0.970)),
        hues=(
            Hue(132, 48, shift=-17, chroma=0.88, lightness=-0.012),
            Hue(250, 50, chroma=0.72),
            Hue(70, 40, chroma=1.05),
        ),
        highlight_chroma=0.90,
        shadow_tone=(0.008, -0.007),
        highlight_tone=(0.007, 0.028),
    ),
    # Skin first: open shadows, raised mid-tones, a soft shoulder before the highlights on a forehead.
    "portrait-soft": Look(
        title="Portrait Soft",
        curve=((0, 0.030), (0.12, 0.142), (0.25, 0.280), (0.5, 0.562), (0.75, 0.795), (1, 0.975)),
        hues=(
            Hue(25, 28, shift=3, chroma=0.88, lightness=0.006),
            Hue(58, 32, chroma=0.95, lightness=0.010),
            Hue(135, 50, shift=-4, chroma=0.80),
            Hue(250, 50, chroma=0.86),
        ),
        highlight_chroma=0.85,
        shadow_tone=(0.003, 0.002),
        highlight_tone=(0.003, 0.006),
    ),
    # Silver left in the print: a steep S that still shows detail in the toe, most colour gone.
    "bleach-bypass": Look(
        title="Bleach Bypass",
        curve=((0, 0.010), (0.12, 0.058), (0.25, 0.172), (0.5, 0.505), (0.75, 0.830), (1, 0.982)),
        hues=(Hue(55, 35, chroma=1.10),),
        saturation=0.50,
        shadow_chroma=0.75,
        shadow_tone=(-0.006, -0.005),
        highlight_tone=(0.0, 0.005),
    ),
}


# Colour -------------------------------------------------------------------------------------------------------------

# OKLab's matrices from linear sRGB, as published by Ottosson.
RGB_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LMS_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
LMS_TO_RGB = np.linalg.inv(RGB_TO_LMS)
LAB_TO_LMS = np.linalg.inv(LMS_TO_LAB)


def srgb_eotf(encoded: np.ndarray) -> np.ndarray:
    """IEC 61966-2-1, encoded to linear, odd-extended below 0."""
    magnitude = np.abs(encoded)
    linear = np.where(magnitude <= 0.04045, magnitude / 12.92, ((magnitude + 0.055) / 1.055) ** 2.4)
    return np.sign(encoded) * linear


def srgb_inverse_eotf(linear: np.ndarray) -> np.ndarray:
    """IEC 61966-2-1, linear to encoded, odd-extended below 0."""
    magnitude = np.abs(linear)
    encoded = np.where(magnitude <= 0.0031308, magnitude * 12.92, 1.055 * magnitude ** (1 / 2.4) - 0.055)
    return np.sign(linear) * encoded


def oklab_from_linear(rgb: np.ndarray) -> np.ndarray:
    return np.cbrt(rgb @ RGB_TO_LMS.T) @ LMS_TO_LAB.T


def linear_from_oklab(lab: np.ndarray) -> np.ndarray:
    return (lab @ LAB_TO_LMS.T) ** 3 @ LMS_TO_RGB.T


def smoothstep(low: float, high: float, x: np.ndarray) -> np.ndarray:
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


# Steps --------------------------------------------------------------------------------------------------------------


def natural_spline(points: tuple[tuple[float, float], ...], x: np.ndarray) -> np.ndarray:
    """The cubic spline through `points` whose curvature is 0 at both ends."""
    px, py = np.array(points, dtype=float).T
    width = np.diff(px)
    slope = np.diff(py) / width
    system = np.eye(len(px))
    right = np.zeros(len(px))
    for i in range(1, len(px) - 1):
        system[i, i - 1 : i + 2] = width[i - 1], 2 * (width[i - 1] + width[i]), width[i]
        right[i] = 6 * (slope[i] - slope[i - 1])
    bend = np.linalg.solve(system, right)

    i = np.clip(np.searchsorted(px, x, side="right") - 1, 0, len(width) - 1)
    left, rest = x - px[i], px[i + 1] - x
    return (
        (bend[i] * rest**3 + bend[i + 1] * left**3) / (6 * width[i])
        + (py[i] / width[i] - bend[i] * width[i] / 6) * rest
        + (py[i + 1] / width[i] - bend[i + 1] * width[i] / 6) * left
    )


def apply_curve(look: Look, encoded: np.ndarray) -> np.ndarray:
    """Step 2; returns OKLab."""
    before = oklab_from_linear(srgb_eotf(encoded))
    after = oklab_from_linear(srgb_eotf(natural_spline(look.curve, encoded)))
    chroma_before = np.hypot(before[:, 1], before[:, 2])
    chroma_after = np.hypot(after[:, 1], after[:, 2])
    # Mix unit vectors; greys have no hue, and no chroma for it to matter.
    unit_before = before[:, 1:] / np.maximum(chroma_before, 1e-9)[:, None]
    unit_after = after[:, 1:] / np.maximum(chroma_after, 1e-9)[:, None]
    unit = HUE_HOLD * unit_before + (1 - HUE_HOLD) * unit_after
    unit /= np.maximum(np.hypot(unit[:, 0], unit[:, 1]), 1e-9)[:, None]
    return np.column_stack([after[:, 0], unit * chroma_after[:, None]])


def apply_hues(look: Look, lab: np.ndarray) -> np.ndarray:
    """Step 3."""
    lightness, chroma = lab[:, 0].copy(), np.hypot(lab[:, 1], lab[:, 2])
    hue = np.degrees(np.arctan2(lab[:, 2], lab[:, 1]))
    certainty = chroma**2 / (chroma**2 + HUE_EDIT_HALF_CHROMA**2)
    shift, scale = np.zeros_like(hue), np.ones_like(hue)
    for edit in look.hues:
        distance = (hue - edit.center + 180) % 360 - 180
        window = np.where(np.abs(distance) < edit.width, 0.5 + 0.5 * np.cos(np.pi * distance / edit.width), 0)
        weight = window * certainty
        shift += weight * edit.shift
        scale *= 1 + weight * (edit.chroma - 1)
        # A hue's lightness moves with its chroma, so pale and vivid parts of one surface stay in order.
        lightness += weight * edit.lightness * np.minimum(chroma / 0.1, 1)
    angle = np.radians(hue + shift)
    return np.column_stack([lightness, chroma * scale * np.cos(angle), chroma * scale * np.sin(angle)])


def apply_chroma(look: Look, lab: np.ndarray) -> np.ndarray:
    """Step 4."""
    lightness, chroma = lab[:, 0], np.hypot(lab[:, 1], lab[:, 2])
    scale = look.saturation * (1 + look.vibrance * np.exp(-((chroma / 0.11) ** 2)))
    scale = scale * (1 + (look.highlight_chroma - 1) * smoothstep(0.60, 1.0, lightness))
    scale = scale * (1 + (look.shadow_chroma - 1) * (1 - smoothstep(0.0, 0.50, lightness)))
    return np.column_stack([lightness, lab[:, 1:] * scale[:, None]])


def apply_split_tone(look: Look, lab: np.ndarray) -> np.ndarray:
    """Step 5."""
    lightness = lab[:, 0]
    shadows = smoothstep(0.0, 0.60, lightness) * (1 - smoothstep(0.40, 0.90, lightness))
    highlights = smoothstep(0.40, 0.85, lightness) * (1 - 0.6 * smoothstep(0.75, 1.0, lightness))
    offset = shadows[:, None] * np.array(look.shadow_tone) + highlights[:, None] * np.array(look.highlight_tone)
    return np.column_stack([lightness, lab[:, 1:] + offset])


def fit_gamut(lab: np.ndarray) -> np.ndarray:
    """Step 6; lightness and hue stay. Returns OKLab within sRGB."""
    lightness = np.clip(lab[:, 0], 0, 1)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    unit = lab[:, 1:] / np.maximum(chroma, 1e-9)[:, None]
    low, high = np.zeros_like(chroma), np.full_like(chroma, 0.5)
    for _ in range(30):
        middle = (low + high) / 2
        rgb = linear_from_oklab(np.column_stack([lightness, unit * middle[:, None]]))
        inside = np.all((rgb >= -1e-9) & (rgb <= 1 + 1e-9), axis=1)
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    knee = 0.8
    fill = chroma / np.maximum(low, 1e-9)
    fill = np.where(fill > knee, knee + (1 - knee) * np.tanh((fill - knee) / (1 - knee)), fill)
    return np.column_stack([lightness, unit * (fill * low)[:, None]])


def apply_look(look: Look, encoded: np.ndarray) -> np.ndarray:
    """The look over sRGB-encoded colours, shape (n, 3), values 0…1."""
    if look.mono is not None:
        grey = srgb_inverse_eotf(srgb_eotf(encoded) @ np.array(look.mono))
        encoded = np.repeat(grey[:, None], 3, axis=1)
    lab = apply_curve(look, encoded)
    lab = apply_hues(look, lab)
    lab = apply_chroma(look, lab)
    lab = apply_split_tone(look, lab)
    return np.clip(srgb_inverse_eotf(linear_from_oklab(fit_gamut(lab))), 0, 1)


# Files --------------------------------------------------------------------------------------------------------------


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
