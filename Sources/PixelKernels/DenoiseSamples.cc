// Samples as noise reduction reads them: of equal noise at every brightness, and luma apart from colour.
#include "Denoise.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "DenoiseSamples.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After Highway, and again for every instruction set.
#include "PlainCode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;
using DI = hn::RebindToSigned<DF>;

// 1/√3, 1/√2 and 1/√6.
constexpr float kThird = 0.57735027f, kHalf = 0.70710678f, kSixth = 0.40824829f;

// The entry of a table at `place`; beyond the ends the first and last line go on.
HWY_INLINE VF Entry(const float *table, int entries, VF place) {
  const DF d;
  const DI di;
  const VF limited = hn::Min(hn::Max(place, hn::Zero(d)), hn::Set(d, static_cast<float>(entries - 1)));
  const auto index = hn::ConvertTo(di, limited);
  const VF rest = hn::Sub(place, hn::ConvertTo(d, index));
  const VF low = hn::GatherIndex(d, table, index), high = hn::GatherIndex(d, table + 1, index);
  return hn::MulAdd(hn::Sub(high, low), rest, low);
}

SL_SHARED VF Stabilized(const sl_noise_tables &tables, VF sample) {
  const DF d;
  const VF number = hn::IfThenElseZero(hn::Eq(sample, sample), sample);
  const VF limited = hn::Min(hn::Max(number, hn::Set(d, -1.0f)), hn::Set(d, 2.0f));
  return Entry(tables.forward, SL_NOISE_FORWARD, hn::Mul(limited, hn::Set(d, float{SL_NOISE_FORWARD})));
}

SL_SHARED VF Restored(const sl_noise_tables &tables, VF value) {
  const DF d;
  const float scale = SL_NOISE_BACKWARD / tables.highest;
  return Entry(tables.backward, SL_NOISE_BACKWARD, hn::Mul(value, hn::Set(d, scale)));
}

void PutSamples(const float *r, const float *g, const float *b, const sl_noise_tables *tables,
                const sl_paired_plane *planes, size_t y, size_t first, size_t pairs) {
  const DF d;
  const VF third = hn::Set(d, kThird), half = hn::Set(d, kHalf), sixth = hn::Set(d, kSixth);
  const VF two = hn::Set(d, 2.0f);
  for (size_t j = 0; j < pairs; j += hn::Lanes(d)) {
    VF red[2], green[2], blue[2];
    hn::LoadInterleaved2(d, r + 2 * j, red[0], red[1]);
    hn::LoadInterleaved2(d, g + 2 * j, green[0], green[1]);
    hn::LoadInterleaved2(d, b + 2 * j, blue[0], blue[1]);
    for (int parity = 0; parity < 2; parity++) {
      const VF sr = Stabilized(*tables, red[parity]), sg = Stabilized(*tables, green[parity]);
      const VF sb = Stabilized(*tables, blue[parity]);
      const auto put = [&](int plane, VF value) HWY_ATTR {
        hn::StoreU(value, d, planes[plane].halves[parity] + y * planes[plane].stride + first + j);
      };
      const VF outer = hn::Add(sr, sb);
      put(0, hn::Mul(third, hn::Add(outer, sg)));
      put(1, hn::Mul(half, hn::Sub(sr, sb)));
      put(2, hn::Mul(sixth, hn::NegMulAdd(two, sg, outer)));
    }
  }
}

void TakeSamples(const sl_paired_plane *noisy, const sl_paired_plane *smooth, const float *strengths,
                 const sl_noise_tables *tables, size_t y, size_t first, size_t pairs, float *r, float *g,
                 float *b) {
  const DF d;
  const VF third = hn::Set(d, kThird), half = hn::Set(d, kHalf), sixth = hn::Set(d, kSixth);
  const VF two = hn::Set(d, 2.0f);
  for (size_t j = 0; j < pairs; j += hn::Lanes(d)) {
    VF red[2], green[2], blue[2];
    for (int parity = 0; parity < 2; parity++) {
      const auto take = [&](int plane) HWY_ATTR {
        const size_t place = y * noisy[plane].stride + first + j;
        const VF before = hn::LoadU(d, noisy[plane].halves[parity] + place);
        if (strengths[plane] == 0) return before;
        const VF after = hn::LoadU(d, smooth[plane].halves[parity] + y * smooth[plane].stride + first + j);
        return hn::MulAdd(hn::Set(d, strengths[plane]), hn::Sub(after, before), before);
      };
      const VF luma = hn::Mul(third, take(0)), tilt = hn::Mul(half, take(1)), arch = hn::Mul(sixth, take(2));
      const VF outer = hn::Add(luma, arch);
      red[parity] = Restored(*tables, hn::Add(outer, tilt));
      green[parity] = Restored(*tables, hn::NegMulAdd(two, arch, luma));
      blue[parity] = Restored(*tables, hn::Sub(outer, tilt));
    }
    hn::StoreInterleaved2(red[0], red[1], d, r + 2 * j);
    hn::StoreInterleaved2(green[0], green[1], d, g + 2 * j);
    hn::StoreInterleaved2(blue[0], blue[1], d, b + 2 * j);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(PutSamples);
HWY_EXPORT(TakeSamples);
}  // namespace safelight

extern "C" void sl_denoise_put(const float *r, const float *g, const float *b, const sl_noise_tables *tables,
                               const sl_paired_plane *planes, size_t y, size_t first, size_t pairs) {
  SL_KERNEL(safelight::PutSamples)(r, g, b, tables, planes, y, first, pairs);
}

extern "C" void sl_denoise_take(const sl_paired_plane *noisy, const sl_paired_plane *smooth,
                                const float *strengths, const sl_noise_tables *tables, size_t y, size_t first,
                                size_t pairs, float *r, float *g, float *b) {
  SL_KERNEL(safelight::TakeSamples)(noisy, smooth, strengths, tables, y, first, pairs, r, g, b);
}
#endif
