#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pyramids.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// 1 4 6 4 1, by symmetry.
HWY_INLINE VF Binomial(VF a, VF b, VF c, VF e, VF f) {
  const DF d;
  const VF sides = hn::Mul(hn::Add(b, e), hn::Set(d, 4.0f));
  return hn::Add(hn::Add(hn::Add(a, f), sides), hn::Mul(c, hn::Set(d, 6.0f)));
}

void ReduceRow(const float *row, int32_t columns, float *out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < columns; x += lanes) {
    const float *const at = row + 2 * x;
    VF a, b, c, e, f, beyond;
    hn::LoadInterleaved2(d, at - 2, a, b);
    hn::LoadInterleaved2(d, at, c, e);
    hn::LoadInterleaved2(d, at + 2, f, beyond);
    hn::StoreU(Binomial(a, b, c, e, f), d, out + x);
  }
}

void ReduceRows(const float *const rows[5], int32_t columns, float *out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < columns; x += lanes) {
    const VF sum = Binomial(hn::LoadU(d, rows[0] + x), hn::LoadU(d, rows[1] + x), hn::LoadU(d, rows[2] + x),
                            hn::LoadU(d, rows[3] + x), hn::LoadU(d, rows[4] + x));
    hn::StoreU(hn::Mul(sum, hn::Set(d, 1.0f / 256)), d, out + x);
  }
}

HWY_INLINE VF Even(VF a, VF b, VF c) {
  const DF d;
  return hn::Mul(hn::Add(hn::Add(a, c), hn::Mul(b, hn::Set(d, 6.0f))), hn::Set(d, 0.125f));
}

HWY_INLINE VF Odd(VF a, VF b) { return hn::Mul(hn::Add(a, b), hn::Set(DF(), 0.5f)); }

void ExpandEven(const float *above, const float *row, const float *below, int32_t columns, float *out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < columns; x += lanes) {
    hn::StoreU(Even(hn::LoadU(d, above + x), hn::LoadU(d, row + x), hn::LoadU(d, below + x)), d, out + x);
  }
}

void ExpandOdd(const float *above, const float *below, int32_t columns, float *out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < columns; x += lanes) {
    hn::StoreU(Odd(hn::LoadU(d, above + x), hn::LoadU(d, below + x)), d, out + x);
  }
}

void ExpandRow(const float *row, int32_t columns, float *out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= columns; x += lanes) {
    const VF sample = hn::LoadU(d, row + x), right = hn::LoadU(d, row + x + 1);
    hn::StoreInterleaved2(Even(hn::LoadU(d, row + x - 1), sample, right), Odd(sample, right), d, out + 2 * x);
  }
  for (; x < columns; x++) {
    out[2 * x] = ((row[x - 1] + row[x + 1]) + row[x] * 6.0f) * 0.125f;
    out[2 * x + 1] = (row[x] + row[x + 1]) * 0.5f;
  }
}

void AddDetail(const float *weights, const float *samples, const float *coarse, int32_t width, float *sum) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const VF detail = hn::Sub(hn::LoadU(d, samples + x), hn::LoadU(d, coarse + x));
    hn::StoreU(hn::Add(hn::LoadU(d, sum + x), hn::Mul(hn::LoadU(d, weights + x), detail)), d, sum + x);
  }
}

void AddWeighted(const float *weights, const float *samples, int32_t width, float *sum) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const VF part = hn::Mul(hn::LoadU(d, weights + x), hn::LoadU(d, samples + x));
    hn::StoreU(hn::Add(hn::LoadU(d, sum + x), part), d, sum + x);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(ReduceRow);
HWY_EXPORT(ReduceRows);
HWY_EXPORT(ExpandEven);
HWY_EXPORT(ExpandOdd);
HWY_EXPORT(ExpandRow);
HWY_EXPORT(AddDetail);
HWY_EXPORT(AddWeighted);
}  // namespace safelight_analysis

extern "C" void sla_reduce_row(const float *row, int32_t columns, float *out) {
  SL_KERNEL(safelight_analysis::ReduceRow)(row, columns, out);
}

extern "C" void sla_reduce_rows(const float *const rows[5], int32_t columns, float *out) {
  SL_KERNEL(safelight_analysis::ReduceRows)(rows, columns, out);
}

extern "C" void sla_expand_even(const float *above, const float *row, const float *below, int32_t columns,
                                float *out) {
  SL_KERNEL(safelight_analysis::ExpandEven)(above, row, below, columns, out);
}

extern "C" void sla_expand_odd(const float *above, const float *below, int32_t columns, float *out) {
  SL_KERNEL(safelight_analysis::ExpandOdd)(above, below, columns, out);
}

extern "C" void sla_expand_row(const float *row, int32_t columns, float *out) {
  SL_KERNEL(safelight_analysis::ExpandRow)(row, columns, out);
}

extern "C" void sla_add_detail(const float *weights, const float *samples, const float *coarse, int32_t width,
                               float *sum) {
  SL_KERNEL(safelight_analysis::AddDetail)(weights, samples, coarse, width, sum);
}

extern "C" void sla_add_weighted(const float *weights, const float *samples, int32_t width, float *sum) {
  SL_KERNEL(safelight_analysis::AddWeighted)(weights, samples, width, sum);
}
#endif
