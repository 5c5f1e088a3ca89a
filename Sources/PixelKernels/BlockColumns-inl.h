// The places of a block's pixels, in vectors, and the weights of its columns. Included only by
// BlockResample.cc, once for every instruction set.
#if defined(SAFELIGHT_BLOCK_COLUMNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BLOCK_COLUMNS_INL_H
#undef SAFELIGHT_BLOCK_COLUMNS_INL_H
#else
#define SAFELIGHT_BLOCK_COLUMNS_INL_H
#endif

#include <math.h>

#include "BlockPlaces.h"
#include "WideWeights.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Of a pixel, in pixels from the block's edge.
HWY_INLINE float Centre(int32_t pixel) { return static_cast<float>(pixel) + 0.5f; }

struct Range {
  int32_t low = INT32_MAX, high = INT32_MIN;

  Range() = default;
  Range(int32_t low, int32_t high) : low(low), high(high) {}

  HWY_INLINE void Add(const Range &other) {
    low = HWY_MIN(low, other.low);
    high = HWY_MAX(high, other.high);
  }
};

// The places of `count` values of t from `first` on, a vector at a time, in 2⁻¹⁶ samples.
class Places {
 public:
  using D = hn::CappedTag<float, 16>;
  using DI = hn::RebindToSigned<D>;
  static constexpr int32_t kLanes = static_cast<int32_t>(hn::MaxLanes(D()));

  HWY_INLINE Places(const Cubic &cubic, float first, int32_t count)
      : c0_(Scaled(cubic.c[0])),
        c1_(Scaled(cubic.c[1])),
        c2_(Scaled(cubic.c[2])),
        c3_(Scaled(cubic.c[3])),
        next_(hn::Iota(D(), first)),
        last_(hn::Set(D(), first + static_cast<float>(count - 1))) {}

  // The next ones; lanes past the last one repeat it.
  HWY_INLINE hn::Vec<DI> Next() {
    const D d;
    const auto t = hn::Min(next_, last_);
    next_ = hn::Add(next_, hn::Set(d, static_cast<float>(kLanes)));
    const auto place = hn::MulAdd(hn::MulAdd(hn::MulAdd(c3_, t, c2_), t, c1_), t, c0_);
    // Within what 32 bits hold: a block that is larger is far from any picture.
    const auto most = hn::Set(d, 32000.0f * 65536);
    return hn::NearestInt(hn::Max(hn::Min(place, most), hn::Neg(most)));
  }

 private:
  static HWY_INLINE hn::Vec<D> Scaled(double c) { return hn::Set(D(), static_cast<float>(c * 65536)); }

  hn::Vec<D> c0_, c1_, c2_, c3_, next_, last_;
};

// The least and the largest of values that are stored a vector at a time.
class Extremes {
 public:
  using DI = Places::DI;
  HWY_INLINE Extremes() : low_(hn::Set(DI(), INT32_MAX)), high_(hn::Set(DI(), INT32_MIN)) {}
  HWY_INLINE void Add(hn::Vec<DI> v) {
    low_ = hn::Min(low_, v);
    high_ = hn::Max(high_, v);
  }
  HWY_INLINE Range Values() const {
    return {hn::GetLane(hn::MinOfLanes(DI(), low_)), hn::GetLane(hn::MaxOfLanes(DI(), high_))};
  }

 private:
  hn::Vec<DI> low_, high_;
};

// Room past the last value of each line of places.
constexpr int32_t kPastPlaces = 16;

// Stores places up to a vector past the last one. Returns their range.
HWY_INLINE Range StorePlaces(const Cubic &cubic, float first, int32_t count, int32_t *to) {
  Places places(cubic, first, count);
  Extremes extremes;
  for (int32_t k = 0; k < count; k += Places::kLanes) {
    const auto at = places.Next();
    hn::StoreU(at, Places::DI(), to + k);
    extremes.Add(at);
  }
  return extremes.Values();
}

