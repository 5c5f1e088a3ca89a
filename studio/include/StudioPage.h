// The files of the studio's page, embedded into the program.

#ifndef STUDIO_PAGE_H
#define STUDIO_PAGE_H

#include <stddef.h>

typedef struct {
  // Relative to `studio/page`, such as `stage/stage.js`.
  const char *path;
  const unsigned char *bytes;
  size_t length;
} studio_file;

size_t studio_file_count(void);
// `index` is less than the count.
const studio_file *studio_file_at(size_t index);

#endif
