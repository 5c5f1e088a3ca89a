#include "include/CMySofa.h"

#include <dlfcn.h>
#include <mysofa.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MYSOFA_FUNCTIONS(X) \
  X(mysofa_open_no_norm)    \
  X(mysofa_getfilter_float) \
  X(mysofa_close)

// Filled once, before the first use, and constant afterwards.
static struct {
#define POINTER(name) __typeof__(&name) name;
  MYSOFA_FUNCTIONS(POINTER)
#undef POINTER
} sofa;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static char start_failure[CMYSOFA_MESSAGE_BYTES];

struct cmysofa_responses {
  struct MYSOFA_EASY *easy;
  int length;
};

static void start(void) {
  void *library = dlopen("libmysofa.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(start_failure, sizeof start_failure, "%s", dlerror());
    return;
  }
#define LOOK_UP(name)                                                                     \
  *(void **)&sofa.name = dlsym(library, #name);                                           \
  if (sofa.name == NULL) {                                                                \
    snprintf(start_failure, sizeof start_failure, "libmysofa has no function %s", #name); \
    return;                                                                               \
  }
  MYSOFA_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
}

bool cmysofa_start(char message[CMYSOFA_MESSAGE_BYTES]) {
  pthread_once(&started, start);
  snprintf(message, CMYSOFA_MESSAGE_BYTES, "%s", start_failure);
  return start_failure[0] == '\0';
}

static const char *meaning(int error) {
  switch (error) {
    case MYSOFA_INVALID_FORMAT:
      return "it is not a SOFA file, or damaged";
    case MYSOFA_UNSUPPORTED_FORMAT:
      return "its kind of HDF5 is not supported";
    case MYSOFA_READ_ERROR:
      return "it ends too early";
    case MYSOFA_INVALID_ATTRIBUTES:
      return "its attributes are not those of SimpleFreeFieldHRIR";
    case MYSOFA_INVALID_DIMENSIONS:
    case MYSOFA_INVALID_DIMENSION_LIST:
      return "its dimensions do not fit together";
    case MYSOFA_INVALID_COORDINATE_TYPE:
      return "its coordinates are neither cartesian nor spherical";
    case MYSOFA_INVALID_RECEIVER_POSITIONS:
      return "its receivers are not two ears";
    case MYSOFA_ONLY_THE_SAME_SAMPLING_RATE_SUPPORTED:
      return "its responses have several sample rates";
    default:
      return "libmysofa does not accept it";
  }
}

cmysofa_status cmysofa_open(const char *path, float rate, cmysofa_responses **out,
                            char message[CMYSOFA_MESSAGE_BYTES]) {
  *out = NULL;
  message[0] = '\0';
  // The library would report a missing file as a damaged one, and read standard input for "-".
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    snprintf(message, CMYSOFA_MESSAGE_BYTES, "it cannot be opened");
    return CMYSOFA_NO_FILE;
  }
  fclose(file);
  cmysofa_responses *responses = calloc(1, sizeof *responses);
  if (responses == NULL) return CMYSOFA_OUT_OF_MEMORY;
  int error = MYSOFA_OK;
  responses->easy = sofa.mysofa_open_no_norm(path, rate, &responses->length, &error);
  if (responses->easy == NULL || responses->length <= 0) {
    cmysofa_close(responses);
    if (error == MYSOFA_NO_MEMORY) return CMYSOFA_OUT_OF_MEMORY;
    snprintf(message, CMYSOFA_MESSAGE_BYTES, "%s", meaning(error));
    return CMYSOFA_NOT_USABLE;
  }
  *out = responses;
  return CMYSOFA_READ;
}

void cmysofa_close(cmysofa_responses *responses) {
  if (responses == NULL) return;
  if (responses->easy != NULL) sofa.mysofa_close(responses->easy);
  free(responses);
}

int cmysofa_length(const cmysofa_responses *responses) { return responses->length; }

void cmysofa_response(cmysofa_responses *responses, float x, float y, float z, float *left, float *right,
                      float *left_delay, float *right_delay) {
  sofa.mysofa_getfilter_float(responses->easy, x, y, z, left, right, left_delay, right_delay);
}
