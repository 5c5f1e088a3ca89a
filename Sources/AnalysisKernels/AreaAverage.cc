#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "AreaAverage.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "LumaSources-inl.h"
// clang-format on

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// MARK: Rows

// The source interval that an output sample covers, in samples: `count` samples from `first` on, of which the
// first and the last have weights of their own. Integers, so that rounding moves no end.
struct Cover {
  int32_t first, count;
  float first_weight, last_weight;

  Cover(int32_t index, int32_t outputs, int32_t sources) {
    const int64_t from = static_cast<int64_t>(index) * sources, to = from + sources;
    const int64_t last = (to - 1) / outputs;
    first = static_cast<int32_t>(from / outputs);
    count = static_cast<int32_t>(last) - first + 1;
    const float unit = static_cast<float>(outputs);
    first_weight = count == 1 ? static_cast<float>(sources) / unit
                              : static_cast<float>((first + 1ll) * outputs - from) / unit;
    last_weight = static_cast<float>(to - last * outputs) / unit;
  }
};

// sums[x] = the weighted sum of a column over the rows of `cover`.
template <typename Source>
void SumRows(const sla_luma_picture &picture, const Cover &cover, float *sums) {
  const DF d;
  const size_t n = static_cast<size_t>(picture.width), lanes = hn::Lanes(d);
  const uint8_t *const top = static_cast<const uint8_t *>(picture.base) + cover.first * picture.row_bytes;
  const uint8_t *const bottom = top + (cover.count - 1) * picture.row_bytes;
  size_t x = 0;
  for (; x + lanes <= n; x += lanes) {
    VF sum = hn::Mul(Source::Load(d, top, x), hn::Set(d, cover.first_weight));
    if (cover.count > 1) {
      const uint8_t *row = top + picture.row_bytes;
      for (int32_t i = 2; i < cover.count; i++, row += picture.row_bytes) {
        sum = hn::Add(sum, Source::Load(d, row, x));
      }
      sum = hn::Add(sum, hn::Mul(Source::Load(d, bottom, x), hn::Set(d, cover.last_weight)));
    }
    hn::StoreU(sum, d, sums + x);
  }
  for (; x < n; x++) {
    float sum = Source::At(top, x) * cover.first_weight;
    if (cover.count > 1) {
      const uint8_t *row = top + picture.row_bytes;
      for (int32_t i = 2; i < cover.count; i++, row += picture.row_bytes) sum += Source::At(row, x);
      const float last = Source::At(bottom, x) * cover.last_weight;
      sum += last;
    }
    sums[x] = sum;
  }
}

// MARK: Columns

// Adds groups of `kFactor` neighbours in place: sums[x] = sums[kFactor·x] + … Returns the new count.
template <int kFactor>
size_t JoinColumns(float *sums, size_t n) {
  const DF d;
  const size_t lanes = hn::Lanes(d), joined = n / kFactor;
  size_t x = 0;
  for (; x + lanes <= joined; x += lanes) {
    VF a, b, c;
    if constexpr (kFactor == 2) {
      hn::LoadInterleaved2(d, sums + 2 * x, a, b);
      hn::StoreU(hn::Add(a, b), d, sums + x);
    } else {
      hn::LoadInterleaved3(d, sums + 3 * x, a, b, c);
      hn::StoreU(hn::Add(hn::Add(a, b), c), d, sums + x);
    }
  }
  for (; x < joined; x++) {
    const float pair = sums[kFactor * x] + sums[kFactor * x + 1];
    sums[x] = kFactor == 2 ? pair : pair + sums[kFactor * x + 2];
  }
  return joined;
}

// Each output takes `taps` columns from first[x] on, with weights[taps·x…].
struct Columns {
  const int32_t *first;
  const float *weights;
  int32_t taps, count;
};

// `kTaps` is the number of taps, or 0 if it is only known at run time.
template <int kTaps>
void WeighTaps(const Columns &columns, const float *sums, float *out) {
  const int32_t taps = kTaps > 0 ? kTaps : columns.taps;
  for (int32_t x = 0; x < columns.count; x++) {
    const float *const from = sums + columns.first[x];
    const float *const weights = columns.weights + static_cast<ptrdiff_t>(x) * taps;
    float sum = from[0] * weights[0];
    for (int32_t i = 1; i < taps; i++) {
      const float next = from[i] * weights[i];
      sum += next;
    }
    out[x] = sum;
  }
}

// The loop length is a constant for every camera's size; the general case is for pictures of more than 5000
// columns.
void WeighColumns(const Columns &columns, const float *sums, float *out) {
  switch (columns.taps) {
    case 3:
      return WeighTaps<3>(columns, sums, out);
    case 4:
      return WeighTaps<4>(columns, sums, out);
    case 5:
      return WeighTaps<5>(columns, sums, out);
    case 6:
      return WeighTaps<6>(columns, sums, out);
    case 7:
      return WeighTaps<7>(columns, sums, out);
    case 8:
      return WeighTaps<8>(columns, sums, out);
    case 9:
      return WeighTaps<9>(columns, sums, out);
    default:
      return WeighTaps<0>(columns, sums, out);
  }
}

