#include "SampleConversion.h"

#include <libavutil/samplefmt.h>
#include <stddef.h>

#define CONVERT(type, expression)                                                      \
  for (int c = 0; c < channels; c++) {                                                 \
    const type *in = (const type *)(const void *)data[is_planar ? c : 0];              \
    size_t step = is_planar ? 1 : (size_t)channels, first = is_planar ? 0 : (size_t)c; \
    for (int i = 0; i < count; i++) {                                                  \
      type value = in[first + (size_t)i * step];                                       \
      out[(size_t)i * (size_t)channels + (size_t)c] = (float)(expression);             \
    }                                                                                  \
  }                                                                                    \
  return true;

bool cffmpeg_to_float(uint8_t *const *data, int format, int count, int channels, float *out) {
  bool is_planar = format >= AV_SAMPLE_FMT_U8P && format != AV_SAMPLE_FMT_S64;
  switch (format) {
    case AV_SAMPLE_FMT_U8:
    case AV_SAMPLE_FMT_U8P:
      CONVERT(uint8_t, (value - 128) / 128.0f)
    case AV_SAMPLE_FMT_S16:
    case AV_SAMPLE_FMT_S16P:
      CONVERT(int16_t, value / 32768.0f)
    case AV_SAMPLE_FMT_S32:
    case AV_SAMPLE_FMT_S32P:
      CONVERT(int32_t, value / 2147483648.0)
    case AV_SAMPLE_FMT_S64:
    case AV_SAMPLE_FMT_S64P:
      CONVERT(int64_t, (double)value / 9223372036854775808.0)
    case AV_SAMPLE_FMT_FLT:
    case AV_SAMPLE_FMT_FLTP:
      CONVERT(float, value)
    case AV_SAMPLE_FMT_DBL:
    case AV_SAMPLE_FMT_DBLP:
      CONVERT(double, value)
    default:
      return false;
  }
}