// For each pixel, the first of the samples it is made of, and its weights.
struct Taps {
  int32_t *first, *weights;
};

// Stores taps up to a vector past the last one. Returns the range of their first samples.
HWY_INLINE Range StoreTaps(const Cubic &cubic, float first, int32_t count, const WideWeights &weights,
                           const Taps &to) {
  const Places::DI d;
  Places places(cubic, first, count);
  const auto half = hn::Set(d, 1 << (15 - weights.bits)), before = hn::Set(d, weights.before);
  const auto fraction = hn::Set(d, 0xFFFF), stride = hn::Set(d, weights.stride);
  Extremes extremes;
  for (int32_t k = 0; k < count; k += Places::kLanes) {
    const auto at = hn::Add(places.Next(), half);
    const auto sample = hn::Sub(hn::ShiftRight<16>(at), before);
    hn::StoreU(sample, d, to.first + k);
    const auto phase = hn::ShiftRightSame(hn::And(at, fraction), 16 - weights.bits);
    hn::StoreU(hn::Mul(phase, stride), d, to.weights + k);
    extremes.Add(sample);
  }
  return extremes.Values();
}

// A block with its axes as they are sampled.
struct Block {
  AxisPlaces x, y;
  bool is_turned, is_direct;
  // Of node columns: where their pixels are in rows of the source and, by row of the source, in its columns.
  NodeCubics rows, crossings;
  // By column of the block.
  const WideWeights *across[SL_LARGEST_BLOCK], *down[SL_LARGEST_BLOCK];

  explicit Block(const sl_block &block)
      : x(block.order == SL_ORDER_COLUMNS_FIRST ? block.y : block.x, block),
        y(block.order == SL_ORDER_COLUMNS_FIRST ? block.x : block.y, block),
        is_turned(block.order == SL_ORDER_COLUMNS_FIRST),
        is_direct(block.order == SL_ORDER_DIRECT || !IsSteady(y)) {
    if (!is_direct) FindCubics();
    const float *cover_x = is_turned ? block.cover_y : block.cover_x;
    const float *cover_y = is_turned ? block.cover_x : block.cover_y;
    for (int32_t i = 0; i < block.width; i++) {
      double w[4];
      NodeWeights((i + 0.5) / x.column_step, w);
      const auto between = [&](const float *v) {
        return static_cast<float>(w[0] * static_cast<double>(v[0]) + w[1] * static_cast<double>(v[1]) +
                                  w[2] * static_cast<double>(v[2]) + w[3] * static_cast<double>(v[3]));
      };
      across[i] = &WideWeights::Shared(block.kernel, between(cover_x));
      down[i] = &WideWeights::Shared(block.kernel, between(cover_y));
    }
  }

 private:
  void FindCubics() {
    for (int column = 0; column < 4; column++) {
      double at[4], of[4];
      for (int row = 0; row < 4; row++) {
        at[row] = y.nodes[row][column];
        of[row] = x.nodes[row][column];
      }
      rows.Set(column, Cubic::Through(at, y.row_step));
      // Nodes that are close say too little of how lines that they are on bend around them.
      const bool is_near = fabs(at[3] - at[0]) < kNear;
      crossings.Set(column, is_near ? Cubic::Line(at, of) : Cubic::Through(at, of));
    }
  }

  // In samples from the first node to the last one.
  static constexpr double kNear = 1.0 / 4;

  // Whether every column goes through the source in one direction, so that it crosses each row once.
  static bool IsSteady(const AxisPlaces &y) {
    for (int column = 0; column < 4; column++) {
      const double sign = y.nodes[3][column] < y.nodes[0][column] ? -1 : 1;
      for (int row = 0; row < 3; row++) {
        if (!(sign * (y.nodes[row + 1][column] - y.nodes[row][column]) > 0)) return false;
      }
    }
    return true;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
