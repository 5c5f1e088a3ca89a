"""The steps of a look, numbered as in the docstring of `generate_luts.py`."""

from __future__ import annotations

import numpy as np

from .looks import Look
from .oklab import linear_from_oklab, oklab_from_linear, srgb_eotf, srgb_inverse_eotf

HUE_HOLD = 0.65
# Chroma at which a hue edit has half its effect: below a pale skin tone, above a noisy grey.
HUE_EDIT_HALF_CHROMA = 0.025


def smoothstep(low: float, high: float, x: np.ndarray) -> np.ndarray:
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


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
