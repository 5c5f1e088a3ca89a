#pragma once
#include <stddef.h>

#include "PixelKernels.h"

namespace safelight {
// SL_STAGE_LOOKUP, in place.
void RunLookup(const sl_lookup &table, float *r, float *g, float *b, size_t n);
}  // namespace safelight
