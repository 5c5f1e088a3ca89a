#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "JPEGWarnings.h"
#include "include/CJPEG.h"

// A progressive file may contain any number of scans over the whole picture; a few kilobytes of them keep a
// decoder busy for hours. Encoders write about ten. The bound is the one suggested in libjpeg-turbo's
// documentation of its security issues.
enum { maximum_scans = 500 };

struct cjpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf jump;
  cjpeg_status status;
  char message[JMSG_LENGTH_MAX];
  bool source_ended;
  bool picture_ends_early;
  int damage_count;
  char damage[JMSG_LENGTH_MAX];
};

static cjpeg_status status_of_error(int code) {
  switch (code) {
    case JERR_OUT_OF_MEMORY:
      return CJPEG_OUT_OF_MEMORY;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
      return CJPEG_UNSUPPORTED;
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF:
    case JERR_NO_IMAGE:
    case JERR_SOF_NO_SOS:
    case JERR_SOS_NO_SOF:
      return CJPEG_TRUNCATED;
    default:
      return CJPEG_DAMAGED;
  }
}

static _Noreturn void on_error(j_common_ptr common) {
  cjpeg_reader *reader = common->client_data;
  (*common->err->format_message)(common, reader->message);
  reader->status = status_of_error(common->err->msg_code);
  longjmp(reader->jump, 1);
}

static void on_message(j_common_ptr common, int level) {
  // Levels of 0 and above are tracing.
  if (level >= 0) return;
  cjpeg_reader *reader = common->client_data;
  switch (jpeg_warning_of(&reader->jpeg, reader->source_ended)) {
    case JPEG_WARNING_HARMLESS:
      return;
    case JPEG_WARNING_SOURCE_ENDED:
      reader->source_ended = true;
      return;
    case JPEG_WARNING_ENDS_EARLY:
      reader->picture_ends_early = true;
      break;
    case JPEG_WARNING_LAST_BLOCKS:
    case JPEG_WARNING_DAMAGE:
      break;
  }
  if (reader->damage_count == 0) (*common->err->format_message)(common, reader->damage);
  reader->damage_count++;
}

static void on_output(j_common_ptr common) { (void)common; }

static void on_progress(j_common_ptr common) {
  cjpeg_reader *reader = common->client_data;
  if (!common->is_decompressor || reader->jpeg.input_scan_number <= maximum_scans) return;
  snprintf(reader->message, sizeof reader->message, "more than %d scans", maximum_scans);
  reader->status = CJPEG_DAMAGED;
  longjmp(reader->jump, 1);
}

