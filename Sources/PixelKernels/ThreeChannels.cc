// Grey and RGB pixels from and to RGBA, for memory that is not the engine's own.
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ThreeChannels.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Wider vectors would have to be shuffled across their halves, and memory is not faster for it.
template <typename Sample>
using Vectors = hn::CappedTag<Sample, 32 / sizeof(Sample)>;

template <size_t kChannels, typename Sample>
void ToRgba(const void *from, Sample opaque, void *to, size_t n) {
  const Sample *src = static_cast<const Sample *>(from);
  Sample *dst = static_cast<Sample *>(to);
  const Vectors<Sample> d;
  const size_t lanes = hn::Lanes(d);
  const auto alpha = hn::Set(d, opaque);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<decltype(d)> r, g, b;
    if constexpr (kChannels == 3) {
      hn::LoadInterleaved3(d, src + 3 * i, r, g, b);
    } else {
      r = g = b = hn::LoadU(d, src + i);
    }
    hn::StoreInterleaved4(r, g, b, alpha, d, dst + 4 * i);
  }
  for (; i < n; i++) {
    for (size_t c = 0; c < 3; c++) dst[4 * i + c] = src[kChannels * i + (kChannels == 3 ? c : 0)];
    dst[4 * i + 3] = opaque;
  }
}

template <typename Sample>
void RgbaToRgb(const void *from, void *to, size_t n) {
  const Sample *src = static_cast<const Sample *>(from);
  Sample *dst = static_cast<Sample *>(to);
  const Vectors<Sample> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<decltype(d)> r, g, b, alpha;
    hn::LoadInterleaved4(d, src + 4 * i, r, g, b, alpha);
    hn::StoreInterleaved3(r, g, b, d, dst + 3 * i);
  }
  for (; i < n; i++)
    for (size_t c = 0; c < 3; c++) dst[3 * i + c] = src[4 * i + c];
}

template <size_t kChannels>
void ToRgba(const void *src, sl_sample type, void *dst, size_t n) {
  switch (type) {
    case SL_U8:
      return ToRgba<kChannels, uint8_t>(src, 255, dst, n);
    case SL_U16:
      return ToRgba<kChannels, uint16_t>(src, 65535, dst, n);
    case SL_F32:
      return ToRgba<kChannels, float>(src, 1, dst, n);
  }
}

void GrayToRgba(const void *src, sl_sample type, void *dst, size_t n) { ToRgba<1>(src, type, dst, n); }
void RgbToRgba(const void *src, sl_sample type, void *dst, size_t n) { ToRgba<3>(src, type, dst, n); }

void ToRgb(const void *src, sl_sample type, void *dst, size_t n) {
  switch (type) {
    case SL_U8:
      return RgbaToRgb<uint8_t>(src, dst, n);
    case SL_U16:
      return RgbaToRgb<uint16_t>(src, dst, n);
    case SL_F32:
      return RgbaToRgb<float>(src, dst, n);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(GrayToRgba);
HWY_EXPORT(RgbToRgba);
HWY_EXPORT(ToRgb);
}  // namespace safelight

extern "C" void sl_rgb_to_rgba(const void *src, sl_sample type, void *dst, size_t n) {
  SL_KERNEL(safelight::RgbToRgba)(src, type, dst, n);
}

extern "C" void sl_gray_to_rgba(const void *src, sl_sample type, void *dst, size_t n) {
  SL_KERNEL(safelight::GrayToRgba)(src, type, dst, n);
}

extern "C" void sl_rgba_to_rgb(const void *src, sl_sample type, void *dst, size_t n) {
  SL_KERNEL(safelight::ToRgb)(src, type, dst, n);
}
#endif
