#include <algorithm>
#include <cmath>
#include <cstring>

#include "AnalysisKernels.h"

namespace {

constexpr float kDegree = 3.14159265f / 180;
// The step between slopes tried; a line across 160 samples moves by two at its ends.
constexpr int kAngles = SLA_BOUNDARY_ANGLES;
constexpr float kAngleStep = SLA_BOUNDARY_DEGREES * kDegree;
// The minimum luma step of a boundary, per sample of the derivative.
constexpr float kLeastStep = 1.0f / 255;
constexpr int kMostBlocks = 40;
constexpr int kMostReach = 12;

struct Line {
  float slope;   // rows per column, downwards
  float middle;  // row at the middle column
  float score;

  float RowAt(float x, int32_t width) const { return middle + (x - 0.5f * (width - 1)) * slope; }
};

// The step of the picture across row y, minus the changes beside it: slow gradients of light are no boundary.
// `at` has six rows above and below.
inline float Step(const float *at, ptrdiff_t row) {
  const float step = at[row] + at[2 * row] - at[-row] - at[-2 * row];
  const float below = std::fabs(at[6 * row] - at[3 * row]), above = std::fabs(at[-3 * row] - at[-6 * row]);
  // A ramp of s per row steps by 6 s, and changes by 3 s on either side.
  const float rest = std::fabs(step) - 2 * std::min(below, above);
  return rest > 0 ? std::copysign(rest, step) : 0;
}

// The steps of a small picture, column by column, clipped so that neither foam nor a post outvotes the rest.
// Returns the clip.
float TransposedSteps(const float *luma, int32_t width, int32_t height, float *steps, float *scratch) {
  constexpr int32_t kMargin = 6;
  size_t count = 0;
  for (int32_t x = 0; x < width; ++x) {
    float *column = steps + static_cast<ptrdiff_t>(x) * height;
    for (int32_t y = 0; y < height; ++y) {
      const bool inside = y >= kMargin && y < height - kMargin;
      column[y] = inside ? Step(luma + static_cast<ptrdiff_t>(y) * width + x, width) : 0;
    }
  }
  for (ptrdiff_t i = 0; i < static_cast<ptrdiff_t>(width) * height; i += 3)
    scratch[count++] = std::fabs(steps[i]);
  float *median = scratch + count / 2;
  std::nth_element(scratch, median, scratch + count);
  const float limit = std::max(2 * *median, kLeastStep);
  for (ptrdiff_t i = 0; i < static_cast<ptrdiff_t>(width) * height; ++i) {
    steps[i] = std::clamp(steps[i], -limit, limit);
  }
  return limit;
}

// Sums the steps along every line of each slope (a Hough transform by shearing). `sums` holds 3·height
// floats.
Line Search(const float *steps, int32_t width, int32_t height, float limit, float *sums, float *rival,
            float *profile) {
  // A boundary that soon leaves the picture counts less; the picture's shape limits what can be expected.
  const float whole = limit * width;
  Line best = {0, 0, 0};
  for (int pass = 0; pass < 2; ++pass) {
    for (int a = 0; a < kAngles; ++a) {
      const float slope = std::tan((a - kAngles / 2) * kAngleStep);
      std::fill(sums, sums + 3 * height, 0.0f);
      for (int32_t x = 0; x < width; ++x) {
        const float shift = (x - 0.5f * (width - 1)) * slope;
        const int32_t down = static_cast<int32_t>(std::lround(-shift));
        if (down < -height || down > height) continue;
        const float *column = steps + static_cast<ptrdiff_t>(x) * height;
        float *into = sums + height + down;
        for (int32_t y = 0; y < height; ++y) into[y] += column[y];
      }
      for (int32_t b = 0; b < 3 * height; ++b) {
        const float score = std::fabs(sums[b]) / whole;
        const Line line = {slope, static_cast<float>(b - height), score};
        if (pass == 0) {
          profile[a] = std::max(profile[a], score);
          if (score > best.score) best = line;
          continue;
        }
        // A rival is separate from the best line: by more than a tenth of the height at one of the picture's
        // quarters.
        const float left = std::fabs(line.RowAt(0.25f * width, width) - best.RowAt(0.25f * width, width));
        const float right = std::fabs(line.RowAt(0.75f * width, width) - best.RowAt(0.75f * width, width));
        if (std::max(left, right) > 0.1f * height && score > *rival) *rival = score;
      }
    }
    if (pass == 0) *rival = 0;
  }
  return best;
}

// A piece of the boundary: its position, and its certainty.
struct Piece {
  float x, row, weight;
};

// Looks for the boundary in blocks of columns, up to `reach` rows from `line`: where the rows of a block,
// averaged along the line, have the largest step in the direction of `sign`. Returns the number of pieces
// that step at least half as much as the median.
int Pieces(const float *luma, int32_t width, int32_t height, const Line &line, float sign, int reach,
           Piece *pieces, int *visible) {
  constexpr int kSide = 4;  // rows on either side of a step
  constexpr int kMostRows = 2 * (kMostReach + kSide) + 1;
  const int blocks = std::min<int>(kMostBlocks, width / 8);
  int count = 0;
  float heights[kMostBlocks];
  for (int b = 0; b < blocks; ++b) {
    const int32_t from = static_cast<int32_t>(static_cast<int64_t>(b) * width / blocks);
    const int32_t to = static_cast<int32_t>(static_cast<int64_t>(b + 1) * width / blocks);
    const float ends[2] = {line.RowAt(static_cast<float>(from), width),
                           line.RowAt(static_cast<float>(to), width)};
    const int most = reach + kSide;
    if (std::min(ends[0], ends[1]) < most + 1 || std::max(ends[0], ends[1]) > height - most - 2) continue;
    float profile[kMostRows] = {};
    float rest = 0;  // how far rounding moved the rows, on average
    for (int32_t x = from; x < to; ++x) {
      const float exact = line.RowAt(static_cast<float>(x), width);
      const int32_t row = static_cast<int32_t>(std::lround(exact));
      rest += (row - exact) / (to - from);
      const float *at = luma + static_cast<ptrdiff_t>(row - most) * width + x;
      for (int k = 0; k <= 2 * most; ++k) profile[k] += at[static_cast<ptrdiff_t>(k) * width];
    }
    float steps[kMostRows];
    int peak = kSide + 1;
    for (int k = kSide; k <= 2 * most - kSide; ++k) {
      steps[k] = 0;
      for (int side = 1; side <= kSide; ++side) steps[k] += sign * (profile[k + side] - profile[k - side]);
      if (k > kSide && k < 2 * most - kSide && steps[k] > steps[peak]) peak = k;
    }
    const float a = steps[peak - 1], c = steps[peak + 1], bend = a - 2 * steps[peak] + c;
    const float part = bend < 0 ? std::clamp(0.5f * (a - c) / bend, -0.5f, 0.5f) : 0;
    const float x = 0.5f * (from + to - 1);
    heights[count] = steps[peak] / (kSide * (to - from));
    pieces[count] = {x, line.RowAt(x, width) + rest + (peak - most) + part, heights[count]};
    ++count;
  }
  *visible = count;
  if (count == 0) return 0;
  std::nth_element(heights, heights + count / 2, heights + count);
  const float least = std::max(0.5f * heights[count / 2], kLeastStep);
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (pieces[i].weight < least) continue;
    pieces[kept] = pieces[i];
    // A bright sky behind one half must not make the other half irrelevant.
    pieces[kept++].weight = 1;
  }
  return kept;
}

