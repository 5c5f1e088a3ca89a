// Camera formats: extracting channels from packed rows, and the matrix from luma and chroma to R'G'B'.
#include <string.h>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "YCbCr.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// dst[i] = src[kStep·i + channel]. Whole groups of kStep bytes are loaded, so the last one, which may end
// after its sample, is left to plain code. Rows of a window are too far apart for hardware prefetching of the
// next one, so the row `ahead` bytes further is prefetched meanwhile. Groups of four bytes are those whose
// luma has been taken before.
template <typename Group>
HWY_INLINE void TakeChannel(const uint8_t *src, ptrdiff_t ahead, int channel, uint8_t *dst, size_t n) {
  const hn::CappedTag<Group, 64 / sizeof(Group)> d;
  const hn::RebindToSigned<decltype(d)> ds;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  const auto byte = hn::Set(d, Group{0xff});
  const auto take = [&](size_t at) HWY_ATTR {
    const auto group = hn::LoadU(d, reinterpret_cast<const Group *>(src) + at);
    hwy::Prefetch(src + sizeof(Group) * at + ahead);
    const auto sample = hn::And(hn::ShiftRightSame(group, 8 * channel), byte);
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(ds, sample)), d8, dst + at);
  };
  for (; i + lanes < n; i += lanes) take(i);
  if (n > lanes) {
    // Some samples twice: rows of a window are so narrow that plain code for the rest would take as long as
    // all vectors.
    take(n - 1 - lanes);
    i = n - 1;
  }
  for (; i < n; i++) dst[i] = src[sizeof(Group) * i + static_cast<size_t>(channel)];
}

HWY_INLINE void CopyRow(const sl_samples &src, const uint8_t *row, int32_t x, int32_t width, uint8_t *dst) {
  // Columns before the first sample, inside, and after the last one.
  const int32_t before = HWY_MIN(HWY_MAX(-x, 0), width);
  const int32_t end = HWY_MAX(HWY_MIN(src.width - x, width), before);
  const uint8_t *const first = row + src.channel;
  if (before > 0) memset(dst, first[0], static_cast<size_t>(before));
  const size_t n = static_cast<size_t>(end - before);
  const ptrdiff_t start = static_cast<ptrdiff_t>(x + before) * src.step;
  if (n > 0) {
    switch (src.step) {
      case 1:
        memcpy(dst + before, first + start, n);
        break;
      case 2:
        TakeChannel<uint16_t>(row + start, 4 * src.row_bytes, src.channel, dst + before, n);
        break;
      default:
        TakeChannel<uint32_t>(row + start, 4 * src.row_bytes, src.channel, dst + before, n);
        break;
    }
  }
  if (end < width) {
    memset(dst + end, first[static_cast<ptrdiff_t>(src.width - 1) * src.step],
           static_cast<size_t>(width - end));
  }
}

void CopyWindow(const sl_samples *src, int32_t x, int32_t y, int32_t width, int32_t height, uint8_t *dst,
                size_t dst_row_bytes) {
  for (int32_t i = 0; i < height; i++, dst += dst_row_bytes) {
    const int32_t row = HWY_MIN(HWY_MAX(y + i, 0), src->height - 1);
    // Beyond the edges the row equals the one just copied.
    if (i > 0 && row == HWY_MIN(HWY_MAX(y + i - 1, 0), src->height - 1)) {
      memcpy(dst, dst - dst_row_bytes, static_cast<size_t>(width));
    } else {
      CopyRow(*src, src->base + row * src->row_bytes, x, width, dst);
    }
  }
}

void WidenSamples(const uint8_t *src, int16_t *dst, size_t n) {
  const hn::CappedTag<int16_t, 32> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::ShiftLeft<6>(hn::PromoteTo(d, hn::LoadU(d8, src + i))), d, dst + i);
  }
  for (; i < n; i++) dst[i] = static_cast<int16_t>(src[i] << 6);
}

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// Converts a vector of pixels.
HWY_INLINE void ConvertVector(const sl_ycbcr_matrix &m, const int16_t *y, const int16_t *cb,
                              const int16_t *cr, uint16_t *r, uint16_t *g, uint16_t *b) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const hn::Rebind<int16_t, DF> d16;
  const hn::Rebind<uint16_t, DF> du16;
  const auto load = [&](const int16_t *p)
                        HWY_ATTR { return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d16, p))); };
  const VF vy = load(y), vb = load(cb), vr = load(cr);
  uint16_t *const out[3] = {r, g, b};
  for (int c = 0; c < 3; c++) {
    const float *row = m.matrix + 3 * c;
    const VF sum = hn::MulAdd(
        vy, hn::Set(d, row[0] * 65535.0f),
        hn::MulAdd(vb, hn::Set(d, row[1] * 65535.0f),
                   hn::MulAdd(vr, hn::Set(d, row[2] * 65535.0f), hn::Set(d, m.offset[c] * 65535.0f))));
    // Demoting clips.
    hn::StoreU(hn::DemoteTo(du16, hn::NearestInt(sum)), du16, out[c]);
  }
}

