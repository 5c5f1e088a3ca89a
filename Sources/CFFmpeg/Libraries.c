#include "Libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct cffmpeg_functions ff;

static pthread_once_t reading_started = PTHREAD_ONCE_INIT;
static pthread_once_t encoding_started = PTHREAD_ONCE_INIT;
static pthread_once_t scaling_started = PTHREAD_ONCE_INIT;
static char reading_failure[CFFMPEG_MESSAGE_BYTES];
static char encoding_failure[CFFMPEG_MESSAGE_BYTES];
static char scaling_failure[CFFMPEG_MESSAGE_BYTES];

// Structures differ between major versions, so only the one that this was built for can be used.
static void *open_library(const char *name, int major, char failure[CFFMPEG_MESSAGE_BYTES]) {
  char file[64];
  snprintf(file, sizeof file, "lib%s.so.%d", name, major);
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) snprintf(failure, CFFMPEG_MESSAGE_BYTES, "%s", dlerror());
  return library;
}

#define LOOK_UP(library, name)                                                    \
  *(void **)&ff.name = dlsym(library, #name);                                     \
  if (ff.name == NULL) {                                                          \
    snprintf(failure, CFFMPEG_MESSAGE_BYTES, "FFmpeg has no function %s", #name); \
    return;                                                                       \
  }

static void start_reading(void) {
  char *failure = reading_failure;
  void *util = open_library("avutil", LIBAVUTIL_VERSION_MAJOR, failure);
  void *codec = util == NULL ? NULL : open_library("avcodec", LIBAVCODEC_VERSION_MAJOR, failure);
  void *format = codec == NULL ? NULL : open_library("avformat", LIBAVFORMAT_VERSION_MAJOR, failure);
  if (format == NULL) return;
  READING_FUNCTIONS(LOOK_UP)
  // Decoders report oddities that they decode around; on a user's terminal these are noise. A level that the
  // program has set itself is kept.
  if (ff.av_log_get_level() == AV_LOG_INFO) ff.av_log_set_level(AV_LOG_QUIET);
}

static void start_encoding(void) {
  char *failure = encoding_failure;
  if (!cffmpeg_start(failure)) return;
  // They are open already.
  void *util = open_library("avutil", LIBAVUTIL_VERSION_MAJOR, failure);
  void *codec = util == NULL ? NULL : open_library("avcodec", LIBAVCODEC_VERSION_MAJOR, failure);
  void *format = codec == NULL ? NULL : open_library("avformat", LIBAVFORMAT_VERSION_MAJOR, failure);
  if (format == NULL) return;
  ENCODING_FUNCTIONS(LOOK_UP)
}

static void start_scaling(void) {
  char *failure = scaling_failure;
  void *scale = open_library("swscale", LIBSWSCALE_VERSION_MAJOR, failure);
  if (scale == NULL) return;
  SCALING_FUNCTIONS(LOOK_UP)
}

bool cffmpeg_start(char message[CFFMPEG_MESSAGE_BYTES]) {
  pthread_once(&reading_started, start_reading);
  snprintf(message, CFFMPEG_MESSAGE_BYTES, "%s", reading_failure);
  return reading_failure[0] == '\0';
}

bool cffmpeg_start_encoding(char message[CFFMPEG_MESSAGE_BYTES]) {
  pthread_once(&encoding_started, start_encoding);
  snprintf(message, CFFMPEG_MESSAGE_BYTES, "%s", encoding_failure);
  return encoding_failure[0] == '\0';
}

bool cffmpeg_start_scaling(char message[CFFMPEG_MESSAGE_BYTES]) {
  pthread_once(&scaling_started, start_scaling);
  snprintf(message, CFFMPEG_MESSAGE_BYTES, "%s", scaling_failure);
  return scaling_failure[0] == '\0';
}

int cffmpeg_format_version(void) { return LIBAVFORMAT_VERSION_MAJOR; }
