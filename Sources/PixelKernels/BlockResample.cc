// Sampling a square of a resample's result whose places are nearly, but not quite, those of an affine map: of
// a projection, or of a lens.
//
//   I(i, r) = Σ K(k - X(i, r)) · source(k, r)        where column i of the block crosses row r of the source
//   O(i, j) = Σ K(r - Y(i, j)) · I(i, r)             where pixel (i, j) is on that column
//
// Both passes weigh samples that lie one after another, since a column of the first pass is kept in one
// piece. Columns that climb along the source's columns instead are sampled from the picture mirrored at its
// diagonal, and those that do neither are weighted directly, in both directions at once. Source: Catmull,
// Smith, "3-D transformations of images in scanline order", SIGGRAPH 1980.
//
// Where a pixel covers more than one sample, K is as much wider.
#include "BlockMemory.h"
#include "BlockPlaces.h"
#include "PixelKernels.h"
#include "Targets.h"
#include "WideWeights.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "BlockResample.cc"
#include "hwy/foreach_target.h"

// Must follow the line above, which includes this file again.
#include "BlockPasses-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Sums>
SampleMemory<typename Sums::Sample> &MemoryFor(sl_block_memory &memory) {
  if constexpr (sizeof(typename Sums::Sample) == 2) {
    return memory.fixed;
  } else {
    return memory.plain;
  }
}

// Loads the samples of a rectangle, which is relative to the block's anchors.
template <class Sums>
HWY_NOINLINE Samples<Sums> Load(const sl_image &src, const Block &block, const Range &columns,
                                const Range &rows, bool premultiply, sl_block_memory &memory) {
  SampleMemory<typename Sums::Sample> &own = MemoryFor<Sums>(memory);
  Samples<Sums> samples;
  Window<Sums> &window = samples.window;
  window.x = columns.low + block.x.anchor;
  window.y = rows.low + block.y.anchor;
  // Vectors read past the last column, with weights of 0.
  window.width = columns.high - columns.low + 1 + WideWeights::kGroup;
  window.height = rows.high - rows.low + 1;
  window.stride = 4 * static_cast<size_t>(window.width);
  // The first pass reads up to three rows past the last one.
  window.samples = own.window.Get(window.stride * static_cast<size_t>(window.height + 3));
  samples.line = own.line.Get(4 * static_cast<size_t>(window.height + WideWeights::kGroup));
  const bool is_turned = block.is_turned;
  if (src.type == SL_U8) {
    LoadWindow<uint8_t>(src, is_turned, premultiply, window, samples.line);
  } else if (src.type == SL_U16) {
    LoadWindow<uint16_t>(src, is_turned, premultiply, window, samples.line);
  } else if constexpr (sizeof(typename Sums::Sample) == 4) {
    LoadWindow<float>(src, is_turned, premultiply, window, samples.line);
  }
  // From here on in samples from the anchors, as places are.
  window.x = columns.low;
  window.y = rows.low;
  return samples;
}

// The most pixels of a window. A part that needs more, near the horizon of a projection, is divided.
constexpr int64_t kLargestWindow = 1 << 18;

template <class Sums>
void ResamplePart(const sl_image &src, const Block &block, const Part &part, bool premultiply,
                  const sl_image *covered, sl_block_memory &memory, const Target &target) {
  const auto is_large = [&](const Range &columns, const Range &rows) {
    const int64_t width = int64_t{columns.high} - columns.low, height = int64_t{rows.high} - rows.low;
    return width * height > kLargestWindow && (part.columns > 1 || part.rows > 1);
  };
  if (block.is_direct) {
    const PixelPlaces places(block, part, memory);
    if (!is_large(places.columns, places.rows)) {
      const auto samples = Load<Sums>(src, block, places.columns, places.rows, premultiply, memory);
      return SampleDirectly<Sums>(block, part, places, samples, covered, target);
    }
  } else {
    const ColumnTaps taps(block, part, memory);
    if (!is_large(taps.columns, taps.rows)) {
      const auto samples = Load<Sums>(src, block, taps.columns, taps.rows, premultiply, memory);
      return SampleColumns<Sums>(block, part, taps, samples, target);
    }
  }
  Part first = part, second = part;
  Target rest = target;
  if (part.columns > part.rows) {
    first.columns = part.columns / 2;
    second.column += first.columns;
    second.columns -= first.columns;
    rest.dst = target.At(first.columns, 0);
  } else {
    first.rows = part.rows / 2;
    second.row += first.rows;
    second.rows -= first.rows;
    rest.dst = target.At(0, first.rows);
  }
  ResamplePart<Sums>(src, block, first, premultiply, covered, memory, target);
  ResamplePart<Sums>(src, block, second, premultiply, covered, memory, rest);
}

// Whether some of a block's pixels may lie outside of the picture, if only in part. Decided for whole blocks,
// so that each pixel is computed the same way in every part.
bool IsCovered(const sl_image &src, const sl_block &block) {
  if (block.outside != SL_OUTSIDE_TRANSPARENT) return false;
  const double margin = 2;
  for (int k = 0; k < 16; k++) {
    if (block.x[k] < margin || block.x[k] > src.width - 1 - margin) return true;
    if (block.y[k] < margin || block.y[k] > src.height - 1 - margin) return true;
  }
  return false;
}

void ResampleBlock(const sl_image &src, const sl_block &wanted, const Part &part, sl_block_memory &memory,
                   void *dst, sl_sample dst_type, size_t dst_row_bytes) {
  const bool is_covered = IsCovered(src, wanted), premultiply = wanted.premultiplies != 0;
  const Block block(wanted);
  Target target;
  target.dst = static_cast<char *>(dst);
  target.row_bytes = dst_row_bytes;
  target.is_float = dst_type == SL_F32;
  target.pixel_bytes = target.is_float ? 16 : 8;
  target.premultiplied = premultiply;
  target.scale = src.type == SL_U8 ? 1.0f / 255 : src.type == SL_U16 ? 1.0f / 65535 : 1.0f;
  target.is_clipped = src.type != SL_F32;
  target.full = src.type == SL_U8 ? kFixedFull<uint8_t> : kFixedFull<uint16_t>;
  target.shift = src.type == SL_U8 ? kFixedShift<uint8_t> : kFixedShift<uint16_t>;
  const bool is_fixed = !premultiply && !is_covered && !target.is_float &&
                        (src.type == SL_U8 || (src.type == SL_U16 && src.is_coarse != 0));
  if (is_fixed) {
    ResamplePart<FixedSums>(src, block, part, false, nullptr, memory, target);
  } else {
    ResamplePart<FloatSums>(src, block, part, premultiply, is_covered ? &src : nullptr, memory, target);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ResampleBlock);
}  // namespace safelight

extern "C" sl_block_memory *sl_make_block_memory(void) { return new sl_block_memory; }
extern "C" void sl_free_block_memory(sl_block_memory *memory) { delete memory; }

extern "C" void sl_resample_block(const sl_image *src, const sl_block *block, int32_t column, int32_t row,
                                  int32_t columns, int32_t rows, sl_block_memory *memory, void *dst,
                                  sl_sample dst_type, size_t dst_row_bytes) {
  if (columns <= 0 || rows <= 0) return;
  SL_KERNEL(safelight::ResampleBlock)
  (*src, *block, {column, row, columns, rows}, *memory, dst, dst_type, dst_row_bytes);
}
#endif
