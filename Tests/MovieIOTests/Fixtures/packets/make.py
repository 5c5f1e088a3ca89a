#!/usr/bin/env python3
"""Makes the packets that movies are written from in tests: tiny streams of FFmpeg's encoders.

A line each: `configuration BASE64`, then `PRESENTATION DECODE DURATION KEY BASE64`; times in ticks of the
track: 1/90000 s of pictures, samples of sound. Run in this folder; FFmpeg 5.1 made what is here.
"""

import base64
import json
import subprocess
import tempfile

PICTURE = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=15:duration={seconds}", "-pix_fmt", "yuv420p"]
SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration={seconds}"]
TAGS = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
TAGS += ["-vf", "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"]

X265 = ["-c:v", "libx265", "-crf", "36", "-x265-params", "info=0:log-level=1"]
PRORES = ["-c:v", "prores_ks", "-profile:v", "0", "-pix_fmt", "yuv422p10le", "-qscale:v", "30"]

# Name: source, seconds, encoder, box of the configuration.
STREAMS = {
    "h264": (PICTURE, 3, ["-c:v", "libx264", "-crf", "34", "-g", "15", "-bf", "2", *TAGS], b"avcC"),
    "hevc": (PICTURE, 0.4, [*X265, *TAGS], b"hvcC"),
    "av1": (PICTURE, 0.4, ["-c:v", "libaom-av1", "-crf", "50", "-cpu-used", "8", *TAGS], b"av1C"),
    "prores": (PICTURE, 0.2, PRORES, None),
    "aac": (SOUND, 3, ["-c:a", "aac", "-b:a", "24k", "-ac", "1"], b"esds"),
    "opus": (SOUND, 0.2, ["-c:a", "libopus", "-b:a", "16k", "-ac", "1"], b"dOps"),
    "flac": (SOUND, 0.2, ["-c:a", "flac", "-ac", "1", "-strict", "-2"], b"dfLa"),
}


def configuration(file: bytes, box: bytes) -> bytes:
    at = file.index(box)
    size = int.from_bytes(file[at - 4 : at], "big")
    content = file[at + 4 : at - 4 + size]
    if box == b"esds":
        # The DecoderSpecificInfo: tag 5, a length of four bytes.
        start = content.index(b"\x05\x80\x80\x80")
        return content[start + 5 : start + 5 + content[start + 4]]
    if box == b"dfLa":
        return content[8:42]
    if box == b"dOps":
        # OpusHead has the same fields, little-endian, after its name and with version 1.
        skip, rate, gain = content[2:4], content[4:8], content[8:10]
        return b"OpusHead\x01" + content[1:2] + skip[::-1] + rate[::-1] + gain[::-1] + content[10:]
    return content


def main() -> None:
    for name, (source, seconds, encoder, box) in STREAMS.items():
        with tempfile.NamedTemporaryFile(suffix=".mov" if name == "prores" else ".mp4") as file:
            inputs = [word.format(seconds=seconds) for word in source]
            scale = [] if source is SOUND else ["-video_track_timescale", "90000"]
            subprocess.run(
                ["ffmpeg", "-v", "error", "-y", *inputs, "-fflags", "+bitexact", "-flags", "+bitexact"]
                + [*encoder, *scale, file.name],
                check=True,
            )
            shown = subprocess.run(
                ["ffprobe", "-v", "error", "-show_packets", "-of", "json", file.name],
                check=True, capture_output=True,
            )  # fmt: skip
            data = open(file.name, "rb").read()
        lines = ["configuration " + base64.b64encode(configuration(data, box) if box else b"").decode()]
        for packet in json.loads(shown.stdout)["packets"]:
            at, size = int(packet["pos"]), int(packet["size"])
            fields = [packet["pts"], packet["dts"], packet["duration"], int("K" in packet["flags"])]
            lines.append(" ".join(map(str, fields)) + " " + base64.b64encode(data[at : at + size]).decode())
        with open(f"{name}.txt", "w") as output:
            output.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
