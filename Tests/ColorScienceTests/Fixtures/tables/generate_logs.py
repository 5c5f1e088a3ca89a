#!/usr/bin/env python3
"""Writes log.expected.txt: curves and primaries of cameras by colour-science 0.4.7 (numpy and colour-science installed).

Lines: NAME encode REFLECTANCE VALUE, NAME decode VALUE REFLECTANCE, NAME primaries, 3×3 from the camera's linear RGB to
linear Rec. 2020 by rows.
"""
import os
import numpy as np
import colour
from colour.models import RGB_COLOURSPACES as S

curves = {
    "s-log3": ("S-Log3", "S-Gamut3.Cine"), "v-log": ("V-Log", "V-Gamut"), "log-c3": ("ARRI LogC3", "ARRI Wide Gamut 3"),
    "log-c4": ("ARRI LogC4", "ARRI Wide Gamut 4"), "f-log": ("F-Log", "F-Gamut"), "f-log2": ("F-Log2", "F-Gamut"),
    "c-log2": ("Canon Log 2", "Cinema Gamut"), "c-log3": ("Canon Log 3", "Cinema Gamut"), "n-log": ("N-Log", "N-Gamut"),
    "apple-log": ("Apple Log Profile", "ITU-R BT.2020"), "d-log": ("D-Log", "DJI D-Gamut"),
}
lines = []
for name, (curve, gamut) in curves.items():
    values = np.linspace(0, 1, 101)
    light = colour.log_decoding(values, function=curve)
    lines += [f"{name} decode {v!r} {x!r}" for v, x in zip(values.tolist(), light.tolist())]
    top = float(light[-1])
    xs = np.concatenate([np.linspace(-0.006, 0.06, 45), np.geomspace(0.06, top, 40), [0.18, 0.9, 1.0]])
    lines += [f"{name} encode {x!r} {v!r}" for x, v in zip(xs.tolist(), colour.log_encoding(xs, function=curve).tolist())]
    space = S[gamut]
    npm = colour.normalised_primary_matrix(space.primaries, space.whitepoint)
    wide = S["ITU-R BT.2020"]
    to = np.linalg.inv(colour.normalised_primary_matrix(wide.primaries, wide.whitepoint))
    lines.append(f"{name} primaries " + " ".join(repr(float(v)) for v in (to @ npm).ravel()))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "log.expected.txt"), "w") as f:
    f.write("\n".join(lines) + "\n")
