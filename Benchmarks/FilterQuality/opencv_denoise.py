#!/usr/bin/env python3
"""Prints the best PSNR in dB of OpenCV's fastNlMeansDenoisingColored among strengths of 1 to 40.

    opencv_denoise.py WIDTH HEIGHT NOISY CLEAN

Files are rows of RGBA in 32-bit floats, 0 to 1.
"""

import sys

import cv2
import numpy

width, height = int(sys.argv[1]), int(sys.argv[2])
noisy, clean = (numpy.fromfile(path, numpy.float32).reshape(height, width, 4)[:, :, :3] for path in sys.argv[3:5])
codes = numpy.ascontiguousarray(numpy.clip(noisy * 255 + 0.5, 0, 255).astype(numpy.uint8))
best = 0
for strength in range(1, 41):
    result = cv2.fastNlMeansDenoisingColored(codes, None, strength, strength, 7, 21)
    error = numpy.mean((result / 255.0 - clean) ** 2)
    best = max(best, -10 * numpy.log10(error))
print(best)
