#include "BadPixels.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace safelight {
namespace {

// A mosaic, and which of its pixels are bad.
class Mosaic {
 public:
  explicit Mosaic(libraw_data_t *data)
      : samples_(data->rawdata.raw_image),
        width_(data->sizes.raw_width),
        height_(data->sizes.raw_height),
        stride_(data->sizes.raw_pitch / sizeof(unsigned short)),
        top_(data->sizes.top_margin),
        left_(data->sizes.left_margin),
        bottom_(std::min(top_ + data->sizes.height, height_)),
        right_(std::min(left_ + data->sizes.width, width_)),
        bad_(static_cast<size_t>(width_) * static_cast<size_t>(height_)) {}

  int width() const { return width_; }
  int height() const { return height_; }
  unsigned short &at(int row, int column) {
    return samples_[static_cast<size_t>(row) * stride_ + static_cast<size_t>(column)];
  }
  void mark(int row, int column) { bad_[index(row, column)] = true; }
  bool is_bad(int row, int column) const { return bad_[index(row, column)]; }

  // The mean of the two good neighbours in opposite directions that differ least, so that edges stay; or of
  // those that there are, if no two are opposite; or the sample itself.
  unsigned short estimate(int row, int column) {
    static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int best = -1, least = 0, sum = 0, count = 0;
    for (const auto &direction : directions) {
      int values[2] = {-1, -1};
      for (int side = 0; side < 2; side++) {
        values[side] = nearest(row, column, direction[0] * (1 - 2 * side), direction[1] * (1 - 2 * side));
        if (values[side] >= 0) sum += values[side], count++;
      }
      const int difference = std::abs(values[0] - values[1]);
      if (values[0] >= 0 && values[1] >= 0 && (best < 0 || difference < least)) {
        best = (values[0] + values[1] + 1) / 2;
        least = difference;
      }
    }
    if (best < 0) best = count > 0 ? (sum + count / 2) / count : at(row, column);
    return static_cast<unsigned short>(best);
  }

 private:
  // How far to look for a good pixel: colours repeat every other one.
  static constexpr int step = 2, reach = 8;

  size_t index(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(width_) + static_cast<size_t>(column);
  }

  int nearest(int row, int column, int down, int right) {
    for (int away = step; away <= reach; away += step) {
      const int y = row + down * away, x = column + right * away;
      // The masked border saw no light.
      if (y < top_ || y >= bottom_ || x < left_ || x >= right_) return -1;
      if (!is_bad(y, x)) return at(y, x);
    }
    return -1;
  }

  unsigned short *samples_;
  int width_, height_;
  size_t stride_;
  // The part that the sensor exposes.
  int top_, left_, bottom_, right_;
  std::vector<bool> bad_;
};

}  // namespace

BadPixels::BadPixels(const clibraw_bad_pixels &bad)
    : areas_(bad.areas, bad.areas + 4 * static_cast<ptrdiff_t>(bad.count)),
      constant_(bad.constant),
      of_exposed_(bad.of_exposed) {}

void BadPixels::fix(libraw_data_t *data) const {
  if (data->rawdata.raw_image == nullptr) return;
  Mosaic mosaic(data);
  const int top = of_exposed_ ? data->sizes.top_margin : 0, left = of_exposed_ ? data->sizes.left_margin : 0;
  std::vector<bool> has_bad(static_cast<size_t>(mosaic.height()));
  // Areas that cover the picture more than once are no list of bad pixels, and would take forever.
  int64_t budget = static_cast<int64_t>(mosaic.width()) * mosaic.height();
  for (size_t i = 0; i + 3 < areas_.size(); i += 4) {
    const int first_row = std::min(areas_[i] + top, mosaic.height());
    const int first_column = std::min(areas_[i + 1] + left, mosaic.width());
    const int last_row = std::min(areas_[i + 2] + top, mosaic.height());
    const int last_column = std::min(areas_[i + 3] + left, mosaic.width());
    for (int row = first_row; row < last_row && budget > 0; row++) {
      has_bad[static_cast<size_t>(row)] = true;
      budget -= std::max(last_column - first_column, 1);
      for (int column = first_column; column < last_column; column++) mosaic.mark(row, column);
    }
  }
  for (int row = 0; row < mosaic.height() && constant_ >= 0; row++) {
    for (int column = 0; column < mosaic.width(); column++) {
      if (mosaic.at(row, column) != constant_) continue;
      mosaic.mark(row, column);
      has_bad[static_cast<size_t>(row)] = true;
    }
  }
  for (int row = 0; row < mosaic.height(); row++) {
    for (int column = 0; column < mosaic.width() && has_bad[static_cast<size_t>(row)]; column++) {
      if (mosaic.is_bad(row, column)) mosaic.at(row, column) = mosaic.estimate(row, column);
    }
  }
}

}  // namespace safelight
