// Places along a row of pixels, in a mask and among the nodes of its shape.
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_MASK_PLACES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_MASK_PLACES_INL_H
#undef SAFELIGHT_MASK_PLACES_INL_H
#else
#define SAFELIGHT_MASK_PLACES_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A line along the row, whose start is found in double precision: a float is too coarse for large pictures.
struct MaskLine {
  float start, step;
  HWY_INLINE VF At(size_t column) const {
    const DF d;
    return hn::MulAdd(hn::Iota(d, static_cast<float>(column)), hn::Set(d, step), hn::Set(d, start));
  }
};

// Nodes and parts along one axis.
struct MaskAxis {
  hn::Vec<hn::RebindToSigned<DF>> first;
  VF part;

  HWY_INLINE MaskAxis(VF place, int32_t count) {
    const DF d;
    const VF inside = hn::Min(hn::Max(place, hn::Zero(d)), hn::Set(d, static_cast<float>(count - 1)));
    const VF floor = hn::Min(hn::Floor(inside), hn::Set(d, static_cast<float>(count > 1 ? count - 2 : 0)));
    first = hn::ConvertTo(hn::RebindToSigned<DF>(), floor);
    part = hn::Sub(inside, floor);
  }
};
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