// Fits the line to the pieces near it by least squares with Tukey's biweight. Returns the standard deviation
// of the slope.
float Fit(const Piece *pieces, int count, float tolerance, int32_t width, Line *line, int *agreeing) {
  float slope_error = 1;
  for (int iteration = 0; iteration < 8; ++iteration) {
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, wrr = 0;
    const float reach = iteration < 3 ? 3 * tolerance : tolerance;
    int inside = 0;
    for (int i = 0; i < count; ++i) {
      const float residual = pieces[i].row - line->RowAt(pieces[i].x, width);
      const float part = residual / reach;
      if (std::fabs(part) >= 1) continue;
      ++inside;
      const double weight = pieces[i].weight * (1 - part * part) * (1 - part * part);
      const double x = pieces[i].x - 0.5 * (width - 1);
      w += weight;
      wx += weight * x;
      wy += weight * pieces[i].row;
      wxx += weight * x * x;
      wxy += weight * x * pieces[i].row;
      wrr += weight * residual * residual;
    }
    *agreeing = inside;
    const double determinant = w * wxx - wx * wx;
    if (inside < 4 || determinant <= 0) return 1;
    line->slope = static_cast<float>((w * wxy - wx * wy) / determinant);
    line->middle = static_cast<float>((wxx * wy - wx * wxy) / determinant);
    const double variance = wrr / w * inside / (inside - 2.0) + 0.01;
    slope_error = static_cast<float>(std::sqrt(variance * w / determinant * w / inside));
  }
  return slope_error;
}

