// The width of edges at full size: runs between neighbouring extremes along rows, columns and diagonals.
//
// Plain integer code: every machine gives the same bits. `AnalysisKernels.h` defines what is measured.
#include <math.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <new>

#include "AnalysisKernels.h"

namespace {
// A line being scanned. Values are 16 times 8-bit codes.
struct Line {
  int16_t previous, start, extreme;  // of the run
  int16_t steepest;                  // the largest step of the run
  int16_t rebound;                   // the largest step back since the extreme
  int8_t direction;                  // 1 up, -1 down, 0 unknown
  bool is_started;
  uint16_t x, y;                  // where the run is steepest
  uint16_t rebound_x, rebound_y;  // where it turns back most steeply
};

struct Scan {
  int tile, columns, reversal, least_height;
  sla_edge_tile *tiles;

  // A run is weighted by the square of its steepest step: in a tile with a sharp edge and many soft ones, the
  // sharp edge decides.
  inline void Add(const Line &line) const {
    const int height = abs(line.extreme - line.start), step = line.steepest;
    if (height < least_height || step <= 0) return;
    sla_edge_tile &tile_sum = tiles[(line.y / tile) * columns + line.x / tile];
    const double weight = static_cast<double>(step) * step;
    tile_sum.weight += weight;
    tile_sum.inverse_width += weight * step / height;
    tile_sum.count++;
  }

  inline void Follow(Line &line, int value, int x, int y) const {
    if (!line.is_started) {
      line.is_started = true;
      line.direction = 0;
      line.previous = line.start = line.extreme = static_cast<int16_t>(value);
      return;
    }
    const int step = value - line.previous;
    line.previous = static_cast<int16_t>(value);
    if (line.direction == 0) {
      if (abs(value - line.start) <= reversal) return;
      line.direction = value > line.start ? 1 : -1;
      line.extreme = static_cast<int16_t>(value);
      line.steepest = static_cast<int16_t>(abs(step));
      line.rebound = 0;
      line.x = static_cast<uint16_t>(x), line.y = static_cast<uint16_t>(y);
      return;
    }
    const int ahead = line.direction * (value - line.extreme), climb = line.direction * step;
    if (ahead >= 0) {
      line.extreme = static_cast<int16_t>(value);
      line.rebound = 0;
      if (climb > line.steepest) {
        line.steepest = static_cast<int16_t>(climb);
        line.x = static_cast<uint16_t>(x), line.y = static_cast<uint16_t>(y);
      }
      return;
    }
    if (-climb > line.rebound) {
      line.rebound = static_cast<int16_t>(-climb);
      line.rebound_x = static_cast<uint16_t>(x), line.rebound_y = static_cast<uint16_t>(y);
    }
    if (-ahead <= reversal) return;
    Add(line);
    line.start = line.extreme;
    line.extreme = static_cast<int16_t>(value);
    line.direction = static_cast<int8_t>(-line.direction);
    line.steepest = line.rebound;
    line.x = line.rebound_x, line.y = line.rebound_y;
    line.rebound = 0;
  }
};

// One row, smoothed by 1 2 1 in both directions and so 16 times as large.
void Smooth(const uint8_t *luma, int width, int height, int y, int16_t *sums, int16_t *out) {
  const uint8_t *const middle = luma + static_cast<ptrdiff_t>(y) * width;
  const uint8_t *const above = y > 0 ? middle - width : middle, *const below =
                                                                    y + 1 < height ? middle + width : middle;
  for (int x = 0; x < width; x++) sums[x + 1] = static_cast<int16_t>(above[x] + 2 * middle[x] + below[x]);
  sums[0] = sums[1], sums[width + 1] = sums[width];
  for (int x = 0; x < width; x++) out[x] = static_cast<int16_t>(sums[x] + 2 * sums[x + 1] + sums[x + 2]);
}

// Null if memory is short: no exception may cross the C interface.
template <typename Element>
std::unique_ptr<Element[]> Zeros(size_t count) {
  return std::unique_ptr<Element[]>(new (std::nothrow) Element[count]());
}

// The luma of a pixel in 256ths. Weights: ITU-R BT.709-6.
template <typename Sample>
inline unsigned WeighedSum(const Sample *rgba) {
  return 54u * rgba[0] + 183u * rgba[1] + 19u * rgba[2];
}

template <typename Sample>
void Luma8(const void *row, int full, bool is_linear, int width, uint8_t *luma) {
  const Sample *const in = static_cast<const Sample *>(row);
  const float scale = 1.0f / (static_cast<float>(full) * 256.0f);
  for (int x = 0; x < width; x++) {
    const float level = static_cast<float>(WeighedSum(in + 4 * x)) * scale;
    luma[x] = static_cast<uint8_t>((is_linear ? sqrtf(level) : level) * 255.0f + 0.5f);
  }
}
}  // namespace