void YCbCrToRgb(const sl_ycbcr_matrix *matrix, const int16_t *y, const int16_t *cb, const int16_t *cr,
                uint16_t *r, uint16_t *g, uint16_t *b, size_t n) {
  const size_t lanes = hn::Lanes(DF());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) ConvertVector(*matrix, y + i, cb + i, cr + i, r + i, g + i, b + i);
  if (i < n) {
    const size_t rest = n - i;
    int16_t in[3][16] = {};
    uint16_t out[3][16];
    memcpy(in[0], y + i, 2 * rest);
    memcpy(in[1], cb + i, 2 * rest);
    memcpy(in[2], cr + i, 2 * rest);
    ConvertVector(*matrix, in[0], in[1], in[2], out[0], out[1], out[2]);
    memcpy(r + i, out[0], 2 * rest);
    memcpy(g + i, out[1], 2 * rest);
    memcpy(b + i, out[2], 2 * rest);
  }
}

void InterleaveRgba16(const uint16_t *r, const uint16_t *g, const uint16_t *b, const uint16_t *alpha,
                      uint16_t *dst, size_t n) {
  const hn::CappedTag<uint16_t, 16> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  if (alpha == nullptr) {
    const auto opaque = hn::Set(d, uint16_t{0xffff});
    for (; i + lanes <= n; i += lanes) {
      hn::StoreInterleaved4(hn::LoadU(d, r + i), hn::LoadU(d, g + i), hn::LoadU(d, b + i), opaque, d,
                            dst + 4 * i);
    }
  }
  for (; i < n; i++) {
    const uint16_t a = alpha == nullptr ? uint16_t{0xffff} : alpha[i];
    dst[4 * i] = a == 0 ? uint16_t{0} : r[i];
    dst[4 * i + 1] = a == 0 ? uint16_t{0} : g[i];
    dst[4 * i + 2] = a == 0 ? uint16_t{0} : b[i];
    dst[4 * i + 3] = a;
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(CopyWindow);
HWY_EXPORT(WidenSamples);
HWY_EXPORT(YCbCrToRgb);
HWY_EXPORT(InterleaveRgba16);
}  // namespace safelight

extern "C" void sl_copy_window(const sl_samples *src, int32_t x, int32_t y, int32_t width, int32_t height,
                               uint8_t *dst, size_t dst_row_bytes) {
  SL_KERNEL(safelight::CopyWindow)(src, x, y, width, height, dst, dst_row_bytes);
}

extern "C" void sl_widen_samples(const uint8_t *src, int16_t *dst, size_t n) {
  SL_KERNEL(safelight::WidenSamples)(src, dst, n);
}

extern "C" void sl_ycbcr_to_rgb(const sl_ycbcr_matrix *matrix, const int16_t *y, const int16_t *cb,
                                const int16_t *cr, uint16_t *r, uint16_t *g, uint16_t *b, size_t n) {
  SL_KERNEL(safelight::YCbCrToRgb)(matrix, y, cb, cr, r, g, b, n);
}

extern "C" void sl_interleave_rgba16(const uint16_t *r, const uint16_t *g, const uint16_t *b,
                                     const uint16_t *alpha, uint16_t *dst, size_t n) {
  SL_KERNEL(safelight::InterleaveRgba16)(r, g, b, alpha, dst, n);
}

extern "C" void sl_coverage(const sl_line *line, int32_t width, int32_t height, uint16_t *dst, size_t n) {
  const auto along = [](int64_t place, int32_t size) {
    const double position = static_cast<double>(place) / 4294967296.0;
    const double depth = position + 1.0 < size - position ? position + 1.0 : size - position;
    return depth < 0 ? 0.0 : depth > 1 ? 1.0 : depth;
  };
  for (size_t i = 0; i < n; i++) {
    const int64_t k = static_cast<int64_t>(i);
    const double covered = along(line->x + k * line->dx, width) * along(line->y + k * line->dy, height);
    dst[i] = static_cast<uint16_t>(covered * 65535.0 + 0.5);
  }
}
#endif
