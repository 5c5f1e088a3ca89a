#!/usr/bin/env python3
"""Photos whose names are commands to terminals and shells, through every command that takes photos."""

import os

from harness import Attack, photo

NAMES = [
    b"new\nline.png", b"return\rError: all is well.png", b"esc\x1b[2J\x1b]0;title\x07.png", b"tab\t.png", b"\xff\xfe.png",
    b"half\xc3.png", b"-o.png", b"--help.png", b"-.png", b"$(touch hit).png", b"`touch hit`.png", b"a;touch hit;.png",
    b"%s%n%x.png", b"{stem}{ext}.png", b"..png", b"...png", b" .png", b"turn\xe2\x80\xaegpj.png", b"'\".png", b"*.png",
    b"[a-z].png", b"?.png", b"x.png.safelight.json.png", b"\xf0\x9f\x93\xb7.png", b"a" * 251 + b".png", b"~.png",
    b"con.png", b"back\\slash.png", b"n\xcc\x83.png", b"c1\xc2\x9b2J.png", b"\xe2\x80\xa8line.png",
]


class HostileNames(Attack):
    def told(self, what, run):
        """Nothing that a terminal would interpret may be printed."""
        for text in (run.output, run.errors):
            bad = {c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0 or ord(c) in
                   (0x2028, 0x2029, 0x202E)}
            if bad:
                self.fail(f"{what}: {sorted(bad)} reached the terminal: {text[:200]}")

    def attack(self):
        for name in NAMES:
            folder = os.fsencode(self.fresh("work"))
            inside = os.path.join(folder, b"in")
            os.mkdir(inside)
            with open(os.path.join(inside, name), "wb") as file:
                file.write(photo())
            file = b"in/" + name
            for words in (["edit", file, "-o", b"out.png", "--exposure", "1"],
                          ["analyze", file], ["horizon", file], ["analyze", file, "--json"], ["horizon", file, "--json"],
                          ["plan", file, "--exposure", "1"],
                          ["recipe", "set", file, "--exposure", "1"], ["recipe", "show", file],
                          ["recipe", "show", file, "--json"],
                          ["export", "in", "-o", "exported"], ["recipe", "clear", file],
                          ["batch", "in", "-o", "batch", "--exposure", "1", "--json", "report.json"],
                          ["batch", file, "-o", "one", "--exposure", "1"],
                          ["batch", file, "-o", "told", "--exposure", "1", "--json", "-"],
                          ["edit", "in/missing-" + os.fsdecode(name)[:200], "-o", "out2.png", "--exposure", "1"]):
                run = self.run(*words, cwd=folder, terminal=True)
                what = f"{words[0]}{' --json' if '--json' in words else ''} {name!r}"
                self.check(what, run, folder=os.fsdecode(folder), worded=words[0] in ("edit", "batch"))
                self.told(what, run)
            # By its bare name, in its own folder, where it may look like an option.
            for words in (["edit", "--exposure", "1", "-o", b"../own.png", "--", name],
                          ["edit", b"./" + name, "-o", b"../own2.png", "--exposure", "1"]):
                run = self.run(*words, cwd=inside, terminal=True)
                self.check(f"edit -- {name!r}", run, folder=os.fsdecode(folder))
                self.told(f"edit -- {name!r}", run)
            for parent, _, files in os.walk(folder):
                if b"hit" in files:
                    self.fail(f"{name!r} was run by a shell in {parent!r}")
        self.note(f"{len(NAMES)} names through 17 commands each")


attack = HostileNames(__doc__)
attack.attack()
attack.finish()
