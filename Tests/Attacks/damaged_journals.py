#!/usr/bin/env python3
"""Batch journals, damaged at random and then resumed from: nothing crashes, and no existing result is lost."""

import os
import shutil

from harness import Attack, mutate, photo

PHOTOS = 6
WORDS = [b"\n", b"{", b"}", b'"', b"../../x", b"/etc/passwd", b"\0", b"\xff", b"[" * 500, b"1e999", b"null", b"\\u0000"]


class DamagedJournals(Attack):
    def batch(self, *more):
        return ["batch", "in", "-o", "work/out", "--exposure", "0.3", "--jobs", "2", *more]

    def results(self, folder):
        """The contents of an output folder under the names of photos, by name."""
        found = {}
        for index in range(PHOTOS):
            path = self.path(folder, "out", f"photo-{index}.png")
            if os.path.exists(path):
                with open(path, "rb") as file:
                    found[f"photo-{index}.png"] = file.read()
        return found

    def attack(self):
        os.makedirs(self.path("in"))
        for index in range(PHOTOS):
            with open(self.path("in", f"photo-{index}.png"), "wb") as file:
                file.write(photo(index))
        self.fresh("work")
        self.check("a batch", self.run(*self.batch()), codes=(0,))
        shutil.copytree(self.path("work"), self.path("done"))
        whole = self.results("done")
        if len(whole) != PHOTOS:
            self.fail(f"{len(whole)} of {PHOTOS} results before any damage")
        with open(self.path("done", "out", ".safelight-batch.jsonl"), "rb") as file:
            journal = file.read()
        outside = sorted(os.listdir(self.folder))
        for number in range(self.options.rounds):
            shutil.rmtree(self.path("work"))
            shutil.copytree(self.path("done"), self.path("work"))
            damaged = mutate(journal, self.random, WORDS)
            with open(self.path("work", "out", ".safelight-batch.jsonl"), "wb") as file:
                file.write(damaged)
            gone = self.random.randrange(PHOTOS)
            os.unlink(self.path("work", "out", f"photo-{gone}.png"))
            # The user has to decide on files that the journal no longer records as ours.
            conflict = self.random.choice(("skip", "fail", "overwrite"))
            run = self.run(*self.batch("--resume", "--on-conflict", conflict))
            self.check(f"round {number}", run, folder=self.path("work"))
            results = self.results("work")
            for name, bytes in whole.items():
                # A replaceable result may become that of another photo if the journal says so.
                good = whole.values() if conflict == "overwrite" else (bytes,)
                if name not in results and name != f"photo-{gone}.png":
                    self.fail(f"round {number}: {name} is gone")
                elif name in results and results[name] not in good:
                    self.fail(f"round {number}, {conflict}: {name} is not what it was")
            with open(self.path("in", f"photo-{gone}.png"), "rb") as file:
                if file.read() != photo(gone):
                    self.fail(f"round {number}: an original was changed")
            if sorted(os.listdir(self.folder)) != outside:
                self.fail(f"round {number}: files outside the output folder: {sorted(os.listdir(self.folder))}")
        self.note(f"{self.options.rounds} damaged journals")


attack = DamagedJournals(__doc__, rounds=80)
attack.attack()
attack.finish()
