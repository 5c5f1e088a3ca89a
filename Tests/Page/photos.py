"""Photos for the tests, made here, so that none has to be kept."""

import pathlib
import shutil
import struct
import zlib

import studio


def write_png(path, width, height, colour):
    """Writes a PNG whose pixel at x, y is `colour(x, y)`, three numbers of 0…255."""
    rows = b"".join(
        b"\0" + bytes(value for x in range(width) for value in colour(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pathlib.Path(path).write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows, 1))
        + chunk(b"IEND", b""))
    return pathlib.Path(path)


def write_small(folder, count):
    """Writes small photos, each of another colour: photo-1.png, photo-2.png, …"""
    for number in range(1, count + 1):
        tone = (37 * number % 256, 91 * number % 256, 200 - 3 * number % 200)
        write_png(folder / f"photo-{number}.png", 48, 32, lambda x, y: [(c + 2 * x + y) % 256 for c in tone])


def write_shoot(folder, scene, count):
    """Writes JPEGs of a landscape, 300 pixels wide, a third of them upright: photo-001.jpg, photo-002.jpg, …"""
    kinds = []
    for kind in range(6):
        path = folder / f"kind-{kind}.jpg"
        turned = ["--rotate", "90"] if kind % 3 == 0 else []
        studio.safelight(
            "edit", scene, "--exposure", (kind - 3) / 3, "--resize", 300, *turned, "--output", path, "--quiet")
        kinds.append(path)
    for number in range(1, count + 1):
        shutil.copy(kinds[number % len(kinds)], folder / f"photo-{number:03}.jpg")
    for path in kinds:
        path.unlink()


def make_scene(folder):
    """Makes a photo of a generated landscape, which is tilted, as the program's own demonstration does."""
    studio.safelight("demo", "--output", folder / "demo", "--quiet")
    return folder / "demo" / "original.jpg"


def size_of_png(path):
    return struct.unpack(">II", pathlib.Path(path).read_bytes()[16:24])


def write_with_lens(path, jpeg, make, model, lens):
    """Writes a JPEG with EXIF that names a camera and a lens at 24 mm and f/4; returns its path."""
    start = 8

    def ifd(at, entries):
        """A directory at an offset: entries of a tag, a type, a count and bytes, which follow it if they are long."""
        head, tail = struct.pack(">H", len(entries)), b""
        beyond = at + 2 + 12 * len(entries) + 4
        for tag, kind, count, value in entries:
            if len(value) > 4:
                place, tail = struct.pack(">I", beyond + len(tail)), tail + value + b"\0" * (len(value) % 2)
            else:
                place = value.ljust(4, b"\0")
            head += struct.pack(">HHI", tag, kind, count) + place
        return head + b"\0\0\0\0" + tail

    def text(tag, value):
        return tag, 2, len(value) + 1, value.encode() + b"\0"

    def ratio(tag, value):
        return tag, 5, 1, struct.pack(">II", value, 1)

    def first(at):
        return ifd(start, [text(0x10F, make), text(0x110, model), (0x8769, 4, 1, struct.pack(">I", at))])

    exif = start + len(first(0))
    body = first(exif) + ifd(exif, [ratio(0x829D, 4), ratio(0x920A, 24), text(0xA434, lens)])
    payload = b"Exif\0\0MM\0*" + struct.pack(">I", start) + body
    data = pathlib.Path(jpeg).read_bytes()
    path.write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(payload) + 2) + payload + data[2:])
    return path
