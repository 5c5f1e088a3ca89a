#include "include/CHEIF.h"

#include <dlfcn.h>
#include <libheif/heif.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEIF_FUNCTIONS(X)                \
  X(heif_get_version_number)             \
  X(heif_context_alloc)                  \
  X(heif_context_free)                   \
  X(heif_context_get_encoder_for_format) \
  X(heif_context_encode_image)           \
  X(heif_context_write)                  \
  X(heif_encoder_release)                \
  X(heif_encoder_set_lossy_quality)      \
  X(heif_encoder_set_logging_level)      \
  X(heif_encoder_set_parameter)          \
  X(heif_encoding_options_alloc)         \
  X(heif_encoding_options_free)          \
  X(heif_image_create)                   \
  X(heif_image_add_plane)                \
  X(heif_image_get_plane)                \
  X(heif_image_release)                  \
  X(heif_image_set_raw_color_profile)    \
  X(heif_image_set_nclx_color_profile)   \
  X(heif_nclx_color_profile_alloc)       \
  X(heif_nclx_color_profile_free)

// Filled once, before the first use, and constant afterwards.
static struct {
#define POINTER(name) __typeof__(&name) name;
  HEIF_FUNCTIONS(POINTER)
#undef POINTER
} heif;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static char start_failure[CHEIF_MESSAGE_BYTES];

struct cheif_encoder {
  cheif_settings settings;
  struct heif_context *context;
  struct heif_encoder *encoder;
  struct heif_image *image;
  struct heif_color_profile_nclx *colors;
  uint8_t *pixels;
  int row_bytes;
  uint8_t *file;
  size_t file_length;
  size_t file_room;
};

static void start(void) {
  void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(start_failure, sizeof start_failure, "%s", dlerror());
    return;
  }
#define LOOK_UP(name)                                                                   \
  *(void **)&heif.name = dlsym(library, #name);                                         \
  if (heif.name == NULL) {                                                              \
    snprintf(start_failure, sizeof start_failure, "libheif has no function %s", #name); \
    return;                                                                             \
  }
  HEIF_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  // Later fields of the structures are used if the library knows them; those of 1.11 must be there.
  if (heif.heif_get_version_number() < 0x010B0000) {
    snprintf(start_failure, sizeof start_failure, "libheif is older than 1.11");
    return;
  }
  // Since 1.14, initialization is counted. It is never undone, because libvips may be using the library at
  // any time.
  struct heif_error (*init)(struct heif_init_params *) = NULL;
  *(void **)&init = dlsym(library, "heif_init");
  if (init != NULL && init(NULL).code != heif_error_Ok) {
    snprintf(start_failure, sizeof start_failure, "libheif does not start");
  }
}

bool cheif_start(char message[CHEIF_MESSAGE_BYTES]) {
  pthread_once(&started, start);
  snprintf(message, CHEIF_MESSAGE_BYTES, "%s", start_failure);
  return start_failure[0] == '\0';
}

static bool succeeds(struct heif_error error, char message[CHEIF_MESSAGE_BYTES]) {
  if (error.code == heif_error_Ok) return true;
  snprintf(message, CHEIF_MESSAGE_BYTES, "%s", error.message == NULL ? "" : error.message);
  return false;
}

static bool set_number(cheif_encoder *encoder, const char *name, int value,
                       char message[CHEIF_MESSAGE_BYTES]) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  return succeeds(heif.heif_encoder_set_parameter(encoder->encoder, name, text), message);
}

static bool set_text(cheif_encoder *encoder, const char *name, const char *value,
                     char message[CHEIF_MESSAGE_BYTES]) {
  return succeeds(heif.heif_encoder_set_parameter(encoder->encoder, name, value), message);
}

// Measured with two detailed photos of 12 MP (libheif 1.15, x265 3.5) on one core, as seconds, MB of the
// file and PSNR of luma at quality 92: x265 `ultrafast` 2.6, 1.57 and 57.3 dB, `superfast` 8.5, 1.57 and
// 57.9, `medium` 9.5, 1.62 and 57.8, `slow` (the default of libheif and libvips) 22, 1.61 and 57.8. libaom
// takes 2.1 s at speed 8, and 3.5 s at 7.
static bool configure(cheif_encoder *encoder, char message[CHEIF_MESSAGE_BYTES]) {
  const cheif_settings *settings = &encoder->settings;
  heif.heif_encoder_set_logging_level(encoder->encoder, 0);
  if (!succeeds(heif.heif_encoder_set_lossy_quality(encoder->encoder, settings->quality), message) ||
      !set_text(encoder, "chroma", settings->is_full_chroma ? "444" : "420", message)) {
    return false;
  }
  if (settings->codec == CHEIF_AV1) {
    return set_number(encoder, "speed", 8, message) &&
           set_number(encoder, "threads", settings->threads, message);
  }
  // Wavefront parallel processing, even with one thread, so that the bits do not depend on the number of
  // threads. x265 does it only with a thread pool.
  return set_text(encoder, "preset", "ultrafast", message) && set_text(encoder, "x265:wpp", "1", message) &&
         set_number(encoder, "x265:pools", settings->threads, message);
}

