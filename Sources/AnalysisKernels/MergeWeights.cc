#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MergeWeights.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;

constexpr int kRadius = SLA_MERGE_RADIUS, kSpan = 2 * SLA_MERGE_RADIUS + 1, kTile = SLA_ALIGNMENT_TILE;
constexpr float kArea = kSpan * kSpan;

// The sum of kSpan samples, `stride` apart.
HWY_INLINE VF Span(const float *samples, ptrdiff_t stride) {
  const DF d;
  VF sum = hn::LoadU(d, samples);
  for (int k = 1; k < kSpan; k++) sum = hn::Add(sum, hn::LoadU(d, samples + k * stride));
  return sum;
}

// 0…1 and back: 1 up to `full`, 0 from `none` on, a smooth step in between.
HWY_INLINE VF Fall(VF value, float full, float none) {
  const DF d;
  const VF part = hn::Mul(hn::Sub(hn::Set(d, none), value), hn::Set(d, 1 / (none - full)));
  const VF t = hn::Min(hn::Max(part, hn::Zero(d)), hn::Set(d, 1.0f));
  return hn::Mul(hn::Mul(t, t), hn::Sub(hn::Set(d, 3.0f), hn::Add(t, t)));
}

void InvertDeviation(const sla_window *reference, const sla_noise_model *noise, const sla_window *inverse,
                     float *scratch) {
  const DF d;
  const DI di;
  const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
  const int32_t width = inverse->width, height = inverse->height;
  const ptrdiff_t row = sla_window_row(width), rim = kRadius;
  const VF mean = hn::Set(d, 1 / kArea), scale = hn::Set(d, SLA_NOISE_LEVELS), half = hn::Set(d, 0.5f);
  const VF eighth = hn::Set(d, 0.125f), two = hn::Set(d, 2.0f), one = hn::Set(d, 1.0f);
  const VF allowed = hn::Set(d, noise->misalignment * noise->misalignment);
  for (int c = 0; c < 3; c++) {
    const float *const samples = reference->samples + c * reference->plane;
    const float *const variance = noise->variance[c];
    for (int32_t j = 0; j < height + 2 * kRadius; j++) {
      for (int32_t i = 0; i < width; i += lanes) {
        hn::StoreU(Span(samples + j * reference->row + i, 1), d, scratch + j * row + i);
      }
    }
    for (int32_t j = 0; j < height; j++) {
      for (int32_t i = 0; i < width; i += lanes) {
        const VF level = hn::Mul(Span(scratch + j * row + i, row), mean);
        const VF place = hn::Sub(hn::Mul(level, scale), half);
        const VF clipped =
            hn::Min(hn::Max(place, hn::Zero(d)), hn::Set(d, static_cast<float>(SLA_NOISE_LEVELS - 1)));
        const auto entry = hn::Min(hn::ConvertTo(di, clipped), hn::Set(di, SLA_NOISE_LEVELS - 2));
        const VF part = hn::Sub(clipped, hn::ConvertTo(d, entry));
        const VF a = hn::GatherIndex(d, variance, entry), b = hn::GatherIndex(d, variance + 1, entry);
        const VF own = hn::Add(a, hn::Mul(part, hn::Sub(b, a)));
        const float *const at = samples + (j + rim) * reference->row + i + rim;
        const float *const above = at - reference->row, *const below = at + reference->row;
        const auto load = [&](const float *p) HWY_ATTR { return hn::LoadU(d, p); };
        // Sobel's operators.
        const VF right = hn::Add(hn::Add(load(above + 1), load(below + 1)), hn::Mul(load(at + 1), two));
        const VF left = hn::Add(hn::Add(load(above - 1), load(below - 1)), hn::Mul(load(at - 1), two));
        const VF down = hn::Add(hn::Add(load(below - 1), load(below + 1)), hn::Mul(load(below), two));
        const VF up = hn::Add(hn::Add(load(above - 1), load(above + 1)), hn::Mul(load(above), two));
        const VF gx = hn::Mul(hn::Sub(right, left), eighth), gy = hn::Mul(hn::Sub(down, up), eighth);
        const VF steep = hn::Mul(hn::Add(hn::Mul(gx, gx), hn::Mul(gy, gy)), allowed);
        const VF total = hn::Add(hn::Mul(own, two), steep);
        hn::StoreU(hn::Div(one, hn::Sqrt(total)), d,
                   inverse->samples + c * inverse->plane + j * inverse->row + i);
      }
    }
  }
}

