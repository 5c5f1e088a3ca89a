#include "unpack.h"

#include <stdint.h>
#include <string.h>

// The format is described in `pack_luts.py`.

enum { NODES = 33, UNIT = 10000, LENGTHS = 8 };

typedef struct bit_reader {
  const unsigned char *bytes;
  size_t position;  // in bits
} bit_reader;

/// Returns the bits that follow, the next one highest: at least 57.
static uint64_t next_bits(const bit_reader *reader) {
  const unsigned char *bytes = reader->bytes + reader->position / 8;
  uint64_t bits = 0;
  for (int i = 0; i < 8; i++) bits = bits << 8 | bytes[i];
  return bits << reader->position % 8;
}

/// Reads a difference; `sum` is 16 times the channel's running mean.
static int read_difference(bit_reader *reader, unsigned *sum) {
  const int low_bits = 31 - __builtin_clz(*sum >> 4 | 1);
  unsigned value = 0;
  uint64_t bits = next_bits(reader);
  // With fewer than 32 zeros, what follows them is in `bits` too.
  for (; bits >> 32 == 0; bits = next_bits(reader)) {
    value += 32;
    reader->position += 32;
  }
  const int zeros = __builtin_clzll(bits);
  bits <<= zeros + 1;
  // In two steps, since a shift by 64 is undefined.
  value = (value + (unsigned)zeros) << low_bits | (unsigned)(bits >> 1 >> (63 - low_bits));
  reader->position += (size_t)(zeros + 1 + low_bits);
  *sum += value - (*sum >> 4);
  return value & 1 ? -(int)(value >> 1) - 1 : (int)(value >> 1);
}

/// Writes a multiple of 1e-4 in 0…1, without zeros at its end, and returns the end of the text.
static unsigned char *write_number(unsigned number, unsigned char *text) {
  *text++ = number == UNIT ? '1' : '0';
  const unsigned digits[] = {number / 1000 % 10, number / 100 % 10, number / 10 % 10, number % 10};
  int decimals = 4;
  while (decimals > 0 && digits[decimals - 1] == 0) decimals--;
  if (decimals > 0) *text++ = '.';
  for (int i = 0; i < decimals; i++) *text++ = (unsigned char)('0' + digits[i]);
  return text;
}

static size_t read_length(const unsigned char *bytes) {
  return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

size_t safelight_unpacked_length(const unsigned char *packed) { return read_length(packed); }

void safelight_unpack(const unsigned char *packed, unsigned char *text) {
  const size_t head = read_length(packed + 4);
  memcpy(text, packed + LENGTHS, head);
  text += head;

  bit_reader reader = {packed + LENGTHS + head, 0};
  unsigned sums[3] = {16 * 4, 16 * 4, 16 * 4};
  // Differences along an axis are undone by adding them up: along red here, along green in `plane`, along
  // blue in `table`, which then holds the nodes of the plane just read.
  int table[NODES][NODES][3] = {0};
  for (int blue = 0; blue < NODES; blue++) {
    int plane[NODES][3] = {0};
    for (int green = 0; green < NODES; green++) {
      int row[3] = {0};
      for (int red = 0; red < NODES; red++) {
        for (int channel = 0; channel < 3; channel++) {
          row[channel] += read_difference(&reader, &sums[channel]);
          plane[red][channel] += row[channel];
          table[green][red][channel] += plane[red][channel];
          text = write_number((unsigned)table[green][red][channel], text);
          *text++ = channel < 2 ? ' ' : '\n';
        }
      }
    }
  }
}
