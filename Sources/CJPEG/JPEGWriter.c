#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/CJPEG.h"
// After stdio.h and stddef.h, which these headers require.
#include <jerror.h>
#include <jpeglib.h>

enum { buffer_bytes = 1 << 18 };

struct cjpeg_writer {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf jump;
  // -1 if the bytes stay in memory.
  int descriptor;
  int write_errno;
  cjpeg_status status;
  char message[JMSG_LENGTH_MAX];
  JOCTET *buffer;
  size_t capacity;
  // The size of a complete picture in memory.
  size_t length;
  // The offset of the first entropy-coded data of a picture in memory.
  size_t header_length;
  // The number of strips taken from other writers.
  uint32_t strips;
};

static _Noreturn void on_error(j_common_ptr common) {
  cjpeg_writer *writer = common->client_data;
  (*common->err->format_message)(common, writer->message);
  switch (common->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
      writer->status = CJPEG_OUT_OF_MEMORY;
      break;
    case JERR_FILE_WRITE:
      writer->status = CJPEG_WRITE_FAILED;
      break;
    default:
      writer->status = CJPEG_UNSUPPORTED;
      break;
  }
  longjmp(writer->jump, 1);
}

static void on_message(j_common_ptr common, int level) {
  (void)common;
  (void)level;
}

static void on_output(j_common_ptr common) { (void)common; }

static void flush(cjpeg_writer *writer, size_t length) {
  const JOCTET *next = writer->buffer;
  while (length > 0) {
    ssize_t written = write(writer->descriptor, next, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      // A regular file accepts nothing without an errno only if the disk is full.
      writer->write_errno = written < 0 ? errno : ENOSPC;
      ERREXIT(&writer->jpeg, JERR_FILE_WRITE);
    }
    next += written;
    length -= (size_t)written;
  }
}

static void reset_buffer(cjpeg_writer *writer) {
  writer->destination.next_output_byte = writer->buffer;
  writer->destination.free_in_buffer = writer->capacity;
}

// Doubles the memory; the picture continues after the bytes already there.
static void grow(cjpeg_writer *writer) {
  size_t used = writer->capacity;
  JOCTET *larger = used > SIZE_MAX / 2 ? NULL : realloc(writer->buffer, used * 2);
  if (larger == NULL) ERREXIT1(&writer->jpeg, JERR_OUT_OF_MEMORY, 0);
  writer->buffer = larger;
  writer->capacity = used * 2;
  writer->destination.next_output_byte = larger + used;
  writer->destination.free_in_buffer = used;
}

static void on_start(j_compress_ptr jpeg) { reset_buffer(jpeg->client_data); }

static boolean on_full(j_compress_ptr jpeg) {
  cjpeg_writer *writer = jpeg->client_data;
  // libjpeg passes the whole buffer here, whatever `free_in_buffer` says.
  if (writer->descriptor < 0) {
    grow(writer);
  } else {
    flush(writer, writer->capacity);
    reset_buffer(writer);
  }
  return TRUE;
}

static void on_end(j_compress_ptr jpeg) {
  cjpeg_writer *writer = jpeg->client_data;
  size_t length = writer->capacity - writer->destination.free_in_buffer;
  if (writer->descriptor < 0) {
    writer->length = length;
  } else {
    flush(writer, length);
    reset_buffer(writer);
  }
}

cjpeg_writer *cjpeg_writer_new(int descriptor) {
  cjpeg_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  writer->descriptor = descriptor;
  writer->capacity = buffer_bytes;
  writer->buffer = malloc(buffer_bytes);
  if (writer->buffer == NULL) {
    free(writer);
    return NULL;
  }
  writer->jpeg.err = jpeg_std_error(&writer->errors);
  writer->errors.error_exit = on_error;
  writer->errors.emit_message = on_message;
  writer->errors.output_message = on_output;
  writer->jpeg.client_data = writer;
  if (setjmp(writer->jump)) {
    jpeg_destroy_compress(&writer->jpeg);
    free(writer->buffer);
    free(writer);
    return NULL;
  }
  jpeg_create_compress(&writer->jpeg);
  writer->destination.init_destination = on_start;
  writer->destination.empty_output_buffer = on_full;
  writer->destination.term_destination = on_end;
  writer->jpeg.dest = &writer->destination;
  return writer;
}

void cjpeg_writer_free(cjpeg_writer *writer) {
  if (writer == NULL) return;
  jpeg_destroy_compress(&writer->jpeg);
  free(writer->buffer);
  free(writer);
}

cjpeg_writer *cjpeg_writer_new_in_memory(void) { return cjpeg_writer_new(-1); }

const uint8_t *cjpeg_writer_bytes(const cjpeg_writer *writer, size_t *length) {
  *length = writer->length;
  return writer->buffer;
}

