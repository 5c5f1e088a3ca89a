#ifndef SAFELIGHT_LOOK_LIBRARY_H
#define SAFELIGHT_LOOK_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// A file of `presets/`, embedded in the binary so that looks need no installed data.
typedef struct safelight_embedded_file {
  /// The path relative to `presets/`, for example `looks/warm-film.json`; UTF-8, NUL-terminated.
  const char *path;
  /// The file as it is embedded, without a terminating NUL: packed, or its own bytes.
  const unsigned char *embedded;
  size_t embedded_length;
  bool is_packed;
} safelight_embedded_file;

/// All recipes (`looks/`) and LUTs (`luts/`), sorted by path. The table lives as long as the process.
///
/// `count`, never null, receives the number of entries.
const safelight_embedded_file *safelight_look_library(size_t *count);

/// Returns the length of a file in bytes.
size_t safelight_embedded_file_length(const safelight_embedded_file *file);

/// Writes the bytes of a file, `safelight_embedded_file_length` of them, to `bytes`.
void safelight_read_embedded_file(const safelight_embedded_file *file, unsigned char *bytes);

#if defined(__cplusplus)
}
#endif

#endif
