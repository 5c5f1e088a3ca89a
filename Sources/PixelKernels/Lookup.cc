// Look-up tables as given by files, in float: shapers, tetrahedral interpolation (BakedLut.cc cites its
// source), strength.
//
// A block of pixels is located first. Then each pixel's four nodes of 16 bytes are loaded by plain loads, one
// pixel in each block of 16 bytes of a vector, and weighted; four such vectors are transposed to planes.
#include "Lookup.h"

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Lookup.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "LookupPlaces-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Planes of samples.
struct Planes {
  float *r, *g, *b;

  HWY_INLINE Rgb Load(size_t i) const {
    const DF d;
    return {hn::LoadU(d, r + i), hn::LoadU(d, g + i), hn::LoadU(d, b + i)};
  }
  HWY_INLINE void Store(const Rgb &v, size_t i) const {
    const DF d;
    hn::StoreU(v.r, d, r + i);
    hn::StoreU(v.g, d, g + i);
    hn::StoreU(v.b, d, b + i);
  }
};

SL_SHARED Rgb Interpolate(const sl_lookup &lut, const LookupPlaces &places, size_t i) {
  const DF d;
  const hn::Repartition<double, DF> dd;
  const ptrdiff_t size = lut.size;
  const float *nodes = lut.nodes, *farthest = nodes + 4 * (1 + size + size * size);
  const VF w0 = hn::Load(d, places.weights[0] + i), wa = hn::Load(d, places.weights[1] + i);
  const VF wb = hn::Load(d, places.weights[2] + i), w7 = hn::Load(d, places.weights[3] + i);
  const auto weigh = [&](size_t k, VF v0, VF va, VF vb, VF v7) HWY_ATTR {
    const VF near = hn::MulAdd(va, LoadNodes(d, nodes, places.a + i + k),
                               hn::Mul(v0, LoadNodes(d, nodes, places.nearest + i + k)));
    return hn::MulAdd(v7, LoadNodes(d, farthest, places.nearest + i + k),
                      hn::MulAdd(vb, LoadNodes(d, nodes, places.b + i + k), near));
  };
  const VF p0 =
      weigh(0, hn::Broadcast<0>(w0), hn::Broadcast<0>(wa), hn::Broadcast<0>(wb), hn::Broadcast<0>(w7));
  const VF p1 =
      weigh(1, hn::Broadcast<1>(w0), hn::Broadcast<1>(wa), hn::Broadcast<1>(wb), hn::Broadcast<1>(w7));
  const VF p2 =
      weigh(2, hn::Broadcast<2>(w0), hn::Broadcast<2>(wa), hn::Broadcast<2>(wb), hn::Broadcast<2>(w7));
  const VF p3 =
      weigh(3, hn::Broadcast<3>(w0), hn::Broadcast<3>(wa), hn::Broadcast<3>(wb), hn::Broadcast<3>(w7));
  // Transposes four pixels of a block to planes, within each block.
  const auto pairs = [&](VF v) HWY_ATTR { return hn::BitCast(dd, v); };
  const auto rg01 = pairs(hn::InterleaveLower(d, p0, p1)), rg23 = pairs(hn::InterleaveLower(d, p2, p3));
  const auto b01 = pairs(hn::InterleaveUpper(d, p0, p1)), b23 = pairs(hn::InterleaveUpper(d, p2, p3));
  return {hn::BitCast(d, hn::InterleaveLower(dd, rg01, rg23)),
          hn::BitCast(d, hn::InterleaveUpper(dd, rg01, rg23)),
          hn::BitCast(d, hn::InterleaveLower(dd, b01, b23))};
}

// At most one block, and a multiple of the vector length.
HWY_INLINE void LookUp(const sl_lookup &t, const Planes &planes, size_t count, LookupPlaces *places) {
  if (t.nodes == nullptr) {
    for (size_t i = 0; i < count; i += kLanes) {
      const Rgb in = planes.Load(i);
      planes.Store(Faded(t, in, Shaped(t, in)), i);
    }
    return;
  }
  for (size_t i = 0; i < count; i += kLanes) {
    StorePlaces(Locate(t, Shaped(t, planes.Load(i))), places, i);
  }
  for (size_t i = 0; i < count; i += kLanes) {
    planes.Store(Faded(t, planes.Load(i), Interpolate(t, *places, i)), i);
  }
}

void RunLookup(const sl_lookup &table, float *r, float *g, float *b, size_t n) {
  LookupPlaces places;
  const size_t whole = n - n % kLanes;
  for (size_t i = 0; i < whole; i += kBlock) {
    LookUp(table, Planes{r + i, g + i, b + i}, HWY_MIN(kBlock, whole - i), &places);
  }
  if (whole < n) {
    float last[3][kLanes] = {};
    float *const planes[3] = {r, g, b};
    for (int c = 0; c < 3; c++) {
      for (size_t k = whole; k < n; k++) last[c][k - whole] = planes[c][k];
    }
    LookUp(table, Planes{last[0], last[1], last[2]}, kLanes, &places);
    for (int c = 0; c < 3; c++) {
      for (size_t k = whole; k < n; k++) planes[c][k] = last[c][k - whole];
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
namespace {
HWY_EXPORT(RunLookup);
}  // namespace

void RunLookup(const sl_lookup &table, float *r, float *g, float *b, size_t n) {
  SL_KERNEL(RunLookup)(table, r, g, b, n);
}
}  // namespace safelight
#endif