const char *cjpeg_writer_message(const cjpeg_writer *writer) { return writer->message; }
cjpeg_status cjpeg_writer_status(const cjpeg_writer *writer) { return writer->status; }
int cjpeg_writer_errno(const cjpeg_writer *writer) { return writer->write_errno; }

cjpeg_status cjpeg_writer_start(cjpeg_writer *writer, uint32_t width, uint32_t height, int quality,
                                int chroma_step, uint32_t strip_rows) {
  if (setjmp(writer->jump)) return writer->status;
  j_compress_ptr jpeg = &writer->jpeg;
  // Has an effect only after a picture that failed half way.
  jpeg_abort_compress(jpeg);
  writer->status = CJPEG_OK;
  writer->length = 0;
  writer->header_length = 0;
  writer->strips = 0;
  jpeg->image_width = width;
  jpeg->image_height = height;
  jpeg->input_components = 4;
  jpeg->in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(jpeg);
  jpeg_set_colorspace(jpeg, JCS_YCbCr);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg->dct_method = JDCT_ISLOW;
  jpeg->optimize_coding = FALSE;
  jpeg->comp_info[0].h_samp_factor = chroma_step;
  jpeg->comp_info[0].v_samp_factor = chroma_step;
  for (int i = 1; i < 3; i++) {
    jpeg->comp_info[i].h_samp_factor = 1;
    jpeg->comp_info[i].v_samp_factor = 1;
  }
  jpeg->restart_in_rows = (int)(strip_rows / (uint32_t)(DCTSIZE * chroma_step));
  jpeg_start_compress(jpeg, TRUE);
  return CJPEG_OK;
}

cjpeg_status cjpeg_writer_marker(cjpeg_writer *writer, int code, const uint8_t *data, size_t length) {
  if (setjmp(writer->jump)) return writer->status;
  jpeg_write_marker(&writer->jpeg, code, data, (unsigned int)length);
  return CJPEG_OK;
}

cjpeg_status cjpeg_writer_rows(cjpeg_writer *writer, const uint8_t *base, size_t row_bytes, uint32_t count) {
  if (setjmp(writer->jump)) return writer->status;
  for (uint32_t done = 0; done < count;) {
    JSAMPROW rows[16];
    uint32_t batch = count - done < 16 ? count - done : 16;
    // libjpeg's rows are not const, but it only reads them.
    for (uint32_t i = 0; i < batch; i++) rows[i] = (JSAMPROW)(base + (size_t)(done + i) * row_bytes);
    done += jpeg_write_scanlines(&writer->jpeg, rows, batch);
  }
  return CJPEG_OK;
}

static size_t bytes_in_buffer(const cjpeg_writer *writer) {
  return writer->capacity - writer->destination.free_in_buffer;
}

// libjpeg writes the frame and scan headers with the first rows, even if there are none.
static void write_headers(cjpeg_writer *writer) {
  JSAMPROW none[1] = {NULL};
  jpeg_write_scanlines(&writer->jpeg, none, 0);
  writer->header_length = bytes_in_buffer(writer);
}

static void append(cjpeg_writer *writer, const uint8_t *bytes, size_t length) {
  while (length > 0) {
    if (writer->destination.free_in_buffer == 0) on_full(&writer->jpeg);
    size_t room = writer->destination.free_in_buffer;
    size_t part = length < room ? length : room;
    memcpy(writer->destination.next_output_byte, bytes, part);
    writer->destination.next_output_byte += part;
    writer->destination.free_in_buffer -= part;
    bytes += part;
    length -= part;
  }
}

cjpeg_status cjpeg_writer_strip(cjpeg_writer *writer, const uint8_t *base, size_t row_bytes, uint32_t count) {
  if (setjmp(writer->jump)) return writer->status;
  write_headers(writer);
  return cjpeg_writer_rows(writer, base, row_bytes, count);
}

cjpeg_status cjpeg_writer_append_strip(cjpeg_writer *writer, const cjpeg_writer *strip) {
  if (setjmp(writer->jump)) return writer->status;
  if (writer->strips == 0) {
    write_headers(writer);
  } else {
    const uint8_t restart[2] = {0xFF, (uint8_t)(JPEG_RST0 + (writer->strips - 1) % 8)};
    append(writer, restart, sizeof restart);
  }
  writer->strips++;
  const size_t end_marker = 2;
  append(writer, strip->buffer + strip->header_length, strip->length - strip->header_length - end_marker);
  return CJPEG_OK;
}

cjpeg_status cjpeg_writer_finish(cjpeg_writer *writer) {
  if (setjmp(writer->jump)) return writer->status;
  if (writer->strips == 0) {
    jpeg_finish_compress(&writer->jpeg);
    return CJPEG_OK;
  }
  const uint8_t end[2] = {0xFF, JPEG_EOI};
  append(writer, end, sizeof end);
  on_end(&writer->jpeg);
  jpeg_abort_compress(&writer->jpeg);
  return CJPEG_OK;
}
