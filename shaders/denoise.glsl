// Noise reduction by sliding DCTs, in two passes of the same kind: `denoise_guide.comp`, then `denoise.comp`. With c the
// coefficients of a block of 8 × 8 samples, and g those of the block in the first pass's result:
//
//     first pass   c' = c · clamp((|c| / t - 1) / (2 · ramp) + ½, 0, 1)
//     second pass  c' = c · g² / (g² + v)
//     sample       Σ w · block / Σ w   over the blocks that cover it,  w = 1 / Σ gain²
//
// The mean of a block is kept. Samples are stabilized, and luma apart from colour; `Denoising` in Swift has the formulas
// and their sources. A work group makes a tile of the source, one plane after another; an invocation changes one block.

// A group covers 32 × 16 pixels, two per invocation.
layout(local_size_x = 256) in;

#include "parameters.glsl"
#include "picture.glsl"

// Tiles begin on even columns and fourth rows, as blocks do: those over a tile begin at most six columns or rows before it.
const int TILE_X = 32, TILE_Y = 16, HALO = 6, WINDOW_X = TILE_X + 2 * HALO, WINDOW_Y = TILE_Y + 2 * HALO;
const uint TILE_PIXELS = TILE_X * TILE_Y, WINDOW_SAMPLES = WINDOW_X * WINDOW_Y;
const uint INVOCATIONS = 256, OWN = TILE_PIXELS / INVOCATIONS;
const uint LOADED = (WINDOW_SAMPLES + INVOCATIONS - 1) / INVOCATIONS;

shared float window_samples[WINDOW_SAMPLES];
// Sums over blocks in fixed point: floats would depend on the order in which invocations add them.
shared int block_sums[TILE_PIXELS];
shared int block_weights[TILE_PIXELS];
const float WEIGHT_SCALE = 67108864.0;  // 2²⁶: the sum of 16 weights of at most 1 stays below 2³¹
const float MOST_SUMMAND = 134217000.0; // the sum of 16 stays below 2³¹

// `setDenoising` in Swift: what all planes share, then the words of each plane.
const uint FORWARD = 0, FORWARD_STEPS = 1, BACKWARD = 2, BACKWARD_STEPS = 3, HIGHEST = 4, SUM_SCALE = 5, RAMP_BEGIN = 6;
const uint PLANES = 7, PLANE_WORDS = 4;
const uint STRENGTH = 0, SLOPE = 1, VARIANCE = 2, ROW_STEP = 3;

float number(uint word) { return tableFloat(tables[DENOISING] + word); }
uint planeWord(uint plane, uint word) { return tables[DENOISING] + PLANES + plane * PLANE_WORDS + word; }

ivec2 tile_first, tile_last;

void beginTile() {
  tile_first = ivec2(parameters.origin) + ivec2(gl_WorkGroupID.xy) * ivec2(TILE_X, TILE_Y);
  tile_last = min(tile_first + ivec2(TILE_X, TILE_Y), ivec2(parameters.origin + parameters.tile)) - 1;
}

// MARK: Samples

// The value of a table that is linear between its entries and beyond its ends.
float entry(uint table, uint steps, float place) {
  uint index = uint(clamp(place, 0.0, float(steps - 1)));
  float low = tableFloat(table + index), high = tableFloat(table + index + 1);
  return low + (high - low) * (place - float(index));
}

float stabilized(float x) {
  uint list = tables[DENOISING], steps = tables[list + FORWARD_STEPS];
  float usable = isNumber(x) ? clamp(x, -1.0, 2.0) : 0.0;
  return entry(tables[list + FORWARD], steps, usable * float(steps));
}

float restored(float value) {
  uint list = tables[DENOISING], steps = tables[list + BACKWARD_STEPS];
  return entry(tables[list + BACKWARD], steps, value * float(steps) / number(HIGHEST));
}

// Luma and two differences of colour, along axes of length 1 at right angles: 1/√3, 1/√2 and 1/√6.
const vec3 LENGTHS = vec3(0.57735027, 0.70710678, 0.40824829);

vec3 planesOf(vec3 rgb) {
  vec3 s = vec3(stabilized(rgb.r), stabilized(rgb.g), stabilized(rgb.b));
  return LENGTHS * vec3(s.r + s.g + s.b, s.r - s.b, s.r - 2.0 * s.g + s.b);
}

vec3 samplesOf(vec3 planes) {
  vec3 parts = LENGTHS * planes;
  float outer = parts.x + parts.z;
  return vec3(restored(outer + parts.y), restored(parts.x - 2.0 * parts.z), restored(outer - parts.y));
}

// The place inside the picture that is shown at `place` where it is mirrored at its edges.
int mirrored(int place, int count) {
  int turn = (place < 0 ? -1 - place : place) % (2 * count);
  return turn < count ? turn : 2 * count - 1 - turn;
}

// The pixel of the source at an index of the window. What lies further right or down than any block of the tile's pixels
// may not be in the buffer, and none of them needs it.
ivec2 windowPlace(uint index) {
  ivec2 at = tile_first - HALO + ivec2(index % WINDOW_X, index / WINDOW_X);
  at = min(at, tile_last + HALO + 1);
  return ivec2(mirrored(at.x, parameters.size.x), mirrored(at.y, parameters.size.y));
}

// MARK: Blocks

