// Whether the instruction set at hand has AVX-512 VBMI and VNNI: byte permutes of whole vectors, and dot
// products that accumulate. Included again for every instruction set; HWY_WANT_AVX3_DL must be defined.
#if defined(SAFELIGHT_WHOLE_VECTOR_PERMUTES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_WHOLE_VECTOR_PERMUTES_INL_H
#undef SAFELIGHT_WHOLE_VECTOR_PERMUTES_INL_H
#else
#define SAFELIGHT_WHOLE_VECTOR_PERMUTES_INL_H
#endif

#include "hwy/highway.h"

#undef SL_WHOLE_VECTOR_PERMUTES
#if HWY_TARGET == HWY_AVX3_DL
#define SL_WHOLE_VECTOR_PERMUTES 1
// Highway checks for AVX-512 VNNI before it chooses this target, but does not enable it in the compiler.
#undef HWY_TARGET_STR
#define HWY_TARGET_STR \
  HWY_TARGET_STR_AVX3  \
  ",vpclmulqdq,avx512vbmi,avx512vbmi2,vaes,avxvnni,avx512vnni,avx512bitalg,avx512vpopcntdq"
#else
#define SL_WHOLE_VECTOR_PERMUTES 0
#endif

#endif
