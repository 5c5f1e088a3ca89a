#include "GainMaps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "LibRawLibrary.h"

namespace safelight {
namespace {

// A place between two points of `count`, the first at `origin`, the others `spacing` apart.
struct Place {
  int low, high;
  float part;

  Place(double at, double origin, double spacing, int count) {
    const double index = count > 1 ? std::clamp((at - origin) / spacing, 0.0, count - 1.0) : 0.0;
    low = static_cast<int>(index);
    high = std::min(low + 1, count - 1);
    part = static_cast<float>(index - low);
  }
};

// What a sample is where no light falls, at a place in what the sensor exposes.
float black_level(const libraw_data_t *data, int row, int column) {
  const libraw_colordata_t &color = data->color;
  const int channel = libraw().libraw_COLOR(const_cast<libraw_data_t *>(data), row, column);
  float black = static_cast<float>(color.black + color.cblack[channel & 3]);
  const unsigned rows = color.cblack[4], columns = color.cblack[5];
  if (rows > 0 && columns > 0) {
    black += static_cast<float>(color.cblack[6 + row % rows * columns + column % columns]);
  }
  return black;
}

}  // namespace

GainMap::GainMap(const clibraw_gain_map &map)
    : map_(map),
      gains_(map.gains, map.gains + static_cast<size_t>(map.rows) * static_cast<size_t>(map.columns)) {}

void GainMap::apply(libraw_data_t *data) const {
  unsigned short *samples = data->rawdata.raw_image;
  if (samples == nullptr) return;
  const libraw_image_sizes_t &sizes = data->sizes;
  const size_t stride = sizes.raw_pitch / sizeof(unsigned short);
  const int height = std::min<int>(sizes.height, sizes.raw_height - sizes.top_margin);
  const int width = std::min<int>(sizes.width, sizes.raw_width - sizes.left_margin);
  const int bottom = std::min(map_.bottom, height), right = std::min(map_.right, width);
  // Black levels repeat; a pitch of rows may meet several of them.
  std::vector<float> line(static_cast<size_t>(map_.columns));
  std::vector<Place> places;
  for (int column = map_.left; column < right; column += map_.column_pitch) {
    places.emplace_back((column + 0.5) / width, map_.column_origin, map_.column_spacing, map_.columns);
  }
  for (int row = map_.top; row < bottom; row += map_.row_pitch) {
    const Place at((row + 0.5) / height, map_.row_origin, map_.row_spacing, map_.rows);
    const float *above = gains_.data() + static_cast<ptrdiff_t>(at.low) * map_.columns;
    const float *below = gains_.data() + static_cast<ptrdiff_t>(at.high) * map_.columns;
    for (int i = 0; i < map_.columns; i++) {
      line[static_cast<size_t>(i)] = above[i] + at.part * (below[i] - above[i]);
    }
    unsigned short *out = samples + static_cast<size_t>(row + sizes.top_margin) * stride + sizes.left_margin;
    size_t index = 0;
    // The levels of the first columns repeat by two, or by the pattern of a file.
    const int period = std::max(2, static_cast<int>(data->color.cblack[5]));
    float levels[64];
    const bool repeats = period <= 64;
    for (int i = 0; repeats && i < period; i++) levels[i] = black_level(data, row, i);
    for (int column = map_.left; column < right; column += map_.column_pitch, index++) {
      const Place &place = places[index];
      const float low = line[static_cast<size_t>(place.low)], high = line[static_cast<size_t>(place.high)];
      const float black = repeats ? levels[column % period] : black_level(data, row, column);
      const float sample = black + (out[column] - black) * (low + place.part * (high - low));
      out[column] = static_cast<unsigned short>(std::clamp(sample + 0.5f, 0.0f, 65535.0f));
    }
  }
}

}  // namespace safelight
