// Nodes of baked tables: conversion from float, interpolation in float, and bends.
#include <string.h>

#include <algorithm>
#include <functional>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "TableNodes.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "PartialVectors-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

// MARK: Packing

HWY_INLINE VI Code(VF x) {
  const DF d;
  const VF limit = hn::Set(d, 2.0f * SL_NODE_UNIT);
  const VF scaled = hn::Mul(x, hn::Set(d, static_cast<float>(SL_NODE_UNIT)));
  const VF number = hn::IfThenElseZero(hn::Eq(scaled, scaled), scaled);
  return hn::NearestInt(hn::Min(hn::Max(number, hn::Neg(limit)), limit));
}

void PackNodes(const float *r, const float *g, const float *b, int16_t *nodes, size_t n) {
  const DF d;
  const DI di;
  const size_t lanes = hn::Lanes(d);
  const VI low = hn::Set(di, 0xffff);
  for (size_t i = 0; i < n; i += lanes) {
    const size_t m = HWY_MIN(lanes, n - i);
    const VI red = Code(LoadFirst(d, r + i, m)), green = Code(LoadFirst(d, g + i, m)),
             blue = Code(LoadFirst(d, b + i, m));
    const VI first = hn::Or(hn::And(red, low), hn::ShiftLeft<16>(green)), second = hn::And(blue, low);
    if (m == lanes) {
      hn::StoreInterleaved2(first, second, di, reinterpret_cast<int32_t *>(nodes + 4 * i));
    } else {
      int32_t pairs[2 * 16];
      hn::StoreInterleaved2(first, second, di, pairs);
      memcpy(nodes + 4 * i, pairs, 8 * m);
    }
  }
}

// MARK: Interpolation

struct Node {
  VI first, second;

  HWY_INLINE VF red() const { return hn::ConvertTo(DF(), hn::ShiftRight<16>(hn::ShiftLeft<16>(first))); }
  HWY_INLINE VF green() const { return hn::ConvertTo(DF(), hn::ShiftRight<16>(first)); }
  HWY_INLINE VF blue() const { return hn::ConvertTo(DF(), hn::ShiftRight<16>(hn::ShiftLeft<16>(second))); }
};

void InterpolateBakedLut(const sl_baked_lut *lut, float slope_outside, float *r, float *g, float *b,
                         size_t n) {
  const DF d;
  const DI di;
  const size_t lanes = hn::Lanes(d);
  const VF top = hn::Set(d, static_cast<float>(lut->size - 1)),
           last_cell = hn::Set(d, static_cast<float>(lut->size - 2));
  const VF steep = hn::Set(d, lut->steep), gentle = hn::Set(d, lut->gentle), offset = hn::Set(d, lut->offset);
  const VI one = hn::Set(di, 1), row = hn::Set(di, lut->size), plane = hn::Set(di, lut->size * lut->size);
  const int32_t *base = reinterpret_cast<const int32_t *>(lut->nodes);
  const auto node = [&](VI i) HWY_ATTR {
    return Node{hn::GatherIndex(di, base, hn::ShiftLeft<1>(i)),
                hn::GatherIndex(di, base + 1, hn::ShiftLeft<1>(i))};
  };
  for (size_t i = 0; i < n; i += lanes) {
    const size_t m = HWY_MIN(lanes, n - i);
    const VF r0 = LoadFirst(d, r + i, m), g0 = LoadFirst(d, g + i, m), b0 = LoadFirst(d, b + i, m);
    const auto position = [&](VF x) HWY_ATTR {
      // NaN must not become an index.
      const VF at = hn::Min(hn::Mul(x, steep), hn::MulAdd(x, gentle, offset));
      return hn::Min(hn::Max(hn::IfThenElseZero(hn::Eq(x, x), at), hn::Zero(d)), top);
    };
    const VF pr = position(r0), pg = position(g0), pb = position(b0);
    const VF cr = hn::Min(hn::Floor(pr), last_cell), cg = hn::Min(hn::Floor(pg), last_cell),
             cb = hn::Min(hn::Floor(pb), last_cell);
    const VF fr = hn::Sub(pr, cr), fg = hn::Sub(pg, cg), fb = hn::Sub(pb, cb);
    const VF largest = hn::Max(hn::Max(fr, fg), fb), smallest = hn::Min(hn::Min(fr, fg), fb);
    const VF middle = hn::Max(hn::Min(fr, fg), hn::Min(hn::Max(fr, fg), fb));
    const VI i0 = hn::Add(hn::ConvertTo(di, cr), hn::Add(hn::Mul(hn::ConvertTo(di, cg), row),
                                                         hn::Mul(hn::ConvertTo(di, cb), plane)));
    const VI i7 = hn::Add(i0, hn::Add(one, hn::Add(row, plane)));
    const auto choose = [&](VF f, VF extreme, VI yes, VI no) HWY_ATTR {
      return hn::IfThenElse(hn::RebindMask(di, hn::Eq(f, extreme)), yes, no);
    };
    const VI iA = hn::Add(i0, choose(fr, largest, one, choose(fg, largest, row, plane)));
    const VI iB = hn::Sub(i7, choose(fb, smallest, plane, choose(fg, smallest, row, one)));
    const Node n0 = node(i0), nA = node(iA), nB = node(iB), n7 = node(i7);
    const auto blend = [&](VF x, VF v0, VF vA, VF vB, VF v7) HWY_ATTR {
      const VF sum =
          hn::MulAdd(largest, hn::Sub(vA, v0),
                     hn::MulAdd(middle, hn::Sub(vB, vA), hn::MulAdd(smallest, hn::Sub(v7, vB), v0)));
      const VF outside = hn::Sub(x, hn::Min(hn::Max(x, hn::Zero(d)), hn::Set(d, 1)));
      return hn::MulAdd(sum, hn::Set(d, 1.0f / SL_NODE_UNIT), hn::Mul(outside, hn::Set(d, slope_outside)));
    };
    StoreFirst(blend(r0, n0.red(), nA.red(), nB.red(), n7.red()), d, r + i, m);
    StoreFirst(blend(g0, n0.green(), nA.green(), nB.green(), n7.green()), d, g + i, m);
    StoreFirst(blend(b0, n0.blue(), nA.blue(), nB.blue(), n7.blue()), d, b + i, m);
  }
}

