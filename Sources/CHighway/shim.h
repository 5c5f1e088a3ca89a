// Google Highway is used from C++ only (PixelKernels); this module exists so that SwiftPM finds and links it.
