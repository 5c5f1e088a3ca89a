#!/usr/bin/env python3
"""Writes embed.c, the table of the page's files. A test fails if it is out of date.

Run it after adding, renaming or removing a file of studio/page; changed contents need nothing.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).parent
HEAD = """\
// Embeds the page with C23's `#embed`, so that no data file is installed. Written by embed.py;
// StudioPageTests compares it with the folder.

#include "StudioPage.h"

#if defined(__clang__)
// clang 19 and later offer `#embed` in older language modes, as an extension with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif
"""


# As clang-format breaks lines.
WIDTH = 110


def row(path: str, name: str) -> str:
    line = f'    {{"{path}", {name}, sizeof {name}}},'
    return line if len(line) <= WIDTH else f'    {{"{path}", {name},\n     sizeof {name}}},'


def text() -> str:
    paths = sorted(str(p.relative_to(HERE / "page")) for p in (HERE / "page").rglob("*") if p.is_file())
    names = {path: "file_" + re.sub(r"\W", "_", path) for path in paths}
    parts = [HEAD]
    for path in paths:
        parts.append(f'static const unsigned char {names[path]}[] = {{\n#embed "page/{path}"\n}};')
    rows = [row(path, names[path]) for path in paths]
    parts.append("static const studio_file files[] = {\n" + "\n".join(rows) + "\n};")
    parts.append("size_t studio_file_count(void) { return sizeof files / sizeof *files; }")
    parts.append("const studio_file *studio_file_at(size_t index) { return &files[index]; }")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    (HERE / "embed.c").write_text(text())
