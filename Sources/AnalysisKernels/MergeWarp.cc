#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MergeWarp.cc"
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
using VI = hn::Vec<DI>;

constexpr int kTaps = 6, kBefore = 2;

// One row of the field: displacements at the nodes' columns.
struct FieldRow {
  const float *dx, *dy;
  int32_t columns;
  float per_pixel;

  // The displacement along one axis at columns x, counted from the picture's left edge.
  HWY_INLINE VF At(const float *nodes, VF x) const {
    const DF d;
    const DI di;
    const VF u = hn::Mul(x, hn::Set(d, per_pixel));
    const VI cell = hn::Min(hn::Max(hn::ConvertTo(di, hn::Floor(u)), hn::Zero(di)), hn::Set(di, columns - 2));
    const VF part = hn::Sub(u, hn::ConvertTo(d, cell));
    const VF a = hn::GatherIndex(d, nodes, cell), b = hn::GatherIndex(d, nodes + 1, cell);
    return hn::Add(a, hn::Mul(part, hn::Sub(b, a)));
  }
};

// Where a vector of samples is read: at `cell` and its neighbours, with weights that depend on the fraction.
struct Taps {
  VF weights[kTaps];
  VI cell;
  int32_t lowest, highest;

  HWY_INLINE Taps(VF position, int32_t count) {
    const DF d;
    const DI di;
    const VF whole = hn::Floor(position);
    const VF t = hn::Sub(position, whole), one = hn::Set(d, 1.0f), r = hn::Sub(one, t);
    // Factors t and 1 - t make whole positions exact.
    const VF twelfth = hn::Set(d, 1.0f / 12), two_thirds = hn::Set(d, 2.0f / 3);
    const VF seven_twelfths = hn::Set(d, 7.0f / 12), four_thirds = hn::Set(d, 4.0f / 3);
    const VF tr = hn::Mul(t, r);
    const auto outer = [&](VF s) HWY_ATTR {
      return hn::Neg(hn::Mul(tr, hn::Sub(two_thirds, hn::Mul(seven_twelfths, s))));
    };
    const auto inner = [&](VF s) HWY_ATTR {
      return hn::Add(one, hn::Mul(s, hn::Sub(one, hn::Mul(four_thirds, s))));
    };
    weights[0] = hn::Mul(hn::Mul(tr, r), twelfth);
    weights[1] = outer(t);
    weights[2] = hn::Mul(r, inner(t));
    weights[3] = hn::Mul(t, inner(r));
    weights[4] = outer(r);
    weights[5] = hn::Mul(hn::Mul(tr, t), twelfth);
    cell = hn::Min(hn::Max(hn::ConvertTo(di, whole), hn::Set(di, kBefore)),
                   hn::Set(di, count - kTaps + kBefore));
    lowest = hn::GetLane(hn::MinOfLanes(di, cell));
    highest = hn::GetLane(hn::MaxOfLanes(di, cell));
  }

  // The sum of weighted samples: `samples` points at the first lane's sample of cell 0, `stride` leads to the
  // next cell. The order of the sum does not depend on the lanes' neighbours.
  HWY_INLINE VF Sum(const float *samples, ptrdiff_t stride) const {
    const DF d;
    const float *at = samples + (lowest - kBefore) * stride;
    if (lowest == highest) {
      VF sum = hn::Mul(weights[0], hn::LoadU(d, at));
      for (int k = 1; k < kTaps; k++) {
        sum = hn::Add(sum, hn::Mul(weights[k], hn::LoadU(d, at + k * stride)));
      }
      return sum;
    }
    if (highest - lowest == 1) {
      const auto is_next = hn::RebindMask(d, hn::Gt(cell, hn::Set(DI(), lowest)));
      VF sum = hn::Mul(hn::IfThenZeroElse(is_next, weights[0]), hn::LoadU(d, at));
      for (int k = 1; k < kTaps; k++) {
        const VF weight = hn::IfThenElse(is_next, weights[k - 1], weights[k]);
        sum = hn::Add(sum, hn::Mul(weight, hn::LoadU(d, at + k * stride)));
      }
      const VF last = hn::IfThenElseZero(is_next, weights[kTaps - 1]);
      return hn::Add(sum, hn::Mul(last, hn::LoadU(d, at + kTaps * stride)));
    }
    HWY_ALIGN float parts[kTaps][16], sums[16];
    HWY_ALIGN int32_t cells[16];
    for (int k = 0; k < kTaps; k++) hn::Store(weights[k], d, parts[k]);
    hn::Store(cell, DI(), cells);
    for (size_t lane = 0; lane < hn::Lanes(d); lane++) {
      const float *const first = samples + static_cast<ptrdiff_t>(lane) + (cells[lane] - kBefore) * stride;
      float sum = parts[0][lane] * first[0];
      for (int k = 1; k < kTaps; k++) sum += parts[k][lane] * first[k * stride];
      sums[lane] = sum;
    }
    return hn::Load(d, sums);
  }
};

