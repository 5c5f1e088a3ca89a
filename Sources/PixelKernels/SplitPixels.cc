// Interleaved RGBA to planar 16-bit R, G, B.
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "SplitPixels.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void SplitBytes(const uint8_t *src, uint16_t *r, uint16_t *g, uint16_t *b, size_t n) {
  const hn::CappedTag<uint16_t, 16> wide;
  const hn::Rebind<uint8_t, decltype(wide)> d;
  const size_t lanes = hn::Lanes(d);
  // 257 · code: 255 becomes 65535.
  const auto store = [&](hn::Vec<decltype(d)> codes, uint16_t *to) HWY_ATTR {
    const auto low = hn::PromoteTo(wide, codes);
    hn::StoreU(hn::Or(low, hn::ShiftLeft<8>(low)), wide, to);
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<decltype(d)> red, green, blue, alpha;
    hn::LoadInterleaved4(d, src + 4 * i, red, green, blue, alpha);
    store(red, r + i), store(green, g + i), store(blue, b + i);
  }
  for (; i < n; i++) {
    const uint8_t *pixel = src + 4 * i;
    r[i] = static_cast<uint16_t>(257 * pixel[0]);
    g[i] = static_cast<uint16_t>(257 * pixel[1]);
    b[i] = static_cast<uint16_t>(257 * pixel[2]);
  }
}

void SplitWords(const uint16_t *src, uint16_t *r, uint16_t *g, uint16_t *b, size_t n) {
  const hn::CappedTag<uint16_t, 8> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<decltype(d)> red, green, blue, alpha;
    hn::LoadInterleaved4(d, src + 4 * i, red, green, blue, alpha);
    hn::StoreU(red, d, r + i), hn::StoreU(green, d, g + i), hn::StoreU(blue, d, b + i);
  }
  for (; i < n; i++) r[i] = src[4 * i], g[i] = src[4 * i + 1], b[i] = src[4 * i + 2];
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(SplitBytes);
HWY_EXPORT(SplitWords);
}  // namespace safelight

extern "C" void sl_split_rgba8(const uint8_t *src, uint16_t *r, uint16_t *g, uint16_t *b, size_t n) {
  SL_KERNEL(safelight::SplitBytes)(src, r, g, b, n);
}

extern "C" void sl_split_rgba16(const uint16_t *src, uint16_t *r, uint16_t *g, uint16_t *b, size_t n) {
  SL_KERNEL(safelight::SplitWords)(src, r, g, b, n);
}
#endif
