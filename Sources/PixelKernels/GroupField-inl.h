// Fields of groups: what they do is found from the colours ahead of all groups, on planar float.
#include "Field-inl.h"
#include "PartialVectors-inl.h"
#include "PixelKernels.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_GROUP_FIELD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_GROUP_FIELD_INL_H
#undef SAFELIGHT_GROUP_FIELD_INL_H
#else
#define SAFELIGHT_GROUP_FIELD_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Haze went through the groups before with the light that it veils, so of brighter light there is more; of a
// colour whose ratios they changed, no more is removed than it has.
HWY_INLINE Rgb UnveiledInGroup(const sl_masked &masked, const sl_field &f, const FieldRow &along,
                               size_t column, Rgb first, Rgb light) {
  const DF d;
  const VF m = along.VeilLimit(f, first), one = hn::Set(d, 1.0f);
  if (!f.haze.removes) return along.Unveiled(f, column, m, m, along.Ambient(one), light);
  const VF stops = hn::Sub(Brightness(masked.brightness, light), Brightness(masked.brightness, first));
  const VF share = Exp2(stops), inverse = Exp2(hn::Neg(stops));
  const Rgb own = {hn::Mul(inverse, light.r), hn::Mul(inverse, light.g), hn::Mul(inverse, light.b)};
  return along.Unveiled(f, column, m, hn::Min(m, along.VeilLimit(f, own)), along.Ambient(share), light);
}

// Runs a field of a group on n pixels of a row from column x on, at most kFieldBlock, given the colours that
// reached the first group.
HWY_INLINE void RunGroupField(const sl_masked &masked, const sl_field &f, const sl_light_grid *grids,
                              int32_t x, int32_t y, const float *const first[3], float *const planes[3],
                              size_t n) {
  const DF d;
  const FieldRow along(f, grids, x, y, n);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const size_t rest = n - i;
    const auto load = [&](const float *const *from) HWY_ATTR {
      return Rgb{LoadFirst(d, from[0] + i, rest), LoadFirst(d, from[1] + i, rest),
                 LoadFirst(d, from[2] + i, rest)};
    };
    const Rgb found = load(first);
    Rgb light = load(planes);
    VF stops = hn::Zero(d);
    if (along.has_detail) stops = along.DetailStops(f, i);
    if (f.has_local) {
      stops = hn::Add(stops, LocalStops(f.local, along.around, i, Brightness(f.brightness, found)));
    }
    if (along.has_haze) light = UnveiledInGroup(masked, f, along, i, found, light);
    const VF gain = Exp2(stops);
    StoreFirst(hn::Mul(light.r, gain), d, planes[0] + i, rest);
    StoreFirst(hn::Mul(light.g, gain), d, planes[1] + i, rest);
    StoreFirst(hn::Mul(light.b, gain), d, planes[2] + i, rest);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
