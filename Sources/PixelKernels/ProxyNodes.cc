// The colours of the nodes of a proxy: means of some samples of a camera's planes.
#include "LocalLight.h"

namespace safelight {
namespace {
// The nodes that are worked on at once, and the most bytes of a row that their samples may lie in to be
// summed all together: of larger pictures most bytes are no samples.
constexpr size_t kNodes = 64, kMostBytes = 4096;

// The sums of samples of some nodes.
using Sums = int32_t[kNodes];

// kCount is the number of samples of a node in a row. The compiler knows it, since it is what these functions
// spend their time on.
template <int kCount, class Sample>
void SumColumns(const Sample *samples, const int32_t *columns, int32_t first, size_t n, Sums sums) {
  for (size_t i = 0; i < n; i++, columns += kCount) {
    for (int k = 0; k < kCount; k++) sums[i] += samples[columns[k] - first];
  }
}

// Sums the samples of n nodes of a channel from node `start` on.
template <int kCount>
void SumNodes(const sl_camera_nodes &nodes, int c, size_t start, size_t n, Sums sums) {
  const int32_t *columns = nodes.columns[c] + start * kCount;
  const int32_t first = columns[0];
  const size_t bytes = static_cast<size_t>(columns[n * kCount - 1] - first) + 1;
  for (size_t i = 0; i < n; i++) sums[i] = 0;
  if (bytes > kMostBytes) {
    for (int row = 0; row < nodes.row_count; row++) {
      SumColumns<kCount>(nodes.rows[c][row], columns, 0, n, sums);
    }
    return;
  }
  // Rows first, which vectors add up.
  uint16_t row_sums[kMostBytes];
  for (size_t k = 0; k < bytes; k++) row_sums[k] = nodes.rows[c][0][static_cast<size_t>(first) + k];
  for (int row = 1; row < nodes.row_count; row++) {
    const uint8_t *samples = nodes.rows[c][row] + first;
    for (size_t k = 0; k < bytes; k++) row_sums[k] = static_cast<uint16_t>(row_sums[k] + samples[k]);
  }
  SumColumns<kCount>(row_sums, columns, first, n, sums);
}

template <int kCount>
void SampleRow(const sl_camera_nodes &nodes, float *r, float *g, float *b, size_t n) {
  const float share = 1.0f / static_cast<float>(kCount * nodes.row_count);
  for (size_t start = 0; start < n; start += kNodes) {
    const size_t some = n - start < kNodes ? n - start : kNodes;
    Sums sums[3];
    for (int c = 0; c < 3; c++) SumNodes<kCount>(nodes, c, start, some, sums[c]);
    for (size_t i = 0; i < some; i++) {
      float mean[3];
      for (int c = 0; c < 3; c++) mean[c] = share * static_cast<float>(sums[c][i]);
      const auto channel = [&](int c) {
        const float *m = nodes.matrix + 3 * c;
        const float x = m[0] * mean[0] + m[1] * mean[1] + m[2] * mean[2] + nodes.offset[c];
        return x < 0 ? 0 : x > 1 ? 1 : x;
      };
      r[start + i] = channel(0), g[start + i] = channel(1), b[start + i] = channel(2);
    }
  }
}
}  // namespace
}  // namespace safelight

extern "C" void sl_sample_camera_nodes(const sl_camera_nodes *nodes, float *r, float *g, float *b, size_t n) {
  switch (nodes->columns_per_node) {
    case 1:
      return safelight::SampleRow<1>(*nodes, r, g, b, n);
    case 2:
      return safelight::SampleRow<2>(*nodes, r, g, b, n);
    case 3:
      return safelight::SampleRow<3>(*nodes, r, g, b, n);
    default:
      return safelight::SampleRow<SL_SAMPLES_PER_NODE>(*nodes, r, g, b, n);
  }
}
