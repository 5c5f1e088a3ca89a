// Colours of a Bayer mosaic, row by row.
#include <stddef.h>
#include <stdint.h>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "BayerRows.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DI = hn::CappedTag<int32_t, 16>;
using VI = hn::Vec<DI>;

HWY_INLINE VI Samples(const uint16_t *p) {
  const hn::Rebind<uint16_t, DI> d16;
  return hn::PromoteTo(DI(), hn::LoadU(d16, p));
}

HWY_INLINE void StoreSamples(VI v, uint16_t *p) {
  const hn::Rebind<uint16_t, DI> d16;
  hn::StoreU(hn::DemoteTo(d16, v), d16, p);
}

HWY_INLINE VI Clamped(VI v, VI max) { return hn::Min(hn::Max(v, hn::Zero(DI())), max); }

// Whole vectors: rows are padded, and what is written behind the last pixel is nobody's.
void Green(const uint16_t *const rows[5], size_t n, int32_t first_green, int32_t max, uint16_t *green,
           int32_t *difference) {
  const DI d;
  const VI one = hn::Set(d, 1), two = hn::Set(d, 2), four = hn::Set(d, 4), limit = hn::Set(d, max);
  const uint16_t *row = rows[2];
  for (ptrdiff_t x = 0; x < static_cast<ptrdiff_t>(n); x += static_cast<ptrdiff_t>(hn::Lanes(d))) {
    const VI c = Samples(row + x), c2 = hn::ShiftLeft<1>(c);
    const VI left = Samples(row + x - 1), right = Samples(row + x + 1);
    const VI up = Samples(rows[1] + x), down = Samples(rows[3] + x);
    // How much the site's own colour bends, which is what green is taken to do too.
    const VI bend_h = hn::Sub(c2, hn::Add(Samples(row + x - 2), Samples(row + x + 2)));
    const VI bend_v = hn::Sub(c2, hn::Add(Samples(rows[0] + x), Samples(rows[4] + x)));
    const VI change_h = hn::Add(hn::Abs(hn::Sub(left, right)), hn::Abs(bend_h));
    const VI change_v = hn::Add(hn::Abs(hn::Sub(up, down)), hn::Abs(bend_v));
    // Four times green.
    const VI h = hn::Add(hn::ShiftLeft<1>(hn::Add(left, right)), bend_h);
    const VI v = hn::Add(hn::ShiftLeft<1>(hn::Add(up, down)), bend_v);
    const VI mean = hn::ShiftRight<3>(hn::Add(hn::Add(h, v), four));
    const VI along = hn::IfThenElse(hn::Lt(change_h, change_v), h, v);
    const VI found = hn::IfThenElse(hn::Eq(change_h, change_v), mean, hn::ShiftRight<2>(hn::Add(along, two)));
    const VI place = hn::And(hn::Iota(d, static_cast<int32_t>(x)), one);
    const auto is_green = hn::Eq(place, hn::Set(d, first_green));
    const VI g = hn::IfThenElse(is_green, c, Clamped(found, limit));
    StoreSamples(g, green + x);
    hn::StoreU(hn::Sub(c, g), d, difference + x);
  }
}

void Colors(const uint16_t *green, const int32_t *difference, const int32_t *above, const int32_t *below,
            size_t n, int32_t max, uint16_t *own, uint16_t *other) {
  const DI d;
  const VI one = hn::Set(d, 1), two = hn::Set(d, 2), limit = hn::Set(d, max);
  const auto column = [&](ptrdiff_t x)
                          HWY_ATTR { return hn::Add(hn::LoadU(d, above + x), hn::LoadU(d, below + x)); };
  for (ptrdiff_t x = 0; x < static_cast<ptrdiff_t>(n); x += static_cast<ptrdiff_t>(hn::Lanes(d))) {
    const VI g = Samples(green + x);
    // Sites of green are 0, so that these sums are of the sites that there are.
    const VI sides = hn::Add(hn::LoadU(d, difference + x - 1), hn::LoadU(d, difference + x + 1));
    const VI own_sum = hn::Add(hn::ShiftLeft<1>(hn::LoadU(d, difference + x)), sides);
    const VI corners = hn::Add(column(x - 1), column(x + 1));
    const VI other_sum = hn::Add(hn::ShiftLeft<1>(column(x)), corners);
    StoreSamples(Clamped(hn::Add(g, hn::ShiftRight<1>(hn::Add(own_sum, one))), limit), own + x);
    StoreSamples(Clamped(hn::Add(g, hn::ShiftRight<2>(hn::Add(other_sum, two))), limit), other + x);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(Green);
HWY_EXPORT(Colors);

namespace {
template <typename Sample>
void Store(const uint16_t *red, const uint16_t *green, const uint16_t *blue, const Sample *const tables[3],
           size_t n, Sample *rgba) {
  const Sample *r = tables[0], *g = tables[1], *b = tables[2];
  for (size_t i = 0; i < n; i++) {
    rgba[4 * i] = r[red[i]];
    rgba[4 * i + 1] = g[green[i]];
    rgba[4 * i + 2] = b[blue[i]];
    rgba[4 * i + 3] = static_cast<Sample>(-1);
  }
}
}  // namespace
}  // namespace safelight

extern "C" void sl_bayer_green(const uint16_t *const rows[5], size_t n, int32_t first_green, int32_t max,
                               uint16_t *green, int32_t *difference) {
  using namespace safelight;
  SL_KERNEL(Green)(rows, n, first_green, max, green, difference);
}

extern "C" void sl_bayer_colors(const uint16_t *green, const int32_t *difference, const int32_t *above,
                                const int32_t *below, size_t n, int32_t max, uint16_t *own, uint16_t *other) {
  using namespace safelight;
  SL_KERNEL(Colors)(green, difference, above, below, n, max, own, other);
}

extern "C" void sl_bayer_store8(const uint16_t *red, const uint16_t *green, const uint16_t *blue,
                                const uint8_t *const tables[3], size_t n, uint8_t *rgba) {
  safelight::Store(red, green, blue, tables, n, rgba);
}

extern "C" void sl_bayer_store16(const uint16_t *red, const uint16_t *green, const uint16_t *blue,
                                 const uint16_t *const tables[3], size_t n, uint16_t *rgba) {
  safelight::Store(red, green, blue, tables, n, rgba);
}
#endif
