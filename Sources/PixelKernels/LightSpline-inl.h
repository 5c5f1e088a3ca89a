// The light that scatters at the pixels of a row: cubic B-splines of a grid, on vectors of float.
#include "GridRow-inl.h"
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_LIGHT_SPLINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_LIGHT_SPLINE_INL_H
#undef SAFELIGHT_LIGHT_SPLINE_INL_H
#else
#define SAFELIGHT_LIGHT_SPLINE_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As LightNodes, of the 4 × 4 nodes around each pixel and of three numbers.
class SplineNodes : public GridRow {
 public:
  HWY_INLINE void Prepare(const float *nodes, int32_t width, int32_t height, const double *map, int32_t x,
                          int32_t y, size_t n) {
    Place(nodes, width, height, map, x, y, 4);
    if (IsRow()) MixRows(n);
  }

  HWY_INLINE Rgb At(size_t column) const {
    const DF d;
    const hn::RebindToSigned<DF> di;
    const VF place = Columns(column);
    const Axis across(hn::MulAdd(place, hn::Set(d, map_[0]), hn::Set(d, x_)), width_);
    if (IsRow()) {
      const auto lane = across.first;
      const int32_t base = map_[0] < 0 ? hn::ExtractLane(lane, hn::Lanes(d) - 1) : hn::GetLane(lane);
      const auto index = [&](int k)
                             HWY_ATTR { return hn::IndicesFromVec(d, hn::Sub(lane, hn::Set(di, base - k))); };
      const auto first = index(0), second = index(1), third = index(2), fourth = index(3);
      const auto mixed = [&](int number) HWY_ATTR {
        const VF nodes = hn::LoadU(d, mixed_[number] + (base - 1 - begin_));
        VF sum = hn::Mul(across.a, hn::TableLookupLanes(nodes, first));
        sum = hn::MulAdd(across.b, hn::TableLookupLanes(nodes, second), sum);
        sum = hn::MulAdd(across.c, hn::TableLookupLanes(nodes, third), sum);
        return hn::MulAdd(across.d, hn::TableLookupLanes(nodes, fourth), sum);
      };
      return {mixed(0), mixed(1), mixed(2)};
    }
    const Axis down(hn::MulAdd(place, hn::Set(d, map_[3]), hn::Set(d, y_)), height_);
    const auto node = [&](const Axis &axis, int k, int32_t size) HWY_ATTR {
      const auto at = hn::Add(axis.first, hn::Set(di, k - 1));
      return hn::Min(hn::Max(at, hn::Zero(di)), hn::Set(di, size - 1));
    };
    const auto mixed = [&](size_t number) HWY_ATTR {
      const float *nodes = nodes_ + number * Count();
      VF sum = hn::Zero(d);
      for (int row = 0; row < 4; row++) {
        const auto start = hn::Mul(node(down, row, height_), hn::Set(di, width_));
        VF along = hn::Zero(d);
        for (int k = 0; k < 4; k++) {
          const auto at = hn::Add(start, node(across, k, width_));
          along = hn::MulAdd(across.Weight(k), hn::GatherIndex(d, nodes, at), along);
        }
        sum = hn::MulAdd(down.Weight(row), along, sum);
      }
      return sum;
    };
    return {mixed(0), mixed(1), mixed(2)};
  }

 private:
  // The second of four nodes along one axis, and the weights of all.
  struct Axis {
    hn::Vec<hn::RebindToSigned<DF>> first;
    VF a, b, c, d;

    HWY_INLINE Axis(VF place, int32_t count) {
      const DF tag;
      const VF inside = hn::Min(hn::Max(place, hn::Zero(tag)), hn::Set(tag, static_cast<float>(count - 1)));
      const VF floor = hn::Floor(inside);
      first = SmallInteger(floor);
      const VF t = hn::Sub(inside, floor), one = hn::Set(tag, 1.0f), u = hn::Sub(one, t);
      const VF sixth = hn::Set(tag, 1.0f / 6.0f), half = hn::Set(tag, 0.5f),
               thirds = hn::Set(tag, 2.0f / 3.0f);
      const VF t2 = hn::Mul(t, t), u2 = hn::Mul(u, u);
      a = hn::Mul(sixth, hn::Mul(u2, u));
      d = hn::Mul(sixth, hn::Mul(t2, t));
      b = hn::MulAdd(t2, hn::MulSub(half, t, one), thirds);
      c = hn::MulAdd(u2, hn::MulSub(half, u, one), thirds);
    }

    HWY_INLINE VF Weight(int k) const { return k == 0 ? a : k == 1 ? b : k == 2 ? c : d; }
  };

  // Mixes the four rows of nodes around the row of n pixels, as far as these reach.
  HWY_INLINE void MixRows(size_t n) {
    const Reach across = Across(n);
    begin_ = Clipped(across.first, width_) - 2;
    const int32_t last = Clipped(across.last, width_) + 3;
    const int32_t top = static_cast<int32_t>(Down());
    const float t = Down() - static_cast<float>(top), u = 1 - t;
    const float weights[4] = {u * u * u / 6, (3 * t * t * (t - 2) + 4) / 6, (3 * u * u * (u - 2) + 4) / 6,
                              t * t * t / 6};
    for (size_t number = 0; number < 3; number++) {
      const float *rows[4];
      for (int k = 0; k < 4; k++) {
        const int32_t row = HWY_MIN(HWY_MAX(top + k - 1, 0), height_ - 1);
        rows[k] = nodes_ + number * Count() + static_cast<size_t>(row) * static_cast<size_t>(width_);
      }
      float *mixed = mixed_[number];
      for (int32_t i = begin_; i <= last; i++) {
        const int32_t node = HWY_MIN(HWY_MAX(i, 0), width_ - 1);
        mixed[i - begin_] = weights[0] * rows[0][node] + weights[1] * rows[1][node] +
                            weights[2] * rows[2][node] + weights[3] * rows[3][node];
      }
    }
  }

  // The first of the mixed nodes.
  int32_t begin_;
  // Vectors are loaded whole, so there is room for one more.
  float mixed_[3][kFieldBlock + 64];
};
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
