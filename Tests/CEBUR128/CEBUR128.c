#include "include/CEBUR128.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>

// The library's interface (ebur128.h of 1.2.6), so that its headers need not be installed.
static struct {
  cebur128_meter *(*init)(unsigned, unsigned long, int);
  void (*destroy)(cebur128_meter **);
  int (*set_channel)(cebur128_meter *, unsigned, int);
  int (*add_frames_float)(cebur128_meter *, const float *, size_t);
  int (*loudness_momentary)(cebur128_meter *, double *);
  int (*loudness_shortterm)(cebur128_meter *, double *);
  int (*loudness_global)(cebur128_meter *, double *);
  int (*loudness_range)(cebur128_meter *, double *);
  int (*true_peak)(cebur128_meter *, unsigned, double *);
  int (*sample_peak)(cebur128_meter *, unsigned, double *);
} library;

enum {
  every_mode = 1 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5,
  front_left = 1,
};

static bool is_complete;
static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void) {
  void *file = dlopen("libebur128.so.1", RTLD_NOW | RTLD_LOCAL);
  if (file == NULL) return;
  is_complete = true;
#define LOOK_UP(name)                                      \
  *(void **)&library.name = dlsym(file, "ebur128_" #name); \
  if (library.name == NULL) is_complete = false;
  LOOK_UP(init)
  LOOK_UP(destroy)
  LOOK_UP(set_channel)
  LOOK_UP(add_frames_float)
  LOOK_UP(loudness_momentary)
  LOOK_UP(loudness_shortterm)
  LOOK_UP(loudness_global)
  LOOK_UP(loudness_range)
  LOOK_UP(true_peak)
  LOOK_UP(sample_peak)
#undef LOOK_UP
}

bool cebur128_is_there(void) {
  pthread_once(&started, start);
  return is_complete;
}

cebur128_meter *cebur128_new(unsigned channels, unsigned long rate) {
  if (!cebur128_is_there()) return NULL;
  cebur128_meter *meter = library.init(channels, rate, every_mode);
  for (unsigned i = 0; meter != NULL && i < channels; i++) library.set_channel(meter, i, front_left);
  return meter;
}

void cebur128_free(cebur128_meter *meter) {
  if (meter != NULL) library.destroy(&meter);
}

bool cebur128_add(cebur128_meter *meter, const float *samples, size_t frames) {
  return library.add_frames_float(meter, samples, frames) == 0;
}

#define VALUE(name, function)                                  \
  double name(cebur128_meter *meter) {                         \
    double value;                                              \
    return library.function(meter, &value) == 0 ? value : NAN; \
  }
VALUE(cebur128_momentary, loudness_momentary)
VALUE(cebur128_short_term, loudness_shortterm)
VALUE(cebur128_integrated, loudness_global)
VALUE(cebur128_range, loudness_range)

#define CHANNEL_VALUE(name, function)                                   \
  double name(cebur128_meter *meter, unsigned channel) {                \
    double value;                                                       \
    return library.function(meter, channel, &value) == 0 ? value : NAN; \
  }
CHANNEL_VALUE(cebur128_true_peak, true_peak)
CHANNEL_VALUE(cebur128_sample_peak, sample_peak)
