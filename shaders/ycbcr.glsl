// Converts camera samples to R'G'B', clipped to 0…1:
//
//     R'G'B' = M · (Y', Cb, Cr) + offset,     codes 0…255, not necessarily whole
//
// Luma and colour differences are sampled separately at the pixel's position. M and the offset include the matrix
// and the range of the codes.
// Source: ITU-T H.273 (2021), equations 38 to 40 and table 4.

vec3 fromYCbCr(vec3 codes) {
  vec3 rgb;
  for (uint row = 0; row < 3; row++) {
    uint at = YCBCR_MATRIX + 3 * row;
    rgb[row] = tableFloat(at) * codes.x + tableFloat(at + 1) * codes.y + tableFloat(at + 2) * codes.z +
               tableFloat(YCBCR_OFFSET + row);
  }
  return clamp(rgb, 0.0, 1.0);
}

// The same place among the colour differences.
Place chromaPlace(Place at) {
  ivec2 shift = chromaShift(), step = ivec2(1) << shift;
  vec2 site = vec2(tableFloat(CHROMA_SITE), tableFloat(CHROMA_SITE + 1));
  return carried(at.whole >> shift, (vec2(at.whole & (step - 1)) + at.part - site) / vec2(step));
}

// The factor from a shear in pixels to one in colour difference samples.
float chromaShearRatio() {
  ivec2 shift = chromaShift();
  return exp2(float(ORDER == COLUMNS_FIRST ? shift.x - shift.y : shift.y - shift.x));
}

vec3 cameraPixel(Place at) {
  ivec2 last = parameters.size - 1;
  float luma = SAMPLING == WHOLE
                   ? loadLuma(clamp(at.whole, ivec2(0), last))
                   : window(LUMA, last, uvec2(SAMPLING), ORDER, parameters.shear, at).x;
  if (INPUT == GRAY8) return fromYCbCr(vec3(luma, 0, 0));

  ivec2 shift = chromaShift();
  // If pixels stay in place, axes that are not subsampled do too.
  uvec2 kernels = uvec2(SAMPLING == WHOLE && shift.x == 0 ? WHOLE : CHROMA_SAMPLING,
                        SAMPLING == WHOLE && shift.y == 0 ? WHOLE : CHROMA_SAMPLING);
  vec2 chroma = window(CHROMA, (parameters.size - 1) >> shift, kernels, SAMPLING == WHOLE ? DIRECT : ORDER,
                       parameters.shear * chromaShearRatio(), chromaPlace(at)).xy;
  return fromYCbCr(vec3(luma, chroma));
}
