// The nodes of a baked table between every other one.
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "NodeRefinement.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four rows and the share of each.
struct Blend {
  const int16_t *rows[4];
  const float *weights;

  template <class D>
  HWY_INLINE void Run(D d, size_t i, int16_t *out) const {
    const hn::Rebind<int16_t, D> d16;
    const hn::RebindToSigned<D> di;
    const auto row = [&](int k) HWY_ATTR {
      return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d16, rows[k] + i)));
    };
    const auto weight = [&](int k) HWY_ATTR { return hn::Set(d, weights[k]); };
    const auto sum =
        hn::MulAdd(weight(0), row(0),
                   hn::MulAdd(weight(1), row(1), hn::MulAdd(weight(2), row(2), hn::Mul(weight(3), row(3)))));
    const auto limit = hn::Set(d, 2.0f * SL_NODE_UNIT);
    const auto code = hn::NearestInt(hn::Min(hn::Max(sum, hn::Neg(limit)), limit));
    hn::StoreU(hn::DemoteTo(d16, code), d16, out + i);
  }
};

void BlendNodes(const int16_t *const rows[4], const float *weights, int16_t *out, size_t n) {
  const hn::CappedTag<float, 16> d;
  const hn::CappedTag<float, 4> node;
  const Blend blend = {{rows[0], rows[1], rows[2], rows[3]}, weights};
  const size_t count = 4 * n, lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) blend.Run(d, i, out);
  for (; i < count; i += hn::Lanes(node)) blend.Run(node, i, out);
}

// The four coarse nodes around the one between `k` and the next.
HWY_INLINE size_t FirstOfFour(size_t k, size_t size) { return HWY_MIN(k > 0 ? k - 1 : 0, size - 4); }

void RefinePlane(const int16_t *coarse, size_t size, const float *weights, int16_t *fine) {
  const hn::CappedTag<float, 4> node;
  const size_t edge = 2 * size - 1;
  for (size_t row = 0; row < size; row++) {
    const int16_t *from = coarse + 4 * size * row;
    int16_t *to = fine + 4 * edge * 2 * row;
    for (size_t k = 0; k < size; k++) {
      for (size_t c = 0; c < 4; c++) to[8 * k + c] = from[4 * k + c];
      if (k + 1 == size) break;
      const int16_t *four = from + 4 * FirstOfFour(k, size);
      const Blend blend = {{four, four + 4, four + 8, four + 12}, weights + 4 * k};
      for (size_t c = 0; c < 4; c += hn::Lanes(node)) blend.Run(node, c, to + 8 * k + 4);
    }
  }
  for (size_t k = 0; k + 1 < size; k++) {
    const int16_t *rows[4];
    for (size_t i = 0; i < 4; i++) rows[i] = fine + 4 * edge * 2 * (FirstOfFour(k, size) + i);
    BlendNodes(rows, weights + 4 * k, fine + 4 * edge * (2 * k + 1), edge);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(BlendNodes);
HWY_EXPORT(RefinePlane);
}  // namespace safelight
extern "C" void sl_blend_nodes(const int16_t *const rows[4], const float weights[4], int16_t *nodes,
                               size_t n) {
  SL_KERNEL(safelight::BlendNodes)(rows, weights, nodes, n);
}

extern "C" void sl_refine_plane(const int16_t *coarse, size_t size, const float *weights, int16_t *fine) {
  SL_KERNEL(safelight::RefinePlane)(coarse, size, weights, fine);
}
#endif
