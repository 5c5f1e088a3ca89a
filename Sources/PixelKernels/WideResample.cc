// Geometry where the picture becomes smaller, as a projection makes it in parts: interleaved RGBA along a
// line, with a kernel as wide as what a pixel covers. It takes as long as it weighs samples, so a picture
// that becomes smaller everywhere is downsampled first.
#include <math.h>

#include "InterpolationKernel.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "WideResample.cc"
#include "hwy/foreach_target.h"

// Must follow the line above, which includes this file again.
#include "SampledPixel-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The samples along an axis that a pixel is made of, with weights that sum to 1.
struct WideTaps {
  static constexpr int kMost = 2 * 3 * SL_MOST_COVERAGE + 2;
  int32_t first, count;
  float weights[kMost];

  HWY_INLINE void Find(int64_t place, float cover, sl_kernel kernel) {
    const double centre = static_cast<double>(place) / 4294967296.0;
    const double radius = KernelRadius(kernel) * static_cast<double>(cover);
    first = static_cast<int32_t>(ceil(centre - radius));
    count = HWY_MIN(static_cast<int32_t>(floor(centre + radius)) - first + 1, kMost);
    float sum = 0;
    for (int32_t i = 0; i < count; i++) {
      weights[i] =
          KernelWeight(kernel, static_cast<float>((first + i - centre) / static_cast<double>(cover)));
      sum += weights[i];
    }
    for (int32_t i = 0; i < count; i++) weights[i] /= sum;
  }
};

HWY_INLINE V4 LoadPixel(const uint8_t *p) {
  const D4 d;
  const hn::RebindToSigned<D4> di;
  return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(hn::Rebind<uint8_t, D4>(), p)));
}
HWY_INLINE V4 LoadPixel(const uint16_t *p) {
  const D4 d;
  const hn::RebindToSigned<D4> di;
  return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(hn::Rebind<uint16_t, D4>(), p)));
}
HWY_INLINE V4 LoadPixel(const float *p) { return hn::LoadU(D4(), p); }

template <typename Sample, typename Out>
HWY_NOINLINE void WideLine(const sl_image &src, const sl_line &line, float cover_x, float cover_y,
                           sl_outside outside, bool premultiply, sl_kernel kernel, Out *dst, size_t n) {
  const D4 d;
  const V4 zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const V4 scale = hn::Set(d, 1.0f / kFull<Sample>);
  // Colour weighs as much as it is opaque.
  const auto is_alpha = hn::Eq(hn::Iota(d, 0), hn::Set(d, 3.0f));
  const char *base = static_cast<const char *>(src.base);
  int64_t x = line.x, y = line.y;
  WideTaps columns, rows;
  for (size_t i = 0; i < n; i++, x += line.dx, y += line.dy, dst += 4) {
    columns.Find(x, cover_x, kernel);
    rows.Find(y, cover_y, kernel);
    V4 sum = zero;
    for (int32_t r = 0; r < rows.count; r++) {
      const int32_t row = HWY_MIN(HWY_MAX(rows.first + r, 0), src.height - 1);
      const Sample *samples =
          reinterpret_cast<const Sample *>(base + static_cast<size_t>(row) * src.row_bytes);
      V4 across = zero;
      for (int32_t c = 0; c < columns.count; c++) {
        const int32_t column = HWY_MIN(HWY_MAX(columns.first + c, 0), src.width - 1);
        const Sample *p = samples + 4 * static_cast<size_t>(column);
        V4 pixel = LoadPixel(p);
        if (premultiply) {
          const V4 alpha = hn::Set(d, static_cast<float>(p[3]) / kFull<Sample>);
          pixel = hn::IfThenElse(is_alpha, pixel, hn::Mul(pixel, alpha));
        }
        across = hn::MulAdd(pixel, hn::Set(d, columns.weights[c]), across);
      }
      sum = hn::MulAdd(across, hn::Set(d, rows.weights[r]), sum);
    }
    const float coverage =
        outside == SL_OUTSIDE_TRANSPARENT ? Coverage(x, src.width) * Coverage(y, src.height) : 1;
    V4 value = Uncovered(hn::Mul(sum, scale), premultiply, coverage);
    if (sizeof(Sample) < 4) value = hn::Min(hn::Max(value, zero), one);
    StorePixel(value, dst);
  }
}

template <typename Out>
void WideLineTo(const sl_image &src, const sl_line &line, float cover_x, float cover_y, sl_outside outside,
                bool premultiply, sl_kernel kernel, Out *dst, size_t n) {
  switch (src.type) {
    case SL_U8:
      return WideLine<uint8_t>(src, line, cover_x, cover_y, outside, premultiply, kernel, dst, n);
    case SL_U16:
      return WideLine<uint16_t>(src, line, cover_x, cover_y, outside, premultiply, kernel, dst, n);
    case SL_F32:
      return WideLine<float>(src, line, cover_x, cover_y, outside, premultiply, kernel, dst, n);
  }
}

void ResampleWide(const sl_image &src, const sl_line &line, float cover_x, float cover_y, sl_outside outside,
                  bool premultiply, sl_kernel kernel, void *dst, sl_sample dst_type, size_t n) {
  if (dst_type == SL_U16) {
    WideLineTo(src, line, cover_x, cover_y, outside, premultiply, kernel, static_cast<uint16_t *>(dst), n);
  } else {
    WideLineTo(src, line, cover_x, cover_y, outside, premultiply, kernel, static_cast<float *>(dst), n);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ResampleWide);
}  // namespace safelight

extern "C" void sl_resample_wide_line(const sl_image *src, int64_t x, int64_t y, int64_t dx, int64_t dy,
                                      float cover_x, float cover_y, sl_outside outside, int premultiply,
                                      sl_kernel kernel, void *dst, sl_sample dst_type, size_t n) {
  const sl_line line = {x, y, dx, dy};
  const float most = SL_MOST_COVERAGE;
  cover_x = HWY_MIN(HWY_MAX(cover_x, 1.0f), most);
  cover_y = HWY_MIN(HWY_MAX(cover_y, 1.0f), most);
  SL_KERNEL(safelight::ResampleWide)
  (*src, line, cover_x, cover_y, outside, premultiply != 0, kernel, dst, dst_type, n);
}
#endif
