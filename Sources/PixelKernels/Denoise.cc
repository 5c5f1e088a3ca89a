// Noise reduction by sliding DCTs: the vectors' lanes are neighbouring blocks.
//
// Blocks are 8 × 8 samples, two columns and two or four rows apart. A transform in two dimensions is one of
// columns and one of rows, and both are linear, so what neighbouring blocks share is done once: the transform
// of a column serves the four blocks of a row of blocks that cover it, and their results are summed before
// the one transform back of the column.
#include "Denoise.h"

#include <string.h>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Denoise.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After Highway, and again for every instruction set.
#include "DenoiseTransform-inl.h"
#include "PlainCode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;
constexpr size_t kMostLanes = 16;

// One row of blocks at work. All rows have `stride` floats.
struct BlockRow {
  size_t stride, pairs;
  // Coefficients of columns: [parity of the column][frequency][pair].
  float *columns, *guideColumns;
  // Weighted sums of a block's coefficients, transformed back along rows: [column of the
  // block][frequency][block]. Three blocks before the first one are 0.
  float *rows;
  // The weight of each block; three before the first one are 0.
  float *weights;
};

// The transform of all columns of a plane at rows y…y + 7.
SL_SHARED void TransformColumns(const sl_paired_plane &plane, size_t y, const BlockRow &row, float *columns) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  for (int parity = 0; parity < 2; parity++) {
    const float *samples = plane.halves[parity] + y * plane.stride;
    float *out = columns + 8 * row.stride * parity;
    for (size_t j = 0; j < row.pairs + 3; j += lanes) {
      VF x[8];
      for (int k = 0; k < 8; k++) x[k] = hn::LoadU(d, samples + k * plane.stride + j);
      Transform(d, x);
      for (int k = 0; k < 8; k++) hn::StoreU(x[k], d, out + k * row.stride + j);
    }
  }
}

// The coefficients of frequency v along columns of the blocks from `j`.
HWY_INLINE void TransformRow(const float *columns, size_t stride, size_t v, size_t j, VF (&x)[8]) {
  const DF d;
  const float *even = columns + v * stride + j, *odd = even + 8 * stride;
  for (size_t m = 0; m < 4; m++) {
    x[2 * m] = hn::LoadU(d, even + m);
    x[2 * m + 1] = hn::LoadU(d, odd + m);
  }
  Transform(d, x);
}

// Clears a coefficient that is likely noise: gain 0 up to the ramp about the limit, 1 beyond it; `slope` is
// how fast it rises there. Returns the gain.
HWY_INLINE VF Threshold(VF slope, VF &c) {
  const DF d;
  const VF rise = hn::MulSub(hn::Abs(c), slope, hn::Set(d, (1 - SL_DENOISE_RAMP) / (2 * SL_DENOISE_RAMP)));
  const VF gain = hn::Min(hn::Max(rise, hn::Zero(d)), hn::Set(d, 1.0f));
  c = hn::Mul(gain, c);
  return gain;
}

// Weakens a coefficient by the guide's. Returns the gain.
HWY_INLINE VF Weaken(VF variance, VF g, VF &c) {
  const VF power = hn::Mul(g, g), sum = hn::Add(power, variance);
  // A division to within a rounding or two, at a third of its time.
  const VF estimate = hn::ApproximateReciprocal(sum);
  const VF inverse = hn::Mul(estimate, hn::NegMulAdd(sum, estimate, hn::Set(DF(), 2.0f)));
  const VF gain = hn::Mul(power, inverse);
  c = hn::Mul(gain, c);
  return gain;
}

// Changes the blocks from `j` and transforms them back along rows, times their weights: one over the sum of
// the squares of the gains of their coefficients, that of the mean being 1. Returns the weights.
//
// A frequency of columns goes all the way in registers.
template <bool kGuided>
SL_SHARED VF RunBlocks(const BlockRow &row, size_t j, float number) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  // The variance, or the slope of the threshold.
  const VF limit = hn::Set(d, number), one = hn::Set(d, 1.0f);
  HWY_ALIGN float changed[64 * kMostLanes];
  VF kept[2] = {one, hn::Zero(d)};
  for (size_t v = 0; v < 8; v++) {
    VF x[8], guide[8];
    if constexpr (kGuided) TransformRow(row.guideColumns, row.stride, v, j, guide);
    TransformRow(row.columns, row.stride, v, j, x);
    const VF mean = x[0];
    for (size_t k = 0; k < 8; k++) {
      VF gain;
      if constexpr (kGuided) {
        gain = Weaken(limit, guide[k], x[k]);
      } else {
        gain = Threshold(limit, x[k]);
      }
      if (k == 0 && v == 0) continue;
      kept[k & 1] = hn::MulAdd(gain, gain, kept[k & 1]);
    }
    if (v == 0) x[0] = mean;
    InverseTransform(d, x);
    for (size_t k = 0; k < 8; k++) hn::Store(x[k], d, changed + (8 * v + k) * lanes);
  }
  const VF weight = hn::Div(one, hn::Add(kept[0], kept[1]));
  for (size_t v = 0; v < 8; v++) {
    float *out = row.rows + v * row.stride + kMostLanes + j;
    for (size_t k = 0; k < 8; k++) {
      hn::StoreU(hn::Mul(weight, hn::Load(d, changed + (8 * v + k) * lanes)), d, out + 8 * k * row.stride);
    }
  }
  return weight;
}

