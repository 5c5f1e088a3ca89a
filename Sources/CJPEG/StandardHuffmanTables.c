#include "StandardHuffmanTables.h"

#include <string.h>

#include "include/JPEGFrameDecoder.h"

// Source: ITU-T T.81, annex B.2.4.2: the table's class and number, 16 counts, the values.
static uint8_t *write_table(uint8_t *next, uint8_t number, const huffman_table *table, size_t values) {
  *next++ = number;
  memcpy(next, table->counts, sizeof table->counts);
  next += sizeof table->counts;
  memcpy(next, table->values, values);
  return next + values;
}

void jpeg_write_standard_tables(uint8_t *segment) {
  uint8_t *next = segment;
  *next++ = 0xFF;
  *next++ = 0xC4;
  // The length counts itself, but not the marker.
  *next++ = (JPEG_STANDARD_TABLES_BYTES - 2) >> 8;
  *next++ = (JPEG_STANDARD_TABLES_BYTES - 2) & 0xFF;
  for (uint8_t i = 0; i < 2; i++) {
    next = write_table(next, i, &standard_dc_tables[i], 12);
    next = write_table(next, 0x10 | i, &standard_ac_tables[i], 162);
  }
}
