#!/usr/bin/env python3
"""Runs libraries that RivalEvaluation compares Safelight with, one run at a time, when it is told to.

Requests and answers are JSON objects, one a line, on the standard input and output:

    {"do": "libraries"}                            → {"numpy": "2.4", "cv2": "5.0", …}, those that are installed
    {"do": "prepare", "job": NAME, "kind": …, …}   → {}; reads the source file, makes everything that a run needs
    {"do": "run", "job": NAME}                     → {"seconds": …} of one run
    {"do": "dump", "job": NAME, "path": FILE}      → {"sample": …, "channels": …}: the last run's result, raw rows
    {"do": "drop"}                                 → {}; forgets all jobs

An answer of {"error": TEXT} says why something is not possible. Every library runs on one thread.
"""

import importlib
import json
import os
import sys
import time

os.environ["VIPS_CONCURRENCY"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

SAMPLES = {"u8": "uint8", "u16": "uint16", "f32": "float32"}


class Job:
    """A source picture, and a function that makes a result from it."""

    def __init__(self, spec):
        import numpy

        self.spec = spec
        self.size = (spec["width"], spec["height"])
        channels = spec.get("channels", 4)
        data = numpy.fromfile(spec["source"], dtype=SAMPLES[spec.get("sample", "u8")])
        self.source = data.reshape(spec["height"], spec["width"], channels)
        self.result = None
        self.work = KINDS[spec["kind"]](self)

    def run(self):
        start = time.perf_counter_ns()
        result = self.work()
        seconds = (time.perf_counter_ns() - start) / 1e9
        self.result = result
        return seconds

    def dump(self, path):
        import numpy

        result = self.result() if callable(self.result) else self.result
        result = numpy.ascontiguousarray(numpy.asarray(result))
        result.tofile(path)
        kinds = {name: sample for sample, name in SAMPLES.items()}
        return {
            "sample": kinds[str(result.dtype)],
            "channels": result.shape[2],
            "width": result.shape[1],
            "height": result.shape[0],
        }


# Each function makes what a run needs and returns the run itself; a run returns the result, or a function that
# turns it into an array if that is not part of the work.


def copy(job):
    target = job.source.copy()

    def run():
        target[...] = job.source
        return target

    return run


def ocio_lut(job):
    """OpenColorIO: a 3D table from a file, tetrahedral, from one buffer to another of the same format."""
    import numpy
    import PyOpenColorIO as ocio

    depths = {"u8": ocio.BIT_DEPTH_UINT8, "u16": ocio.BIT_DEPTH_UINT16, "f32": ocio.BIT_DEPTH_F32}
    depth = depths[job.spec.get("sample", "u8")]
    transform = ocio.FileTransform(src=job.spec["table"], interpolation=ocio.INTERP_TETRAHEDRAL)
    processor = ocio.Config.CreateRaw().getProcessor(transform)
    cpu = processor.getOptimizedCPUProcessor(depth, depth, ocio.OPTIMIZATION_DEFAULT)
    target = numpy.empty_like(job.source)

    def describe(pixels):
        width, height = job.size
        bytes_of = pixels.dtype.itemsize
        return ocio.PackedImageDesc(
            pixels, width, height, 4, depth, bytes_of, 4 * bytes_of, 4 * bytes_of * width
        )

    source, result = describe(job.source), describe(target)

    def run():
        cpu.apply(source, result)
        return target

    return run


def pillow_lut(job):
    """Pillow or pillow-simd: a 3D table, trilinear, 8 bit, four bytes per pixel in memory; each run makes a new picture."""
    from PIL import Image, ImageFilter

    image = Image.fromarray(job.source[:, :, :3].copy())
    table = ImageFilter.Color3DLUT(*read_cube(job.spec["table"]), channels=3)
    return lambda: image.filter(table)


def pillow_resize(job):
    from PIL import Image

    image = Image.fromarray(job.source[:, :, :3].copy())
    size = (job.spec["toWidth"], job.spec["toHeight"])
    method = Image.Resampling[job.spec["method"].upper()]
    return lambda: image.resize(size, method)


def opencv_lut(job):
    """OpenCV: a table for each channel."""
    import cv2
    import numpy

    tables = numpy.fromfile(job.spec["tables"], dtype="uint8").reshape(1, 256, 4)
    target = numpy.empty_like(job.source)
    return lambda: cv2.LUT(job.source, tables, target)


def opencv_warp(job):
    """OpenCV: warpAffine for two rows of numbers, warpPerspective for three, which lead from the output to the source; edges
    repeated."""
    import cv2
    import numpy

    method = {"linear": cv2.INTER_LINEAR, "cubic": cv2.INTER_CUBIC, "lanczos4": cv2.INTER_LANCZOS4}
    size = (job.spec["toWidth"], job.spec["toHeight"])
    matrix = numpy.array(job.spec["map"], dtype="float64").reshape(-1, 3)
    warp = cv2.warpAffine if len(matrix) == 2 else cv2.warpPerspective
    target = numpy.empty((size[1], size[0], 4), dtype="uint8")
    flags = method[job.spec["method"]] | cv2.WARP_INVERSE_MAP
    return lambda: warp(
        job.source, matrix, size, dst=target, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )


def opencv_resize(job):
    import cv2

    size = (job.spec["toWidth"], job.spec["toHeight"])
    method = {"area": cv2.INTER_AREA, "lanczos4": cv2.INTER_LANCZOS4}[job.spec["method"]]
    return lambda: cv2.resize(job.source, size, interpolation=method)


def opencv_yuyv(job):
    """OpenCV: YUYV of BT.601 and limited range to RGBA."""
    import cv2
    import numpy

    target = numpy.empty((job.size[1], job.size[0], 4), dtype="uint8")
    return lambda: cv2.cvtColor(job.source, cv2.COLOR_YUV2RGBA_YUYV, target)


def opencv_denoise(job):
    """OpenCV: non-local means of luma and colour with the default windows."""
    import cv2
    import numpy

    picture = numpy.ascontiguousarray(job.source[:, :, :3])

    def run():
        cv2.setNumThreads(job.spec["threads"])
        try:
            return cv2.fastNlMeansDenoisingColored(picture, None, 5, 5, 7, 21)
        finally:
            cv2.setNumThreads(1)

    return run


def opencv_bracket(job, work):
    """Pictures one above the other in the source, on as many threads as are told."""
    import cv2
    import numpy

    pictures = [numpy.ascontiguousarray(part[:, :, :3]) for part in numpy.split(job.source, job.spec["pictures"])]

    def run():
        cv2.setNumThreads(job.spec["threads"])
        try:
            return work(pictures)
        finally:
            cv2.setNumThreads(1)

    return run


def opencv_fusion(job):
    """OpenCV: Mertens's exposure fusion with the default weights; the first channel is its red."""
    import cv2

    merge = cv2.createMergeMertens()
    return opencv_bracket(job, merge.process)


def opencv_alignment(job):
    """OpenCV: the shifts of all pictures against the middle one, by median threshold bitmaps."""
    import cv2

    align = cv2.createAlignMTB()

    def shifts(pictures):
        luma = [cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in pictures]
        return [align.calculateShift(luma[len(luma) // 2], picture) for picture in luma]

    return opencv_bracket(job, shifts)


def vips_image(job):
    import pyvips

    pyvips.cache_set_max(0)
    height, width, channels = job.source.shape
    image = pyvips.Image.new_from_memory(job.source.data, width, height, channels, "uchar")
    return image.copy(interpretation="srgb")


def vips_run(job, make):
    """Evaluates a picture that `make` describes: vips computes it only when it is read."""
    import numpy

    def run():
        image = make()
        memory = image.write_to_memory()
        shape = (image.height, image.width, image.bands)
        return lambda: numpy.frombuffer(memory, dtype="uint8").reshape(shape)

    return run


def vips_affine(job):
    """vips: affine, edges repeated; its matrix goes from the source to the output.

    The fourth byte of RGBX is no alpha that colours would be multiplied with.
    """
    import numpy
    import pyvips

    source = vips_image(job)
    to_source = numpy.array(job.spec["map"], dtype="float64").reshape(2, 3)
    matrix = numpy.linalg.inv(to_source[:, :2])
    shift = -matrix @ to_source[:, 2]
    method = pyvips.Interpolate.new(job.spec["method"])
    area = [0, 0, job.spec["toWidth"], job.spec["toHeight"]]

    def make():
        return source.affine(
            list(matrix.flatten()),
            interpolate=method,
            odx=shift[0],
            ody=shift[1],
            oarea=area,
            extend="copy",
            premultiplied=True,
        )

    return vips_run(job, make)


def vips_resize(job):
    """vips: a reduction by Lanczos-3, of encoded samples or in linear light."""
    source = vips_image(job)
    scale = job.spec["toWidth"] / job.size[0]
    if job.spec["method"] == "linear-light":
        return vips_run(job, lambda: source[:3].colourspace("scrgb").resize(scale).colourspace("srgb"))
    return vips_run(job, lambda: source.resize(scale, kernel=job.spec["method"]))


def vips_maplut(job):
    """vips: a table for each channel."""
    import numpy
    import pyvips

    source = vips_image(job)
    tables = numpy.fromfile(job.spec["tables"], dtype="uint8")
    table = pyvips.Image.new_from_memory(tables.data, 256, 1, 4, "uchar")
    return vips_run(job, lambda: source.maplut(table))


KINDS = {
    "copy": copy,
    "ocio-lut": ocio_lut,
    "pillow-lut": pillow_lut,
    "pillow-resize": pillow_resize,
    "opencv-lut": opencv_lut,
    "opencv-warp": opencv_warp,
    "opencv-resize": opencv_resize,
    "opencv-yuyv": opencv_yuyv,
    "opencv-denoise": opencv_denoise,
    "opencv-fusion": opencv_fusion,
    "opencv-alignment": opencv_alignment,
    "vips-affine": vips_affine,
    "vips-resize": vips_resize,
    "vips-maplut": vips_maplut,
}


def read_cube(path):
    """The size and the values of a .cube file with one 3D table over 0…1."""
    size, values = 0, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if len(words) == 2 and words[0] == "LUT_3D_SIZE":
                size = int(words[1])
            elif len(words) == 3:
                values.extend(float(word) for word in words)
    return size, values


def libraries():
    """The usable libraries, with their versions."""
    found = {}
    names = {"numpy": "numpy", "cv2": "OpenCV", "PyOpenColorIO": "OpenColorIO", "PIL": "Pillow", "pyvips": "libvips"}
    for module, name in names.items():
        try:
            library = importlib.import_module(module)
        except (ImportError, OSError):
            continue
        version = getattr(library, "__version__", "")
        if module == "pyvips":
            version = ".".join(str(library.version(part)) for part in range(3))
        if module == "cv2":
            library.setNumThreads(1)
        if module == "PIL" and ".post" in version:
            name = "pillow-simd"
            version += " with " + simd_of_pillow()
        found[module] = f"{name} {version}"
    return found


def simd_of_pillow():
    """The instruction set that pillow-simd was compiled for, from a note left by `install`: it is fixed at build time."""
    try:
        with open(os.path.join(sys.prefix, "pillow-simd.txt"), encoding="utf-8") as note:
            return note.read().strip()
    except OSError:
        return "an unknown instruction set"


def answer(request, jobs):
    action = request["do"]
    if action == "libraries":
        return libraries()
    if action == "prepare":
        jobs[request["job"]] = Job(request)
    elif action == "run":
        return {"seconds": jobs[request["job"]].run()}
    elif action == "dump":
        return jobs[request["job"]].dump(request["path"])
    elif action == "drop":
        jobs.clear()
    return {}


def main():
    # The output of libraries must not be taken for an answer.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    jobs = {}
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line), jobs)
        except Exception as error:  # whatever a library throws is the answer
            reply = {"error": f"{type(error).__name__}: {error}"}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


main()
