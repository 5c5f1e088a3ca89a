#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MergeTiles.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

constexpr int kTile = SLA_ALIGNMENT_TILE;

// Sums down the columns of a tile, added up in one order whatever the vectors' length.
template <int kCount>
struct ColumnSums {
  HWY_ALIGN float columns[kCount][kTile];

  HWY_INLINE float Total(int index) const {
    float total = 0;
    for (int i = 0; i < kTile; i++) total += columns[index][i];
    return total;
  }
};

void SumTiles(const sla_window *reference, const sla_window *warped, const sla_window *inside,
              float tolerance, sla_tile_sums *tiles) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const VF half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f), inverse = hn::Set(d, 1 / tolerance);
  for (int32_t top = 0; top + kTile <= warped->height; top += kTile) {
    for (int32_t left = 0; left + kTile <= warped->width; left += kTile, tiles++) {
      ColumnSums<7> sums;
      for (int i = 0; i < kTile; i += lanes) {
        VF xx = hn::Zero(d), xy = xx, yy = xx, bx = xx, by = xx, total = xx, squares = xx;
        for (int j = 0; j < kTile; j++) {
          const float *const r = reference->samples + (top + j + 1) * reference->row + left + i + 1;
          const VF gx = hn::Mul(hn::Sub(hn::LoadU(d, r + 1), hn::LoadU(d, r - 1)), half);
          const VF gy =
              hn::Mul(hn::Sub(hn::LoadU(d, r + reference->row), hn::LoadU(d, r - reference->row)), half);
          const VF a = hn::LoadU(d, warped->samples + (top + j) * warped->row + left + i);
          const VF e = hn::Sub(hn::LoadU(d, r), a), scaled = hn::Mul(e, inverse);
          const VF fit = hn::Div(one, hn::Add(one, hn::Mul(scaled, scaled)));
          const VF w = hn::Mul(fit, hn::LoadU(d, inside->samples + (top + j) * inside->row + left + i));
          const VF wx = hn::Mul(w, gx), wy = hn::Mul(w, gy), we = hn::Mul(w, e);
          xx = hn::Add(xx, hn::Mul(wx, gx));
          xy = hn::Add(xy, hn::Mul(wx, gy));
          yy = hn::Add(yy, hn::Mul(wy, gy));
          bx = hn::Add(bx, hn::Mul(wx, e));
          by = hn::Add(by, hn::Mul(wy, e));
          total = hn::Add(total, w);
          squares = hn::Add(squares, hn::Mul(we, e));
        }
        const VF all[7] = {xx, xy, yy, bx, by, total, squares};
        for (int k = 0; k < 7; k++) hn::StoreU(all[k], d, sums.columns[k] + i);
      }
      *tiles = {sums.Total(0), sums.Total(1), sums.Total(2), sums.Total(3),
                sums.Total(4), sums.Total(5), sums.Total(6)};
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(SumTiles);
}  // namespace safelight_analysis

extern "C" void sla_sum_tiles(const sla_window *reference, const sla_window *warped, const sla_window *inside,
                              float tolerance, sla_tile_sums *tiles) {
  SL_KERNEL(safelight_analysis::SumTiles)(reference, warped, inside, tolerance, tiles);
}
#endif
