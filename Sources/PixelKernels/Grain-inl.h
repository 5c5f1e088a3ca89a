// The grain of film along a row, on vectors of float.
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_GRAIN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_GRAIN_INL_H
#undef SAFELIGHT_GRAIN_INL_H
#else
#define SAFELIGHT_GRAIN_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The samples of both tiles for the pixels of a row, one vector after another.
class GrainRow {
 public:
  // `film` is NULL for photos.
  HWY_INLINE void Prepare(const sl_grain &grain, const int32_t *film, int32_t x, int32_t y) {
    grain_ = grain;
    for (int k = 0; k < 2; k++) {
      const sl_grain_tile &tile = grain.tiles[k];
      const int32_t column = tile.column + (film == nullptr ? 0 : film[2 * k]);
      const int32_t row = tile.row + (film == nullptr ? 0 : film[2 * k + 1]);
      row_[k] = tile.samples + static_cast<size_t>(Place(y + row, tile.period)) * tile.stride;
      column_[k] = Place(x + column, tile.period);
    }
  }

  // The stops of the next pixels, of brightness e.
  HWY_INLINE VF Stops(VF e) {
    const DF d;
    const hn::RebindToSigned<DF> di;
    const hn::Rebind<int8_t, DF> d8;
    const auto next = [&](int k) HWY_ATTR {
      const auto samples = hn::PromoteTo(di, hn::LoadU(d8, row_[k] + column_[k]));
      column_[k] += static_cast<int32_t>(hn::Lanes(d));
      if (column_[k] >= grain_.tiles[k].period) column_[k] -= grain_.tiles[k].period;
      return samples;
    };
    const VF sum = hn::ConvertTo(d, hn::Add(next(0), next(1)));
    const VF density = hn::MulAdd(e, hn::Set(d, grain_.density_scale), hn::Set(d, grain_.density_bias));
    const VF spread =
        hn::Mul(density, hn::MulAdd(density, hn::Set(d, grain_.second), hn::Set(d, grain_.first)));
    return hn::Mul(hn::Mul(sum, hn::Set(d, grain_.strength)), hn::Sqrt(hn::Max(spread, hn::Zero(d))));
  }

 private:
  static HWY_INLINE int32_t Place(int32_t value, int32_t period) {
    const int32_t rest = value % period;
    return rest < 0 ? rest + period : rest;
  }

  // A copy, which compilers keep in registers.
  sl_grain grain_ = {};
  const int8_t *row_[2] = {};
  int32_t column_[2] = {};
};
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
