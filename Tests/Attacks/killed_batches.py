#!/usr/bin/env python3
"""Batches whose processes are killed at random moments and resumed: every photo is there once, complete, as without kills."""

import glob
import hashlib
import os
import signal
import subprocess
import time

from harness import Attack, photo

PHOTOS = 40
# The runs in a round that must be killed, and the attempts to do so.
KILLED, TRIED = 3, 12


def read(path):
    """A file of /proc; empty if its process has ended."""
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def children(pid):
    """The processes started by a process that are still running."""
    # Each thread has a list of the processes that it started itself.
    found = [int(word) for path in glob.glob(f"/proc/{pid}/task/*/children") for word in read(path).split()]
    # A process that has ended keeps its number until its parent reads its status.
    return [child for child in found if read(f"/proc/{child}/stat").rpartition(")")[2].split()[:1] not in ([], ["Z"])]


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

    def kill_some(self, output, whole, longest):
        """One run. `whole`: whether the batch itself is killed, rather than some of its workers; `longest`: after at
        most how many seconds. Returns the number of processes killed."""
        kills = 0
        with open(self.path("log"), "wb") as log:
            process = subprocess.Popen(
                [self.program, *self.batch(output, "--resume")], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True)
            deadline = time.monotonic() + 60
            for _ in range(1 if whole else 4):
                time.sleep(self.random.uniform(0.02, longest))
                if process.poll() is not None:
                    break
                victims = [process.pid] if whole else children(process.pid)
                for victim in self.random.sample(victims, min(len(victims), 1 if whole else 2)):
                    try:
                        os.kill(victim, signal.SIGKILL)
                        kills += 1
                    except ProcessLookupError:
                        pass
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                self.fail("a batch did not end after its workers were killed")
        # It may have ended just before.
        return 0 if whole and process.returncode != -signal.SIGKILL else kills

    def round(self, number, longest):
        """A batch with three killed runs, one after another. Returns the number of processes killed."""
        whole = number % 2 == 0
        runs, kills = 0, 0
        self.fresh("out")
        for _ in range(TRIED):
            killed = self.kill_some("out", whole, longest)
            if killed == 0:
                # It finished before the kill: the next attempt starts over, with less time.
                self.fresh("out")
                longest = max(0.05, longest / 2)
            runs += killed > 0
            kills += killed
            if runs == KILLED:
                break
        if runs < KILLED:
            self.fail(f"round {number}: {runs} of {TRIED} runs met a kill, and {KILLED} should")
        return kills

    def attack(self):
        os.makedirs(self.path("in"))
        for index in range(PHOTOS):
            with open(self.path("in", f"photo-{index}.png"), "wb") as file:
                file.write(photo(index, 320, 240))
        start = time.monotonic()
        self.check("a batch without kills", self.run(*self.batch("expected"), seconds=300), codes=(0,))
        longest = min(0.9, max(0.05, 0.8 * (time.monotonic() - start)))
        expected = self.results(self.path("expected"))
        if len(expected) != PHOTOS:
            self.fail(f"{len(expected)} of {PHOTOS} photos without any kill")
        kills = [0, 0]
        for number in range(self.options.rounds):
            kills[number % 2] += self.round(number, longest)
            run = self.run(*self.batch("out", "--resume"), seconds=300)
            self.check(f"resuming after round {number}", run, codes=(0,), folder=self.path("out"))
            if self.results(self.path("out")) != expected:
                self.fail(f"round {number}: the results are others than without kills")
        self.note(f"{self.options.rounds} rounds, {kills[0]} batches and {kills[1]} workers were killed, {PHOTOS} photos")


attack = KilledBatches(__doc__, rounds=6)
attack.attack()
attack.finish()