// Compares the parts above and below the line in the small picture.
void Sides(const float *small, int32_t width, int32_t height, const Line &line, sla_boundary *boundary) {
  double texture[2] = {};
  int counts[2] = {};
  for (int32_t y = 1; y + 1 < height; ++y) {
    const float *row = small + static_cast<ptrdiff_t>(y) * width;
    for (int32_t x = 1; x + 1 < width; ++x) {
      const float away = y - line.RowAt(static_cast<float>(x), width);
      if (std::fabs(away) < 2) continue;
      const int side = away > 0;
      // Second differences: slow gradients of light are not texture.
      texture[side] += std::fabs(row[x + 1] - 2 * row[x] + row[x - 1]) +
                       std::fabs(row[x + width] - 2 * row[x] + row[x - width]);
      ++counts[side];
    }
  }
  boundary->calm = 0.5f;
  if (counts[0] == 0 || counts[1] == 0) return;
  const double above = texture[0] / counts[0] + 1e-4, below = texture[1] / counts[1] + 1e-4;
  boundary->calm = static_cast<float>(above / (above + below));
}

}  // namespace

size_t sla_boundary_scratch(int32_t width, int32_t height) {
  const size_t w = width, h = height;
  return (w / 2) * (h / 2) + 2 * (w / 4) * (h / 4) + 4 * h + 64;
}

int sla_find_boundary(const float *luma, int32_t width, int32_t height, float *scratch,
                      sla_boundary *boundary, float profile[SLA_BOUNDARY_ANGLES]) {
  std::fill(profile, profile + kAngles, 0.0f);
  const int32_t small_width = width / 4, small_height = height / 4;
  if (small_width < 24 || small_height < 24) return 0;
  float *half = scratch, *small = half + static_cast<ptrdiff_t>(width / 2) * (height / 2);
  float *steps = small + static_cast<ptrdiff_t>(small_width) * small_height;
  float *sums = steps + static_cast<ptrdiff_t>(small_width) * small_height;
  sla_halve(luma, width, height, half);
  sla_halve(half, width / 2, height / 2, small);
  const float limit = TransposedSteps(small, small_width, small_height, steps, half);
  float rival = 0;
  const Line coarse = Search(steps, small_width, small_height, limit, sums, &rival, profile);
  if (coarse.score < 0.15f) return 0;

  // Determines the lighter side from the picture itself.
  float total = 0;
  for (int32_t x = 0; x < small_width; ++x) {
    const int32_t row = static_cast<int32_t>(std::lround(coarse.RowAt(static_cast<float>(x), small_width)));
    if (row >= 0 && row < small_height) total += steps[static_cast<ptrdiff_t>(x) * small_height + row];
  }
  const float sign = total < 0 ? -1.0f : 1.0f;

  Line line = {coarse.slope, 4 * coarse.middle + 1.5f, coarse.score};
  Piece pieces[kMostBlocks];
  int visible = 0, agreeing = 0;
  float slope_error = 1;
  for (const int reach : {kMostReach, 8, 6}) {
    const int count = Pieces(luma, width, height, line, sign, reach, pieces, &visible);
    if (count < 4) return 0;
    slope_error = Fit(pieces, count, reach > 6 ? 5.0f : 2.5f, width, &line, &agreeing);
    if (agreeing < 4) return 0;
  }
  const int blocks = std::min<int>(kMostBlocks, width / 8);
  boundary->slope = line.slope;
  boundary->middle = line.middle + 0.5f;
  boundary->slope_error = slope_error;
  boundary->coverage = static_cast<float>(agreeing) / std::max(visible, blocks / 2);
  boundary->coherence = coarse.score;
  boundary->rival = coarse.score > 0 ? rival / coarse.score : 1;
  boundary->light_above = sign < 0;
  Sides(small, small_width, small_height, {line.slope, 0.25f * (line.middle - 1.5f), 0}, boundary);
  return 1;
}
