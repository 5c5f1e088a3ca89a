// xxHash for Swift. Its functions are inline here: its states, as structures, belong only to its static
// interface, and linking a library for three functions would be one more file to load at every start.
#ifndef SAFELIGHT_CXXHASH_H
#define SAFELIGHT_CXXHASH_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct cxxhash_state cxxhash_state;

typedef struct {
  uint64_t low, high;
} cxxhash_value;

static inline cxxhash_state *cxxhash_new(void) {
  XXH3_state_t *state = XXH3_createState();
  if (state) XXH3_128bits_reset(state);
  return (cxxhash_state *)state;
}

static inline void cxxhash_update(cxxhash_state *state, const void *bytes, size_t count) {
  XXH3_128bits_update((XXH3_state_t *)state, bytes, count);
}

static inline cxxhash_value cxxhash_digest(const cxxhash_state *state) {
  const XXH128_hash_t hash = XXH3_128bits_digest((const XXH3_state_t *)state);
  return (cxxhash_value){hash.low64, hash.high64};
}

static inline void cxxhash_free(cxxhash_state *state) { XXH3_freeState((XXH3_state_t *)state); }

#endif
