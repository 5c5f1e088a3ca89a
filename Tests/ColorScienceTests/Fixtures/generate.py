#!/usr/bin/env python3
"""Writes the LUT fixtures beside this file: small .cube files, and what OpenColorIO makes of random colours.

Needs numpy and PyOpenColorIO; the committed files were made with PyOpenColorIO 2.6.0. Deterministic.
Each line of NAME.expected.txt holds an input and its output: six floats.
"""

import pathlib

import numpy as np
import PyOpenColorIO as ocio

HERE = pathlib.Path(__file__).parent


def text(rows):
    return "".join(" ".join(f"{value:.6f}" for value in row) + "\n" for row in rows)


def lattice(size, function):
    """Rows of a 3D LUT, red fastest, over 0...1."""
    axis = np.linspace(0, 1, size)
    blue, green, red = np.meshgrid(axis, axis, axis, indexing="ij")
    return function(np.stack([red, green, blue], -1).reshape(-1, 3))


def twisted(rgb):
    """A strongly non-linear mix, so that a wrong tetrahedron or a swapped channel shows."""
    r, g, b = rgb.T
    return np.stack(
        [1.6 * r**2 - 0.4 * g * b, 0.7 * g + 0.5 * np.sin(3 * r * b), b**0.5 - 0.3 * r + 0.2 * g * r], -1
    )


def write_domain(rng):
    rows = lattice(5, twisted)
    header = (
        'TITLE "Twisted, own domain"\nLUT_3D_SIZE 5\nDOMAIN_MIN -0.1 0 0.05\nDOMAIN_MAX 1.5 2 1.2\n'
    )
    return "domain", header + text(rows), rng.uniform(-0.4, 2.3, (200, 3))


def write_unit(rng):
    rows = lattice(6, twisted)
    steps = np.arange(6) / 5
    nodes = rng.choice(steps, (20, 3))
    greys = np.repeat(rng.uniform(0, 1, (20, 1)), 3, 1)
    ties = rng.uniform(0, 1, (20, 3))
    ties[:, 1] = ties[:, 2]
    inputs = np.concatenate([rng.uniform(0, 1, (140, 3)), nodes, greys, ties])
    return "unit", "LUT_3D_SIZE 6\n" + text(rows), inputs


def write_resolve(rng):
    x = np.linspace(-0.25, 4, 33)
    curve = np.sign(x) * np.abs(x) ** 0.4 * 0.6
    rows1d = np.stack([curve, 0.9 * curve + 0.05, curve * 1.1 - 0.02], -1)
    header = (
        "LUT_1D_SIZE 33\nLUT_1D_INPUT_RANGE -0.25 4\n"
        "LUT_3D_SIZE 4\nLUT_3D_INPUT_RANGE -0.1 1.1\n"
    )
    return "resolve", header + text(rows1d) + text(lattice(4, twisted)), rng.uniform(-0.6, 4.6, (200, 3))


def write_curves(rng):
    x = np.linspace(0, 1, 17)
    rows = np.stack([x**2.2, 1.3 * x**0.45 - 0.1, 1 - x**3], -1)
    header = "DOMAIN_MIN -0.5 0 0.1\nDOMAIN_MAX 1.5 1 0.9\nLUT_1D_SIZE 17\n"
    return "curves", header + text(rows), rng.uniform(-0.8, 1.8, (120, 3))


def main():
    rng = np.random.default_rng(20240501)
    for write in (write_domain, write_unit, write_resolve, write_curves):
        name, cube, inputs = write(rng)
        path = HERE / f"{name}.cube"
        path.write_text(cube)
        transform = ocio.FileTransform(str(path), interpolation=ocio.INTERP_TETRAHEDRAL)
        processor = ocio.Config.CreateRaw().getProcessor(transform)
        cpu = processor.getOptimizedCPUProcessor(ocio.OPTIMIZATION_NONE)
        inputs = inputs.astype(np.float32)
        outputs = inputs.copy()
        cpu.applyRGB(outputs)
        lines = np.concatenate([inputs, outputs], 1)
        rows = "".join(" ".join(f"{value:.9g}" for value in row) + "\n" for row in lines)
        (HERE / f"{name}.expected.txt").write_text(rows)


if __name__ == "__main__":
    main()