// Sums what the blocks of a row say about each column, transforms columns back and adds them to rows
// y…y + 7 of `sums`.
SL_SHARED void InvertColumns(const BlockRow &row, const sl_paired_plane &sums, size_t y) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  for (int parity = 0; parity < 2; parity++) {
    float *out = sums.halves[parity] + y * sums.stride;
    for (size_t j = 0; j < row.pairs; j += lanes) {
      VF x[8];
      for (int v = 0; v < 8; v++) {
        // Block j - m has its column 2m + parity here.
        const float *in = row.rows + (8 * parity + v) * row.stride + kMostLanes + j;
        const size_t step = 16 * row.stride - 1;
        x[v] = hn::Add(hn::Add(hn::LoadU(d, in), hn::LoadU(d, in + step)),
                       hn::Add(hn::LoadU(d, in + 2 * step), hn::LoadU(d, in + 3 * step)));
      }
      InverseTransform(d, x);
      for (int k = 0; k < 8; k++) {
        float *sum = out + k * sums.stride + j;
        hn::StoreU(hn::Add(hn::LoadU(d, sum), x[k]), d, sum);
      }
    }
  }
}

// Adds the weights of the blocks that cover each pair of columns to four rows of pairs.
SL_SHARED void AddWeights(const BlockRow &row, float *weights, size_t stride) {
  const DF d;
  for (size_t j = 0; j < row.pairs; j += hn::Lanes(d)) {
    const float *in = row.weights + kMostLanes + j;
    const VF sum = hn::Add(hn::Add(hn::LoadU(d, in), hn::LoadU(d, in - 1)),
                           hn::Add(hn::LoadU(d, in - 2), hn::LoadU(d, in - 3)));
    for (int k = 0; k < 4; k++) {
      float *out = weights + k * stride + j;
      hn::StoreU(hn::Add(hn::LoadU(d, out), sum), d, out);
    }
  }
}

void DenoisePlane(const sl_paired_plane *noisy, const sl_paired_plane *guide, const sl_paired_plane *result,
                  size_t pairs, size_t height, size_t row_step, float limit, void *scratch) {
  const DF d;
  const size_t lanes = hn::Lanes(d), stride = sl_denoise_stride(pairs);
  float *memory = static_cast<float *>(scratch);
  BlockRow row;
  row.stride = stride;
  row.pairs = pairs;
  row.columns = memory;
  row.guideColumns = row.columns + 16 * stride;
  row.rows = row.guideColumns + 16 * stride;
  row.weights = row.rows + 64 * stride;
  float *weights = row.weights + stride;
  memset(memory, 0, 97 * stride * sizeof(float));
  memset(weights, 0, height / 2 * stride * sizeof(float));
  for (int parity = 0; parity < 2; parity++) {
    for (size_t y = 0; y < height; y++) {
      memset(result->halves[parity] + y * result->stride, 0, (pairs + 15) / 16 * 16 * sizeof(float));
    }
  }
  for (size_t y = 0; y + 8 <= height; y += row_step) {
    TransformColumns(*noisy, y, row, row.columns);
    if (guide) TransformColumns(*guide, y, row, row.guideColumns);
    for (size_t j = 0; j + 3 < pairs; j += lanes) {
      const VF weight = guide ? RunBlocks<true>(row, j, limit * limit)
                              : RunBlocks<false>(row, j, 1 / (2 * SL_DENOISE_RAMP * limit));
      hn::StoreU(weight, d, row.weights + kMostLanes + j);
    }
    InvertColumns(row, *result, y);
    AddWeights(row, weights + y / 2 * stride, stride);
  }
  for (size_t y = 0; y < height; y++) {
    for (size_t j = 0; j < pairs; j += lanes) {
      const VF scale = hn::Div(hn::Set(d, 1.0f), hn::LoadU(d, weights + y / 2 * stride + j));
      for (int parity = 0; parity < 2; parity++) {
        float *sample = result->halves[parity] + y * result->stride + j;
        hn::StoreU(hn::Mul(scale, hn::LoadU(d, sample)), d, sample);
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(DenoisePlane);
}  // namespace safelight

extern "C" size_t sl_denoise_stride(size_t pairs) { return (pairs + 15) / 16 * 16 + 32; }

extern "C" size_t sl_denoise_scratch_bytes(size_t pairs, size_t height) {
  return sl_denoise_stride(pairs) * (97 + height / 2) * sizeof(float);
}

extern "C" void sl_denoise_plane(const sl_paired_plane *noisy, const sl_paired_plane *guide,
                                 const sl_paired_plane *result, size_t pairs, size_t height, size_t row_step,
                                 float limit, void *scratch) {
  SL_KERNEL(safelight::DenoisePlane)(noisy, guide, result, pairs, height, row_step, limit, scratch);
}
#endif
