// Two baked 3D tables one behind the other, 8-bit output: what the first makes is not rounded to 8 bit.
//
// The interpolation is that of BakedLut.cc. Between the tables colours are kept at SL_NODE_UNIT a unit, 32 a
// level.
#include <string.h>

#include "InstructionSet.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "BakedPair.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DI = hn::CappedTag<int32_t, 16>;
using DF = hn::RebindToFloat<DI>;
using D16 = hn::Repartition<int16_t, DI>;
using VI = hn::Vec<DI>;
using V16 = hn::Vec<D16>;

// Colours of a vector of pixels: R, G, B, 0 of each, of its lower and upper half.
struct Colours {
  V16 low, high;
};

struct Planes {
  VI r, g, b;
};

// A table with how positions in it follow from samples, in Q15 node units.
class Table {
 public:
  // `full` is the full scale of samples.
  Table(const sl_baked_lut &lut, float full) : nodes_(lut.nodes), size_(lut.size) {
    // A hair under the top keeps the far corner of the last cell inside the table; the error is 1/32768 cell.
    const float top = 32768.0f * (1.0f - 0.75f / (32768.0f * static_cast<float>(lut.size - 1)));
    steep_ = lut.steep * top / full;
    gentle_ = lut.gentle * top / full;
    offset_ = lut.offset * top;
  }

  HWY_INLINE Colours operator()(Planes p) const {
    const DI d;
    const VI pr = Position(p.r), pg = Position(p.g), pb = Position(p.b);
    const VI fraction = hn::Set(d, 0x7fff);
    const VI one = hn::Set(d, 1), row = hn::Set(d, size_), plane = hn::Set(d, size_ * size_);
    const VI fr = hn::And(pr, fraction), fg = hn::And(pg, fraction), fb = hn::And(pb, fraction);
    Cell c;
    c.largest = hn::Max(hn::Max(fr, fg), fb);
    c.smallest = hn::Min(hn::Min(fr, fg), fb);
    c.middle = hn::Sub(hn::Add(hn::Add(fr, fg), fb), hn::Add(c.largest, c.smallest));
    c.i0 = hn::Add(hn::ShiftRight<15>(pr),
                   hn::Add(hn::Mul(hn::ShiftRight<15>(pg), row), hn::Mul(hn::ShiftRight<15>(pb), plane)));
    c.i7 = hn::Add(c.i0, hn::Add(one, hn::Add(row, plane)));
    // Ties choose any order: the weights between tied vertices are zero.
    const auto choose = [](VI f, VI extreme, VI yes, VI no)
                            HWY_ATTR { return hn::IfThenElse(hn::Eq(f, extreme), yes, no); };
    c.iA = hn::Add(c.i0, choose(fr, c.largest, one, choose(fg, c.largest, row, plane)));
    c.iB = hn::Sub(c.i7, choose(fb, c.smallest, plane, choose(fg, c.smallest, row, one)));
    const hn::Half<DI> dh;
    const auto half = [&](auto part) HWY_ATTR {
      return Interpolate(part(c.i0), part(c.iA), part(c.iB), part(c.i7), part(c.largest), part(c.middle),
                         part(c.smallest));
    };
    return {half([&](VI v) HWY_ATTR { return hn::LowerHalf(dh, v); }),
            half([&](VI v) HWY_ATTR { return hn::UpperHalf(dh, v); })};
  }

 private:
  struct Cell {
    VI i0, iA, iB, i7;
    VI largest, middle, smallest;
  };

  HWY_INLINE VI Position(VI x) const {
    const DF d;
    const auto v = hn::ConvertTo(d, x);
    return hn::ConvertTo(DI(), hn::Min(hn::Mul(v, hn::Set(d, steep_)),
                                       hn::MulAdd(v, hn::Set(d, gentle_), hn::Set(d, offset_))));
  }

