// Laying baked tables out as the kernel reads them: see BakedLut.h.
#include <algorithm>

#include "BakedLut.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "BakedLutCells.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::FixedTag<int16_t, 8>;
using V = hn::Vec<D>;

HWY_INLINE V Node(const int16_t *node) {
  return hn::ZeroExtendVector(D(), hn::LoadU(hn::FixedTag<int16_t, 4>(), node));
}

// The four corners of a cell with the same position on the red axis.
struct Corners {
  V origin, green, blue, both;
};

HWY_INLINE void StoreCell(const Corners &low, const Corners &high, int16_t *cell) {
  const D d;
  const V minus_origin = hn::Sub(hn::Set(d, -kLevel / 2), low.origin);
  const auto store = [&](Tetrahedron tetrahedron, V dr, V dg, V db) HWY_ATTR {
    int16_t *slots = cell + tetrahedron * (kTetrahedronBytes / 2);
    hn::Store(hn::InterleaveLower(d, dr, dg), d, slots);
    hn::Store(hn::InterleaveLower(d, db, minus_origin), d, slots + kSlotBytes / 2);
  };
  // Steps along an axis, named by the corner at which they start.
  const V red = hn::Sub(high.origin, low.origin), red_green = hn::Sub(high.green, low.green);
  const V red_blue = hn::Sub(high.blue, low.blue), red_both = hn::Sub(high.both, low.both);
  const V green = hn::Sub(low.green, low.origin), green_red = hn::Sub(high.green, high.origin);
  const V green_blue = hn::Sub(low.both, low.blue), green_both = hn::Sub(high.both, high.blue);
  const V blue = hn::Sub(low.blue, low.origin), blue_red = hn::Sub(high.blue, high.origin);
  const V blue_green = hn::Sub(low.both, low.green), blue_both = hn::Sub(high.both, high.green);
  store(kRedBlueGreen, red, green_both, blue_red);
  store(kBlueRedGreen, red_blue, green_both, blue);
  store(kBlueGreenRed, red_both, green_blue, blue);
  store(kRedGreenBlue, red, green_red, blue_both);
  store(kGreenRedBlue, red_green, green, blue_both);
  store(kGreenBlueRed, red_both, green, blue_green);
}

void StoreCells(const int16_t *nodes, int32_t size, int16_t *cell) {
  const size_t row = 4 * static_cast<size_t>(size), plane = row * static_cast<size_t>(size);
  const auto corners = [&](const int16_t *node) HWY_ATTR {
    return Corners{Node(node), Node(node + row), Node(node + plane), Node(node + plane + row)};
  };
  for (int32_t b = 0; b + 1 < size; b++) {
    for (int32_t g = 0; g + 1 < size; g++) {
      const int16_t *node = nodes + static_cast<size_t>(b) * plane + static_cast<size_t>(g) * row;
      Corners low = corners(node);
      for (int32_t r = 0; r + 1 < size; r++, cell += kTetrahedra * kTetrahedronBytes / 2) {
        node += 4;
        const Corners high = corners(node);
        StoreCell(low, high, cell);
        low = high;
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
namespace {
HWY_EXPORT(StoreCells);

void StoreSamples(const sl_baked_lut &lut, PreparedLut *out) {
  const LutAxis axis(lut, 255.0f);
  int32_t fractions[256], sorted[256];
  for (int x = 0; x < 256; x++) {
    const float v = static_cast<float>(x);
    const float scaled = v * axis.gentle;
    const float position = std::min(v * axis.steep, scaled + axis.offset) + kRoundingUnit;
    const int32_t bits = static_cast<int32_t>(position - kRoundingUnit);
    fractions[x] = sorted[x] = bits & 0x7fff;
    out->low[x] = static_cast<uint8_t>(fractions[x]);
    out->high[x] = static_cast<uint8_t>(fractions[x] >> 8);
    out->cell[x] = static_cast<uint8_t>(bits >> 15);
  }
  std::sort(sorted, sorted + 256);
  const int32_t *end = std::unique(sorted, sorted + 256);
  for (int x = 0; x < 256; x++) {
    out->rank[x] = static_cast<uint8_t>(
        std::lower_bound(static_cast<const int32_t *>(sorted), end, fractions[x]) - sorted);
  }
}
}  // namespace
}  // namespace safelight

extern "C" size_t sl_prepared_lut_bytes(int32_t size) {
  if (size > safelight::kMaxCellNodes) return 0;
  const size_t cells = static_cast<size_t>(size - 1);
  return sizeof(safelight::PreparedLut) +
         cells * cells * cells * safelight::kTetrahedra * safelight::kTetrahedronBytes;
}

extern "C" void sl_prepare_lut(const sl_baked_lut *lut, void *memory) {
  auto *prepared = static_cast<safelight::PreparedLut *>(memory);
  safelight::StoreSamples(*lut, prepared);
  SL_KERNEL(safelight::StoreCells)(lut->nodes, lut->size, prepared->Cells());
}
#endif
