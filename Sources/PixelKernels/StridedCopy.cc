// Copies spaced pixels to consecutive positions.
#include <string.h>

#include "PixelKernels.h"

namespace safelight {
namespace {
template <size_t kBytes>
void CopyStrided(const char *src, ptrdiff_t step, char *dst, size_t n) {
  for (size_t i = 0; i < n; i++, src += step, dst += kBytes) memcpy(dst, src, kBytes);
}
}  // namespace
}  // namespace safelight

extern "C" void sl_copy_strided(const void *src, ptrdiff_t step, void *dst, size_t pixel_bytes, size_t n) {
  const char *from = static_cast<const char *>(src);
  char *to = static_cast<char *>(dst);
  if (step == static_cast<ptrdiff_t>(pixel_bytes)) {
    memcpy(dst, src, n * pixel_bytes);
  } else if (pixel_bytes == 4) {
    safelight::CopyStrided<4>(from, step, to, n);
  } else if (pixel_bytes == 8) {
    safelight::CopyStrided<8>(from, step, to, n);
  } else {
    safelight::CopyStrided<16>(from, step, to, n);
  }
}
