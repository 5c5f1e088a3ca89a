#!/usr/bin/env python3
"""Disks that are full before, in the midst and at the end of a write, and limits of file sizes: nothing is half there."""

import os
import resource
import subprocess

from harness import Attack, png

COMMANDS = [
    ["edit", "in/photo-0.png", "-o", "disk/out.{}", "--exposure", "0.3"],
    ["edit", "in/photo-0.png", "-o", "disk/both.{}", "--exposure", "0.3", "--compare", "split"],
    ["batch", "in", "-o", "disk/batch", "--exposure", "0.3", "--format", "{}", "--jobs", "2"],
    ["presets", "sheet", "in/photo-0.png", "-o", "disk/looks.{}"],
    ["analyze", "in/photo-0.png", "--scopes", "disk/scopes.{}"],
    ["edit", "in/photo-0.png", "-o", "disk/made.{}", "--auto", "all", "--write-recipe", "disk/made.json"],
    ["live", "--source", "synthetic", "--size", "160x120", "--frames", "20", "--to", "frames:disk/frames"],
]


class FullDisks(Attack):
    def whole(self, what, folder):
        """Every file under its final name can be read."""
        for parent, folders, names in os.walk(folder):
            for name in names:
                path = os.path.join(parent, name)
                if name.startswith(".") or not name.endswith((".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp")):
                    continue
                if self.run("analyze", path).code != 0:
                    self.fail(f"{what}: {name} is there and cannot be read ({os.path.getsize(path)} bytes)")

    def attack(self):
        os.makedirs(self.path("in"))
        for index in range(4):
            # Noise, so that results are as large as they can be.
            pixels = self.random.randbytes(240 * 180)
            with open(self.path("in", f"photo-{index}.png"), "wb") as file:
                file.write(png(240, 180, (pixels[y * 240:y * 240 + 240] for y in range(180))))
        for command in COMMANDS:
            for form in ("jpeg", "png", "tiff", "webp"):
                words = [word.format(form) for word in command]
                for size in (0, 1, 4096, 20_000, 60_000):
                    self.fresh("disk")
                    what = f"{' '.join(words[:2])} {form}, files of at most {size} bytes"
                    run = self.run(*words, limits=[(resource.RLIMIT_FSIZE, size)])
                    self.check(what, run, folder=self.path("disk"))
                    self.whole(what, self.path("disk"))
                if command[0] in ("live", "presets"):
                    break
        self.small_disks()

    def small_disks(self):
        """A file system of a few pages, in a mount namespace of its own."""
        prefix = ["unshare", "-m" if os.geteuid() == 0 else "-rm"]
        if subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skip("small disks: unshare may not make a mount namespace here")
            return
        program = self.program
        for command in COMMANDS:
            for pages in (1, 4, 12, 30):
                words = [word.format("png") for word in command]
                self.fresh("disk")
                # The disk goes with the namespace: what is left on it is listed before.
                script = (f'mount -t tmpfs -o size={4096 * pages},nr_inodes=40 none disk || exit 77; "$@"; code=$?; '
                          'find disk -name ".*.tmp" | sed "s/^/LEFT /"; exit $code')
                self.program = prefix[0]
                run = self.run(*prefix[1:], "sh", "-c", script, "sh", program, *words)
                self.program = program
                what = f"{' '.join(words[:2])} on a disk of {pages} pages"
                if run.code == 77:
                    self.skip(f"{what}: cannot be mounted here")
                    return
                self.check(what, run)
                if "LEFT " in run.output:
                    self.fail(f"{what}: {run.output}")


attack = FullDisks(__doc__)
attack.attack()
attack.finish()
