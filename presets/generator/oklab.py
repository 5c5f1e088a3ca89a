"""sRGB and OKLab, for arrays of colours of shape (n, 3)."""

from __future__ import annotations

import numpy as np

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
