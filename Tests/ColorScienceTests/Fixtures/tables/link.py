#!/usr/bin/env python3
"""Writes device links of RGB by hand (ICC.1:2022: header 7.2, lut16Type 10.10) and what they make of colours.

    python3 link.py FUZZ-FOLDER      needs numpy; the lattice is interpolated tetrahedrally (Kasson and others, 1995)
"""
import os, struct, sys
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
folder = sys.argv[1] + "/link"
os.makedirs(folder, exist_ok=True)
rng = np.random.default_rng(5)


def profile(kind, source, target, tags):
    table, data, at = b"", b"", 128 + 4 + 12 * len(tags)
    for name, body in tags:
        body += b"\0" * (-len(body) % 4)
        table += name + struct.pack(">II", at + len(data), len(body))
        data += body
    size = at + len(data)
    head = struct.pack(">I4sI4s4s4s12s4s4sI4s4s8sIiii4s16s28s", size, b"none", 0x02400000, kind, source, target,
                       struct.pack(">6H", 2026, 1, 1, 0, 0, 0), b"acsp", b"\0" * 4, 0, b"none", b"none", b"\0" * 8, 0,
                       0xF6D6, 0x10000, 0xD32D, b"none", b"\0" * 16, b"\0" * 28)
    assert len(head) == 128
    return head + struct.pack(">I", len(tags)) + table + data


def text(kind, words):
    if kind == b"desc":
        return b"desc\0\0\0\0" + struct.pack(">I", len(words) + 1) + words + b"\0" + b"\0" * 78
    return b"text\0\0\0\0" + words + b"\0"


def lut16(n, nodes):
    """nodes: n³ × 3 in 0…1, the last channel fastest."""
    body = b"mft2\0\0\0\0" + struct.pack(">BBBB", 3, 3, n, 0)
    body += struct.pack(">9i", *[v * 65536 for v in (1, 0, 0, 0, 1, 0, 0, 0, 1)]) + struct.pack(">HH", 2, 2)
    ramp = struct.pack(">6H", *[0, 65535] * 3)
    return body + ramp + np.rint(np.clip(nodes, 0, 1) * 65535).astype(">u2").tobytes() + ramp


def tetrahedral(nodes, n, c):
    grid = np.rint(np.clip(nodes, 0, 1) * 65535).reshape(n, n, n, 3) / 65535
    p = np.clip(c, 0, 1) * (n - 1)
    i = np.minimum(p.astype(int), n - 2)
    f = p - i
    corner = i.copy()
    value = grid[tuple(corner)]
    for channel in np.argsort(-f, kind="stable"):
        corner[channel] += 1
        following = grid[tuple(corner)]
        value = value + f[channel] * (following - grid[tuple(corner - np.eye(3, dtype=int)[channel])])
    return value


def nodes(n):
    a = np.linspace(0, 1, n)
    r, g, b = np.meshgrid(a, a, a, indexing="ij")
    c = np.stack([r, g, b], -1).reshape(-1, 3)
    return np.clip(c ** 0.8 * [0.95, 0.9, 0.85] + 0.04 + rng.uniform(-0.03, 0.03, c.shape), 0, 1)


head = [(b"desc", text(b"desc", b"Safelight test link")), (b"cprt", text(b"text", b"none"))]
lines = []
for n in (5, 9):
    lattice = nodes(n)
    open(f"{folder}/link-{n}.icc", "wb").write(profile(b"link", b"RGB ", b"RGB ", head + [(b"A2B0", lut16(n, lattice))]))
    for c in list(rng.uniform(0, 1, (40, 3))) + [np.zeros(3), np.ones(3), np.full(3, 0.25)]:
        lines.append(f"link/link-{n}.icc " + " ".join("%.9g" % v for v in np.concatenate([c, tetrahedral(lattice, n, c)])))
whole = profile(b"link", b"RGB ", b"RGB ", head + [(b"A2B0", lut16(2, nodes(2)))])
open(f"{folder}/bad-truncated.icc", "wb").write(whole[:300])
open(f"{folder}/bad-no-table.icc", "wb").write(profile(b"link", b"RGB ", b"RGB ", head))
open(f"{folder}/bad-display.icc", "wb").write(profile(b"mntr", b"RGB ", b"XYZ ", head))
open(f"{folder}/bad-cmyk.icc", "wb").write(profile(b"link", b"RGB ", b"CMYK", head + [(b"A2B0", lut16(2, nodes(2)))]))
open(f"{here}/link.expected.txt", "w").write("\n".join(lines) + "\n")
