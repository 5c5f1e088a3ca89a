#!/usr/bin/env python3
"""Denoises one of several frames with OpenCV's fastNlMeansDenoisingColoredMulti.

    opencv_nlm.py WIDTH HEIGHT INDEX STRENGTH OUT.rgba FRAME.rgba…

Files are rows of 8-bit RGBA. Prints OpenCV's version and the seconds of one run. Uses as many frames around
the one at INDEX as there are on both sides, and all processors that this process may use.
"""

import os
import sys
import time

import cv2
import numpy

width, height, index = (int(word) for word in sys.argv[1:4])
strength, output, paths = float(sys.argv[4]), sys.argv[5], sys.argv[6:]
cv2.setNumThreads(len(os.sched_getaffinity(0)))
frames = [
    numpy.ascontiguousarray(numpy.fromfile(path, numpy.uint8).reshape(height, width, 4)[:, :, 2::-1])
    for path in paths
]
window = 2 * min(index, len(frames) - 1 - index) + 1
start = time.perf_counter()
result = cv2.fastNlMeansDenoisingColoredMulti(frames, index, window, None, strength, strength, 7, 21)
seconds = time.perf_counter() - start
rgba = numpy.dstack([result[:, :, ::-1], numpy.full((height, width), 255, numpy.uint8)])
rgba.tofile(output)
print(cv2.__version__, seconds)
