"""ICC profiles of displays, byte by byte after ICC.1:2001-04."""

import struct


def fixed(value):
    return struct.pack(">i", round(value * 65536))


def display(name, red, green, blue):
    """A display of gamma 2.2 whose primaries are given as x, y; its white is D50."""
    white = (0.9642, 1.0, 0.8249)
    columns = [(x / y, 1.0, (1 - x - y) / y) for x, y in (red, green, blue)]
    scales = solve(columns, white)
    text = name.encode("ascii") + b"\0"
    tags = [
        (b"desc", b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(8 + 3 + 67)),
        (b"cprt", b"text\0\0\0\0none\0"),
        (b"wtpt", b"XYZ \0\0\0\0" + b"".join(map(fixed, white))),
    ]
    for letter, column, scale in zip("rgb", columns, scales):
        tags.append((f"{letter}XYZ".encode(), b"XYZ \0\0\0\0" + b"".join(fixed(scale * part) for part in column)))
        tags.append((f"{letter}TRC".encode(), b"curv\0\0\0\0" + struct.pack(">IH", 1, round(2.2 * 256)) + b"\0\0"))
    table, data = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for key, value in tags:
        table += key + struct.pack(">II", start + len(data), len(value))
        data += value + bytes(-len(value) % 4)
    header = bytearray(128)
    header[0:4] = struct.pack(">I", start + len(data))
    header[8:12] = bytes([2, 0x40, 0, 0])
    header[12:24] = b"mntrRGB XYZ "
    header[36:40] = b"acsp"
    header[68:80] = b"".join(map(fixed, white))
    return bytes(header) + table + data


def solve(columns, result):
    """The factors with which three columns add up to a result (Cramer's rule)."""
    def determinant(a, b, c):
        return (a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
                + c[0] * (a[1] * b[2] - a[2] * b[1]))

    whole = determinant(*columns)
    return [determinant(*[result if i == k else column for i, column in enumerate(columns)]) / whole for k in range(3)]
