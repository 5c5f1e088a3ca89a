#!/usr/bin/env python3
"""Disks that are full before, during and at the end of a write, and file size limits: no file is incomplete."""

import fnmatch
import os
import resource
import subprocess

from harness import Attack, png

PHOTOS = 4
# Each with the files, and their number, that exist if it exits with 0.
COMMANDS = [
    (["edit", "in/photo-0.png", "-o", "disk/out.{}", "--exposure", "0.3"], {"disk/out.*": 1}),
    (["edit", "in/photo-0.png", "-o", "disk/both.{}", "--exposure", "0.3", "--compare", "split"], {"disk/both.*": 1}),
    (["batch", "in", "-o", "disk/batch", "--exposure", "0.3", "--format", "{}", "--jobs", "2"],
     {"disk/batch/photo-*": PHOTOS}),
    (["presets", "sheet", "in/photo-0.png", "-o", "disk/looks.{}"], {"disk/looks.*": 1}),
    (["analyze", "in/photo-0.png", "--scopes", "disk/scopes.{}"], {"disk/scopes.*": 1}),
    (["edit", "in/photo-0.png", "-o", "disk/made.{}", "--auto", "all", "--write-recipe", "disk/made.json"],
     {"disk/made.*": 2}),
    (["live", "--source", "synthetic", "--size", "160x120", "--frames", "20", "--to", "frames:disk/frames"],
     {"disk/frames/frame-*": 20}),
]
PICTURES = (".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp")
# Runs the words after the program on a separate disk, which disappears with the namespace, so leftovers, unreadable
# files and the list of files are printed before.
ON_SMALL_DISK = """
mount -t tmpfs -o size={size},nr_inodes=60 none disk || exit 77
"$@"; code=$?
echo
find disk -name ".*.tmp" -printf "LEFT %p\\n"
find disk -type f ! -name ".*" -printf "THERE %p\\n"
find disk -type f ! -name ".*" ! -name "*.json" \\
  ! -exec sh -c '"$0" analyze "$1" > /dev/null 2>&1' "$1" {{}} \\; -printf "BROKEN %p of %s bytes\\n"
exit $code
"""


class FullDisks(Attack):
    def files(self, folder):
        """The files below a folder under their final names, from the attack's own folder on."""
        return [os.path.relpath(os.path.join(parent, name), self.folder)
                for parent, _, names in os.walk(self.path(folder)) for name in names if not name.startswith(".")]

    def whole(self, what, files):
        """Every picture under its final name can be read."""
        for name in files:
            if name.endswith(PICTURES) and self.run("analyze", name).code != 0:
                self.fail(f"{what}: {name} is there and cannot be read ({os.path.getsize(self.path(name))} bytes)")

    def made(self, what, run, files, outputs):
        """If the program says that everything is done, everything is there."""
        for pattern, count in outputs.items() if run.code == 0 else ():
            found = len(fnmatch.filter(files, pattern))
            if found != count:
                self.fail(f"{what}: ended with 0, and of {pattern} there are {found}, not {count}")

    def attack(self):
        os.makedirs(self.path("in"))
        for index in range(PHOTOS):
            # Noise, so that results are as large as they can be.
            pixels = self.random.randbytes(240 * 180)
            with open(self.path("in", f"photo-{index}.png"), "wb") as file:
                file.write(png(240, 180, (pixels[y * 240:y * 240 + 240] for y in range(180))))
        for command, outputs in COMMANDS:
            # A batch cannot start at all if its journal cannot be written.
            codes = (0, 1, 2) if command[0] == "batch" else (0, 1)
            for form in ("jpeg", "png", "tiff", "webp"):
                words = [word.format(form) for word in command]
                for size in (0, 1, 4096, 20_000, 60_000):
                    self.fresh("disk")
                    what = f"{' '.join(words[:2])} {form}, files of at most {size} bytes"
                    run = self.run(*words, limits=[(resource.RLIMIT_FSIZE, size)])
                    self.check(what, run, codes=codes, folder=self.path("disk"))
                    files = self.files("disk")
                    self.whole(what, files)
                    self.made(what, run, files, outputs)
                if command[0] in ("live", "presets"):
                    break
        self.small_disks()

    def small_disks(self):
        """A file system of a few pages, in a separate mount namespace."""
        prefix = ["unshare", "-m" if os.geteuid() == 0 else "-rm"]
        if subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skip("small disks: unshare may not make a mount namespace here")
            return
        program = self.program
        for command, outputs in COMMANDS:
            for pages in (1, 4, 12, 30):
                words = [word.format("png") for word in command]
                self.fresh("disk")
                script = ON_SMALL_DISK.format(size=4096 * pages)
                self.program = prefix[0]
                run = self.run(*prefix[1:], "sh", "-c", script, "sh", program, *words)
                self.program = program
                what = f"{' '.join(words[:2])} on a disk of {pages} pages"
                if run.code == 77:
                    self.skip(f"{what}: cannot be mounted here")
                    return
                # A full disk gives 1 for every command, even if nothing could start.
                self.check(what, run, codes=(0, 1))
                lines = run.output.splitlines()
                for line in lines:
                    if line.startswith(("LEFT ", "BROKEN ")):
                        self.fail(f"{what}: {line}")
                there = [line.removeprefix("THERE ") for line in lines if line.startswith("THERE ")]
                self.made(what, run, there, outputs)


attack = FullDisks(__doc__)
attack.attack()
attack.finish()
