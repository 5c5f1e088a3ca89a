#pragma once
#include <stdint.h>

#include "hwy/cache_control.h"

namespace safelight {
// Prefetches data to be read or written a few hundred nanoseconds from now. Between look-ups all over a
// table, the processor does not detect that pixels are consecutive, and waiting for memory would take longer
// than everything else. Harmless past the end of a picture.
inline void PrefetchAhead(const void *pixels) {
  constexpr uintptr_t kAhead = 4096;
  hwy::Prefetch(reinterpret_cast<const char *>(reinterpret_cast<uintptr_t>(pixels) + kAhead));
}
}  // namespace safelight
