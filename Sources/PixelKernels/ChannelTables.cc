// A table for each channel of interleaved RGBA.
#include "PixelKernels.h"

namespace safelight {
namespace {
// Table look-ups gain nothing from wider vectors: the loads dominate.
template <typename In, typename Out>
void ApplyTables(const void *src_row, const void *tables, void *dst_row, size_t n) {
  constexpr size_t kEntries = size_t{1} << (8 * sizeof(In));
  constexpr float kAlpha =
      sizeof(Out) == sizeof(In)
          ? 1.0f
          : static_cast<float>((size_t{1} << (8 * (sizeof(Out) % 4))) - 1) / static_cast<float>(kEntries - 1);
  const In *src = static_cast<const In *>(src_row);
  const Out *red = static_cast<const Out *>(tables), *green = red + kEntries, *blue = green + kEntries;
  Out *dst = static_cast<Out *>(dst_row);
  for (size_t i = 0; i < n; i++) {
    const In r = src[4 * i], g = src[4 * i + 1], b = src[4 * i + 2], a = src[4 * i + 3];
    dst[4 * i] = red[r];
    dst[4 * i + 1] = green[g];
    dst[4 * i + 2] = blue[b];
    if constexpr (sizeof(Out) == sizeof(In)) {
      dst[4 * i + 3] = a;
    } else if constexpr (sizeof(Out) == 4) {
      dst[4 * i + 3] = static_cast<float>(a) / static_cast<float>(kEntries - 1);
    } else {
      dst[4 * i + 3] = static_cast<Out>(static_cast<float>(a) * kAlpha + 0.5f);
    }
  }
}

template <typename In>
void ApplyTablesTo(const void *src, const void *tables, void *dst, sl_sample dst_type, size_t n) {
  switch (dst_type) {
    case SL_U8:
      return ApplyTables<In, uint8_t>(src, tables, dst, n);
    case SL_U16:
      return ApplyTables<In, uint16_t>(src, tables, dst, n);
    case SL_F32:
      return ApplyTables<In, float>(src, tables, dst, n);
  }
}
}  // namespace
}  // namespace safelight

extern "C" void sl_apply_tables(const void *src, sl_sample src_type, const void *tables, void *dst,
                                sl_sample dst_type, size_t n) {
  if (src_type == SL_U8) return safelight::ApplyTablesTo<uint8_t>(src, tables, dst, dst_type, n);
  safelight::ApplyTablesTo<uint16_t>(src, tables, dst, dst_type, n);
}
