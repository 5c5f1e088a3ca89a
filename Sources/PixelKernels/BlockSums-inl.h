// Weighing samples of interleaved RGBA that lie one after another: in 16-bit fixed point, and in float.
// Included only by BlockResample.cc, once for every instruction set.
#if defined(SAFELIGHT_BLOCK_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BLOCK_SUMS_INL_H
#undef SAFELIGHT_BLOCK_SUMS_INL_H
#else
#define SAFELIGHT_BLOCK_SUMS_INL_H
#endif

#include "SampledPixel-inl.h"
#include "WideWeights.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The sum of a vector's pixels, by halves.
template <class DPixel, class D>
HWY_INLINE hn::Vec<DPixel> FoldPixels(D, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) <= hn::MaxLanes(DPixel())) {
    return v;
  } else {
    const hn::Half<D> half;
    return FoldPixels<DPixel>(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

// Both kinds of arithmetic have the same members:
//   Sample, Vector   a channel, and whole pixels of four channels
//   kPixels          of a vector
//   Spread           what a vector of pixels' weights is spread with, one for each channel
//   Weights(...)     the weights of the vector'th vector of pixels
//   Fold(sum)        the sum of a vector's pixels, as Pixel

// 64 per 8-bit level: half the work of float, with a rounding error below 0.05 of a level.
struct FixedSums {
  using Sample = int16_t;
  using D = hn::CappedTag<int16_t, 32>;
  using Vector = hn::Vec<D>;
  using DPixel = hn::CappedTag<int16_t, 4>;
  using Pixel = hn::Vec<DPixel>;
  static constexpr int kPixels = static_cast<int>(hn::MaxLanes(D())) / 4;
  static constexpr int kInGroup = WideWeights::kGroup / kPixels;

  // For every vector of a group of weights, the bytes of its pixels' weights.
  struct Spread {
    HWY_ALIGN int16_t bytes[kInGroup][4 * kPixels];
    Spread() {
      for (int vector = 0; vector < kInGroup; vector++) {
        for (int lane = 0; lane < 4 * kPixels; lane++) {
          const int weight = vector * kPixels + lane / 4;
          bytes[vector][lane] = static_cast<int16_t>(2 * weight | (2 * weight + 1) << 8);
        }
      }
    }
  };

  static const Sample *Table(const WideWeights &weights) { return weights.fixed.data(); }
  static HWY_INLINE Vector Weights(const Sample *table, int vector, const Spread &spread) {
    const D d;
    const Vector group = hn::LoadDup128(d, table + vector / kInGroup * WideWeights::kGroup);
    return hn::TableLookupBytes(group, hn::Load(d, spread.bytes[vector % kInGroup]));
  }
  static HWY_INLINE Vector Weigh(Vector v, Vector weights, Vector sum) {
    return hn::Add(sum, hn::MulFixedPoint15(v, weights));
  }
  static HWY_INLINE Pixel Fold(Vector v) { return FoldPixels<DPixel>(D(), v); }
};

// Samples as stored.
struct FloatSums {
  using Sample = float;
  using D = hn::CappedTag<float, 16>;
  using Vector = hn::Vec<D>;
  using DPixel = D4;
  using Pixel = V4;
  static constexpr int kPixels = static_cast<int>(hn::MaxLanes(D())) / 4;

  // Lane i belongs to pixel i / 4 of its vector.
  struct Spread {
    HWY_ALIGN int32_t pixels[4 * kPixels];
    Spread() {
      for (int lane = 0; lane < 4 * kPixels; lane++) pixels[lane] = lane / 4;
    }
  };

  static const Sample *Table(const WideWeights &weights) { return weights.plain.data(); }
  static HWY_INLINE Vector Weights(const Sample *table, int vector, const Spread &spread) {
    const D d;
    const auto pixels = hn::IndicesFromVec(d, hn::Load(hn::RebindToSigned<D>(), spread.pixels));
    return hn::TableLookupLanes(hn::LoadU(d, table + kPixels * vector), pixels);
  }
  static HWY_INLINE Vector Weigh(Vector v, Vector weights, Vector sum) { return hn::MulAdd(v, weights, sum); }
  static HWY_INLINE Pixel Fold(Vector v) { return FoldPixels<DPixel>(D(), v); }
};

// The weighted sum of pixels from `p` on. `kVectors` is the number of vectors, or 0 to take it from
// `vectors`.
template <class Sums, int kVectors>
HWY_INLINE typename Sums::Pixel WeighAlong(const typename Sums::Sample *p, const typename Sums::Sample *table,
                                           int vectors, const typename Sums::Spread &spread) {
  const typename Sums::D d;
  auto sum = hn::Zero(d);
  const int count = kVectors > 0 ? kVectors : vectors;
  for (int k = 0; k < count; k++) {
    sum = Sums::Weigh(hn::LoadU(d, p + 4 * Sums::kPixels * k), Sums::Weights(table, k, spread), sum);
  }
  return Sums::Fold(sum);
}

// The same of fixed point, not folded yet.
template <int kVectors>
HWY_INLINE FixedSums::Vector SumAlong(const int16_t *p, const int16_t *table, int vectors,
                                      const FixedSums::Spread &spread) {
  const FixedSums::D d;
  auto sum = hn::MulFixedPoint15(hn::LoadU(d, p), FixedSums::Weights(table, 0, spread));
  const int count = kVectors > 0 ? kVectors : vectors;
  for (int k = 1; k < count; k++) {
    sum = FixedSums::Weigh(hn::LoadU(d, p + 4 * FixedSums::kPixels * k), FixedSums::Weights(table, k, spread),
                           sum);
  }
  return sum;
}

// Four pixels in fixed point, one after another, in as few vectors as hold them.
struct FourPixels {
  using D = hn::CappedTag<int16_t, 16>;
  static constexpr int kVectors = 16 / static_cast<int>(hn::MaxLanes(D()));
  hn::Vec<D> v[kVectors];

  // From the sums of four pixels, not folded yet.
  template <class V>
  static HWY_INLINE FourPixels Fold(V s0, V s1, V s2, V s3) {
    const D d;
    const hn::Repartition<uint64_t, D> pixels;
    // Of two vectors, [a b] and [c d], the sum of both halves of each: [a + b, c + d].
    const auto add_pairs = [&](hn::Vec<D> a, hn::Vec<D> b) HWY_ATTR {
      const auto low = hn::InterleaveLower(pixels, hn::BitCast(pixels, a), hn::BitCast(pixels, b));
      const auto high = hn::InterleaveUpper(pixels, hn::BitCast(pixels, a), hn::BitCast(pixels, b));
      return hn::Add(hn::BitCast(d, low), hn::BitCast(d, high));
    };
    FourPixels four;
    if constexpr (kVectors == 2) {
      four.v[0] = add_pairs(s0, s1);
      four.v[1] = add_pairs(s2, s3);
    } else {
      const auto add_halves = [&](hn::Vec<D> a, hn::Vec<D> b) HWY_ATTR {
        return hn::Add(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
      };
      const auto even = add_halves(Quarter(s0), Quarter(s2));
      const auto odd = add_halves(Quarter(s1), Quarter(s3));
      four.v[0] = add_pairs(even, odd);
    }
    return four;
  }

  HWY_INLINE void Store(int16_t *to) const {
    const D d;
    for (int k = 0; k < kVectors; k++) hn::StoreU(v[k], d, to + hn::MaxLanes(d) * static_cast<size_t>(k));
  }

 private:
  // The sum of the halves of vectors that are wider than four pixels.
  template <class V>
  static HWY_INLINE hn::Vec<D> Quarter(V v) {
    if constexpr (hn::MaxLanes(hn::DFromV<V>()) <= hn::MaxLanes(D())) {
      return v;
    } else {
      return hn::Add(hn::LowerHalf(D(), v), hn::UpperHalf(D(), v));
    }
  }
};

// The weighted sum of `rows` rows of as many pixels, not folded yet.
template <class Sums, int kVectors>
HWY_INLINE typename Sums::Vector WeighRows(const typename Sums::Sample *p, size_t stride, int rows,
                                           const typename Sums::Sample *down,
                                           const typename Sums::Sample *across, int first,
                                           const typename Sums::Spread &spread) {
  const typename Sums::D d;
  typename Sums::Vector sums[kVectors];
  for (int k = 0; k < kVectors; k++) sums[k] = hn::Zero(d);
  for (int row = 0; row < rows; row++, p += stride) {
    const auto weight = hn::Set(d, down[row]);
    for (int k = 0; k < kVectors; k++) {
      sums[k] = Sums::Weigh(hn::LoadU(d, p + 4 * Sums::kPixels * k), weight, sums[k]);
    }
  }
  auto total = hn::Zero(d);
  for (int k = 0; k < kVectors; k++) {
    total = Sums::Weigh(sums[k], Sums::Weights(across, first + k, spread), total);
  }
  return total;
}

// The same for any number of vectors.
template <class Sums>
HWY_INLINE typename Sums::Pixel WeighWindow(const typename Sums::Sample *p, size_t stride, int rows,
                                            const typename Sums::Sample *down,
                                            const typename Sums::Sample *across, int vectors,
                                            const typename Sums::Spread &spread) {
  constexpr int kMost = 4;
  auto total = hn::Zero(typename Sums::D());
  int first = 0;
  for (; vectors - first > kMost; first += kMost, p += 4 * Sums::kPixels * kMost) {
    total = hn::Add(total, WeighRows<Sums, kMost>(p, stride, rows, down, across, first, spread));
  }
  switch (vectors - first) {
    case 1:
      total = hn::Add(total, WeighRows<Sums, 1>(p, stride, rows, down, across, first, spread));
      break;
    case 2:
      total = hn::Add(total, WeighRows<Sums, 2>(p, stride, rows, down, across, first, spread));
      break;
    case 3:
      total = hn::Add(total, WeighRows<Sums, 3>(p, stride, rows, down, across, first, spread));
      break;
    default:
      total = hn::Add(total, WeighRows<Sums, 4>(p, stride, rows, down, across, first, spread));
  }
  return Sums::Fold(total);
}

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
