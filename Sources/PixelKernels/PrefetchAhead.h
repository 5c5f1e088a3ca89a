#pragma once
#include <stdint.h>

#include "hwy/cache_control.h"

namespace safelight {
// Asks for what will be read or written a few hundred nanoseconds from now. Between look-ups all over a table
// the processor does not see by itself that pixels follow each other, and waiting for memory would take
// longer than all else. Past the end of a picture it does nothing.
inline void PrefetchAhead(const void *pixels) {
  constexpr uintptr_t kAhead = 4096;
  hwy::Prefetch(reinterpret_cast<const char *>(reinterpret_cast<uintptr_t>(pixels) + kAhead));
}
}  // namespace safelight