// MARK: Bends

constexpr int32_t kLongestRow = 129;

// The sharpness of the bend at each node of a vector in one direction, if it is visible in the output;
// reduced for strong colours, to which ΔE2000 is less sensitive.
template <class D>
HWY_INLINE hn::Vec<D> Sharpness(D di, const int16_t *nodes, size_t index, size_t stride) {
  using V = hn::Vec<D>;
  const hn::RebindToFloat<D> df;
  const auto load = [&](size_t i, V &first, V &second) HWY_ATTR {
    hn::LoadInterleaved2(di, reinterpret_cast<const int32_t *>(nodes + 4 * i), first, second);
  };
  V before[2], here[2], after[2];
  load(index - stride, before[0], before[1]);
  load(index, here[0], here[1]);
  load(index + stride, after[0], after[1]);
  const V unit = hn::Set(di, SL_NODE_UNIT), zero = hn::Zero(di);
  V sum = zero, low = unit, high = zero;
  const auto add = [&](V b, V h, V a) HWY_ATTR {
    const V clipped = hn::Min(hn::Max(h, zero), unit);
    low = hn::Min(low, clipped);
    high = hn::Max(high, clipped);
    // All three beyond one end: clipped away.
    const auto shows =
        hn::And(hn::Lt(hn::Min(hn::Min(b, h), a), unit), hn::Gt(hn::Max(hn::Max(b, h), a), zero));
    const V bend = hn::Abs(hn::Sub(hn::Add(b, a), hn::Add(h, h)));
    sum = hn::Add(sum, hn::IfThenElseZero(shows, bend));
  };
  const auto channel_low = [](V v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  add(channel_low(before[0]), channel_low(here[0]), channel_low(after[0]));
  add(hn::ShiftRight<16>(before[0]), hn::ShiftRight<16>(here[0]), hn::ShiftRight<16>(after[0]));
  add(channel_low(before[1]), channel_low(here[1]), channel_low(after[1]));
  const auto strength = hn::MulAdd(hn::ConvertTo(df, hn::Sub(high, low)), hn::Set(df, 48.0f / SL_NODE_UNIT),
                                   hn::Set(df, 16.0f));
  return hn::ConvertTo(di, hn::Div(hn::Mul(hn::ConvertTo(df, sum), hn::Set(df, 64.0f)), strength));
}

// Raises best[first…last] to the bends of a row in one direction: sharpness (20 bits), row of the block (4),
// direction (2).
template <class D>
HWY_INLINE void BendsOfRow(D di, const int16_t *nodes, size_t row, size_t stride, size_t first, size_t last,
                           int32_t tag, int32_t *best) {
  const size_t lanes = hn::Lanes(di);
  for (size_t i = first; i <= last; i += lanes) {
    // The last vector overlaps the previous one.
    const size_t at = HWY_MIN(i, last + 1 - lanes);
    const auto key = hn::Or(hn::ShiftLeft<6>(Sharpness(di, nodes, row + at, stride)), hn::Set(di, tag));
    hn::StoreU(hn::Max(hn::LoadU(di, best + at), key), di, best + at);
  }
}

void FindBends(const int16_t *nodes, int32_t size, int32_t block, uint64_t *keys) {
  const DI di;
  const hn::CappedTag<int32_t, 1> single;
  const int32_t side = (size + block - 1) / block, last = size - 1;
  const size_t edge = static_cast<size_t>(size), plane = edge * edge;
  size_t home = 0;
  for (int32_t b0 = 0; b0 < size; b0 += block) {
    for (int32_t g0 = 0; g0 < size; g0 += block, home += static_cast<size_t>(side)) {
      int32_t best[kLongestRow] = {};
      for (int32_t b = b0; b < HWY_MIN(b0 + block, size); b++) {
        for (int32_t g = g0; g < HWY_MIN(g0 + block, size); g++) {
          const size_t row = edge * (static_cast<size_t>(g) + edge * static_cast<size_t>(b));
          // The first of equal bends wins, hence descending numbers.
          const int32_t place = 15 - ((b - b0) * 4 + (g - g0));
          const auto along = [&](int32_t direction, size_t stride, bool inside_red) HWY_ATTR {
            const int32_t tag = place << 2 | (3 - direction);
            const size_t first = inside_red ? 1 : 0, end = edge - first;
            if (end - first >= hn::Lanes(di)) {
              BendsOfRow(di, nodes, row, stride, first, end - 1, tag, best);
            } else {
              BendsOfRow(single, nodes, row, stride, first, end - 1, tag, best);
            }
          };
          const bool inside_green = g > 0 && g<last, inside_blue = b> 0 && b < last;
          along(0, 1, true);
          if (inside_green) along(1, edge, false);
          if (inside_blue) along(2, plane, false);
          if (inside_green && inside_blue) along(3, 1 + edge + plane, true);
        }
      }
      for (int32_t s = 0; s < side; s++) {
        uint64_t sharpest = 0;
        for (int32_t r = s * block; r < HWY_MIN((s + 1) * block, size); r++) {
          const uint32_t key = static_cast<uint32_t>(best[r]);
          const uint64_t sharpness = key >> 6;
          if (sharpness <= sharpest >> 32) continue;
          const uint32_t place = 15 - (key >> 2 & 15), direction = 3 - (key & 3);
          const uint64_t node = static_cast<uint64_t>(r) + edge * (static_cast<uint64_t>(g0) + (place & 3)) +
                                plane * (static_cast<uint64_t>(b0) + (place >> 2));
          sharpest = sharpness << 32 | node << 2 | direction;
        }
        keys[home + static_cast<size_t>(s)] = sharpest;
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(PackNodes);
HWY_EXPORT(InterpolateBakedLut);
HWY_EXPORT(FindBends);
}  // namespace safelight
extern "C" void sl_pack_nodes(const float *r, const float *g, const float *b, int16_t *nodes, size_t n) {
  SL_KERNEL(safelight::PackNodes)(r, g, b, nodes, n);
}

extern "C" void sl_interpolate_baked_lut(const sl_baked_lut *lut, float slope_outside, float *r, float *g,
                                         float *b, size_t n) {
  SL_KERNEL(safelight::InterpolateBakedLut)(lut, slope_outside, r, g, b, n);
}

extern "C" size_t sl_find_bends(const int16_t *nodes, int32_t size, int32_t block, size_t wanted,
                                uint64_t *keys) {
  SL_KERNEL(safelight::FindBends)(nodes, size, block, keys);
  const size_t side = static_cast<size_t>((size + block - 1) / block);
  uint64_t *const end = std::remove(keys, keys + side * side * side, uint64_t{0});
  const size_t found = static_cast<size_t>(end - keys);
  std::partial_sort(keys, keys + std::min(wanted, found), end, std::greater<uint64_t>());
  return found;
}
#endif
