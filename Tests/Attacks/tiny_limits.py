#!/usr/bin/env python3
"""Commands under tiny limits of memory, open files, processes and time: they work, or exit with an error sentence."""

import os
import resource
import shutil
import signal

from harness import Attack, MEGABYTE, leftovers, photo

COMMANDS = [
    ["edit", "photo.png", "-o", "out.png", "--exposure", "0.3", "--straighten", "2"],
    ["batch", "in", "-o", "out", "--exposure", "0.3", "--jobs", "2"],
    ["analyze", "photo.png"], ["plan", "photo.png", "--preset", "noir"], ["presets"],
    ["live", "--source", "synthetic", "--size", "160x120", "--frames", "5", "--to", "null"],
    ["capture", "--source", "synthetic", "--size", "160x120", "-o", "out/"],
    ["recipe", "set", "photo.png", "--exposure", "1"],
]


class TinyLimits(Attack):
    def run(self, *words, **options):
        """No run finds anything left by an earlier one."""
        for name in ("out.png", "photo.png.safelight.json"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        shutil.rmtree(self.path("out"), ignore_errors=True)
        return super().run(*words, **options)

    def attack(self):
        os.makedirs(self.path("in"))
        for name in ("photo.png", "in/a.png", "in/b.png"):
            with open(self.path(name), "wb") as file:
                file.write(photo())
        for words in COMMANDS:
            for files in (3, 4, 5, 6, 8, 10, 14, 20, 40):
                run = self.run(*words, limits=[(resource.RLIMIT_NOFILE, files)])
                # Below a handful, the loader itself cannot open the libraries, and says so in its own words (127).
                self.check(f"{' '.join(words[:2])}, {files} open files", run, codes=(0, 1, 2, 64, 127),
                           folder=self.folder, worded=files > 6)
            for megabytes in (200, 300, 400, 600, 800, 1200, 2000):
                run = self.run(*words, limits=[(resource.RLIMIT_AS, megabytes * MEGABYTE), (resource.RLIMIT_CORE, 0)])
                what = f"{' '.join(words[:2])}, {megabytes} MB of addresses"
                # If nothing can be allocated, Swift and C++ end the process: that does no harm, unlike half a file.
                self.tried += 1
                if run.hung:
                    self.fail(f"{what}: did not end")
                elif run.signal not in (0, signal.SIGABRT, signal.SIGILL, signal.SIGTRAP, signal.SIGSEGV, signal.SIGBUS):
                    self.fail(f"{what}: signal {run.signal}")
                elif run.signal:
                    self.note(f"{what}: ended by signal {run.signal}, as without memory")
                for name in leftovers(self.folder):
                    self.note(f"{what}: left {name}")
                    os.unlink(name)
            for kilobytes in (1024, 4096):
                run = self.run(*words, limits=[(resource.RLIMIT_STACK, kilobytes * 1024)])
                self.check(f"{' '.join(words[:2])}, stacks of {kilobytes} kB", run, folder=self.folder)
            # Root is not subject to process limits.
            run = self.run(*words, limits=[(resource.RLIMIT_NPROC, 1)])
            self.check(f"{' '.join(words[:2])}, one process", run, folder=self.folder)


attack = TinyLimits(__doc__)
attack.attack()
attack.finish()
