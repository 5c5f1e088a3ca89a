// The colours of the nodes of a proxy: means of some samples of a camera's planes.
#include "LocalLight.h"

namespace safelight {
namespace {
// kCount is the number of samples of a node in a row, or 0 for one that is only known at run time. It is what
// this function spends its time on, so the usual one is known to the compiler.
template <int kCount>
void SampleRow(const sl_camera_nodes &nodes, float *r, float *g, float *b, size_t n) {
  const int count = kCount > 0 ? kCount : nodes.columns_per_node;
  const float share = 1.0f / static_cast<float>(count * nodes.row_count);
  for (size_t i = 0; i < n; i++) {
    float mean[3];
    for (int c = 0; c < 3; c++) {
      const int32_t *columns = nodes.columns[c] + i * static_cast<size_t>(count);
      int32_t sum = 0;
      for (int row = 0; row < nodes.row_count; row++) {
        const uint8_t *samples = nodes.rows[c][row];
        for (int k = 0; k < count; k++) sum += samples[columns[k]];
      }
      mean[c] = share * static_cast<float>(sum);
    }
    const auto channel = [&](int c) {
      const float *m = nodes.matrix + 3 * c;
      const float x = m[0] * mean[0] + m[1] * mean[1] + m[2] * mean[2] + nodes.offset[c];
      return x < 0 ? 0 : x > 1 ? 1 : x;
    };
    r[i] = channel(0), g[i] = channel(1), b[i] = channel(2);
  }
}
}  // namespace
}  // namespace safelight

extern "C" void sl_sample_camera_nodes(const sl_camera_nodes *nodes, float *r, float *g, float *b, size_t n) {
  if (nodes->columns_per_node == SL_SAMPLES_PER_NODE) {
    safelight::SampleRow<SL_SAMPLES_PER_NODE>(*nodes, r, g, b, n);
  } else {
    safelight::SampleRow<0>(*nodes, r, g, b, n);
  }
}
