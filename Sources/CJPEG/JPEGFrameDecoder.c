#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "JPEGWarnings.h"
#include "StandardHuffmanTables.h"
#include "include/CJPEG.h"

// Cameras send one scan. A frame with hundreds would keep the frame loop busy for minutes.
enum { maximum_frame_scans = 16 };
// Rows that one call of jpeg_read_raw_data may need for a plane: 8 for each of up to 4 sampling steps.
enum { rows_in_unit = 8 * MAX_SAMP_FACTOR };

struct jpeg_frame_decoder {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf jump;
  cjpeg_status status;
  char message[JMSG_LENGTH_MAX];
  bool source_ended;
  bool damaged;
  // Receives the rows that no plane has room for.
  JSAMPLE *spare;
  size_t spare_bytes;
  // How much more coarsely the current frame's chroma is sampled than the planes that it goes to.
  int widen;
  int heighten;
};

static _Noreturn void on_error(j_common_ptr common) {
  jpeg_frame_decoder *decoder = common->client_data;
  (*common->err->format_message)(common, decoder->message);
  decoder->status = common->err->msg_code == JERR_OUT_OF_MEMORY ? CJPEG_OUT_OF_MEMORY : CJPEG_DAMAGED;
  longjmp(decoder->jump, 1);
}

static void note_damage(jpeg_frame_decoder *decoder) {
  if (!decoder->damaged) (*decoder->errors.format_message)((j_common_ptr)&decoder->jpeg, decoder->message);
  decoder->damaged = true;
}

static void on_message(j_common_ptr common, int level) {
  // Levels of 0 and above are tracing.
  if (level >= 0) return;
  jpeg_frame_decoder *decoder = common->client_data;
  switch (jpeg_warning_of(&decoder->jpeg, decoder->source_ended)) {
    case JPEG_WARNING_HARMLESS:
    case JPEG_WARNING_LAST_BLOCKS:
      return;
    case JPEG_WARNING_SOURCE_ENDED:
      decoder->source_ended = true;
      return;
    case JPEG_WARNING_ENDS_EARLY:
    case JPEG_WARNING_DAMAGE:
      note_damage(decoder);
  }
}

static void on_output(j_common_ptr common) { (void)common; }

static void on_progress(j_common_ptr common) {
  jpeg_frame_decoder *decoder = common->client_data;
  if (!common->is_decompressor || decoder->jpeg.input_scan_number <= maximum_frame_scans) return;
  snprintf(decoder->message, sizeof decoder->message, "more than %d scans", maximum_frame_scans);
  decoder->status = CJPEG_DAMAGED;
  longjmp(decoder->jump, 1);
}

jpeg_frame_decoder *jpeg_frame_decoder_new(void) {
  jpeg_frame_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->jpeg.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = on_error;
  decoder->errors.emit_message = on_message;
  decoder->errors.output_message = on_output;
  decoder->progress.progress_monitor = on_progress;
  decoder->jpeg.client_data = decoder;
  if (setjmp(decoder->jump)) {
    jpeg_frame_decoder_free(decoder);
    return NULL;
  }
  jpeg_create_decompress(&decoder->jpeg);
  decoder->jpeg.client_data = decoder;
  decoder->jpeg.progress = &decoder->progress;
  return decoder;
}

void jpeg_frame_decoder_free(jpeg_frame_decoder *decoder) {
  if (decoder == NULL) return;
  jpeg_destroy_decompress(&decoder->jpeg);
  free(decoder->spare);
  free(decoder);
}

const char *jpeg_frame_decoder_message(const jpeg_frame_decoder *decoder) { return decoder->message; }

static cjpeg_status refuse(jpeg_frame_decoder *decoder, cjpeg_status status, const char *message) {
  snprintf(decoder->message, sizeof decoder->message, "%s", message);
  jpeg_abort_decompress(&decoder->jpeg);
  return status;
}

static cjpeg_status failed(jpeg_frame_decoder *decoder) {
  jpeg_abort_decompress(&decoder->jpeg);
  return decoder->source_ended && decoder->status == CJPEG_DAMAGED ? CJPEG_TRUNCATED : decoder->status;
}