// The orthonormal DCT of eight samples: sums and differences of opposite ones separate even and odd coefficients.
// cos(k π / 16) / 2; the first and the fourth are √(1/8).
const float C1 = 0.49039264, C2 = 0.46193977, C3 = 0.41573481, C4 = 0.35355339, C5 = 0.27778512, C6 = 0.19134172,
            C7 = 0.09754516;

void transform(inout float x[8]) {
  float s0 = x[0] + x[7], s1 = x[1] + x[6], s2 = x[2] + x[5], s3 = x[3] + x[4];
  float d0 = x[0] - x[7], d1 = x[1] - x[6], d2 = x[2] - x[5], d3 = x[3] - x[4];
  float outer = s0 + s3, inner = s1 + s2, tilt = s0 - s3, twist = s1 - s2;
  x[0] = C4 * (outer + inner);
  x[4] = C4 * (outer - inner);
  x[2] = C2 * tilt + C6 * twist;
  x[6] = C6 * tilt - C2 * twist;
  x[1] = C1 * d0 + C3 * d1 + C5 * d2 + C7 * d3;
  x[3] = C3 * d0 - C7 * d1 - C1 * d2 - C5 * d3;
  x[5] = C5 * d0 - C1 * d1 + C7 * d2 + C3 * d3;
  x[7] = C7 * d0 - C5 * d1 + C3 * d2 - C1 * d3;
}

// Back: the transposed matrix.
void invert(inout float x[8]) {
  float outer = C4 * (x[0] + x[4]), inner = C4 * (x[0] - x[4]);
  float tilt = C2 * x[2] + C6 * x[6], twist = C6 * x[2] - C2 * x[6];
  float s0 = outer + tilt, s1 = inner + twist, s2 = inner - twist, s3 = outer - tilt;
  float d0 = C1 * x[1] + C3 * x[3] + C5 * x[5] + C7 * x[7];
  float d1 = C3 * x[1] - C7 * x[3] - C1 * x[5] - C5 * x[7];
  float d2 = C5 * x[1] - C1 * x[3] + C7 * x[5] + C3 * x[7];
  float d3 = C7 * x[1] - C5 * x[3] + C3 * x[5] - C1 * x[7];
  x[0] = s0 + d0;
  x[1] = s1 + d1;
  x[2] = s2 + d2;
  x[3] = s3 + d3;
  x[4] = s3 - d3;
  x[5] = s2 - d2;
  x[6] = s1 - d1;
  x[7] = s0 - d0;
}

// All rows of a block, then all columns: to coefficients, or back. Loops are unrolled, so that blocks stay in registers.
void transformBlock(inout float block[64], bool back) {
  [[unroll]] for (int axis = 0; axis < 2; axis++) {
    int near = axis == 0 ? 1 : 8, far = axis == 0 ? 8 : 1;
    [[unroll]] for (int line = 0; line < 8; line++) {
      float x[8];
      [[unroll]] for (int k = 0; k < 8; k++) x[k] = block[far * line + near * k];
      if (back) {
        invert(x);
      } else {
        transform(x);
      }
      [[unroll]] for (int k = 0; k < 8; k++) block[far * line + near * k] = x[k];
    }
  }
}

// Adds a block, whose first sample is at `corner` of the tile, to the sums of the pixels that it covers.
void addBlock(ivec2 corner, float block[64], float weight) {
  float scale = weight * number(SUM_SCALE);
  int whole_weight = int(weight * WEIGHT_SCALE + 0.5);
  [[unroll]] for (int k = 0; k < 64; k++) {
    ivec2 at = corner + ivec2(k % 8, k / 8);
    if (at.x < 0 || at.y < 0 || at.x >= TILE_X || at.y >= TILE_Y) continue;
    int sample_sum = int(floor(clamp(block[k] * scale, -MOST_SUMMAND, MOST_SUMMAND) + 0.5));
    atomicAdd(block_sums[at.y * TILE_X + at.x], sample_sum);
    atomicAdd(block_weights[at.y * TILE_X + at.x], whole_weight);
  }
}

// The first sample of an invocation's block, in the tile; false if it has none.
bool ownBlock(uint plane, out ivec2 corner) {
  int step = int(tables[planeWord(plane, ROW_STEP)]);
  int first_row = -HALO / step * step;
  uint across = (TILE_X + HALO) / 2, down = uint(TILE_Y - first_row) / uint(step);
  corner = ivec2(-HALO + 2 * int(gl_LocalInvocationIndex % across),
                 first_row + step * int(gl_LocalInvocationIndex / across));
  return gl_LocalInvocationIndex < across * down;
}

// The pixel of the source that an invocation makes.
ivec2 ownPlace(uint own) {
  uint index = gl_LocalInvocationIndex + own * INVOCATIONS;
  return tile_first + ivec2(index % TILE_X, index / TILE_X);
}
bool isInTile(ivec2 at) { return at.x <= tile_last.x && at.y <= tile_last.y; }

// The result of a plane at an invocation's pixel.
float ownSum(uint own) {
  uint index = gl_LocalInvocationIndex + own * INVOCATIONS;
  return float(block_sums[index]) / float(block_weights[index]) * (WEIGHT_SCALE / number(SUM_SCALE));
}

void clearSums() {
  for (uint index = gl_LocalInvocationIndex; index < TILE_PIXELS; index += INVOCATIONS) {
    block_sums[index] = 0;
    block_weights[index] = 0;
  }
}