void Weights(const sla_window *reference, const sla_window *frame, const sla_window *inside,
             const sla_window *inverse, const sla_merge_limits *limits, const sla_window *weights,
             float *scratch) {
  const DF d;
  const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
  const int32_t width = weights->width, height = weights->height;
  const ptrdiff_t row = sla_window_row(width), wide = sla_window_row(width + 2 * kRadius);
  const ptrdiff_t plane = (height + 2 * kRadius) * row;
  // A row of deviations of three channels and of their squares, then sums along rows.
  float *const line = scratch, *const along = scratch + 4 * wide;
  const VF outside = hn::Set(d, 1e9f);
  const VF square_gain = hn::Set(d, limits->square_gain / (3 * kArea));
  const VF mean_gain = hn::Set(d, limits->mean_gain / (3 * kArea));
  for (int32_t j = 0; j < height + 2 * kRadius; j++) {
    for (int32_t i = 0; i < width + 2 * kRadius; i += lanes) {
      VF square = hn::Zero(d);
      for (int c = 0; c < 3; c++) {
        const VF r = hn::LoadU(d, reference->samples + c * reference->plane + j * reference->row + i);
        const VF f = hn::LoadU(d, frame->samples + c * frame->plane + j * frame->row + i);
        const VF s = hn::LoadU(d, inverse->samples + c * inverse->plane + j * inverse->row + i);
        const VF z = hn::Mul(hn::Sub(f, r), s);
        hn::StoreU(z, d, line + c * wide + i);
        square = hn::Add(square, hn::Mul(z, z));
      }
      const auto is_inside = hn::Gt(hn::LoadU(d, inside->samples + j * inside->row + i), hn::Zero(d));
      hn::StoreU(hn::IfThenElse(is_inside, square, outside), d, line + 3 * wide + i);
    }
    for (int c = 0; c < 4; c++) {
      for (int32_t i = 0; i < width; i += lanes) {
        hn::StoreU(Span(line + c * wide + i, 1), d, along + c * plane + j * row + i);
      }
    }
  }
  for (int32_t j = 0; j < height; j++) {
    for (int32_t i = 0; i < width; i += lanes) {
      const float *const at = along + j * row + i;
      VF means = hn::Zero(d);
      for (int c = 0; c < 3; c++) {
        const VF sum = Span(at + c * plane, row);
        means = hn::Add(means, hn::Mul(sum, sum));
      }
      const VF squares = hn::Mul(Span(at + 3 * plane, row), square_gain);
      const VF fit = Fall(squares, limits->square_full, limits->square_none);
      const VF even = Fall(hn::Mul(means, mean_gain), limits->mean_full, limits->mean_none);
      hn::StoreU(hn::Mul(fit, even), d, weights->samples + j * weights->row + i);
    }
  }
}