HWY_INLINE VF ClipTo(VF position, int32_t count) {
  const DF d;
  return hn::Min(hn::Max(position, hn::Set(d, -0.5f)), hn::Set(d, static_cast<float>(count) - 0.5f));
}

void WarpWindow(const sla_window *source, int32_t source_x, int32_t source_y, int32_t channels,
                const sla_displacements *field, int32_t width, int32_t height, int32_t x, int32_t y,
                const sla_window *output, const sla_window *inside, float *scratch) {
  const DF d;
  const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
  const ptrdiff_t row = sla_window_row(source->width);
  float *const nodes = scratch + channels * row;
  const FieldRow nodes_row{nodes, nodes + field->columns, field->columns, 1.0f / field->spacing};
  const VF half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f);
  const VF right = hn::Set(d, static_cast<float>(width) - 0.5f);
  const VF bottom = hn::Set(d, static_cast<float>(height) - 0.5f);
  // Zero beyond the columns, so that vectors that read there find numbers.
  memset(scratch, 0, sizeof(float) * static_cast<size_t>(channels * row));
  for (int32_t j = 0; j < output->height; j++) {
    const float place = static_cast<float>(HWY_MAX(0, HWY_MIN(y + j, height - 1)));
    const float v = (place + 0.5f) / field->spacing;
    const int32_t line = HWY_MAX(0, HWY_MIN(static_cast<int32_t>(v), field->rows - 2));
    const float part = v - static_cast<float>(line);
    for (int32_t i = 0; i < field->columns; i++) {
      const float *const dx = field->dx + line * field->columns + i;
      const float *const dy = field->dy + line * field->columns + i;
      nodes[i] = dx[0] + part * (dx[field->columns] - dx[0]);
      nodes[field->columns + i] = dy[0] + part * (dy[field->columns] - dy[0]);
    }
    const float middle = static_cast<float>(x) + 0.5f * static_cast<float>(output->width);
    const VF shift = hn::Set(d, hn::GetLane(nodes_row.At(nodes_row.dx, hn::Set(d, middle))));
    const VF line_y = hn::Set(d, place);
    // Down the columns of the source, each displaced as the output's column that it will be next to.
    for (int32_t i = 0; i < source->width; i += lanes) {
      const VF column = hn::Add(hn::Iota(d, static_cast<float>(source_x + i)), hn::Sub(half, shift));
      const VF position = ClipTo(hn::Add(line_y, nodes_row.At(nodes_row.dy, column)), height);
      const Taps taps(hn::Sub(position, hn::Set(d, static_cast<float>(source_y))), source->height);
      for (int32_t c = 0; c < channels; c++) {
        hn::StoreU(taps.Sum(source->samples + c * source->plane + i, source->row), d, scratch + c * row + i);
      }
    }
    for (int32_t i = 0; i < output->width; i += lanes) {
      const VF own_column = hn::Iota(d, static_cast<float>(x + i));
      const VF column = hn::Min(hn::Max(own_column, hn::Zero(d)), hn::Set(d, static_cast<float>(width - 1)));
      const VF centre = hn::Add(column, half);
      const VF px = hn::Add(column, nodes_row.At(nodes_row.dx, centre));
      const VF py = hn::Add(line_y, nodes_row.At(nodes_row.dy, centre));
      const auto in_x = hn::And(hn::Ge(px, hn::Neg(half)), hn::Le(px, right));
      const auto in_y = hn::And(hn::Ge(py, hn::Neg(half)), hn::Le(py, bottom));
      hn::StoreU(hn::IfThenElseZero(hn::And(in_x, in_y), one), d, inside->samples + j * inside->row + i);
      const VF first = hn::Set(d, static_cast<float>(source_x));
      // Relative to the lane's own column, which is where `Sum` loads.
      const VF position = hn::Sub(ClipTo(px, width), first);
      Taps taps(position, source->width);
      const VI own = hn::Iota(DI(), 0);
      taps.cell = hn::Sub(taps.cell, own);
      taps.lowest = hn::GetLane(hn::MinOfLanes(DI(), taps.cell));
      taps.highest = hn::GetLane(hn::MaxOfLanes(DI(), taps.cell));
      for (int32_t c = 0; c < channels; c++) {
        hn::StoreU(taps.Sum(scratch + c * row, 1), d,
                   output->samples + c * output->plane + j * output->row + i);
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(WarpWindow);
}  // namespace safelight_analysis

extern "C" size_t sla_warp_window_scratch(int32_t source_width, int32_t grid_columns, int32_t channels) {
  return static_cast<size_t>(channels * sla_window_row(source_width) + 2 * grid_columns);
}

extern "C" void sla_warp_window(const sla_window *source, int32_t source_x, int32_t source_y,
                                int32_t channels, const sla_displacements *field, int32_t width,
                                int32_t height, int32_t x, int32_t y, const sla_window *output,
                                const sla_window *inside, float *scratch) {
  SL_KERNEL(safelight_analysis::WarpWindow)
  (source, source_x, source_y, channels, field, width, height, x, y, output, inside, scratch);
}
#endif
