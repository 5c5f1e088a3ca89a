// Without it the library's header defines structures of the C library again.
#define _GNU_SOURCE
#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "include/CALSA.h"

struct calsa_functions alsa;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static char start_failure[calsa_message_bytes];

// The library prints its errors to the terminal unless it is given a function; ours are told by status.
static void say_nothing(const char *file, int line, const char *function, int error, const char *format,
                        ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

static void start(void) {
  void *library = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(start_failure, sizeof start_failure, "%s", dlerror());
    return;
  }
#define LOOK_UP(name)                                                                     \
  *(void **)&alsa.name = dlsym(library, #name);                                           \
  if (alsa.name == NULL) {                                                                \
    snprintf(start_failure, sizeof start_failure, "libasound has no function %s", #name); \
    return;                                                                               \
  }
  CALSA_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  alsa.snd_lib_error_set_handler(say_nothing);
}

bool calsa_start(char message[calsa_message_bytes]) {
  pthread_once(&started, start);
  snprintf(message, calsa_message_bytes, "%s", start_failure);
  return start_failure[0] == '\0';
}
