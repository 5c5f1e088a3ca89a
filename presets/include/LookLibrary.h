#ifndef SAFELIGHT_LOOK_LIBRARY_H
#define SAFELIGHT_LOOK_LIBRARY_H

#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// A file of `presets/`, embedded in the binary so that looks need no installed data.
typedef struct safelight_embedded_file {
  /// The path relative to `presets/`, for example `looks/warm-film.json`; UTF-8, NUL-terminated.
  const char *path;
  /// The file's bytes, without a terminating NUL.
  const unsigned char *bytes;
  size_t length;
} safelight_embedded_file;

/// All recipes (`looks/`) and LUTs (`luts/`), sorted by path. The table lives as long as the process.
///
/// `count`, never null, receives the number of entries.
const safelight_embedded_file *safelight_look_library(size_t *count);

#if defined(__cplusplus)
}
#endif

#endif
