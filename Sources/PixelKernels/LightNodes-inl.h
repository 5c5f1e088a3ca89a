// The grid of local tone at the pixels of a row, on vectors of float.
#include "GridRow-inl.h"
#include "PartialVectors-inl.h"
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_LIGHT_NODES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_LIGHT_NODES_INL_H
#undef SAFELIGHT_LIGHT_NODES_INL_H
#else
#define SAFELIGHT_LIGHT_NODES_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What lies between the four nodes around each of some pixels of a row.
//
// Where rows of pixels are rows of nodes, which is wherever the picture is not turned, nodes of both rows are
// mixed once, and the few between which a vector of pixels lies are loaded together and chosen in registers.
template <int kNumbers>
class LightNodes : public GridRow {
 public:
  // The planes of `grid` that are `nodes`, for n pixels from column x of row y on, at most kFieldBlock.
  HWY_INLINE void Prepare(const float *nodes, int32_t width, int32_t height, const double *map, int32_t x,
                          int32_t y, size_t n) {
    Place(nodes, width, height, map, x, y, 2);
    if (IsRow()) MixRows(n);
  }

  // Writes each number at pixels from a column on.
  HWY_INLINE void At(size_t column, VF *numbers) const {
    const DF d;
    const hn::RebindToSigned<DF> di;
    if (IsRow()) return Row(*this).At(column, numbers);
    const VF place = Columns(column);
    const NodeAxis across(hn::MulAdd(place, hn::Set(d, map_[0]), hn::Set(d, x_)), NodeEnds(width_));
    const VF gy = hn::MulAdd(place, hn::Set(d, map_[3]), hn::Set(d, y_));
    const NodeAxis down(gy, NodeEnds(height_));
    const auto one = hn::Set(di, 1), width = hn::Set(di, width_);
    const auto right = hn::Min(one, hn::Sub(hn::Set(di, width_ - 1), across.first));
    const auto below = hn::Mul(width, hn::Min(one, hn::Sub(hn::Set(di, height_ - 1), down.first)));
    const auto at = hn::Add(hn::Mul(down.first, width), across.first);
    const auto mixed = [&](size_t number) HWY_ATTR {
      const float *nodes = nodes_ + number * Count();
      const auto row = [&](auto index) HWY_ATTR {
        const VF a = hn::GatherIndex(d, nodes, index), b = hn::GatherIndex(d, nodes, hn::Add(index, right));
        return hn::MulAdd(across.part, hn::Sub(b, a), a);
      };
      const VF top = row(at), bottom = row(hn::Add(at, below));
      return hn::MulAdd(down.part, hn::Sub(bottom, top), top);
    };
    for (int number = 0; number < kNumbers; number++) numbers[number] = mixed(static_cast<size_t>(number));
  }

  // As `At`, of rows of nodes, for loops: what is the same for all pixels stays in registers. Places are
  // counted from the first mixed node: the smaller they are, the more exact, and so are crops beside whole
  // pictures.
  class Row {
   public:
    HWY_INLINE explicit Row(const LightNodes &nodes)
        : step_(hn::Set(DF(), nodes.map_[0])),
          start_(hn::Set(DF(), static_cast<float>(nodes.start_ - nodes.begin_))),
          ends_(nodes.width_, nodes.begin_),
          least_(hn::IndicesFromVec(DI(), hn::Set(DI(), Least(nodes)))),
          mixed_(nodes.mixed_),
          steps_(nodes.steps_) {}

    HWY_INLINE void At(size_t column, VF *numbers) const {
      const DF d;
      const NodeAxis across(hn::MulAdd(Columns(column), step_, start_), ends_);
      const auto base = hn::TableLookupLanes(across.first, least_);
      const auto at = hn::IndicesFromVec(d, hn::Sub(across.first, base));
      const int32_t first = hn::GetLane(base);
      for (int number = 0; number < kNumbers; number++) {
        const VF a = hn::TableLookupLanes(hn::LoadU(d, mixed_[number] + first), at);
        const VF step = hn::TableLookupLanes(hn::LoadU(d, steps_[number] + first), at);
        numbers[number] = hn::MulAdd(across.part, step, a);
      }
    }

   private:
    using DI = hn::RebindToSigned<DF>;
    using Indices = decltype(hn::IndicesFromVec(DI(), hn::Zero(DI())));

    // The lane of a vector of pixels with the first node.
    static HWY_INLINE int32_t Least(const LightNodes &nodes) {
      return nodes.map_[0] < 0 ? static_cast<int32_t>(hn::Lanes(DF())) - 1 : 0;
    }

    const VF step_, start_;
    const NodeEnds ends_;
    const Indices least_;
    const float (*mixed_)[kFieldBlock + 64], (*steps_)[kFieldBlock + 64];
  };

 private:
  // Mixes the two rows of nodes around the row of n pixels, as far as these reach.
  HWY_INLINE void MixRows(size_t n) {
    const DF d;
    const Reach across = Across(n);
    // The last pair of nodes counts for places beyond it.
    begin_ = HWY_MAX(Clipped(across.first, width_) - 1, 0);
    const int32_t last = Clipped(across.last, width_) + 1;
    const int32_t top = HWY_MIN(static_cast<int32_t>(Down()), height_ > 1 ? height_ - 2 : 0);
    const VF part = hn::Set(d, Down() - static_cast<float>(top));
    const size_t below = height_ > 1 ? static_cast<size_t>(width_) : 0;
    const size_t nodes = static_cast<size_t>(HWY_MIN(last, width_ - 1) - begin_) + 1;
    for (size_t number = 0; number < static_cast<size_t>(kNumbers); number++) {
      const float *row = nodes_ + number * Count() + static_cast<size_t>(top) * static_cast<size_t>(width_) +
                         static_cast<size_t>(begin_);
      float *mixed = mixed_[number], *steps = steps_[number];
      const auto mix = [&](size_t i, size_t rest) HWY_ATTR {
        const VF a = LoadFirst(d, row + i, rest), b = LoadFirst(d, row + below + i, rest);
        hn::StoreU(hn::MulAdd(part, hn::Sub(b, a), a), d, mixed + i);
      };
      for (size_t i = 0; i + hn::Lanes(d) <= nodes; i += hn::Lanes(d)) mix(i, hn::Lanes(d));
      // Parts of vectors are slow to load, so the last vector overlaps the one before.
      if (nodes >= hn::Lanes(d)) {
        mix(nodes - hn::Lanes(d), hn::Lanes(d));
      } else {
        mix(0, nodes);
      }
      mixed[nodes] = mixed[nodes - 1];
      for (size_t i = 0; i < nodes; i += hn::Lanes(d)) {
        hn::StoreU(hn::Sub(hn::LoadU(d, mixed + i + 1), hn::LoadU(d, mixed + i)), d, steps + i);
      }
    }
  }

  // The first of the mixed nodes.
  int32_t begin_;
  // Nodes, and what each of them lacks to the next. Vectors are loaded whole, so there is room for one more.
  float mixed_[kNumbers][kFieldBlock + 64], steps_[kNumbers][kFieldBlock + 64];
};
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