static void set_huffman_table(j_decompress_ptr jpeg, JHUFF_TBL **slot, const huffman_table *standard) {
  // The tables live as long as the decoder, so they are allocated only once.
  if (*slot == NULL) *slot = jpeg_alloc_huff_table((j_common_ptr)jpeg);
  (*slot)->bits[0] = 0;
  memcpy((*slot)->bits + 1, standard->counts, sizeof standard->counts);
  memset((*slot)->huffval, 0, sizeof(*slot)->huffval);
  memcpy((*slot)->huffval, standard->values, sizeof standard->values);
}

// libjpeg keeps tables from one picture to the next. A frame must not depend on the frames before it: Huffman
// tables start as the standard ones, and quantization tables as zeros, which no JPEG may have.
static void reset_tables(j_decompress_ptr jpeg) {
  for (int i = 0; i < 2; i++) {
    set_huffman_table(jpeg, &jpeg->dc_huff_tbl_ptrs[i], &standard_dc_tables[i]);
    set_huffman_table(jpeg, &jpeg->ac_huff_tbl_ptrs[i], &standard_ac_tables[i]);
  }
  for (int i = 0; i < NUM_QUANT_TBLS; i++) {
    if (jpeg->quant_tbl_ptrs[i] != NULL)
      memset(jpeg->quant_tbl_ptrs[i]->quantval, 0, DCTSIZE2 * sizeof(UINT16));
  }
}

static bool has_quantization(j_decompress_ptr jpeg) {
  for (int i = 0; i < jpeg->num_components; i++) {
    int table = jpeg->comp_info[i].quant_tbl_no;
    if (table < 0 || table >= NUM_QUANT_TBLS || jpeg->quant_tbl_ptrs[table] == NULL) return false;
    if (jpeg->quant_tbl_ptrs[table]->quantval[0] == 0) return false;
  }
  return true;
}

// Finds the sampling of the planes, and how much the stored chroma must be widened to fit it.
static bool find_sampling(jpeg_frame_decoder *decoder, jpeg_frame_header *header) {
  j_decompress_ptr jpeg = &decoder->jpeg;
  decoder->widen = 1;
  decoder->heighten = 1;
  if (jpeg->num_components == 1) {
    header->sampling = JPEG_FRAME_GRAY;
    return jpeg->jpeg_color_space == JCS_GRAYSCALE;
  }
  if (jpeg->num_components != 3 || jpeg->jpeg_color_space != JCS_YCbCr) return false;
  const jpeg_component_info *luma = &jpeg->comp_info[0];
  const jpeg_component_info *chroma = &jpeg->comp_info[1];
  const jpeg_component_info *other = &jpeg->comp_info[2];
  if (chroma->h_samp_factor != other->h_samp_factor || chroma->v_samp_factor != other->v_samp_factor)
    return false;
  if (chroma->h_samp_factor > luma->h_samp_factor || luma->h_samp_factor % chroma->h_samp_factor != 0)
    return false;
  if (chroma->v_samp_factor > luma->v_samp_factor || luma->v_samp_factor % chroma->v_samp_factor != 0)
    return false;
  int columns = luma->h_samp_factor / chroma->h_samp_factor;
  int rows = luma->v_samp_factor / chroma->v_samp_factor;
  if ((columns != 1 && columns != 2 && columns != 4) || rows > 2) return false;
  if (columns == 1) {
    header->sampling = JPEG_FRAME_444;
    decoder->heighten = rows;
  } else {
    header->sampling = rows == 2 ? JPEG_FRAME_420 : JPEG_FRAME_422;
    decoder->widen = columns / 2;
  }
  return true;
}

cjpeg_status jpeg_frame_decoder_begin(jpeg_frame_decoder *decoder, const uint8_t *data, size_t length,
                                      jpeg_frame_header *header) {
  decoder->status = CJPEG_DAMAGED;
  decoder->message[0] = 0;
  decoder->source_ended = false;
  decoder->damaged = false;
  j_decompress_ptr jpeg = &decoder->jpeg;
  if (setjmp(decoder->jump)) return failed(decoder);
  jpeg_abort_decompress(jpeg);
  reset_tables(jpeg);
  jpeg_mem_src(jpeg, data, (unsigned long)length);
  jpeg_read_header(jpeg, TRUE);
  if (!has_quantization(jpeg)) return refuse(decoder, CJPEG_DAMAGED, "the quantization table is missing");
  if (!find_sampling(decoder, header)) {
    return refuse(decoder, CJPEG_UNSUPPORTED, "neither gray nor a known sampling of YCbCr");
  }
  header->width = jpeg->image_width;
  header->height = jpeg->image_height;
  return CJPEG_OK;
}

