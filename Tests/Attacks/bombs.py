#!/usr/bin/env python3
"""Small files that expand to large ones: rejected, or handled in bounded memory and time."""

import struct
import zlib

from harness import Attack, MEGABYTE, photo, png

# The decoded photo must fit into memory: only this may be large, and only if the photo is read.
BOUND = 900 * MEGABYTE


def claims(width, height):
    """A PNG whose header claims more than its data contain."""
    whole = bytearray(png(1, 1))
    whole[16:24] = struct.pack(">II", width, height)
    whole[29:33] = struct.pack(">I", zlib.crc32(bytes(whole[12:29])))
    return bytes(whole)


def with_chunk(kind, body):
    """A PNG with one more chunk after its header."""
    chunk = struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    whole = photo()
    return whole[:33] + chunk + whole[33:]


def jpeg_of(width, height):
    """The header of a JPEG of a given size, without a picture."""
    return (b"\xff\xd8\xff\xc0\x00\x11\x08" + struct.pack(">HH", height, width)
            + b"\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00" + b"\0" * 64)


def tiff_of(width, height):
    """A TIFF whose only strip is missing."""
    tags = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8), (277, 3, 1),
            (278, 4, height), (279, 4, 0xFFFFFFFF)]
    return (b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(tags))
            + b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags) + b"\0\0\0\0")


class Bombs(Attack):
    def attack(self):
        zeros = zlib.compress(bytes(200_000_000), 9)
        deep = b"[" * 200_000
        pictures = {
            "black.png": png(20_000, 20_000, level=9),
            "wide.png": png(65_535, 2_000, level=9),
            "claims.png": claims(65_535, 65_535),
            "claims-more.png": claims(0x7FFFFFFF, 0x7FFFFFFF),
            "claims-line.png": claims(0x7FFFFFFF, 1),
            "text.png": with_chunk(b"zTXt", b"Comment\0\0" + zeros),
            "profile.png": with_chunk(b"iCCP", b"icc\0\0" + zeros),
            "xmp.png": with_chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zeros),
            "claims.jpg": jpeg_of(65_535, 65_535),
            "claims-line.jpg": jpeg_of(65_535, 1),
            "claims.tif": tiff_of(65_535, 65_535),
            "claims-more.tif": tiff_of(0xFFFFFFFF, 0xFFFFFFFF),
        }
        for name, data in pictures.items():
            with open(self.path(name), "wb") as file:
                file.write(data)
            for words in (["edit", name, "-o", f"{name}.out.jpg", "--exposure", "1", "--resize", "400"], ["analyze", name],
                          ["batch", name, "-o", f"{name}.out", "--exposure", "1", "--resize", "400"]):
                run = self.run(*words, seconds=240)
                self.check(f"{words[0]} {name}", run, memory=BOUND, folder=self.folder)
                self.note(f"{words[0]} {name} of {len(data)} bytes: exit {run.code}, {run.peak // MEGABYTE} MB")
        with open(self.path("photo.png"), "wb") as file:
            file.write(photo())
        looks = {
            "deep.json": deep, "open.json": b'{"safelight":1,"filters":[' * 50_000,
            "long.json": b'{"safelight":1,"filters":[' + b'{"filter":"exposure","stops":5},' * 2_000_000,
            "many.json": b'{"safelight":1,"filters":[' + b",".join([b'{"filter":"exposure","stops":5}'] * 300) + b"]}",
            "large.cube": b"LUT_3D_SIZE 256\n" + b"0 0 0\n" * 1000, "huge.cube": b"LUT_3D_SIZE 99999999\n",
            "line.cube": b"LUT_3D_SIZE 2\n" + b"9" * 20_000_000,
        }
        for name, data in looks.items():
            with open(self.path(name), "wb") as file:
                file.write(data)
            flag = "--lut" if name.endswith(".cube") else "--recipe"
            run = self.run("edit", "photo.png", "-o", f"{name}.png", flag, name, seconds=120)
            self.check(f"edit {flag} {name}", run, memory=BOUND, folder=self.folder)
            self.note(f"edit {flag} {name} of {len(data)} bytes: exit {run.code}, {run.peak // MEGABYTE} MB")
        for name in ("/dev/zero", "/dev/urandom"):
            for flag in ("--recipe", "--lut"):
                run = self.run("edit", "photo.png", "-o", "look.png", flag, name, seconds=120)
                self.check(f"edit {flag} {name}", run, codes=(1, 2, 64), memory=BOUND)
        with open(self.path("photo.png.xmp"), "wb") as file:
            file.write(b'<x:xmpmeta xmlns:x="adobe:ns:meta/">' + b"<a>" * 1_000_000)
        self.check("recipe import", self.run("recipe", "import", "photo.png.xmp"), memory=BOUND)


attack = Bombs(__doc__)
attack.attack()
attack.finish()
