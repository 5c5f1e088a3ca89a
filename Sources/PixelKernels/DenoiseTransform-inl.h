// The orthonormal DCT of eight vectors.
#include "hwy/highway.h"

// Read again for every instruction set.
#if defined(SAFELIGHT_DENOISE_TRANSFORM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_DENOISE_TRANSFORM_INL_H
#undef SAFELIGHT_DENOISE_TRANSFORM_INL_H
#else
#define SAFELIGHT_DENOISE_TRANSFORM_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {

// cos(k π / 16) / 2; the first and the fourth are √(1/8).
constexpr float kCos1 = 0.49039264f, kCos2 = 0.46193977f, kCos3 = 0.41573481f, kCos4 = 0.35355339f,
                kCos5 = 0.27778512f, kCos6 = 0.19134172f, kCos7 = 0.09754516f;

// Replaces eight samples by their coefficients. Sums and differences of opposite samples separate even and
// odd coefficients; the latter are a 4 × 4 matrix, as cheap as fewer multiplications where they are fused.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE void Transform(D d, V (&x)[8]) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V c1 = hn::Set(d, kCos1), c2 = hn::Set(d, kCos2), c3 = hn::Set(d, kCos3), c4 = hn::Set(d, kCos4);
  const V c5 = hn::Set(d, kCos5), c6 = hn::Set(d, kCos6), c7 = hn::Set(d, kCos7);
  const V s0 = hn::Add(x[0], x[7]), s1 = hn::Add(x[1], x[6]), s2 = hn::Add(x[2], x[5]);
  const V s3 = hn::Add(x[3], x[4]);
  const V d0 = hn::Sub(x[0], x[7]), d1 = hn::Sub(x[1], x[6]), d2 = hn::Sub(x[2], x[5]);
  const V d3 = hn::Sub(x[3], x[4]);
  const V outer = hn::Add(s0, s3), inner = hn::Add(s1, s2);
  const V tilt = hn::Sub(s0, s3), twist = hn::Sub(s1, s2);
  x[0] = hn::Mul(c4, hn::Add(outer, inner));
  x[4] = hn::Mul(c4, hn::Sub(outer, inner));
  x[2] = hn::MulAdd(c2, tilt, hn::Mul(c6, twist));
  x[6] = hn::NegMulAdd(c2, twist, hn::Mul(c6, tilt));
  x[1] = hn::MulAdd(c1, d0, hn::MulAdd(c3, d1, hn::MulAdd(c5, d2, hn::Mul(c7, d3))));
  x[3] = hn::NegMulAdd(c5, d3, hn::NegMulAdd(c1, d2, hn::NegMulAdd(c7, d1, hn::Mul(c3, d0))));
  x[5] = hn::MulAdd(c3, d3, hn::MulAdd(c7, d2, hn::NegMulAdd(c1, d1, hn::Mul(c5, d0))));
  x[7] = hn::NegMulAdd(c1, d3, hn::MulAdd(c3, d2, hn::NegMulAdd(c5, d1, hn::Mul(c7, d0))));
}

// Replaces eight coefficients by their samples: the transposed matrix.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE void InverseTransform(D d, V (&x)[8]) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V c1 = hn::Set(d, kCos1), c2 = hn::Set(d, kCos2), c3 = hn::Set(d, kCos3), c4 = hn::Set(d, kCos4);
  const V c5 = hn::Set(d, kCos5), c6 = hn::Set(d, kCos6), c7 = hn::Set(d, kCos7);
  const V outer = hn::Mul(c4, hn::Add(x[0], x[4])), inner = hn::Mul(c4, hn::Sub(x[0], x[4]));
  const V tilt = hn::MulAdd(c2, x[2], hn::Mul(c6, x[6])), twist = hn::NegMulAdd(c2, x[6], hn::Mul(c6, x[2]));
  const V s0 = hn::Add(outer, tilt), s3 = hn::Sub(outer, tilt);
  const V s1 = hn::Add(inner, twist), s2 = hn::Sub(inner, twist);
  const V d0 = hn::MulAdd(c1, x[1], hn::MulAdd(c3, x[3], hn::MulAdd(c5, x[5], hn::Mul(c7, x[7]))));
  const V d1 = hn::NegMulAdd(c5, x[7], hn::NegMulAdd(c1, x[5], hn::NegMulAdd(c7, x[3], hn::Mul(c3, x[1]))));
  const V d2 = hn::MulAdd(c3, x[7], hn::MulAdd(c7, x[5], hn::NegMulAdd(c1, x[3], hn::Mul(c5, x[1]))));
  const V d3 = hn::NegMulAdd(c1, x[7], hn::MulAdd(c3, x[5], hn::NegMulAdd(c5, x[3], hn::Mul(c7, x[1]))));
  x[0] = hn::Add(s0, d0);
  x[1] = hn::Add(s1, d1);
  x[2] = hn::Add(s2, d2);
  x[3] = hn::Add(s3, d3);
  x[4] = hn::Sub(s3, d3);
  x[5] = hn::Sub(s2, d2);
  x[6] = hn::Sub(s1, d1);
  x[7] = hn::Sub(s0, d0);
}

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
