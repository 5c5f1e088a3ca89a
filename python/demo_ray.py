"""Draws some photos, edits them with Ray on this machine, and tells what became of them."""

import sys
from pathlib import Path

import pyarrow.parquet
import safelight
import safelight.ray


def main(folder: Path) -> None:
    photos = folder / "in"
    photos.mkdir(parents=True, exist_ok=True)
    with safelight.Camera("synthetic", size="1280x720", rate=10) as camera:
        for number in range(48):
            path = photos / f"{number:03}.png"
            if not path.exists():
                frame = camera.read()
                write_png(path, frame.array)
    (photos / "broken.jpg").write_bytes(b"This is no photo.")

    look = safelight.Recipe(preset="teal-orange", exposure=0.2)
    summary = safelight.ray.edit(
        str(photos), str(folder / "out"), look, block=8, format="jpeg", quality=85, progress=True
    )
    print(f"{summary.done} done, {summary.failed} failed, in {summary.seconds:.1f} s")
    print(f"Photos in {photos}, results in {folder / 'out'}, a row for each photo in {summary.rows}")
    print("One of the photos is none, to show what becomes of it:")
    for row in pyarrow.parquet.read_table(summary.rows).to_pylist():
        if row["status"] == "failed":
            print(f"  {row['key']}: {row['reason']}")
    again = safelight.ray.edit(str(photos), str(folder / "out"), look, block=8, format="jpeg", quality=85)
    print(f"The same call again edited nothing: {again.done} were done before. It took {again.seconds:.1f} s")


def write_png(path: Path, array: "object") -> None:
    """Writes 8-bit RGB, as ISO/IEC 15948 has it."""
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = array.shape  # type: ignore[attr-defined]
    rows = b"".join(b"\0" + row.tobytes() for row in array)  # type: ignore[attr-defined]
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 1))
        + chunk(b"IEND", b"")
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
