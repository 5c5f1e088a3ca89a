// What every kernel is given: buffers, parameters of the dispatch, and constants that choose its parts.
//
// Pictures lie in buffers of 32-bit words, all planes in one. A picture may be there in part; addresses of planes are
// then those that the whole picture's first sample would have, modulo 2^32, so samples are addressed by their place in
// the whole picture.
#extension GL_EXT_control_flow_attributes : require

// MARK: Buffers

layout(std430, set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Target { uint target[]; };
// One table under three views, so that nodes are loaded whole.
layout(std430, set = 0, binding = 2) readonly buffer Tables { uint tables[]; };
layout(std430, set = 0, binding = 2) readonly buffer TablePairs { uvec2 table_pairs[]; };
layout(std430, set = 0, binding = 2) readonly buffer TableQuads { vec4 table_quads[]; };

float tableFloat(uint word) { return uintBitsToFloat(tables[word]); }

// MARK: Parameters

// `FrameParameters` in Swift.
layout(push_constant) uniform Parameters {
  uvec2 tile;           // pixels that the dispatch writes
  uvec2 origin;         // its first pixel's place in the target picture
  uint target_word;     // where that pixel is stored
  uint target_stride;   // words from one row to the next
  ivec2 size;           // of the whole source, in pixels
  uint plane_bytes[3];  // address of each plane's first sample
  uint plane_stride[3]; // bytes from one row to the next
  ivec2 place;          // of the tile's first pixel among the source's, 0 being the centre of the first one:
  vec2 place_part;      // whole samples and what is left of one
  ivec2 column;         // from one output column to the next, likewise
  ivec2 row;
  vec2 column_part;
  vec2 row_part;
  float shear;          // samples from one line to the next, in two passes
} parameters;

// MARK: Constants

const uint RGBA8 = 0, RGBA16 = 1, RGBAF32 = 2, GRAY8 = 3, YUYV = 4, UYVY = 5, NV12 = 6, NV21 = 7, NV16 = 8, I420 = 9,
           I422 = 10, I444 = 11;
const uint WHOLE = 0, BILINEAR = 1, SHARP = 2;
const uint DIRECT = 0, ROWS_FIRST = 1, COLUMNS_FIRST = 2;

layout(constant_id = 0) const uint INPUT = RGBA8;
layout(constant_id = 1) const uint OUTPUT = RGBA8;
// What lies between pixels; WHOLE where pixels are moved only.
layout(constant_id = 2) const uint SAMPLING = WHOLE;
// What lies between a camera's colour differences.
layout(constant_id = 3) const uint CHROMA_SAMPLING = BILINEAR;
layout(constant_id = 4) const uint ORDER = DIRECT;
// Outside of the source all is transparent; else it is as the nearest edge.
layout(constant_id = 5) const bool IS_OPEN = false;
// The source's alpha is not full everywhere.
layout(constant_id = 6) const bool HAS_ALPHA = false;
// Samples were integers, which cannot hold what a filter overshoots.
layout(constant_id = 7) const bool CLIPS = false;
layout(constant_id = 8) const bool DITHERS = false;
// Colour stages, the word of `tables` where the numbers of the first one begin, and the kinds of those that are known
// when the kernel is compiled.
layout(constant_id = 9) const uint STAGES = 0;
layout(constant_id = 10) const uint FIRST_STAGE = 96;
layout(constant_id = 11) const uint KIND_0 = 0;
layout(constant_id = 12) const uint KIND_1 = 0;
layout(constant_id = 13) const uint KIND_2 = 0;
layout(constant_id = 14) const uint KIND_3 = 0;
layout(constant_id = 15) const uint KIND_4 = 0;
layout(constant_id = 16) const uint KIND_5 = 0;
layout(constant_id = 17) const uint KIND_6 = 0;
layout(constant_id = 18) const uint KIND_7 = 0;
layout(constant_id = 19) const uint KIND_8 = 0;
layout(constant_id = 20) const uint KIND_9 = 0;
layout(constant_id = 21) const uint KIND_10 = 0;
layout(constant_id = 22) const uint KIND_11 = 0;

// Sharp sampling shares what it finds in lines of the source: `passes.glsl`.
const bool IN_TWO_PASSES = SAMPLING == SHARP && ORDER != DIRECT;

// MARK: The head of the tables

// Words of the head, and of each colour stage's numbers, the last of which is its kind.
const uint SLOT = 32;
// R'G'B' from codes 0…255: three rows of a matrix, then what is added.
const uint YCBCR_MATRIX = 0, YCBCR_OFFSET = 9;
// Where the first colour difference lies, in pixels from the first pixel.
const uint CHROMA_SITE = 12;
// Where the lists of a reduction's taps begin: of columns, of rows.
const uint COLUMN_TAPS = 14, ROW_TAPS = 15;
