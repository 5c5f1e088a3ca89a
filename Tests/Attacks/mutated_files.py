#!/usr/bin/env python3
"""Damaged files of every kind, each passed to the command that reads it, in a separate process."""

import os
import resource

from harness import Attack, MEGABYTE, corpus, mutate, photo

# A runaway allocation first takes address space; Swift's and the codecs' own tables need some of it, too.
LIMITS = [(resource.RLIMIT_AS, 4096 * MEGABYTE), (resource.RLIMIT_CORE, 0)]
JSON_WORDS = [b"{", b"}", b"[", b"]", b'"', b"\\u", b"1e999", b"-0", b"null", b"[" * 400, b"99999999999999999999", b"\0"]
XML_WORDS = [b"<", b">", b"&#0;", b"<!DOCTYPE a [", b"]]>", b"<a>" * 300, b'crs:CropAngle="45"', b"xmlns:"]
CUBE_WORDS = [b"LUT_3D_SIZE 256\n", b"LUT_1D_SIZE 65536\n", b"nan ", b"1e999 ", b"DOMAIN_MIN ", b"\0", b"\r"]


class MutatedFiles(Attack):
    def extend(self, parser):
        parser.add_argument("--kind", help="only this one, such as jpeg or recipe")

    def kinds(self):
        """How each corpus is read: its folder, the file extension, the command, words that reach deeper."""
        edit = lambda file: ["edit", file, "-o", "out.png", "--exposure", "0.3"]
        for kind in ("jpeg", "heif", "jxl", "tiff", "webp"):
            yield kind, None, edit, ()
        yield "png", ".png", edit, (b"IDAT", b"IHDR", b"iCCP", b"\0\0\xff\xff")
        yield "exif", ".jpg", edit, (b"Exif\0\0", b"II*\0", b"MM\0*")
        yield "jpeg", None, lambda file: ["analyze", file], ()
        yield "cube", ".cube", lambda file: ["edit", "photo.png", "-o", "out.png", "--lut", file], CUBE_WORDS
        yield "recipe", ".json", lambda file: ["edit", "photo.png", "-o", "out.png", "--recipe", file], JSON_WORDS
        yield "sidecar", ".safelight.json", lambda file: ["recipe", "show", "photo.png"], JSON_WORDS
        yield "deferred", None, lambda file: ["finish", "."], JSON_WORDS
        yield "xmp", ".xmp", lambda file: ["recipe", "import", file], XML_WORDS
        yield "video", None, lambda file: ["live", "--source", file, "--to", "null", "--frames", "5"], ()

    def seeds(self, kind):
        if kind == "png":
            return [("photo.png", photo()), ("small.png", photo(1, 1, 1))]
        if kind == "exif":
            # A photo around each block of EXIF.
            jpeg = dict(corpus("jpeg"))["good-gray.jpg"]
            return [(f"{name}.jpg", jpeg[:2] + b"\xff\xe1" + (len(block) + 8).to_bytes(2, "big") + b"Exif\0\0" + block
                     + jpeg[2:]) for name, block in corpus("exif") if len(block) < 60_000]
        return list(corpus(kind))

    def attack(self, kind, ending, command, words):
        seeds = self.seeds(kind)
        read = 0
        for number in range(self.options.rounds):
            name, data = seeds[number % len(seeds)]
            data = mutate(data, self.random, words)
            folder = self.fresh("work")
            photo_name = "photo.png"
            with open(self.path("work", photo_name), "wb") as file:
                file.write(photo())
            file_name = f"x{ending}" if ending else "x." + name.rsplit(".", 1)[-1]
            if kind in ("sidecar", "xmp"):
                file_name = photo_name + ending if kind == "sidecar" else "photo.xmp"
            if kind == "deferred":
                file_name = ".safelight-unfinished/1/manifest"
                os.makedirs(self.path("work", ".safelight-unfinished", "1"))
            with open(self.path("work", file_name), "wb") as file:
                file.write(data)
            run = self.run(*command(file_name), cwd=folder, limits=LIMITS)
            read += run.code == 0
            if not self.check(f"{kind} {name}, round {number}", run, folder=folder):
                kept = self.path(f"{kind}-{number}-{os.path.basename(file_name)}")
                with open(kept, "wb") as file:
                    file.write(data)
                self.note(f"kept as {kept}")
        self.note(f"{kind}: {self.options.rounds} files, {read} could be read")


attack = MutatedFiles(__doc__, rounds=60)
for kind in attack.kinds():
    if attack.options.kind in (None, kind[0]):
        attack.attack(*kind)
attack.finish()