Columns PlanColumns(int32_t outputs, int32_t sources, float *weights, int32_t *first) {
  const int32_t most = sources / outputs + 2, taps = most < sources ? most : sources;
  memset(weights, 0, sizeof(float) * static_cast<size_t>(outputs) * static_cast<size_t>(taps));
  for (int32_t x = 0; x < outputs; x++) {
    const Cover cover(x, outputs, sources);
    // The last outputs start earlier, so that no tap lies beyond the row.
    first[x] = cover.first < sources - taps ? cover.first : sources - taps;
    float *const at = weights + static_cast<ptrdiff_t>(x) * taps + (cover.first - first[x]);
    for (int32_t i = 1; i + 1 < cover.count; i++) at[i] = 1;
    if (cover.count > 1) at[cover.count - 1] = cover.last_weight;
    at[0] = cover.first_weight;
  }
  return Columns{first, weights, taps, outputs};
}

// MARK: Pictures

void Store(const sla_oriented_plane &plane, int32_t y, const float *row) {
  float *out = plane.base + y * plane.row_step;
  if (plane.column_step == 1) {
    memcpy(out, row, sizeof(float) * static_cast<size_t>(plane.width));
    return;
  }
  for (int32_t x = 0; x < plane.width; x++, out += plane.column_step) *out = row[x];
}

template <typename Source>
void Shrink(const sla_luma_picture &picture, const sla_oriented_plane &plane, float black, float gain,
            const sla_area_scratch &scratch) {
  const DF d;
  const size_t lanes = hn::Lanes(d), outputs = static_cast<size_t>(plane.width);
  float *const sums = scratch.samples, *const row = sums + picture.width;
  Columns columns = {};
  // Cameras' sizes are mostly 1, 2, 3, 4 or 6 times the proxy's.
  int32_t rest = picture.width % plane.width == 0 ? picture.width / plane.width : 0;
  while (rest > 0 && rest % 2 == 0) rest /= 2;
  while (rest > 0 && rest % 3 == 0) rest /= 3;
  if (rest != 1) {
    columns = PlanColumns(plane.width, picture.width, row + plane.width, scratch.columns);
  }
  const float area =
      static_cast<float>(static_cast<double>(plane.width) * plane.height /
                         (static_cast<double>(picture.width) * picture.height) / Source::kFullScale);
  for (int32_t y = 0; y < plane.height; y++) {
    SumRows<Source>(picture, Cover(y, plane.height, picture.height), sums);
    float *averages = sums;
    if (rest == 1) {
      size_t n = static_cast<size_t>(picture.width);
      while (n > outputs) n = n / outputs % 2 == 0 ? JoinColumns<2>(sums, n) : JoinColumns<3>(sums, n);
    } else {
      averages = row;
      WeighColumns(columns, sums, row);
    }
    size_t x = 0;
    for (; x + lanes <= outputs; x += lanes) {
      const VF mean = hn::Mul(hn::LoadU(d, averages + x), hn::Set(d, area));
      hn::StoreU(Clip(hn::Mul(hn::Sub(mean, hn::Set(d, black)), hn::Set(d, gain))), d, averages + x);
    }
    for (; x < outputs; x++) {
      const float mean = averages[x] * area;
      averages[x] = Clip((mean - black) * gain);
    }
    Store(plane, y, averages);
  }
}

void AreaAverage(const sla_luma_picture *picture, const sla_oriented_plane *output, float black, float gain,
                 const sla_area_scratch *scratch) {
  switch (picture->source) {
    case SLA_LUMA_PLANE:
      return Shrink<PlaneLuma>(*picture, *output, black, gain, *scratch);
    case SLA_LUMA_EVEN_BYTES:
      return Shrink<PackedLuma<0>>(*picture, *output, black, gain, *scratch);
    case SLA_LUMA_ODD_BYTES:
      return Shrink<PackedLuma<1>>(*picture, *output, black, gain, *scratch);
    case SLA_LUMA_RGBA8:
      return Shrink<Rgba8Luma>(*picture, *output, black, gain, *scratch);
    case SLA_LUMA_RGBA16:
      return Shrink<Rgba16Luma>(*picture, *output, black, gain, *scratch);
    case SLA_LUMA_RGBAF32:
      return Shrink<RgbaF32Luma>(*picture, *output, black, gain, *scratch);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(AreaAverage);
}  // namespace safelight_analysis

extern "C" void sla_area_average(const sla_luma_picture *picture, const sla_oriented_plane *output,
                                 float black, float gain, const sla_area_scratch *scratch) {
  SL_KERNEL(safelight_analysis::AreaAverage)(picture, output, black, gain, scratch);
}
#endif
