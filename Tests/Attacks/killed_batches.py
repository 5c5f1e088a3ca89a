#!/usr/bin/env python3
"""Batches whose processes are killed at random moments, and resumed: every photo is there once, whole, as without kills."""

import hashlib
import os
import signal
import subprocess
import time

from harness import Attack, photo

PHOTOS = 40


def children(pid):
    """The processes that a process has started."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


class KilledBatches(Attack):
    def results(self, folder):
        found = {}
        for name in sorted(os.listdir(folder)):
            if not name.startswith("."):
                with open(os.path.join(folder, name), "rb") as file:
                    found[name] = hashlib.sha256(file.read()).hexdigest()
        return found

    def batch(self, output, *more):
        return ["batch", "in", "-o", output, "--preset", "noir", "--jobs", "4", *more]

    def kill_some(self, output, whole):
        """One run; `whole` says whether the batch itself is killed, or some of its workers."""
        with open(self.path("log"), "wb") as log:
            process = subprocess.Popen(
                [self.program, *self.batch(output, "--resume")], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True)
            deadline = time.monotonic() + 60
            for _ in range(1 if whole else 4):
                time.sleep(self.random.uniform(0.02, 0.9))
                if process.poll() is not None:
                    break
                victims = [process.pid] if whole else children(process.pid)
                for victim in self.random.sample(victims, min(len(victims), 1 if whole else 2)):
                    try:
                        os.kill(victim, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                self.fail("a batch did not end after its workers were killed")

    def attack(self):
        os.makedirs(self.path("in"))
        for index in range(PHOTOS):
            with open(self.path("in", f"photo-{index}.png"), "wb") as file:
                file.write(photo(index, 320, 240))
        self.check("a batch without kills", self.run(*self.batch("expected"), seconds=300), codes=(0,))
        expected = self.results(self.path("expected"))
        if len(expected) != PHOTOS:
            self.fail(f"{len(expected)} of {PHOTOS} photos without any kill")
        for number in range(self.options.rounds):
            self.fresh("out")
            for _ in range(3):
                self.kill_some("out", whole=number % 2 == 0)
            run = self.run(*self.batch("out", "--resume"), seconds=300)
            self.check(f"resuming after round {number}", run, codes=(0,), folder=self.path("out"))
            if self.results(self.path("out")) != expected:
                self.fail(f"round {number}: the results are others than without kills")
        self.note(f"{self.options.rounds} rounds of three runs that were killed, each resumed, {PHOTOS} photos")


attack = KilledBatches(__doc__, rounds=6)
attack.attack()
attack.finish()
