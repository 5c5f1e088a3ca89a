#include <dlfcn.h>
#include <libavutil/opt.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "Libraries.h"

static struct {
#define POINTER(library, name) __typeof__(name) *name;
  RESAMPLING_FUNCTIONS(POINTER)
#undef POINTER
} swr;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static char start_failure[CFFMPEG_MESSAGE_BYTES];

struct cffmpeg_resampler {
  struct SwrContext *context;
  int from_rate;
};

// libavutil is opened beside it, not libavformat: sound by itself needs no demuxers, which take long to load.
static void *open_library(const char *name, int major) {
  char file[64];
  snprintf(file, sizeof file, "lib%s.so.%d", name, major);
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) snprintf(start_failure, sizeof start_failure, "%s", dlerror());
  return library;
}

static void start(void) {
  void *util = open_library("avutil", LIBAVUTIL_VERSION_MAJOR);
  void *resample = util == NULL ? NULL : open_library("swresample", LIBSWRESAMPLE_VERSION_MAJOR);
  if (resample == NULL) return;
#define LOOK_UP(library, name)                                                                \
  *(void **)&swr.name = dlsym(library, #name);                                                \
  if (swr.name == NULL) {                                                                     \
    snprintf(start_failure, sizeof start_failure, "libswresample has no function %s", #name); \
    return;                                                                                   \
  }
  RESAMPLING_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
}

int cffmpeg_resampling_version(void) { return LIBSWRESAMPLE_VERSION_MAJOR; }

static bool refused(int code, char message[CFFMPEG_MESSAGE_BYTES]) {
  if (code >= 0) return false;
  if (swr.av_strerror(code, message, CFFMPEG_MESSAGE_BYTES) < 0) {
    snprintf(message, CFFMPEG_MESSAGE_BYTES, "error %d", code);
  }
  return true;
}

static cffmpeg_resampler_status configure(cffmpeg_resampler *resampler, int channels, int from_rate,
                                          int to_rate, char message[CFFMPEG_MESSAGE_BYTES]) {
  // No order of channels: none is to be mixed with another.
  AVChannelLayout layout = {.order = AV_CHANNEL_ORDER_UNSPEC, .nb_channels = channels};
  int code = swr.swr_alloc_set_opts2(&resampler->context, &layout, AV_SAMPLE_FMT_FLT, to_rate, &layout,
                                     AV_SAMPLE_FMT_FLT, from_rate, 0, NULL);
  if (refused(code, message)) return CFFMPEG_RESAMPLER_REFUSED;
  // A fixed number of phases, with interpolation between them: with the exact phases of a simple ratio the
  // first compensation would rebuild the filter. Resampled even at equal rates, which then differ a little.
  const struct {
    const char *name;
    int64_t value;
  } options[] = {
      {"flags", SWR_FLAG_RESAMPLE}, {"exact_rational", 0}, {"linear_interp", 1},
      {"phase_shift", 10},          {"filter_size", 64},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    code = swr.av_opt_set_int(resampler->context, options[i].name, options[i].value, 0);
    if (refused(code, message)) return CFFMPEG_RESAMPLER_REFUSED;
  }
  code = swr.swr_init(resampler->context);
  if (code == AVERROR(ENOMEM)) return CFFMPEG_RESAMPLER_NO_MEMORY;
  return refused(code, message) ? CFFMPEG_RESAMPLER_REFUSED : CFFMPEG_RESAMPLER_READY;
}

cffmpeg_resampler *cffmpeg_resampler_new(int channels, int from_rate, int to_rate,
                                         cffmpeg_resampler_status *status,
                                         char message[CFFMPEG_MESSAGE_BYTES]) {
  message[0] = '\0';
  pthread_once(&started, start);
  if (start_failure[0] != '\0') {
    snprintf(message, CFFMPEG_MESSAGE_BYTES, "%s", start_failure);
    *status = CFFMPEG_RESAMPLER_NO_LIBRARY;
    return NULL;
  }
  *status = CFFMPEG_RESAMPLER_NO_MEMORY;
  cffmpeg_resampler *resampler = calloc(1, sizeof *resampler);
  if (resampler == NULL) return NULL;
  resampler->from_rate = from_rate;
  *status = configure(resampler, channels, from_rate, to_rate, message);
  if (*status == CFFMPEG_RESAMPLER_READY) return resampler;
  cffmpeg_resampler_free(resampler);
  return NULL;
}

void cffmpeg_resampler_free(cffmpeg_resampler *resampler) {
  if (resampler == NULL) return;
  swr.swr_free(&resampler->context);
  free(resampler);
}

int cffmpeg_resampler_convert(cffmpeg_resampler *resampler, float *output, int capacity, const float *input,
                              int count) {
  uint8_t *out[] = {(uint8_t *)output};
  const uint8_t *in[] = {(const uint8_t *)input};
  return swr.swr_convert(resampler->context, out, capacity, input == NULL ? NULL : in,
                         input == NULL ? 0 : count);
}

bool cffmpeg_resampler_set_deviation(cffmpeg_resampler *resampler, double deviation) {
  // The library takes samples to add among a number of output samples, and stops when these are through: so
  // many that the next call comes first. More samples mean smaller steps in the input.
  enum { distance = 1 << 28 };
  int added = (int)lround(-deviation * distance);
  return swr.swr_set_compensation(resampler->context, added, distance) >= 0;
}

double cffmpeg_resampler_delay(cffmpeg_resampler *resampler) {
  const int64_t parts = 1 << 20;
  return (double)swr.swr_get_delay(resampler->context, parts * resampler->from_rate) / (double)parts;
}
