// The interface of every kernel: buffers, parameters of the dispatch, and specialization constants.
//
// Pictures are in buffers of 32-bit words, all planes in one. A buffer may hold part of a picture; plane addresses
// are then those that the whole picture's first sample would have, modulo 2^32, so samples are addressed by their
// position in the whole picture.
#extension GL_EXT_control_flow_attributes : require

// MARK: Buffers

layout(std430, set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Target { uint target[]; };
// One table under three views, so that nodes are loaded whole.
layout(std430, set = 0, binding = 2) readonly buffer Tables { uint tables[]; };
layout(std430, set = 0, binding = 2) readonly buffer TablePairs { uvec2 table_pairs[]; };
layout(std430, set = 0, binding = 2) readonly buffer TableQuads { vec4 table_quads[]; };

// The grids of local tone of the current picture; the tables again if it has none. In denoise.comp the first pass's result.
layout(std430, set = 0, binding = 3) readonly buffer Light { float light_nodes[]; };

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
  ivec2 column;         // from one output column to the next, likewise; of a projection see projected.glsl
  ivec2 row;
  vec2 column_part;
  vec2 row_part;
  float shear;          // samples from one line to the next, in two passes
  uint chroma_word[2];  // as target_word and target_stride, for the second and third plane of the target; in denoise.comp
                        // where the first pass's result has its first sample, and the words between its rows
  uint chroma_stride[2];
} parameters;

// MARK: Constants

const uint RGBA8 = 0, RGBA16 = 1, RGBAF32 = 2, GRAY8 = 3, YUYV = 4, UYVY = 5, NV12 = 6, NV21 = 7, NV16 = 8, I420 = 9,
           I422 = 10, I444 = 11;
const uint WHOLE = 0, BILINEAR = 1, SHARP = 2;
const uint DIRECT = 0, ROWS_FIRST = 1, COLUMNS_FIRST = 2;

layout(constant_id = 0) const uint INPUT = RGBA8;
layout(constant_id = 1) const uint OUTPUT = RGBA8;
// How values between pixels are interpolated; WHOLE if pixels only move.
layout(constant_id = 2) const uint SAMPLING = WHOLE;
// How values between a camera's colour differences are interpolated.
layout(constant_id = 3) const uint CHROMA_SAMPLING = BILINEAR;
layout(constant_id = 4) const uint ORDER = DIRECT;
// Whether places outside the source are transparent; otherwise they equal the nearest edge pixel.
layout(constant_id = 5) const bool IS_OPEN = false;
// Whether the source may have transparent pixels.
layout(constant_id = 6) const bool HAS_ALPHA = false;
// Whether samples were integers, which cannot hold a filter's overshoot.
layout(constant_id = 7) const bool CLIPS = false;
layout(constant_id = 8) const bool DITHERS = false;
// The number of colour stages, the word of `tables` at which the numbers of the first one begin, and the kinds of
// those known when the kernel is compiled.
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

// Which neighbours the target's colour differences depend on, besides the pixels that they stand for: the column
// before (1), the row above (2).
layout(constant_id = 23) const uint REACH = 0;
// Whether places lie behind a projection: `projected.glsl`.
layout(constant_id = 24) const bool PROJECTED = false;

// Two-pass sharp sampling shares results along lines of the source: `passes.glsl`. Behind a projection each pixel has
// its own.
const bool IN_TWO_PASSES = SAMPLING == SHARP && ORDER != DIRECT && !PROJECTED;

// MARK: The head of the tables

// The words of the head, and of each colour stage's numbers, the last of which is its kind.
const uint SLOT = 32;
// From codes 0…255 to R'G'B': three rows of a matrix, then the offset.
const uint YCBCR_MATRIX = 0, YCBCR_OFFSET = 9;
// The position of the first colour difference, in pixels from the first pixel.
const uint CHROMA_SITE = 12;
// The starts of the lists of a downsampling's taps: for columns, for rows.
const uint COLUMN_TAPS = 14, ROW_TAPS = 15;
// From R'G'B' of 0…255 to the target's codes: three rows of a matrix, then the offset.
const uint TARGET_MATRIX = 16, TARGET_OFFSET = 25;
// The start of the list of a sharpening's windows.
const uint SHARPENING = 28;
// The start of the list of a projection's numbers.
const uint PROJECTION = 29;
// The start of the list of a noise reduction's numbers.
const uint DENOISING = 30;