static bool reserve_spare(jpeg_frame_decoder *decoder, size_t bytes) {
  if (decoder->spare_bytes >= bytes) return true;
  free(decoder->spare);
  decoder->spare = malloc(bytes);
  decoder->spare_bytes = decoder->spare == NULL ? 0 : bytes;
  return decoder->spare != NULL;
}

// Doubles each sample of a row, from the end so that none is overwritten before it is read.
static void widen_rows(const jpeg_frame_plane *plane, uint32_t width) {
  for (uint32_t y = 0; y < plane->rows; y++) {
    uint8_t *row = plane->base + (size_t)y * plane->row_bytes;
    for (uint32_t x = width; x-- > 0;) row[x] = row[x / 2];
  }
}

// Fills every other row with the decoded row above it.
static void repeat_rows(const jpeg_frame_plane *plane, uint32_t width) {
  for (uint32_t y = 1; y < plane->rows; y += 2) {
    memcpy(plane->base + (size_t)y * plane->row_bytes, plane->base + (size_t)(y - 1) * plane->row_bytes,
           width);
  }
}

static void read_planes(jpeg_frame_decoder *decoder, const jpeg_frame_plane *planes, int count) {
  j_decompress_ptr jpeg = &decoder->jpeg;
  JSAMPROW rows[3][rows_in_unit];
  JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
  JDIMENSION unit = (JDIMENSION)jpeg->max_v_samp_factor * DCTSIZE;
  // libjpeg would fill the rest of a damaged frame with grey, which is never shown.
  for (uint32_t first[3] = {0, 0, 0}; jpeg->output_scanline < jpeg->output_height && !decoder->damaged;) {
    for (int i = 0; i < count; i++) {
      uint32_t in_unit = (uint32_t)jpeg->comp_info[i].v_samp_factor * DCTSIZE;
      uint32_t spacing = i == 0 ? 1 : (uint32_t)decoder->heighten;
      for (uint32_t y = 0; y < in_unit; y++) {
        uint32_t at = (first[i] + y) * spacing;
        rows[i][y] = at < planes[i].rows ? planes[i].base + (size_t)at * planes[i].row_bytes : decoder->spare;
      }
      first[i] += in_unit;
    }
    // A source in memory never has to wait, so reading nothing is an error.
    if (jpeg_read_raw_data(jpeg, arrays, unit) == 0) ERREXIT(jpeg, JERR_INPUT_EMPTY);
  }
}

cjpeg_status jpeg_frame_decoder_finish(jpeg_frame_decoder *decoder, const jpeg_frame_plane *planes,
                                       int count) {
  j_decompress_ptr jpeg = &decoder->jpeg;
  if (setjmp(decoder->jump)) return failed(decoder);
  if (jpeg->num_components != count) return refuse(decoder, CJPEG_UNSUPPORTED, "another number of planes");
  jpeg->out_color_space = jpeg->jpeg_color_space;
  jpeg->raw_data_out = TRUE;
  jpeg->dct_method = JDCT_ISLOW;
  jpeg->do_fancy_upsampling = FALSE;
  jpeg_start_decompress(jpeg);
  size_t widest = 0;
  for (int i = 0; i < count; i++) {
    size_t width = (size_t)jpeg->comp_info[i].width_in_blocks * DCTSIZE;
    if (width > planes[i].row_bytes) return refuse(decoder, CJPEG_UNSUPPORTED, "wider than its rows");
    if (width > widest) widest = width;
  }
  if (!reserve_spare(decoder, widest)) return refuse(decoder, CJPEG_OUT_OF_MEMORY, "not enough memory");
  read_planes(decoder, planes, count);
  if (decoder->damaged) {
    jpeg_abort_decompress(jpeg);
    return decoder->source_ended ? CJPEG_TRUNCATED : CJPEG_DAMAGED;
  }
  uint32_t chroma_width = count == 3 ? jpeg->comp_info[1].downsampled_width : 0;
  jpeg_finish_decompress(jpeg);
  if (decoder->damaged) return decoder->source_ended ? CJPEG_TRUNCATED : CJPEG_DAMAGED;
  for (int i = 1; i < count; i++) {
    if (decoder->widen == 2) {
      uint32_t width = (jpeg->image_width + 1) / 2;
      widen_rows(&planes[i], width);
    }
    if (decoder->heighten == 2) repeat_rows(&planes[i], chroma_width);
  }
  return CJPEG_OK;
}
