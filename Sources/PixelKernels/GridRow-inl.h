// Nodes of grids, and a grid as a row of pixels meets it.
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_GRID_ROW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_GRID_ROW_INL_H
#undef SAFELIGHT_GRID_ROW_INL_H
#else
#define SAFELIGHT_GRID_ROW_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The most pixels that a field takes at once.
constexpr size_t kFieldBlock = 1024;

// The last node along an axis, and the first of the last pair.
struct NodeEnds {
  VF last, pair;

  // Counted from node `first`.
  HWY_INLINE explicit NodeEnds(int32_t count, int32_t first = 0)
      : last(hn::Set(DF(), static_cast<float>(count - 1 - first))),
        pair(hn::Set(DF(), static_cast<float>((count > 1 ? count - 2 : 0) - first))) {}
};

// Between which two nodes of an axis places are, and how far behind the first one; the nearest ones outside.
struct NodeAxis {
  hn::Vec<hn::RebindToSigned<DF>> first;
  VF part;

  HWY_INLINE NodeAxis(VF place, const NodeEnds &ends) {
    const VF inside = hn::Min(hn::Max(place, hn::Zero(DF())), ends.last);
    const VF floor = hn::Min(hn::Floor(inside), ends.pair);
    first = SmallInteger(floor);
    part = hn::Sub(inside, floor);
  }
};

// The place of a row of pixels among nodes.
class GridRow {
 public:
  // Whether rows of pixels are rows of nodes: wherever the picture is not turned and nodes are far apart.
  HWY_INLINE bool IsRow() const { return is_row_; }

 protected:
  // For the row from column x of row y on. Vectors reach `nodes_beyond` nodes further than their pixels.
  HWY_INLINE void Place(const float *nodes, int32_t width, int32_t height, const double *map, int32_t x,
                        int32_t y, float nodes_beyond) {
    nodes_ = nodes;
    width_ = width, height_ = height;
    for (int k = 0; k < 6; k++) map_[k] = static_cast<float>(map[k]);
    const double cx = x + 0.5, cy = y + 0.5;
    // In double precision: a float is too coarse for large pictures.
    start_ = map[0] * cx + map[1] * cy + map[2];
    x_ = static_cast<float>(start_);
    y_ = static_cast<float>(map[3] * cx + map[4] * cy + map[5]);
    const float lanes = static_cast<float>(hn::Lanes(DF()));
    const float step = map_[0] < 0 ? -map_[0] : map_[0];
    is_row_ = map[3] == 0 && map[1] == 0 && step * (lanes - 1) + nodes_beyond + 0.001f <= lanes;
  }

  // The last node at or before a place, of those that there are.
  static HWY_INLINE int32_t Clipped(float place, int32_t count) {
    const float most = static_cast<float>(count - 1);
    return static_cast<int32_t>(place < 0 ? 0 : place > most ? most : place);
  }

  // The places across of the first pixel, and of those that whole vectors end with, the lesser one first.
  struct Reach {
    float first, last;
  };
  HWY_INLINE Reach Across(size_t n) const {
    const float end = x_ + map_[0] * static_cast<float>(n + hn::Lanes(DF()));
    return x_ < end ? Reach{x_, end} : Reach{end, x_};
  }

  // The place of the row down, among the nodes.
  HWY_INLINE float Down() const {
    const float most = static_cast<float>(height_ - 1);
    return y_ < 0 ? 0 : y_ > most ? most : y_;
  }

  HWY_INLINE size_t Count() const { return static_cast<size_t>(width_) * static_cast<size_t>(height_); }

  const float *nodes_;
  float map_[6];
  int32_t width_, height_;
  // The place across of the first pixel, exactly.
  double start_;
  float x_, y_;

 private:
  bool is_row_;
};
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
