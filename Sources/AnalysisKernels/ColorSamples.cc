#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ColorSamples.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using VF = hn::Vec<DF>;
using VU = hn::Vec<DU>;

// The number of cells processed together; their samples stay in the first-level cache.
constexpr size_t kChunk = 64;

// Comparisons with NaN are false, so it becomes 0.
HWY_INLINE VF Clip(VF x) {
  const DF d;
  return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Min(x, hn::Set(d, 1.0f)));
}

// MARK: Picking

// Hashes an index. Source: C. Wellons, Prospecting for Hash Functions, 2018 (lowbias32).
HWY_INLINE VU Scatter(VU x) {
  const DU d;
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<16>(x)), hn::Set(d, 0x7feb352du));
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<15>(x)), hn::Set(d, 0x846ca68bu));
  return hn::Xor(x, hn::ShiftRight<16>(x));
}

// Cells along one axis and the samples under them. A cell's number and the fraction within it are exact
// together, in 24 bits: 9 and 15 up to 512 cells, 16 and 8 beyond. Beyond 512, a cell has fewer than 128
// samples (65,535 / 513), so that 8 bits still reach each of them.
struct Axis {
  float cell_extent;
  int32_t extent;
  // The number of bits omitted from the 15.
  int shift;

  Axis(int32_t extent, size_t cells)
      : cell_extent(static_cast<float>(extent) / static_cast<float>(cells)),
        extent(extent),
        shift(cells <= 512 ? 0 : 7) {}
};

// Positions in cells of a grid along one axis, about `part` / 32768 of the way across each.
HWY_INLINE void Pick(VF cell, VU part, const Axis &axis, int32_t *positions) {
  const DF d;
  const DI di;
  const VF unit = hn::Set(d, static_cast<float>(1 << axis.shift) / 32768);
  const VU kept = hn::ShiftRightSame(part, axis.shift);
  const VF across = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, kept)), unit);
  const VF position = hn::Mul(hn::Add(cell, across), hn::Set(d, axis.cell_extent));
  hn::StoreU(hn::Min(hn::ConvertTo(di, position), hn::Set(di, axis.extent - 1)), di, positions);
}

template <int kBits>
HWY_INLINE float Load(const uint8_t *at) {
  if constexpr (kBits == 8) {
    return *at;
  } else if constexpr (kBits == 16) {
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
  } else {
    float value;
    memcpy(&value, at, sizeof value);
    // The matrix's zeros would turn infinities into NaN.
    return value >= -1e9f ? (value <= 1e9f ? value : 1e9f) : (value < 0 ? -1e9f : 0);
  }
}

template <int kBits>
void SampleBits(const sla_color_picture &picture, size_t columns, size_t rows, float *planes) {
  const DF d;
  const DU du;
  const size_t lanes = hn::Lanes(d), count = columns * rows;
  const Axis across(picture.width, columns), down(picture.height, rows);
  constexpr float kUnit = kBits == 8 ? 1.0f / 255 : kBits == 16 ? 1.0f / 65535 : 1;
  const VU fifteen = hn::Set(du, 0x7fffu);

  HWY_ALIGN int32_t xs[kChunk], ys[kChunk];
  HWY_ALIGN float samples[3][kChunk];
  for (size_t row = 0; row < rows; row++) {
    const VF vrow = hn::Set(d, static_cast<float>(row));
    for (size_t start = 0; start < columns; start += kChunk) {
      const size_t n = HWY_MIN(kChunk, columns - start);
      // Cells beyond the row's end are computed but not used.
      for (size_t i = 0; i < n; i += lanes) {
        const VU hash = Scatter(hn::Iota(du, static_cast<uint32_t>(row * columns + start + i)));
        const VF column = hn::Iota(d, static_cast<float>(start + i));
        Pick(column, hn::And(hash, fifteen), across, xs + i);
        Pick(vrow, hn::ShiftRight<17>(hash), down, ys + i);
      }
      for (int c = 0; c < 3; c++) {
        const uint8_t *const base = picture.base[c];
        const ptrdiff_t row_bytes = picture.row_bytes[c], step = picture.step[c];
        const int column_shift = picture.column_shift[c], row_shift = picture.row_shift[c];
        for (size_t i = 0; i < n; i++) {
          samples[c][i] =
              Load<kBits>(base + (ys[i] >> row_shift) * row_bytes + (xs[i] >> column_shift) * step);
        }
        for (size_t i = n; i < HWY_MIN(n + lanes, kChunk); i++) samples[c][i] = 0;
      }
      for (int c = 0; c < 3; c++) {
        const float *const m = picture.matrix + 3 * c;
        float *const out = planes + c * count + row * columns + start;
        for (size_t i = 0; i < n; i += lanes) {
          VF value = hn::Mul(hn::Load(d, samples[0] + i), hn::Set(d, m[0] * kUnit));
          value = hn::Add(value, hn::Mul(hn::Load(d, samples[1] + i), hn::Set(d, m[1] * kUnit)));
          value = hn::Add(value, hn::Mul(hn::Load(d, samples[2] + i), hn::Set(d, m[2] * kUnit)));
          value = Clip(hn::Add(value, hn::Set(d, picture.offset[c])));
          if (i + lanes <= n) {
            hn::StoreU(value, d, out + i);
          } else {
            HWY_ALIGN float rest[16];
            hn::Store(value, d, rest);
            memcpy(out + i, rest, sizeof(float) * (n - i));
          }
        }
      }
    }
  }
}

