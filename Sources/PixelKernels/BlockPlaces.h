// The places of a block's pixels in the picture they are sampled from: cubics along each axis, through 4 × 4
// nodes.
#ifndef SAFELIGHT_BLOCK_PLACES_H
#define SAFELIGHT_BLOCK_PLACES_H

#include <math.h>
#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {

// A part of a block, as it is asked for.
struct Part {
  int32_t column, row, columns, rows;
};

// c[0] + c[1]·t + c[2]·t² + c[3]·t³
struct Cubic {
  double c[4];

  // Through four values, `step` apart.
  static Cubic Through(const double v[4], double step) {
    const double one = (-11 * v[0] + 18 * v[1] - 9 * v[2] + 2 * v[3]) / 6;
    const double two = (2 * v[0] - 5 * v[1] + 4 * v[2] - v[3]) / 2;
    const double three = (-v[0] + 3 * v[1] - 3 * v[2] + v[3]) / 6;
    return {{v[0], one / step, two / (step * step), three / (step * step * step)}};
  }

  // Through the first and the last of four values.
  static Cubic Line(const double t[4], const double v[4]) {
    const double slope = (v[3] - v[0]) / (t[3] - t[0]);
    return {{v[0] - slope * t[0], slope, 0, 0}};
  }

  // Through four values at four places. Newton's divided differences.
  static Cubic Through(const double t[4], const double v[4]) {
    double d[4] = {v[0], v[1], v[2], v[3]};
    for (int order = 1; order < 4; order++) {
      for (int k = 3; k >= order; k--) d[k] = (d[k] - d[k - 1]) / (t[k] - t[k - order]);
    }
    // Nested products, multiplied out from the innermost.
    double c[4] = {d[3], 0, 0, 0};
    for (int k = 2; k >= 0; k--) {
      for (int power = 3; power > 0; power--) c[power] = c[power - 1] - t[k] * c[power];
      c[0] = d[k] - t[k] * c[0];
    }
    return {{c[0], c[1], c[2], c[3]}};
  }
};

// Lagrange's polynomials at four nodes: what each weighs at u, which is 0 at the first one and 3 at the last.
inline void NodeWeights(double u, double w[4]) {
  w[0] = (u - 1) * (u - 2) * (u - 3) * (-1.0 / 6);
  w[1] = u * (u - 2) * (u - 3) * 0.5;
  w[2] = u * (u - 1) * (u - 3) * -0.5;
  w[3] = u * (u - 1) * (u - 2) * (1.0 / 6);
}

// Places along an axis of the picture, in samples from an anchor: the sample at or before the block's first
// node. Anchors depend on the block alone, so that its pixels are the same in whatever part they are
// computed.
struct AxisPlaces {
  double nodes[4][4];            // by row and column
  double column_step, row_step;  // pixels from one node to the next
  int32_t anchor;

  AxisPlaces(const double values[16], const sl_block &block)
      : column_step(block.width / 3.0), row_step(block.height / 3.0) {
    // Beyond any picture all places are alike.
    anchor = static_cast<int32_t>(fmax(fmin(floor(values[0]), 1e9), -1e9));
    for (int k = 0; k < 16; k++) nodes[k / 4][k % 4] = values[k] - anchor;
  }

  // The four values along a row of pixels.
  void Row(int32_t row, double v[4]) const {
    double w[4];
    NodeWeights((row + 0.5) / row_step, w);
    for (int column = 0; column < 4; column++) {
      v[column] = w[0] * nodes[0][column] + w[1] * nodes[1][column] + w[2] * nodes[2][column] +
                  w[3] * nodes[3][column];
    }
  }
};

// The cubics of a block's four node columns, and of those between them.
struct NodeCubics {
  double c[4][4];  // by node, by power

  void Set(int node, const Cubic &cubic) {
    for (int power = 0; power < 4; power++) c[node][power] = cubic.c[power];
  }

  // That of a column, with the weights of the nodes.
  Cubic At(const double w[4]) const {
    Cubic cubic;
    for (int power = 0; power < 4; power++) {
      cubic.c[power] = w[0] * c[0][power] + w[1] * c[1][power] + w[2] * c[2][power] + w[3] * c[3][power];
    }
    return cubic;
  }
};

}  // namespace safelight

#endif
