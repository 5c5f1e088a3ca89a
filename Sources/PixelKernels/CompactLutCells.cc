// Laying baked tables out in compact cells: see CompactLut.h.
#include <string.h>

#include "BakedLut.h"
#include "CompactLut.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "CompactLutCells.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::FixedTag<int16_t, 8>;
using V = hn::Vec<D>;

// The corners of a cell, with the near and the far one of red in each vector: at near green and blue, far
// green, far blue, and both far.
struct CellCorners {
  V near, green, blue, both;
};

// Calls function(corners) for all cells, red fastest.
template <class Function>
HWY_INLINE void ForCells(const int16_t *nodes, int32_t size, Function function) {
  const D d;
  const size_t row = 4 * static_cast<size_t>(size), plane = row * static_cast<size_t>(size);
  for (int32_t b = 0; b + 1 < size; b++) {
    for (int32_t g = 0; g + 1 < size; g++) {
      const int16_t *node = nodes + static_cast<size_t>(b) * plane + static_cast<size_t>(g) * row;
      for (int32_t r = 0; r + 1 < size; r++, node += 4) {
        function(CellCorners{hn::LoadU(d, node), hn::LoadU(d, node + row), hn::LoadU(d, node + plane),
                             hn::LoadU(d, node + plane + row)});
      }
    }
  }
}

// Swaps the two halves of a vector.
HWY_INLINE V OtherHalf(V v) {
  const hn::Repartition<int64_t, D> d64;
  return hn::BitCast(D(), hn::Shuffle01(hn::BitCast(d64, v)));
}
HWY_INLINE uint64_t Channels(V v) { return hn::GetLane(hn::BitCast(hn::Repartition<uint64_t, D>(), v)); }
HWY_INLINE V Lowest(const CellCorners &c) {
  const V v = hn::Min(hn::Min(c.near, c.green), hn::Min(c.blue, c.both));
  return hn::Min(v, OtherHalf(v));
}
HWY_INLINE V Highest(const CellCorners &c) {
  const V v = hn::Max(hn::Max(c.near, c.green), hn::Max(c.blue, c.both));
  return hn::Max(v, OtherHalf(v));
}

// Returns the number of steep cells.
int32_t StoreCompactCells(const int16_t *nodes, int32_t size, int8_t *cell) {
  const D d;
  const hn::Repartition<uint16_t, D> dw;
  const hn::FixedTag<int8_t, 8> half;
  const hn::FixedTag<int8_t, 16> d8;
  alignas(16) static constexpr int8_t kByChannel[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
  const auto by_channel = hn::Load(d8, kByChannel);
  int32_t steep_cells = 0;
  ForCells(nodes, size, [&](const CellCorners &corners) HWY_ATTR {
    const V lowest = Lowest(corners);
    const uint64_t ranges = Channels(hn::Sub(Highest(corners), lowest));
    const auto range = [&](int channel)
                           HWY_ATTR { return static_cast<int32_t>(ranges >> 16 * channel & 0xffff); };
    const int32_t widest = HWY_MAX(HWY_MAX(range(0), range(1)), range(2));
    const int32_t needed = HWY_MAX((widest + kPart - 1) / kPart, 1);
    const bool is_steep = needed > kMaxStep;
    steep_cells += is_steep;
    // The corners of steep cells are never read.
    const int32_t step = HWY_MIN(needed, kMaxStep);
    // (2x + step) / (2·step) rounded down, which is exact for x up to 255 steps.
    const auto steps = hn::Set(d, static_cast<int16_t>(step));
    const auto reciprocal = hn::Set(dw, static_cast<uint16_t>((32768 + step - 1) / step));
    const auto bytes = [&](V codes) HWY_ATTR {
      const V above = hn::Sub(codes, lowest);
      const auto doubled = hn::BitCast(dw, hn::Add(hn::Add(above, above), steps));
      const V rounded = hn::BitCast(d, hn::MulHigh(doubled, reciprocal));
      return hn::DemoteTo(half, hn::Sub(rounded, hn::Set(d, kCornerBias)));
    };
    const auto store = [&](V near, V far, int8_t *slot) HWY_ATTR {
      hn::Store(hn::TableLookupBytes(hn::Combine(d8, bytes(far), bytes(near)), by_channel), d8, slot);
    };
    store(corners.near, corners.green, cell);
    store(corners.blue, corners.both, cell + 16);
    const uint64_t low = Channels(hn::Add(lowest, hn::Set(d, kLevel / 2)));
    const uint32_t red_green = static_cast<uint32_t>(low);
    const uint32_t blue = static_cast<uint32_t>(low >> 32 & 0xffff);
    const uint32_t blue_step = blue | static_cast<uint32_t>(is_steep ? 0 : kStepScale * step) << 16;
    memcpy(cell + 12, &red_green, 4);
    memcpy(cell + 28, &blue_step, 4);
    cell += kCompactCellBytes;
  });
  return steep_cells;
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
namespace {
HWY_EXPORT(StoreCompactCells);
}  // namespace
}  // namespace safelight

extern "C" size_t sl_compact_lut_bytes(int32_t size) {
  if (size > safelight::kMaxCompactNodes) return 0;
  const size_t cells = static_cast<size_t>(size - 1);
  return sizeof(safelight::CompactLut) + cells * cells * cells * safelight::kCompactCellBytes;
}

extern "C" int sl_compact_lut(const sl_baked_lut *lut, void *memory) {
  const safelight::LutAxis axis(*lut, 255.0f);
  const int32_t last = lut->size - 1;
  if (!axis.IsUniform() || lut->size > safelight::kMaxCompactNodes) return 0;
  auto *compact = static_cast<safelight::CompactLut *>(memory);
  const int32_t steep = SL_KERNEL(safelight::StoreCompactCells)(lut->nodes, lut->size, compact->Cells());
  compact->has_steep_cells = steep > 0;
  return steep <= last * last * last / safelight::kCellsToOneSteep;
}
#endif