void SampleColors(const sla_color_picture *picture, int32_t columns, int32_t rows, float *planes) {
  const size_t width = static_cast<size_t>(columns), height = static_cast<size_t>(rows);
  switch (picture->bits) {
    case 8:
      return SampleBits<8>(*picture, width, height, planes);
    case 16:
      return SampleBits<16>(*picture, width, height, planes);
    default:
      return SampleBits<32>(*picture, width, height, planes);
  }
}

// MARK: Lightness

// x^(1/3), 0 for x <= 0, to 3 units in the last place over 1e-12…1e3.
//
// Newton's method for y = x^(-1/3), which needs no division: y ← y·(4 - x·y³)/3, then x·y². The first guess,
// from the exponent, is good to 4 %.
HWY_INLINE VF CubeRoot(VF x) {
  const DF d;
  const DI di;
  const VF four_thirds = hn::Set(d, 4.0f / 3), third = hn::Set(d, 1.0f / 3);
  const VF safe = hn::Max(x, hn::Set(d, 1e-30f));
  const VF bits = hn::ConvertTo(d, hn::BitCast(di, safe));
  VF y = hn::BitCast(d, hn::Sub(hn::Set(di, 0x54a21d2a), hn::ConvertTo(di, hn::Mul(bits, third))));
  for (int step = 0; step < 3; step++) {
    const VF cube = hn::Mul(hn::Mul(y, y), hn::Mul(y, safe));
    y = hn::Mul(y, hn::Sub(four_thirds, hn::Mul(cube, third)));
  }
  return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Mul(hn::Mul(y, y), safe));
}

HWY_INLINE VF LightnessOf(VF r, VF g, VF b, const float *decode, int32_t decode_count, const float *to_lms,
                          const float *mix) {
  const DF d;
  const DI di;
  const VF scale = hn::Set(d, static_cast<float>(decode_count - 1)), half = hn::Set(d, 0.5f);
  const auto read = [&](VF x, int channel) HWY_ATTR {
    const auto entry = hn::ConvertTo(di, hn::Add(hn::Mul(x, scale), half));
    return hn::GatherIndex(d, decode + static_cast<ptrdiff_t>(channel) * decode_count, entry);
  };
  r = read(r, 0);
  g = read(g, 1);
  b = read(b, 2);
  VF sum = hn::Zero(d);
  for (int k = 0; k < 3; k++) {
    const float *const row = to_lms + 3 * k;
    VF cone = hn::Add(hn::Mul(r, hn::Set(d, row[0])), hn::Mul(g, hn::Set(d, row[1])));
    cone = hn::Add(cone, hn::Mul(b, hn::Set(d, row[2])));
    sum = hn::Add(sum, hn::Mul(CubeRoot(cone), hn::Set(d, mix[k])));
  }
  return Clip(sum);
}