void SumDifferences(const sla_window *reference, const sla_window *frame, const sla_window *inside,
                    sla_difference_sums *tiles, float *scratch) {
  const DF d;
  const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
  const int32_t columns = (frame->width - 2 * kRadius) / kTile, rows = (frame->height - 2 * kRadius) / kTile;
  // Differences of a tile with its rim, and their sums along rows.
  constexpr ptrdiff_t kWide = 2 * kTile;
  float *const differences = scratch, *const along = scratch + kWide * (kTile + 2 * kRadius);
  const VF mean = hn::Set(d, 1 / kArea);
  HWY_ALIGN float sums[5][kTile];
  const auto total = [&](int index) {
    float sum = 0;
    for (int i = 0; i < kTile; i++) sum += sums[index][i];
    return sum;
  };
  for (int32_t tile = 0; tile < columns * rows; tile++, tiles++) {
    const int32_t left = tile % columns * kTile, top = tile / columns * kTile;
    for (int c = 0; c < 3; c++) {
      const float *const r = reference->samples + c * reference->plane + top * reference->row + left;
      const float *const f = frame->samples + c * frame->plane + top * frame->row + left;
      for (int j = 0; j < kTile + 2 * kRadius; j++) {
        float *const out = differences + j * kWide;
        for (int i = 0; i < kTile + 2 * kRadius; i += lanes) {
          hn::StoreU(hn::Sub(hn::LoadU(d, f + j * frame->row + i), hn::LoadU(d, r + j * reference->row + i)),
                     d, out + i);
        }
        for (int i = 0; i < kTile; i += lanes) hn::StoreU(Span(out + i, 1), d, along + j * kTile + i);
      }
      for (int i = 0; i < kTile; i += lanes) {
        VF level = hn::Zero(d), square = level, mean_square = level, inner = level;
        for (int j = 0; j < kTile; j++) {
          level = hn::Add(level, hn::LoadU(d, r + (j + kRadius) * reference->row + i + kRadius));
          const VF e = hn::LoadU(d, differences + (j + kRadius) * kWide + i + kRadius);
          square = hn::Add(square, hn::Mul(e, e));
          const VF m = hn::Mul(Span(along + j * kTile + i, kTile), mean);
          mean_square = hn::Add(mean_square, hn::Mul(m, m));
          inner = hn::Add(
              inner, hn::LoadU(d, inside->samples + (top + j + kRadius) * inside->row + left + i + kRadius));
        }
        hn::StoreU(level, d, sums[0] + i);
        hn::StoreU(square, d, sums[1] + i);
        hn::StoreU(mean_square, d, sums[2] + i);
        hn::StoreU(inner, d, sums[3] + i);
      }
      tiles->level[c] = total(0);
      tiles->square[c] = total(1);
      tiles->mean_square[c] = total(2);
      tiles->inside = total(3);
      const VF centre = hn::Set(d, tiles->level[c] / (kTile * kTile));
      for (int i = 0; i < kTile; i += lanes) {
        VF spread = hn::Zero(d);
        for (int j = 0; j < kTile; j++) {
          const VF e = hn::Sub(hn::LoadU(d, r + (j + kRadius) * reference->row + i + kRadius), centre);
          spread = hn::Add(spread, hn::Mul(e, e));
        }
        hn::StoreU(spread, d, sums[4] + i);
      }
      tiles->reference_square[c] = total(4);
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(InvertDeviation);
HWY_EXPORT(Weights);
HWY_EXPORT(SumDifferences);
}  // namespace safelight_analysis

extern "C" size_t sla_merge_scratch(int32_t width, int32_t height) {
  const size_t rim = 2 * SLA_MERGE_RADIUS;
  const size_t rows = static_cast<size_t>(height) + 2 * rim;
  const size_t wide = static_cast<size_t>(sla_window_row(width + static_cast<int32_t>(rim)));
  const size_t tile = 3 * SLA_ALIGNMENT_TILE * (SLA_ALIGNMENT_TILE + rim) + SLA_WINDOW_STEP;
  return HWY_MAX(4 * wide * (rows + 1), tile);
}

extern "C" void sla_invert_deviation(const sla_window *reference, const sla_noise_model *noise,
                                     const sla_window *inverse, float *scratch) {
  SL_KERNEL(safelight_analysis::InvertDeviation)(reference, noise, inverse, scratch);
}

extern "C" void sla_merge_weights(const sla_window *reference, const sla_window *frame,
                                  const sla_window *inside, const sla_window *inverse,
                                  const sla_merge_limits *limits, const sla_window *weights, float *scratch) {
  SL_KERNEL(safelight_analysis::Weights)(reference, frame, inside, inverse, limits, weights, scratch);
}

extern "C" void sla_sum_differences(const sla_window *reference, const sla_window *frame,
                                    const sla_window *inside, sla_difference_sums *tiles, float *scratch) {
  SL_KERNEL(safelight_analysis::SumDifferences)(reference, frame, inside, tiles, scratch);
}
#endif
