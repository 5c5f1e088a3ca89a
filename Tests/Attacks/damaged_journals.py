#!/usr/bin/env python3
"""Journals of batches, damaged at random and then resumed from: nothing crashes, and no result that is there is lost."""

import os
import shutil

from harness import Attack, mutate, photo

PHOTOS = 6
WORDS = [b"\n", b"{", b"}", b'"', b"../../x", b"/etc/passwd", b"\0", b"\xff", b"[" * 500, b"1e999", b"null", b"\\u0000"]


class DamagedJournals(Attack):
    def batch(self, *more):
        return ["batch", "in", "-o", "work/out", "--exposure", "0.3", "--jobs", "2", *more]

    def attack(self):
        os.makedirs(self.path("in"))
        for index in range(PHOTOS):
            with open(self.path("in", f"photo-{index}.png"), "wb") as file:
                file.write(photo(index))
        self.fresh("work")
        self.check("a batch", self.run(*self.batch()), codes=(0,))
        shutil.copytree(self.path("work"), self.path("done"))
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
            # What the journal does not know as ours any more, the user has to decide on.
            run = self.run(*self.batch("--resume", "--on-conflict", self.random.choice(("skip", "fail", "overwrite"))))
            self.check(f"round {number}", run, folder=self.path("work"))
            for index in range(PHOTOS):
                result = self.path("work", "out", f"photo-{index}.png")
                if index != gone and not os.path.exists(result):
                    self.fail(f"round {number}: photo-{index}.png is gone")
            with open(self.path("in", f"photo-{gone}.png"), "rb") as file:
                if file.read() != photo(gone):
                    self.fail(f"round {number}: an original was changed")
            if sorted(os.listdir(self.folder)) != outside:
                self.fail(f"round {number}: files outside the output folder: {sorted(os.listdir(self.folder))}")
        self.note(f"{self.options.rounds} damaged journals")


attack = DamagedJournals(__doc__, rounds=80)
attack.attack()
attack.finish()