void Lightness(const float *planes, size_t count, const float *decode, int32_t decode_count,
               const float *to_lms, const float *mix, float *lightness) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(LightnessOf(hn::LoadU(d, planes + i), hn::LoadU(d, planes + count + i),
                           hn::LoadU(d, planes + 2 * count + i), decode, decode_count, to_lms, mix),
               d, lightness + i);
  }
  if (i < count) {
    HWY_ALIGN float in[3][16] = {}, out[16];
    for (size_t c = 0; c < 3; c++) memcpy(in[c], planes + c * count + i, sizeof(float) * (count - i));
    hn::Store(LightnessOf(hn::Load(d, in[0]), hn::Load(d, in[1]), hn::Load(d, in[2]), decode, decode_count,
                          to_lms, mix),
              d, out);
    memcpy(lightness + i, out, sizeof(float) * (count - i));
  }
}

// MARK: Counting

void Histogram(const float *samples, size_t count, uint32_t *bins) {
  const DF d;
  const hn::Rebind<uint8_t, DF> d8;
  const size_t lanes = hn::Lanes(d);
  const VF scale = hn::Set(d, 255.0f), half = hn::Set(d, 0.5f);
  // Neighbours often fall into the same bin; with four histograms no increment waits for the previous one.
  uint32_t parts[4][256] = {};
  HWY_ALIGN uint8_t codes[kChunk];
  size_t start = 0;
  for (; start + kChunk <= count; start += kChunk) {
    for (size_t i = 0; i < kChunk; i += lanes) {
      const VF code = hn::Add(hn::Mul(hn::LoadU(d, samples + start + i), scale), half);
      hn::Store(hn::DemoteTo(d8, hn::ConvertTo(DI(), code)), d8, codes + i);
    }
    for (size_t i = 0; i < kChunk; i += 4) {
      parts[0][codes[i]]++;
      parts[1][codes[i + 1]]++;
      parts[2][codes[i + 2]]++;
      parts[3][codes[i + 3]]++;
    }
  }
  for (; start < count; start++) {
    const float scaled = samples[start] * 255;
    parts[0][static_cast<uint8_t>(scaled + 0.5f)]++;
  }
  for (size_t i = 0; i < 256; i++) bins[i] += parts[0][i] + parts[1][i] + parts[2][i] + parts[3][i];
}

void CountClipped(const float *planes, size_t count, sla_clip_counts *clipped) {
  const DF d;
  constexpr float kWhite = 254.5f / 255, kBlack = 0.5f / 255;
  const size_t lanes = hn::Lanes(d);
  const VF white = hn::Set(d, kWhite), black = hn::Set(d, kBlack);
  size_t highlights = 0, shadows = 0, i = 0;
  for (; i + lanes <= count; i += lanes) {
    const VF r = hn::LoadU(d, planes + i), g = hn::LoadU(d, planes + count + i);
    const VF b = hn::LoadU(d, planes + 2 * count + i);
    const VF brightest = hn::Max(hn::Max(r, g), b);
    highlights += hn::CountTrue(d, hn::Ge(brightest, white));
    shadows += hn::CountTrue(d, hn::Lt(brightest, black));
  }
  for (; i < count; i++) {
    const float r = planes[i], g = planes[count + i], b = planes[2 * count + i];
    const float brightest = HWY_MAX(HWY_MAX(r, g), b);
    highlights += brightest >= kWhite;
    shadows += brightest < kBlack;
  }
  clipped->highlights = static_cast<uint32_t>(highlights);
  clipped->shadows = static_cast<uint32_t>(shadows);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(SampleColors);
HWY_EXPORT(Lightness);
HWY_EXPORT(Histogram);
HWY_EXPORT(CountClipped);
}  // namespace safelight_analysis

extern "C" void sla_sample_colors(const sla_color_picture *picture, int32_t columns, int32_t rows,
                                  float *planes) {
  SL_KERNEL(safelight_analysis::SampleColors)(picture, columns, rows, planes);
}

extern "C" void sla_oklab_lightness(const float *planes, size_t count, const float *decode,
                                    int32_t decode_count, const float to_lms[9], const float mix[3],
                                    float *lightness) {
  SL_KERNEL(safelight_analysis::Lightness)
  (planes, count, decode, decode_count, to_lms, mix, lightness);
}

extern "C" void sla_histogram(const float *samples, size_t count, uint32_t bins[256]) {
  SL_KERNEL(safelight_analysis::Histogram)(samples, count, bins);
}

extern "C" sla_clip_counts sla_count_clipped(const float *planes, size_t count) {
  sla_clip_counts clipped;
  SL_KERNEL(safelight_analysis::CountClipped)(planes, count, &clipped);
  return clipped;
}
#endif
