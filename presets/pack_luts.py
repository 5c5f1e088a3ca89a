#!/usr/bin/env python3
"""Packs `luts/*.cube` into `packed/*.lut`, which `embed.c` puts into the binary: 8.9 MB become 0.55 MB.

    python3 pack_luts.py    after every change in luts/, or LookLibraryTests fails

`unpack.c` restores the same bytes as in the .cube file. A packed LUT consists of

1. the length of the text and that of its head, the lines above the rows, as 32-bit little-endian integers;
2. the head;
3. the numbers of the rows as multiples of 1e-4, coded as below, from each byte's highest bit to its lowest;
4. eight zero bytes, so that the next eight bytes can always be read.

Neighbouring nodes have similar colours. So each number is replaced by its difference from the node before it along
red; these differences in the same way along green, and the result along blue. A difference d is then coded as in
R. F. Rice, "Some Practical Universal Noiseless Coding Techniques", JPL Publication 79-22, 1979, with a parameter k
that follows the numbers before it; 3.4 bits on average:

    v = 2 d for d >= 0, -2 d - 1 for d < 0
    k = floor(log2 m), at least 0; m is the channel's running mean: 4 at first, then m += (v - m) / 16 after each v
    code = (v >> k) zeros, a one, and the low k bits of v
"""

from __future__ import annotations

from pathlib import Path

NODES = 33
UNIT = 10_000
READ_AHEAD = 8
LAST_LINE_OF_HEAD = "LUT_3D_SIZE 33\n"


def differences(numbers: list[int]) -> list[int]:
    """Differences along red, then green, then blue; a neighbour outside the LUT counts as 0."""
    for step in (3, 3 * NODES, 3 * NODES * NODES):
        before = [numbers[i - step] if i // step % NODES > 0 else 0 for i in range(len(numbers))]
        numbers = [number - other for number, other in zip(numbers, before)]
    return numbers


def rice_code(numbers: list[int]) -> bytes:
    codes = []
    sums = [16 * 4] * 3
    for i, number in enumerate(numbers):
        value = 2 * number if number >= 0 else -2 * number - 1
        k = max((sums[i % 3] >> 4).bit_length() - 1, 0)
        codes.append("0" * (value >> k) + bin(1 << k | value & (1 << k) - 1)[2:])
        sums[i % 3] += value - (sums[i % 3] >> 4)
    bits = "".join(codes)
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big") + bytes(READ_AHEAD)


def text_of(number: int) -> str:
    return f"{number / UNIT:.4f}".rstrip("0").rstrip(".")


def packed(text: str, name: str) -> bytes:
    head, marker, rows = text.partition(LAST_LINE_OF_HEAD)
    head += marker
    numbers = [round(float(word) * UNIT) for word in rows.split()]
    words = [text_of(number) for number in numbers]
    again = "".join(f"{r} {g} {b}\n" for r, g, b in zip(words[::3], words[1::3], words[2::3]))
    in_range = all(0 <= number <= UNIT for number in numbers)
    if len(numbers) != 3 * NODES**3 or not in_range or head + again != text:
        raise SystemExit(f"{name}: only a LUT as written by generate_luts.py can be packed")
    start = head.encode()
    lengths = len(text.encode()).to_bytes(4, "little") + len(start).to_bytes(4, "little")
    return lengths + start + rice_code(differences(numbers))


def pack(folder: Path) -> None:
    """Packs every LUT in `folder`/luts into `folder`/packed, and removes what belongs to none."""
    (folder / "packed").mkdir(exist_ok=True)
    luts = {path.stem: path for path in sorted((folder / "luts").glob("*.cube"))}
    for path in (folder / "packed").glob("*.lut"):
        if path.stem not in luts:
            path.unlink()
    for name, path in luts.items():
        text = path.read_bytes().decode("utf-8")
        (folder / "packed" / f"{name}.lut").write_bytes(packed(text, path.name))


if __name__ == "__main__":
    pack(Path(__file__).resolve().parent)