  template <class VH>
  HWY_INLINE V16 Interpolate(VH i0, VH iA, VH iB, VH i7, VH largest, VH middle, VH smallest) const {
    const hn::Repartition<int64_t, DI> d64;
    const D16 d16;
    const hn::Repartition<uint8_t, DI> bytes;
    const int64_t *base = reinterpret_cast<const int64_t *>(nodes_);
    const auto node = [&](VH i) HWY_ATTR {
      return hn::BitCast(d16, hn::GatherIndex(d64, base, hn::PromoteTo(d64, i)));
    };
    // A Q15 weight on all four channels of its pixel: its two low bytes, four times.
    alignas(16) static constexpr uint8_t kSpread[16] = {0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9};
    const auto spread = hn::LoadDup128(bytes, kSpread);
    const auto weighted = [&](V16 difference, VH weight) HWY_ATTR {
      const auto w = hn::TableLookupBytes(hn::BitCast(bytes, hn::PromoteTo(d64, weight)), spread);
      return hn::MulFixedPoint15(difference, hn::BitCast(d16, w));
    };
    const V16 n0 = node(i0), nA = node(iA), nB = node(iB), n7 = node(i7);
    return hn::Add(hn::Add(n0, weighted(hn::Sub(nA, n0), largest)),
                   hn::Add(weighted(hn::Sub(nB, nA), middle), weighted(hn::Sub(n7, nB), smallest)));
  }

  const int16_t *nodes_;
  int32_t size_;
  float steep_, gentle_, offset_;
};

HWY_INLINE Planes Separate(Colours c) {
  const DI d;
  const VI low = hn::BitCast(d, c.low), high = hn::BitCast(d, c.high);
  const VI red_green = hn::ConcatEven(d, high, low), blue = hn::ConcatOdd(d, high, low);
  const auto first = [](VI v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  return {first(red_green), hn::ShiftRight<16>(red_green), first(blue)};
}

class Pair {
 public:
  Pair(const sl_baked_lut &first, const sl_baked_lut &second, float slope_outside, float full)
      : first_(first, full),
        second_(second, SL_NODE_UNIT),
        slope_(static_cast<int16_t>(slope_outside * 32767.0f + 0.5f)) {}

  // R, G, B, 0 bytes in 32-bit lanes.
  HWY_INLINE VI operator()(Planes p) const {
    const D16 d;
    const Colours middle = first_(p);
    const auto clip = [&](V16 v)
                          HWY_ATTR { return hn::Min(hn::Max(v, hn::Zero(d)), hn::Set(d, SL_NODE_UNIT)); };
    const Colours inside = {clip(middle.low), clip(middle.high)};
    const Colours out = second_(Separate(inside));
    const hn::Half<DI> dh;
    const hn::Half<hn::Repartition<uint8_t, DI>> d8;
    const auto finish = [&](V16 v, V16 unclipped, V16 clipped) HWY_ATTR {
      const V16 outside = hn::MulFixedPoint15(hn::Sub(unclipped, clipped), hn::Set(d, slope_));
      // 32 codes a level of 255.
      static_assert(SL_NODE_UNIT == 32 * 255);
      const V16 levels = hn::ShiftRight<5>(hn::SaturatedAdd(hn::SaturatedAdd(v, outside), hn::Set(d, 16)));
      return hn::BitCast(dh, hn::DemoteTo(d8, levels));
    };
    return hn::Combine(DI(), finish(out.high, middle.high, inside.high),
                       finish(out.low, middle.low, inside.low));
  }

 private:
  Table first_, second_;
  int16_t slope_;
};

HWY_INLINE void ApplyToVector(const Pair &pair, const uint32_t *src, uint32_t *dst) {
  const DI d;
  const hn::RebindToUnsigned<DI> du;
  const VI byte = hn::Set(d, 0xff);
  const VI p = hn::BitCast(d, hn::LoadU(du, src));
  const VI colour =
      pair({hn::And(p, byte), hn::And(hn::ShiftRight<8>(p), byte), hn::And(hn::ShiftRight<16>(p), byte)});
  const VI alpha = hn::And(p, hn::Set(d, static_cast<int32_t>(0xff000000u)));
  hn::StoreU(hn::BitCast(du, hn::Or(colour, alpha)), du, dst);
}

HWY_INLINE void ApplyToVector(const Pair &pair, const uint64_t *src, uint32_t *dst) {
  const DI d;
  const hn::RebindToUnsigned<DI> du;
  const hn::Rebind<uint16_t, DI> d16;
  hn::Vec<decltype(d16)> r, g, b, a;
  hn::LoadInterleaved4(d16, reinterpret_cast<const uint16_t *>(src), r, g, b, a);
  const VI colour = pair({hn::PromoteTo(d, r), hn::PromoteTo(d, g), hn::PromoteTo(d, b)});
  // The nearest of 8 bit: a / 257, rounded.
  const VI a8 = hn::ShiftRight<16>(hn::Add(hn::Mul(hn::PromoteTo(d, a), hn::Set(d, 255)), hn::Set(d, 32895)));
  hn::StoreU(hn::BitCast(du, hn::Or(colour, hn::ShiftLeft<24>(a8))), du, dst);
}

template <typename Pixel>
HWY_INLINE void Apply(const Pair &pair, const Pixel *src, uint32_t *dst, size_t n) {
  const size_t lanes = hn::Lanes(DI());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) ApplyToVector(pair, src + i, dst + i);
  if (i < n) {
    Pixel in[16] = {};
    uint32_t out[16];
    memcpy(in, src + i, (n - i) * sizeof(Pixel));
    ApplyToVector(pair, in, out);
    memcpy(dst + i, out, (n - i) * sizeof(uint32_t));
  }
}

