#ifndef SAFELIGHT_UNPACK_H
#define SAFELIGHT_UNPACK_H

#include <stddef.h>

// Packed tables, as `pack_luts.py` makes and describes them. They are trusted: only those in the binary are
// read.

/// Returns the length in bytes of the text of a packed LUT.
size_t safelight_unpacked_length(const unsigned char *packed);

/// Writes the text of a packed LUT, `safelight_unpacked_length` bytes, to `text`.
void safelight_unpack(const unsigned char *packed, unsigned char *text);

#endif
