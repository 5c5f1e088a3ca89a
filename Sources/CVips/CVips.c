#include "include/CVips.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "VipsFunctions.h"

// Filled once, before the first use, and constant afterwards.
static struct {
#define POINTER(result, name, parameters) result(*name) parameters;
  VIPS_FUNCTIONS(POINTER)
#undef POINTER
} vips;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static char start_failure[CVIPS_MESSAGE_BYTES];

struct cvips_image {
  VipsSource *source;
  VipsImage *image;
  VipsRegion *region;
};

// libvips reports oddities that it decodes around; on a user's terminal these are noise.
static void ignore_log(const char *domain, int level, const char *message, void *data) {
  (void)domain;
  (void)level;
  (void)message;
  (void)data;
}

static void start(void) {
  void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(start_failure, sizeof start_failure, "%s", dlerror());
    return;
  }
  // dlsym also searches the dependencies of this library, where GLib's functions are.
#define LOOK_UP(result, name, parameters)                                               \
  *(void **)&vips.name = dlsym(library, #name);                                         \
  if (vips.name == NULL) {                                                              \
    snprintf(start_failure, sizeof start_failure, "libvips has no function %s", #name); \
    return;                                                                             \
  }
  VIPS_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  int major = vips.vips_version(0), minor = vips.vips_version(1);
  if (major != 8 || minor < 13) {
    snprintf(start_failure, sizeof start_failure, "libvips %d.%d is older than 8.13", major, minor);
    return;
  }
  vips.g_log_set_handler("VIPS", LOG_WARNING | LOG_MESSAGE | LOG_INFO | LOG_DEBUG, ignore_log, NULL);
  if (vips.vips_init("safelight") != 0) {
    snprintf(start_failure, sizeof start_failure, "libvips does not start");
    return;
  }
  // The caller spreads photos over threads, and no operation is ever repeated on the same image.
  vips.vips_concurrency_set(1);
  vips.vips_cache_set_max(0);
}

bool cvips_start(char message[CVIPS_MESSAGE_BYTES]) {
  pthread_once(&started, start);
  snprintf(message, CVIPS_MESSAGE_BYTES, "%s", start_failure);
  return start_failure[0] == '\0';
}

// Returns the first line of libvips' error log, which all threads share, and empties the log.
static void take_error(char message[CVIPS_MESSAGE_BYTES]) {
  char *text = vips.vips_error_buffer_copy();
  size_t length = text == NULL ? 0 : strcspn(text, "\n");
  snprintf(message, CVIPS_MESSAGE_BYTES, "%.*s", (int)length, text == NULL ? "" : text);
  vips.g_free(text);
}

static cvips_image *open_source(VipsSource *source, cvips_loader loader, char message[CVIPS_MESSAGE_BYTES]) {
  cvips_image *opened = calloc(1, sizeof *opened);
  if (opened == NULL) {
    snprintf(message, CVIPS_MESSAGE_BYTES, "out of memory");
    if (source != NULL) vips.g_object_unref(source);
    return NULL;
  }
  opened->source = source;
  int failed = 1;
#define LOAD(function)                                                                           \
  failed = vips.function(opened->source, &opened->image, "access", ACCESS_SEQUENTIAL, "fail_on", \
                         FAIL_ON_ERROR, (char *)NULL)
  if (opened->source != NULL) switch (loader) {
      case CVIPS_LOAD_PNG:
        LOAD(vips_pngload_source);
        break;
      case CVIPS_LOAD_TIFF:
        LOAD(vips_tiffload_source);
        break;
      case CVIPS_LOAD_WEBP:
        LOAD(vips_webpload_source);
        break;
      case CVIPS_LOAD_GIF:
        LOAD(vips_gifload_source);
        break;
      case CVIPS_LOAD_HEIF:
        LOAD(vips_heifload_source);
        break;
      case CVIPS_LOAD_JXL:
        LOAD(vips_jxlload_source);
        break;
      case CVIPS_LOAD_JP2:
        LOAD(vips_jp2kload_source);
        break;
    }
#undef LOAD
  if (failed) {
    take_error(message);
    cvips_image_free(opened);
    return NULL;
  }
  return opened;
}

cvips_image *cvips_image_open(int descriptor, cvips_loader loader, char message[CVIPS_MESSAGE_BYTES]) {
  if (!cvips_start(message)) return NULL;
  return open_source(vips.vips_source_new_from_descriptor(descriptor), loader, message);
}

cvips_image *cvips_image_open_memory(const void *bytes, size_t length, cvips_loader loader,
                                     char message[CVIPS_MESSAGE_BYTES]) {
  if (!cvips_start(message)) return NULL;
  return open_source(vips.vips_source_new_from_memory(bytes, length), loader, message);
}

void cvips_image_free(cvips_image *image) {
  if (image == NULL) return;
  if (image->region != NULL) vips.g_object_unref(image->region);
  if (image->image != NULL) vips.g_object_unref(image->image);
  if (image->source != NULL) vips.g_object_unref(image->source);
  free(image);
  // libvips keeps buffers for each thread that has called it, and does not free those of foreign threads.
  vips.vips_thread_shutdown();
}

static cvips_model model_of(int interpretation, int bands) {
  switch (interpretation) {
    case INTERPRETATION_B_W:
    case INTERPRETATION_GREY16:
      return CVIPS_GRAY;
    case INTERPRETATION_RGB:
    case INTERPRETATION_SRGB:
    case INTERPRETATION_RGB16:
    case INTERPRETATION_SCRGB:
      return bands < 3 ? CVIPS_GRAY : CVIPS_RGB;
    case INTERPRETATION_CMYK:
      return CVIPS_CMYK;
    case INTERPRETATION_LAB:
    case INTERPRETATION_LABQ:
    case INTERPRETATION_LABS:
      return CVIPS_LAB;
    default:
      return CVIPS_OTHER_MODEL;
  }
}

static cvips_samples samples_of(int format) {
  switch (format) {
    case FORMAT_UCHAR:
      return CVIPS_UINT8;
    case FORMAT_USHORT:
      return CVIPS_UINT16;
    case FORMAT_FLOAT:
      return CVIPS_FLOAT32;
    default:
      return CVIPS_OTHER_SAMPLES;
  }
}

static int int_field(const cvips_image *image, const char *name, int missing) {
  int value = missing;
  if (vips.vips_image_get_typeof(image->image, name) != 0 &&
      vips.vips_image_get_int(image->image, name, &value) != 0) {
    vips.vips_error_clear();
    value = missing;
  }
  return value;
}

cvips_info cvips_image_info(const cvips_image *image) {
  cvips_info info;
  info.width = vips.vips_image_get_width(image->image);
  info.height = vips.vips_image_get_height(image->image);
  info.bands = vips.vips_image_get_bands(image->image);
  info.samples = samples_of(vips.vips_image_get_format(image->image));
  info.model = model_of(vips.vips_image_guess_interpretation(image->image), info.bands);
  info.orientation = vips.vips_image_get_orientation(image->image);
  info.pages = int_field(image, "n-pages", 1);
  info.used_bits = int_field(image, "heif-bitdepth", 16);
  return info;
}

bool cvips_image_convert_to_srgb16(cvips_image *image, char message[CVIPS_MESSAGE_BYTES]) {
  VipsImage *converted = NULL;
  if (vips.vips_colourspace(image->image, &converted, INTERPRETATION_RGB16, (char *)NULL) != 0) {
    take_error(message);
    return false;
  }
  vips.g_object_unref(image->image);
  image->image = converted;
  return true;
}

const void *cvips_image_blob(const cvips_image *image, const char *name, size_t *length) {
  const void *data = NULL;
  *length = 0;
  if (vips.vips_image_get_typeof(image->image, name) == 0) return NULL;
  if (vips.vips_image_get_blob(image->image, name, &data, length) != 0) {
    vips.vips_error_clear();
    return NULL;
  }
  return *length > 0 ? data : NULL;
}

bool cvips_image_rows(cvips_image *image, int first, int count, void *out, size_t out_bytes,
                      char message[CVIPS_MESSAGE_BYTES]) {
  if (image->region == NULL) image->region = vips.vips_region_new(image->image);
  size_t length = 0;
  unsigned char *rows = NULL;
  if (image->region != NULL) {
    int width = vips.vips_image_get_width(image->image);
    rows = vips.vips_region_fetch(image->region, 0, first, width, count, &length);
  }
  bool whole = rows != NULL && length == out_bytes;
  if (whole) {
    memcpy(out, rows, length);
  } else {
    take_error(message);
  }
  vips.g_free(rows);
  return whole;
}

static void set_blob(VipsImage *image, const char *name, const void *data, size_t length) {
  if (data != NULL && length > 0) vips.vips_image_set_blob_copy(image, name, data, length);
}

bool cvips_save(cvips_saver saver, const cvips_picture *picture, void **out, size_t *out_length,
                char message[CVIPS_MESSAGE_BYTES]) {
  if (!cvips_start(message)) return false;
  *out = NULL;
  *out_length = 0;
  bool deep = picture->bits == 16;
  VipsImage *memory =
      vips.vips_image_new_from_memory(picture->pixels, picture->pixel_bytes, picture->width, picture->height,
                                      picture->bands, deep ? FORMAT_USHORT : FORMAT_UCHAR);
  VipsImage *image = NULL;
  int failed =
      memory == NULL || vips.vips_copy(memory, &image, "interpretation",
                                       deep ? INTERPRETATION_RGB16 : INTERPRETATION_SRGB, (char *)NULL);
  if (!failed) {
    set_blob(image, "icc-profile-data", picture->icc, picture->icc_length);
    switch (saver) {
      case CVIPS_SAVE_PNG:
        failed = vips.vips_pngsave_buffer(image, out, out_length, "compression", 6, "bitdepth", picture->bits,
                                          (char *)NULL);
        break;
      case CVIPS_SAVE_TIFF:
        // A classic TIFF is limited to 4 GiB. Whether the compressed file stays below is not known in
        // advance.
        failed = vips.vips_tiffsave_buffer(image, out, out_length, "compression", TIFF_DEFLATE, "predictor",
                                           TIFF_HORIZONTAL, "bigtiff",
                                           picture->pixel_bytes > 4000000000u ? 1 : 0, (char *)NULL);
        break;
      case CVIPS_SAVE_WEBP:
        failed = vips.vips_webpsave_buffer(image, out, out_length, "Q", picture->quality, "lossless",
                                           picture->lossless ? 1 : 0, "smart_subsample", 1, (char *)NULL);
        break;
      case CVIPS_SAVE_JXL:
        // Any quality, even an unused one, makes libvips ignore `lossless`.
        failed = picture->lossless ? vips.vips_jxlsave_buffer(image, out, out_length, "lossless", 1, "effort",
                                                              picture->effort, (char *)NULL)
                                   : vips.vips_jxlsave_buffer(image, out, out_length, "Q", picture->quality,
                                                              "effort", picture->effort, (char *)NULL);
        break;
    }
  }
  if (failed) take_error(message);
  if (image != NULL) vips.g_object_unref(image);
  if (memory != NULL) vips.g_object_unref(memory);
  vips.vips_thread_shutdown();
  return !failed;
}

void cvips_free(void *memory) {
  if (memory != NULL) vips.g_free(memory);
}
