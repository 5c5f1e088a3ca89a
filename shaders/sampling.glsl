// Interpolation between samples. With the place (px, py) in samples, 0 being the centre of the first one, the
// weights K of a kernel, normalized to a sum of 1, and source(k, r) the sample of column k in row r, or the
// nearest one beyond the edges:
//
//     DIRECT         Σr K(r - py) · Σk K(k - px) · source(k, r)
//     ROWS_FIRST     Σr K(r - py) · Σk K(k - px - (r - py)·s) · source(k, r)
//     COLUMNS_FIRST  Σk K(k - px) · Σr K(r - py - (k - px)·s) · source(k, r)
//
//     BILINEAR  K(t) = 1 - |t|,                                    |t| < 1
//     SHARP     K(t) = sinc(t) · I₀(β·√(1 - (t/3)²)) / I₀(β),      |t| < 3,  β = 5
//
// Sources: Kaiser, Schafer, "On the use of the I₀-sinh window for spectrum analysis", IEEE Trans. ASSP 28(1), 1980;
// Catmull, Smith, "3-D transformations of images in scanline order", SIGGRAPH 1980.

// A place: whole samples and a fraction, 0…1. A float alone is too coarse for rows of many thousands.
struct Place {
  ivec2 whole;
  vec2 part;
};

Place carried(ivec2 whole, vec2 part) {
  vec2 carry = floor(part);
  return Place(whole + ivec2(carry), part - carry);
}

// The place shown by a pixel of the tile.
Place placeOf(ivec2 at) {
  ivec2 whole = parameters.place + at.x * parameters.column + at.y * parameters.row;
  if (SAMPLING == WHOLE) return Place(whole, vec2(0));
  return carried(
      whole, parameters.place_part + float(at.x) * parameters.column_part + float(at.y) * parameters.row_part);
}

int taps(uint kernel) { return kernel == SHARP ? 6 : kernel == BILINEAR ? 2 : 1; }
// The taps before the place's whole sample.
int tapsBefore(uint kernel) { return kernel == SHARP ? 2 : 0; }

// The sharp kernel's weights of tap `tap` and its mirror image 5 - tap, at u = part - ½. Both are one polynomial
// of degree 7 in u and in -u, that is E(u²) ± u·O(u²), which interpolates the weights, normalized to a sum of 1,
// at the Chebyshev nodes of -½…½. Its error is at most 4·10⁻⁶ everywhere.
vec2 mirroredWeights(int tap, float u) {
  vec4 even, odd;  // from the highest power down
  if (tap == 0) {
    even = vec4(0.0860601366, -0.0929068849, -0.0577365421, 0.0188970305);
    odd = vec4(0.0279565248, -0.128026754, 0.210692301, -0.0451077782);
  } else if (tap == 1) {
    even = vec4(-0.0822767690, 0.0413552783, 0.464397103, -0.117398903);
    odd = vec4(-0.153788522, 0.464764208, -0.815075696, 0.177121699);
  } else {
    even = vec4(-0.00378336571, 0.0515516065, -0.406660557, 0.598501861);
    odd = vec4(0.345054358, -0.877810359, 1.58732080, -1.34735322);
  }
  float square = u * u;
  float e = ((even.x * square + even.y) * square + even.z) * square + even.w;
  float o = u * (((odd.x * square + odd.y) * square + odd.z) * square + odd.w);
  return vec2(e + o, e - o);
}

// Computes the weights of the `taps` samples that start `tapsBefore` before the place.
void weigh(uint kernel, float part, out float weights[6]) {
  weights = float[](1, 0, 0, 0, 0, 0);
  if (kernel == BILINEAR) {
    weights[0] = 1 - part;
    weights[1] = part;
  } else if (kernel == SHARP) {
    [[unroll]] for (int tap = 0; tap < 3; tap++) {
      vec2 both = mirroredWeights(tap, part - 0.5);
      weights[tap] = both.x;
      weights[5 - tap] = both.y;
    }
  }
}

// The planes in which windows are weighted.
const uint COLOURS = 0, LUMA = 1, CHROMA = 2;

// A sample for weighting: colours are premultiplied by alpha if there is one.
vec4 loadSample(uint plane, ivec2 at) {
  if (plane == LUMA) return vec4(loadLuma(at), 0, 0, 0);
  if (plane == CHROMA) return vec4(loadChroma(at), 0, 0);
  vec4 pixel = loadRGBA(at);
  return HAS_ALPHA ? vec4(pixel.rgb * pixel.a, pixel.a) : pixel;
}

// Returns the weighted samples around a place. `last` is the plane's last column and row; `kernels` are those
// along x and y.
vec4 window(uint plane, ivec2 last, uvec2 kernels, uint order, float shear, Place at) {
  vec4 sum = vec4(0);
  float column_weights[6], row_weights[6];
  if (order == COLUMNS_FIRST) {
    weigh(kernels.x, at.part.x, column_weights);
    [[unroll]] for (int k = 0; k < taps(kernels.x); k++) {
      int column = k - tapsBefore(kernels.x);
      Place crossing = carried(at.whole, vec2(0, at.part.y + (float(column) - at.part.x) * shear));
      weigh(kernels.y, crossing.part.y, row_weights);
      vec4 line = vec4(0);
      [[unroll]] for (int r = 0; r < taps(kernels.y); r++) {
        ivec2 place = ivec2(at.whole.x + column, crossing.whole.y - tapsBefore(kernels.y) + r);
        line += row_weights[r] * loadSample(plane, clamp(place, ivec2(0), last));
      }
      sum += column_weights[k] * line;
    }
    return sum;
  }
  weigh(kernels.y, at.part.y, row_weights);
  weigh(kernels.x, at.part.x, column_weights);
  [[unroll]] for (int r = 0; r < taps(kernels.y); r++) {
    int row = r - tapsBefore(kernels.y);
    Place crossing = at;
    if (order == ROWS_FIRST) {
      crossing = carried(at.whole, vec2(at.part.x + (float(row) - at.part.y) * shear, 0));
      weigh(kernels.x, crossing.part.x, column_weights);
    }
    vec4 line = vec4(0);
    [[unroll]] for (int k = 0; k < taps(kernels.x); k++) {
      ivec2 place = ivec2(crossing.whole.x - tapsBefore(kernels.x) + k, at.whole.y + row);
      line += column_weights[k] * loadSample(plane, clamp(place, ivec2(0), last));
    }
    sum += row_weights[r] * line;
  }
  return sum;
}

// The fraction of a pixel at a place that lies inside the source.
float coverage(Place at) {
  vec2 left = vec2(at.whole + 1) + at.part, right = vec2(parameters.size - at.whole) - at.part;
  vec2 inside = clamp(min(left, right), 0.0, 1.0);
  return inside.x * inside.y;
}
