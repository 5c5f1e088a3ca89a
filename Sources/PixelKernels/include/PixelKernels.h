// Safelight's pixel kernels: a C interface to SIMD code in C++ on Google Highway.
//
// Each kernel is compiled for several instruction sets; the best one that the processor supports is chosen at
// run time. The environment variable SAFELIGHT_SIMD (scalar, sse4, avx2, avx512, avx512icl) lowers that
// choice; avx512icl adds Ice Lake's VBMI and VNNI.
//
// Conventions: `n` counts pixels. RGBA pixels are interleaved; "planar" means separate float arrays for red,
// green and blue. Rows need no alignment. No function fails or keeps a pointer, and none
// allocates except for constant tables on first use.
#ifndef SAFELIGHT_PIXEL_KERNELS_H
#define SAFELIGHT_PIXEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "BakeKernels.h"
#include "BakedTables.h"
#include "BayerKernels.h"
#include "CameraPlanes.h"
#include "ColorStages.h"
#include "Denoise.h"
#include "Geometry.h"
#include "LocalLight.h"
#include "MemoryBandwidth.h"
#include "PixelFormats.h"
#include "Sharpening.h"
#include "Ticks.h"

#ifdef __cplusplus
extern "C" {
#endif

// Highway's name of the instruction set in use, for example "AVX3".
const char *sl_instruction_set(void);

// The index of the set in use in Highway's table of a kernel; `compiled` are the sets of the calling file
// (its HWY_CHOSEN_TARGET_MASK_TARGETS). Applies SAFELIGHT_SIMD on the first call. For kernel files only.
size_t sl_kernel_index(int64_t compiled);

// Chooses the best set no higher than `name` ("scalar", "sse4", "avx2", "avx512", "avx512icl"; NULL for the
// environment's choice). Returns 0 and changes nothing if the name is unknown. Must not be called while other
// threads run kernels; meant for start-up and tests.
int sl_limit_instruction_set(const char *name);

#ifdef __cplusplus
}
#endif

#endif
