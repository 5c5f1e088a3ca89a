// The colour stages of a plan, in order.
#include "matrix.glsl"
#include "curve.glsl"
#include "pointwise.glsl"
#include "curves.glsl"
#include "gamut.glsl"
#include "tetrahedron.glsl"
#include "lookup.glsl"
#include "baked.glsl"
#include "field.glsl"

// `StageWords.Kind` in Swift.
const uint MATRIX = 1, PARAMETRIC = 2, SAMPLED = 3, OKLAB_MIX = 4, TONE = 5, LOOKUP = 6, BAKED = 7, FIELD = 8,
           MASKED = 9, GAINS = 10, CURVES = 11, HUES = 12, GAMUT = 13;

#include "masked.glsl"

// Applies one stage, whose numbers begin at word `at` of the tables. A function for each kind, in their order: Swift
// replaces calls of this one with calls of the kind's function, where the kind is known (`ShaderVariant`).
vec3 stage(uint kind, uint at, vec3 rgb) {
  if (kind == MATRIX) return multiplied(at, rgb);
  if (kind == PARAMETRIC) return parametric(at, rgb);
  if (kind == SAMPLED) return sampled(at, rgb);
  if (kind == OKLAB_MIX) return oklabMixed(at, rgb);
  if (kind == TONE) return toned(at, rgb);
  if (kind == LOOKUP) return lookedUp(at, rgb);
  if (kind == BAKED) return baked(at, rgb);
  if (kind == FIELD) return inField(at, rgb);
  if (kind == MASKED) return inGroups(at, rgb);
  if (kind == GAINS) return inGains(at, rgb);
  if (kind == CURVES) return lightCurves(at, rgb);
  if (kind == HUES) return huesChanged(at, rgb);
  if (kind == GAMUT) return inGamut(at, rgb);
  return rgb;
}

vec3 coloured(vec3 rgb) {
  // Kinds are constants here, so a kernel contains only what its plan needs.
  rgb = stage(KIND_0, FIRST_STAGE, rgb);
  rgb = stage(KIND_1, FIRST_STAGE + SLOT, rgb);
  rgb = stage(KIND_2, FIRST_STAGE + 2 * SLOT, rgb);
  rgb = stage(KIND_3, FIRST_STAGE + 3 * SLOT, rgb);
  rgb = stage(KIND_4, FIRST_STAGE + 4 * SLOT, rgb);
  rgb = stage(KIND_5, FIRST_STAGE + 5 * SLOT, rgb);
  rgb = stage(KIND_6, FIRST_STAGE + 6 * SLOT, rgb);
  rgb = stage(KIND_7, FIRST_STAGE + 7 * SLOT, rgb);
  rgb = stage(KIND_8, FIRST_STAGE + 8 * SLOT, rgb);
  rgb = stage(KIND_9, FIRST_STAGE + 9 * SLOT, rgb);
  rgb = stage(KIND_10, FIRST_STAGE + 10 * SLOT, rgb);
  rgb = stage(KIND_11, FIRST_STAGE + 11 * SLOT, rgb);
  // In longer chains, the kinds of the remaining stages are read at run time.
  for (uint index = 12; index < STAGES; index++) {
    uint at = FIRST_STAGE + index * SLOT;
    rgb = stage(tables[at + SLOT - 1], at, rgb);
  }
  return rgb;
}
