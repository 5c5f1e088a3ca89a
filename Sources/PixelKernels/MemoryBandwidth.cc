// The limit that memory sets: the reference for profiles. Copying is memcpy, which needs no kernel.
#include "MemoryBandwidth.h"

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MemoryBandwidth.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

uint64_t ReadMemory(const uint64_t *src, size_t n) {
  const hn::ScalableTag<uint64_t> d;
  const size_t lanes = hn::Lanes(d);
  // Four sums, so that loads do not wait for additions.
  auto a = hn::Zero(d), b = a, c = a, e = a;
  size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    a = hn::Add(a, hn::LoadU(d, src + i));
    b = hn::Add(b, hn::LoadU(d, src + i + lanes));
    c = hn::Add(c, hn::LoadU(d, src + i + 2 * lanes));
    e = hn::Add(e, hn::LoadU(d, src + i + 3 * lanes));
  }
  uint64_t sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
  for (; i < n; i++) sum += src[i];
  return sum;
}

void WriteMemory(uint64_t *dst, uint64_t value, size_t n) {
  const hn::ScalableTag<uint64_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto all = hn::Set(d, value);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(all, d, dst + i);
  for (; i < n; i++) dst[i] = value;
}

void Triad(float *a, const float *b, const float *c, float s, size_t n) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, s);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::MulAdd(scale, hn::LoadU(d, c + i), hn::LoadU(d, b + i)), d, a + i);
  for (; i < n; i++) a[i] = b[i] + s * c[i];
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ReadMemory);
HWY_EXPORT(WriteMemory);
HWY_EXPORT(Triad);
}  // namespace safelight

extern "C" uint64_t sl_read_memory(const uint64_t *src, size_t n) {
  return SL_KERNEL(safelight::ReadMemory)(src, n);
}

extern "C" void sl_write_memory(uint64_t *dst, uint64_t value, size_t n) {
  SL_KERNEL(safelight::WriteMemory)(dst, value, n);
}

extern "C" void sl_triad(float *a, const float *b, const float *c, float s, size_t n) {
  SL_KERNEL(safelight::Triad)(a, b, c, s, n);
}
#endif
