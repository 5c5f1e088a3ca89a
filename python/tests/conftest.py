import os
import shutil
import struct
import sys
import urllib.request
import zlib
from pathlib import Path

# The package as it is in the repository, with the library that SAFELIGHT_LIBRARY names.
if "SAFELIGHT_LIBRARY" in os.environ:
    sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy
import pytest


def png(array: numpy.ndarray) -> bytes:
    """A PNG of 8-bit RGB, as ISO/IEC 15948 has it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = array.shape
    rows = b"".join(b"\0" + row.tobytes() for row in array)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@pytest.fixture
def noise() -> numpy.ndarray:
    return numpy.random.default_rng(7).integers(0, 256, (48, 64, 3), dtype=numpy.uint8)


@pytest.fixture
def ramp() -> numpy.ndarray:
    """A smooth picture: no two renderers round its samples apart."""
    y, x = numpy.mgrid[0:90, 0:120]
    return numpy.stack([x * 2, y * 2, 255 - x - y], axis=-1).astype(numpy.uint8)


@pytest.fixture
def photo(tmp_path: Path) -> str:
    """A photo file, made with the library itself from a drawn scene."""
    import safelight

    with safelight.Camera("synthetic", size="320x240") as camera:
        frame = camera.read()
    (tmp_path / "photo.png").write_bytes(png(frame.array))
    safelight.Recipe().edit(tmp_path / "photo.png", tmp_path / "photo.jpg")
    return str(tmp_path / "photo.jpg")


# Of safelight.ray, which takes 500 MB to install.


@pytest.fixture(scope="session")
def bucket():
    """A bucket of moto's S3, which the environment of the cluster names."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(
        AWS_ENDPOINT_URL=f"http://{host}:{port}",
        AWS_ALLOW_HTTP="true",
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_REGION="us-east-1",
        AWS_VIRTUAL_HOSTED_STYLE_REQUEST="false",
    )
    urllib.request.urlopen(urllib.request.Request(f"http://{host}:{port}/photos", method="PUT"))
    yield "s3://photos"
    server.stop()


@pytest.fixture(scope="session")
def cluster(bucket):
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80 << 20)
    yield
    ray.shutdown()


@pytest.fixture
def shoot(photo, tmp_path):
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    for number in range(20):
        shutil.copy(photo, folder / f"{number:02}.jpg")
    shutil.copy(photo, folder / "deep" / "ü ö.jpg")
    (folder / "notes.txt").write_text("not a photo")
    return folder
