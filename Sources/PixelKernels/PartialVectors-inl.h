// Vectors at the end of a row. Included once for every instruction set.
#if defined(SAFELIGHT_PARTIAL_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_PARTIAL_VECTORS_INL_H_
#undef SAFELIGHT_PARTIAL_VECTORS_INL_H_
#else
#define SAFELIGHT_PARTIAL_VECTORS_INL_H_
#endif

#include <string.h>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {

// Loads the first `count` lanes from memory and sets the others to 0; loads all if `count` is not smaller
// than the vector.
template <class D, typename T = hwy::HWY_NAMESPACE::TFromD<D>>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> LoadFirst(D d, const T *from, size_t count) {
  if (HWY_LIKELY(count >= hwy::HWY_NAMESPACE::Lanes(d))) return hwy::HWY_NAMESPACE::LoadU(d, from);
  T some[HWY_MAX_BYTES / sizeof(T)] = {};
  memcpy(some, from, count * sizeof(T));
  return hwy::HWY_NAMESPACE::LoadU(d, some);
}

// Stores only the first `count` lanes.
template <class D, typename T = hwy::HWY_NAMESPACE::TFromD<D>>
HWY_INLINE void StoreFirst(hwy::HWY_NAMESPACE::Vec<D> v, D d, T *to, size_t count) {
  if (HWY_LIKELY(count >= hwy::HWY_NAMESPACE::Lanes(d))) {
    hwy::HWY_NAMESPACE::StoreU(v, d, to);
    return;
  }
  T some[HWY_MAX_BYTES / sizeof(T)];
  hwy::HWY_NAMESPACE::StoreU(v, d, some);
  memcpy(to, some, count * sizeof(T));
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