cjpeg_reader *cjpeg_reader_new(const uint8_t *data, size_t length) {
  cjpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->jpeg.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->errors.output_message = on_output;
  reader->progress.progress_monitor = on_progress;
  reader->jpeg.client_data = reader;
  if (setjmp(reader->jump)) {
    jpeg_destroy_decompress(&reader->jpeg);
    free(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->jpeg);
  reader->jpeg.progress = &reader->progress;
  jpeg_mem_src(&reader->jpeg, data, length);
  jpeg_save_markers(&reader->jpeg, JPEG_APP0 + 1, 0xFFFF);
  jpeg_save_markers(&reader->jpeg, JPEG_APP0 + 2, 0xFFFF);
  jpeg_save_markers(&reader->jpeg, JPEG_APP0 + 13, 0xFFFF);
  return reader;
}

void cjpeg_reader_extend(cjpeg_reader *reader, size_t count) {
  // A source that ran dry reads from an end marker of its own.
  if (!reader->source_ended) reader->jpeg.src->bytes_in_buffer += count;
}

void cjpeg_reader_free(cjpeg_reader *reader) {
  if (reader == NULL) return;
  jpeg_destroy_decompress(&reader->jpeg);
  free(reader);
}

const char *cjpeg_reader_message(const cjpeg_reader *reader) { return reader->message; }

static cjpeg_status fail(cjpeg_reader *reader, cjpeg_status status, const char *message) {
  snprintf(reader->message, sizeof reader->message, "%s", message);
  return status;
}

static cjpeg_status ended_early(cjpeg_reader *reader) {
  return fail(reader, CJPEG_TRUNCATED, "the data end before the picture does");
}

// libjpeg outputs nothing before it has the coefficients of all scans, 16 bits each.
static size_t coefficient_bytes(struct jpeg_decompress_struct *jpeg) {
  if (!jpeg_has_multiple_scans(jpeg)) return 0;
  size_t blocks = 0;
  for (int i = 0; i < jpeg->num_components; i++) {
    blocks += (size_t)jpeg->comp_info[i].width_in_blocks * jpeg->comp_info[i].height_in_blocks;
  }
  return blocks * sizeof(JBLOCK);
}

cjpeg_status cjpeg_reader_header(cjpeg_reader *reader, cjpeg_header *header) {
  if (setjmp(reader->jump)) return reader->source_ended ? ended_early(reader) : reader->status;
  jpeg_read_header(&reader->jpeg, TRUE);
  header->width = reader->jpeg.image_width;
  header->height = reader->jpeg.image_height;
  header->components = reader->jpeg.num_components;
  header->adobe = reader->jpeg.saw_Adobe_marker;
  header->coefficient_bytes = coefficient_bytes(&reader->jpeg);
  switch (reader->jpeg.jpeg_color_space) {
    case JCS_GRAYSCALE:
      header->model = CJPEG_GRAY;
      break;
    case JCS_RGB:
    case JCS_YCbCr:
      header->model = CJPEG_RGB;
      break;
    case JCS_CMYK:
    case JCS_YCCK:
      header->model = CJPEG_CMYK;
      break;
    default:
      header->model = CJPEG_OTHER;
      break;
  }
  return CJPEG_OK;
}

size_t cjpeg_reader_marker_count(const cjpeg_reader *reader) {
  size_t count = 0;
  for (jpeg_saved_marker_ptr m = reader->jpeg.marker_list; m != NULL; m = m->next) count++;
  return count;
}

cjpeg_marker cjpeg_reader_marker(const cjpeg_reader *reader, size_t index) {
  jpeg_saved_marker_ptr m = reader->jpeg.marker_list;
  while (m != NULL && index > 0) {
    m = m->next;
    index--;
  }
  if (m == NULL) return (cjpeg_marker){0, NULL, 0};
  return (cjpeg_marker){m->marker, m->data, m->data_length};
}

cjpeg_status cjpeg_reader_shrink(cjpeg_reader *reader, uint32_t divisor, uint32_t *width, uint32_t *height) {
  if (setjmp(reader->jump)) return reader->status;
  reader->jpeg.scale_num = 1;
  reader->jpeg.scale_denom = divisor;
  jpeg_calc_output_dimensions(&reader->jpeg);
  *width = reader->jpeg.output_width;
  *height = reader->jpeg.output_height;
  return CJPEG_OK;
}

cjpeg_status cjpeg_reader_start(cjpeg_reader *reader) {
  if (setjmp(reader->jump)) return reader->status;
  switch (reader->jpeg.jpeg_color_space) {
    case JCS_CMYK:
    case JCS_YCCK:
      reader->jpeg.out_color_space = JCS_CMYK;
      break;
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr:
      reader->jpeg.out_color_space = JCS_EXT_RGBA;
      break;
    default:
      return fail(reader, CJPEG_UNSUPPORTED, "components of an unknown meaning");
  }
  reader->jpeg.dct_method = JDCT_ISLOW;
  // If the picture is reduced, chroma usually has all the samples needed.
  reader->jpeg.do_fancy_upsampling = reader->jpeg.scale_denom == reader->jpeg.scale_num;
  jpeg_start_decompress(&reader->jpeg);
  if (reader->jpeg.output_components != 4) return fail(reader, CJPEG_UNSUPPORTED, "not four bytes per pixel");
  return CJPEG_OK;
}

cjpeg_status cjpeg_reader_rows(cjpeg_reader *reader, uint8_t *base, size_t row_bytes, uint32_t count) {
  if (setjmp(reader->jump)) return reader->status;
  for (uint32_t done = 0; done < count;) {
    JSAMPROW rows[16];
    uint32_t batch = count - done < 16 ? count - done : 16;
    for (uint32_t i = 0; i < batch; i++) rows[i] = base + (size_t)(done + i) * row_bytes;
    uint32_t got = jpeg_read_scanlines(&reader->jpeg, rows, batch);
    if (got == 0 || reader->picture_ends_early) return ended_early(reader);
    done += got;
  }
  return CJPEG_OK;
}

cjpeg_status cjpeg_reader_finish(cjpeg_reader *reader) {
  if (setjmp(reader->jump)) return reader->status;
  bool multiple_scans = jpeg_has_multiple_scans(&reader->jpeg);
  jpeg_finish_decompress(&reader->jpeg);
  // Without an end marker, a single scan may still be complete, but the number of missing scans is unknown.
  if (reader->picture_ends_early || (multiple_scans && reader->source_ended)) return ended_early(reader);
  if (reader->source_ended && reader->damage_count == 0) {
    reader->damage_count = 1;
    snprintf(reader->damage, sizeof reader->damage, "the end marker is missing");
  }
  return CJPEG_OK;
}

int cjpeg_reader_damage_count(const cjpeg_reader *reader) { return reader->damage_count; }
const char *cjpeg_reader_damage(const cjpeg_reader *reader) { return reader->damage; }