void ApplyBakedPair(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                    const void *src, sl_sample type, uint8_t *dst8, size_t n) {
  const Pair pair(*first, *second, slope_outside, type == SL_U8 ? 255.0f : 65535.0f);
  uint32_t *dst = reinterpret_cast<uint32_t *>(dst8);
  if (type == SL_U8) {
    Apply(pair, static_cast<const uint32_t *>(src), dst, n);
  } else {
    Apply(pair, static_cast<const uint64_t *>(src), dst, n);
  }
}

void ApplyBakedPairPlanar(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                          const uint16_t *r, const uint16_t *g, const uint16_t *b, uint8_t *dst8, size_t n) {
  const DI d;
  const hn::RebindToUnsigned<DI> du;
  const hn::Rebind<uint16_t, DI> d16;
  const size_t lanes = hn::Lanes(d);
  const Pair pair(*first, *second, slope_outside, 65535.0f);
  const VI alpha = hn::Set(d, static_cast<int32_t>(0xff000000u));
  uint32_t *dst = reinterpret_cast<uint32_t *>(dst8);
  const auto apply = [&](const uint16_t *pr, const uint16_t *pg, const uint16_t *pb, uint32_t *out) HWY_ATTR {
    const auto load = [&](const uint16_t *p) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(d16, p)); };
    hn::StoreU(hn::BitCast(du, hn::Or(pair({load(pr), load(pg), load(pb)}), alpha)), du, out);
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) apply(r + i, g + i, b + i, dst + i);
  if (i < n) {
    uint16_t in[3][16] = {};
    uint32_t out[16];
    for (size_t k = i; k < n; k++) in[0][k - i] = r[k], in[1][k - i] = g[k], in[2][k - i] = b[k];
    apply(in[0], in[1], in[2], out);
    memcpy(dst + i, out, (n - i) * sizeof(uint32_t));
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ApplyBakedPair);
HWY_EXPORT(ApplyBakedPairPlanar);
}  // namespace safelight
extern "C" void sl_apply_baked_pair(const sl_baked_lut *first, const sl_baked_lut *second,
                                    float slope_outside, const void *src, sl_sample type, uint8_t *dst,
                                    size_t n) {
  safelight::ChooseInstructionSetOnce();
  HWY_DYNAMIC_DISPATCH(safelight::ApplyBakedPair)(first, second, slope_outside, src, type, dst, n);
}

extern "C" void sl_apply_baked_pair_planar(const sl_baked_lut *first, const sl_baked_lut *second,
                                           float slope_outside, const uint16_t *r, const uint16_t *g,
                                           const uint16_t *b, uint8_t *dst, size_t n) {
  safelight::ChooseInstructionSetOnce();
  HWY_DYNAMIC_DISPATCH(safelight::ApplyBakedPairPlanar)(first, second, slope_outside, r, g, b, dst, n);
}
#endif