// The matrix is BT.601's in full range, which decoders assume if a file does not say.
static bool set_colors(cheif_encoder *encoder, char message[CHEIF_MESSAGE_BYTES]) {
  const cheif_settings *settings = &encoder->settings;
  const bool has_profile = settings->icc_length > 0;
  encoder->colors = heif.heif_nclx_color_profile_alloc();
  if (encoder->colors == NULL) {
    snprintf(message, CHEIF_MESSAGE_BYTES, "out of memory");
    return false;
  }
  encoder->colors->color_primaries =
      has_profile ? heif_color_primaries_unspecified : heif_color_primaries_ITU_R_BT_709_5;
  encoder->colors->transfer_characteristics =
      has_profile ? heif_transfer_characteristic_unspecified : heif_transfer_characteristic_IEC_61966_2_1;
  encoder->colors->matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6;
  encoder->colors->full_range_flag = 1;
  return succeeds(heif.heif_image_set_nclx_color_profile(encoder->image, encoder->colors), message) &&
         (!has_profile || succeeds(heif.heif_image_set_raw_color_profile(encoder->image, "prof",
                                                                         settings->icc, settings->icc_length),
                                   message));
}

static bool make_picture(cheif_encoder *encoder, char message[CHEIF_MESSAGE_BYTES]) {
  const cheif_settings *settings = &encoder->settings;
  const bool is_deep = settings->bits > 8;
  const enum heif_chroma layout =
      is_deep
          ? (settings->has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
          : (settings->has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
  if (!succeeds(heif.heif_image_create(settings->width, settings->height, heif_colorspace_RGB, layout,
                                       &encoder->image),
                message) ||
      !succeeds(heif.heif_image_add_plane(encoder->image, heif_channel_interleaved, settings->width,
                                          settings->height, settings->bits),
                message)) {
    return false;
  }
  encoder->pixels = heif.heif_image_get_plane(encoder->image, heif_channel_interleaved, &encoder->row_bytes);
  if (encoder->pixels == NULL) snprintf(message, CHEIF_MESSAGE_BYTES, "out of memory");
  return encoder->pixels != NULL;
}

cheif_encoder *cheif_encoder_new(const cheif_settings *settings, char message[CHEIF_MESSAGE_BYTES]) {
  if (!cheif_start(message)) return NULL;
  cheif_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) {
    snprintf(message, CHEIF_MESSAGE_BYTES, "out of memory");
    return NULL;
  }
  encoder->settings = *settings;
  encoder->context = heif.heif_context_alloc();
  const enum heif_compression_format format =
      settings->codec == CHEIF_AV1 ? heif_compression_AV1 : heif_compression_HEVC;
  if (!succeeds(heif.heif_context_get_encoder_for_format(encoder->context, format, &encoder->encoder),
                message) ||
      !configure(encoder, message) || !make_picture(encoder, message) || !set_colors(encoder, message)) {
    cheif_encoder_free(encoder);
    return NULL;
  }
  // The memory belongs to the caller; the image has a copy.
  encoder->settings.icc = NULL;
  return encoder;
}

void cheif_encoder_free(cheif_encoder *encoder) {
  if (encoder == NULL) return;
  if (encoder->colors != NULL) heif.heif_nclx_color_profile_free(encoder->colors);
  if (encoder->image != NULL) heif.heif_image_release(encoder->image);
  if (encoder->encoder != NULL) heif.heif_encoder_release(encoder->encoder);
  if (encoder->context != NULL) heif.heif_context_free(encoder->context);
  free(encoder->file);
  free(encoder);
}

void *cheif_encoder_row(cheif_encoder *encoder, int y) {
  return encoder->pixels + (size_t)y * (size_t)encoder->row_bytes;
}

static struct heif_error append(struct heif_context *context, const void *data, size_t length, void *user) {
  (void)context;
  cheif_encoder *encoder = user;
  if (encoder->file_room - encoder->file_length < length) {
    const size_t room = 2 * encoder->file_room + length;
    uint8_t *larger = realloc(encoder->file, room);
    if (larger == NULL) {
      return (struct heif_error){heif_error_Memory_allocation_error, heif_suberror_Unspecified,
                                 "out of memory"};
    }
    encoder->file = larger;
    encoder->file_room = room;
  }
  memcpy(encoder->file + encoder->file_length, data, length);
  encoder->file_length += length;
  return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, ""};
}

bool cheif_encoder_finish(cheif_encoder *encoder, const void **out, size_t *out_length,
                          char message[CHEIF_MESSAGE_BYTES]) {
  struct heif_encoding_options *options = heif.heif_encoding_options_alloc();
  if (options == NULL) {
    snprintf(message, CHEIF_MESSAGE_BYTES, "out of memory");
    return false;
  }
  // An ICC profile defines R, G and B, but not how Y′CbCr is converted to them.
  if (options->version >= 3) options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
  if (options->version >= 4) {
    options->output_nclx_profile = encoder->colors;
    options->macOS_compatibility_workaround_no_nclx_profile = 0;
  }
  bool is_encoded = succeeds(
      heif.heif_context_encode_image(encoder->context, encoder->image, encoder->encoder, options, NULL),
      message);
  heif.heif_encoding_options_free(options);
  // The image takes as much memory as everything that follows.
  heif.heif_image_release(encoder->image);
  encoder->image = NULL;
  struct heif_writer writer = {.writer_api_version = 1, .write = append};
  is_encoded = is_encoded && succeeds(heif.heif_context_write(encoder->context, &writer, encoder), message);
  *out = encoder->file;
  *out_length = encoder->file_length;
  return is_encoded;
}