extern "C" void sla_luma8(const void *row, int32_t bits, int32_t is_linear, int32_t width, uint8_t *luma) {
  if (bits == 8 && !is_linear) {
    const uint8_t *const in = static_cast<const uint8_t *>(row);
    for (int x = 0; x < width; x++) luma[x] = static_cast<uint8_t>((WeighedSum(in + 4 * x) + 128) >> 8);
  } else if (bits == 8) {
    Luma8<uint8_t>(row, 255, true, width, luma);
  } else {
    Luma8<uint16_t>(row, 65535, is_linear != 0, width, luma);
  }
}

extern "C" void sla_halve8(const uint8_t *luma, int32_t width, int32_t height, uint8_t *out) {
  const int columns = width / 2;
  for (int y = 0; y < height / 2; y++, out += columns) {
    const uint8_t *const top = luma + static_cast<ptrdiff_t>(2 * y) * width, *const bottom = top + width;
    for (int x = 0; x < columns; x++) {
      out[x] =
          static_cast<uint8_t>((top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1] + 2) >> 2);
    }
  }
}

extern "C" void sla_count_noise(const uint8_t *luma, int32_t width, int32_t height, uint32_t *bins) {
  const int edge = 16;
  for (int top = 0; top + edge <= height; top += edge) {
    for (int left = 0; left + edge <= width; left += edge) {
      int64_t energy = 0, sum = 0;
      for (int y = top + 1; y + 1 < top + edge; y++) {
        const uint8_t *const b = luma + static_cast<ptrdiff_t>(y) * width + left, *const a = b - width,
                             *const c = b + width;
        for (int x = 1; x + 1 < edge; x++) {
          const int response = (a[x - 1] + a[x + 1] + c[x - 1] + c[x + 1]) -
                               2 * (a[x] + c[x] + b[x - 1] + b[x + 1]) + 4 * b[x];
          energy += response * response;
          sum += b[x];
        }
      }
      const int count = (edge - 2) * (edge - 2);
      // Noise is clipped near both ends of the range.
      if (sum < 12 * count || sum > 243 * count) continue;
      const double deviation = sqrt(static_cast<double>(energy) / (36.0 * count));
      bins[std::min(static_cast<int>(deviation * 8), SLA_NOISE_BINS - 1)]++;
    }
  }
}

extern "C" int sla_measure_edges(const uint8_t *luma, int32_t width, int32_t height, int32_t first,
                                 int32_t rows, const sla_edge_settings *settings, sla_edge_tile *tiles) {
  const int stride = std::max(settings->stride, 1), tile = settings->tile;
  const int columns = (width + tile - 1) / tile, tile_rows = (rows + tile - 1) / tile;
  const int reversal = static_cast<int>(settings->reversal * 16);
  const int least_height = static_cast<int>(settings->least_height * 16);
  Scan scans[4];
  for (int i = 0; i < 4; i++) {
    scans[i] =
        Scan{tile, columns, reversal, least_height, tiles + static_cast<ptrdiff_t>(i) * columns * tile_rows};
  }
  const auto sums = Zeros<int16_t>(static_cast<size_t>(width) + 2);
  const auto row = Zeros<int16_t>(static_cast<size_t>(width));
  // Falling diagonals are identified by x - y, rising ones by x + y, both from 0 on.
  const size_t diagonals = static_cast<size_t>(width) + static_cast<size_t>(rows);
  const auto down = Zeros<Line>(static_cast<size_t>(width));
  const auto falling = Zeros<Line>(diagonals), rising = Zeros<Line>(diagonals);
  if (!sums || !row || !down || !falling || !rising) return 0;
  for (int y = 0; y < rows; y++) {
    Smooth(luma, width, height, first + y, sums.get(), row.get());
    if (y % stride == 0) {
      Line line = {};
      for (int x = 0; x < width; x++) scans[0].Follow(line, row[x], x, y);
    }
    for (int x = 0; x < width; x += stride) scans[1].Follow(down[x], row[x], x, y);
    for (int x = y % stride; x < width; x += stride) scans[2].Follow(falling[x - y + rows], row[x], x, y);
    for (int x = (stride - y % stride) % stride; x < width; x += stride) {
      scans[3].Follow(rising[x + y], row[x], x, y);
    }
  }
  return 1;
}
