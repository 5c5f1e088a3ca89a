// libmysofa's head-related impulse responses behind a few plain functions, opened with dlopen on first use.
//
// Programs that do not monitor binaurally do not load the library and need not have it. Functions may be
// called from any thread; one set of responses belongs to one thread at a time.
#ifndef SAFELIGHT_CMYSOFA_H
#define SAFELIGHT_CMYSOFA_H

#include <stdbool.h>

enum { CMYSOFA_MESSAGE_BYTES = 256 };

typedef enum {
  CMYSOFA_READ,
  // The file is missing or may not be read.
  CMYSOFA_NO_FILE,
  // The file is damaged, or holds no responses to a free field.
  CMYSOFA_NOT_USABLE,
  CMYSOFA_OUT_OF_MEMORY,
} cmysofa_status;

typedef struct cmysofa_responses cmysofa_responses;

// Opens libmysofa. Returns false, with the reason in `message`, if it is missing.
bool cmysofa_start(char message[CMYSOFA_MESSAGE_BYTES]);

// Reads a SOFA file and resamples it to `rate` Hz. Needs `cmysofa_start`. `*out` is NULL unless CMYSOFA_READ
// is returned; otherwise the reason is in `message`.
cmysofa_status cmysofa_open(const char *path, float rate, cmysofa_responses **out,
                            char message[CMYSOFA_MESSAGE_BYTES]);
void cmysofa_close(cmysofa_responses *responses);

// The number of samples of each response, without its delay.
int cmysofa_length(const cmysofa_responses *responses);

// Interpolates the responses of the left and the right ear to a source at `x` (front), `y` (left), `z` (up).
// `left` and `right` take cmysofa_length() samples each. Delays are in seconds, to be added before them.
void cmysofa_response(cmysofa_responses *responses, float x, float y, float z, float *left, float *right,
                      float *left_delay, float *right_delay);

#endif
