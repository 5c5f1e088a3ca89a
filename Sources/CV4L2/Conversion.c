#define _GNU_SOURCE
#include "include/Conversion.h"

#include <dlfcn.h>
#include <errno.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONVERSION_FUNCTIONS(X)     \
  X(v4lconvert_create)              \
  X(v4lconvert_create_with_dev_ops) \
  X(v4lconvert_destroy)             \
  X(v4lconvert_convert)             \
  X(v4lconvert_get_error_message)

// Filled once, before the first use, and constant afterwards.
static struct {
#define POINTER(name) __typeof__(&name) name;
  CONVERSION_FUNCTIONS(POINTER)
#undef POINTER
} v4l;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static char start_failure[cv4l2_message_bytes];

enum {
  smallest_edge = 16,
  largest_edge = 16384,
  // What decoders of compressed formats may read after the end of a frame that stops too early.
  padding = 65536,
};

struct cv4l2_converter {
  struct v4lconvert_data *library;
  struct v4l2_format source, target;
  size_t rows, row_bytes, row_stride;
  uint8_t *frame;
  size_t frame_room;
  uint8_t *picture;
  size_t picture_room;
};

static void start(void) {
  void *library = dlopen("libv4lconvert.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(start_failure, sizeof start_failure, "%s", dlerror());
    return;
  }
#define LOOK_UP(name)                                                                         \
  *(void **)&v4l.name = dlsym(library, #name);                                                \
  if (v4l.name == NULL) {                                                                     \
    snprintf(start_failure, sizeof start_failure, "libv4lconvert has no function %s", #name); \
    return;                                                                                   \
  }
  CONVERSION_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
}

bool cv4l2_conversion_start(char message[cv4l2_message_bytes]) {
  pthread_once(&started, start);
  snprintf(message, cv4l2_message_bytes, "%s", start_failure);
  return start_failure[0] == '\0';
}

// What stands for a camera where frames are not a camera's: a device with neither formats nor controls. That
// it also takes pictures keeps the library from balancing colours, which it does for cameras alone.
static void *no_device_open(int fd) {
  (void)fd;
  return NULL;
}
static void no_device_close(void *device) { (void)device; }
static int no_device_request(void *device, int fd, unsigned long code, void *argument) {
  (void)device;
  (void)fd;
  if (code == VIDIOC_QUERYCAP) {
    struct v4l2_capability *capability = argument;
    memset(capability, 0, sizeof *capability);
    capability->capabilities = V4L2_CAP_VIDEO_OUTPUT;
    return 0;
  }
  errno = EINVAL;
  return -1;
}
static ssize_t no_device_read(void *device, int fd, void *bytes, size_t length) {
  (void)device, (void)fd, (void)bytes, (void)length;
  return 0;
}
static ssize_t no_device_write(void *device, int fd, const void *bytes, size_t length) {
  (void)device, (void)fd, (void)bytes;
  return (ssize_t)length;
}
static const struct libv4l_dev_ops no_device = {
    .init = no_device_open,
    .close = no_device_close,
    .ioctl = no_device_request,
    .read = no_device_read,
    .write = no_device_write,
};

static void describe(const cv4l2_conversion *from, struct v4l2_format *source, struct v4l2_format *target) {
  memset(source, 0, sizeof *source);
  source->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  struct v4l2_pix_format *picture = &source->fmt.pix;
  picture->width = from->width;
  picture->height = from->height;
  picture->pixelformat = from->pixel_format;
  picture->field = V4L2_FIELD_NONE;
  picture->bytesperline = from->row_bytes;
  picture->sizeimage = from->rows > 0 ? from->row_bytes * from->rows : from->width * from->height * 2;
  picture->colorspace = from->colorspace;
  picture->priv = V4L2_PIX_FMT_PRIV_MAGIC;
  picture->ycbcr_enc = from->ycbcr_encoding;
  picture->quantization = from->quantization;
  *target = *source;
  picture = &target->fmt.pix;
  picture->pixelformat = from->to_rgb ? V4L2_PIX_FMT_RGB24 : V4L2_PIX_FMT_YUV420;
  picture->bytesperline = from->to_rgb ? 3 * from->width : from->width;
  picture->sizeimage = from->width * from->height * 3 / (from->to_rgb ? 1 : 2);
}

cv4l2_converter *cv4l2_converter_new(int device, const cv4l2_conversion *conversion,
                                     char message[cv4l2_message_bytes]) {
  if (!cv4l2_conversion_start(message)) return NULL;
  uint32_t width = conversion->width, height = conversion->height;
  if (width < smallest_edge || height < smallest_edge || width > largest_edge || height > largest_edge ||
      width % 2 != 0 || height % 2 != 0 || conversion->row_bytes > 4 * width ||
      conversion->rows > 2 * height || conversion->row_stride < conversion->row_bytes) {
    snprintf(message, cv4l2_message_bytes, "libv4lconvert does not convert pictures of %u×%u", width, height);
    return NULL;
  }
  cv4l2_converter *converter = calloc(1, sizeof *converter);
  if (converter != NULL) {
    describe(conversion, &converter->source, &converter->target);
    converter->rows = conversion->rows;
    converter->row_bytes = conversion->row_bytes;
    converter->row_stride = conversion->row_stride;
    // No format has more than four bytes a pixel.
    converter->frame_room = (size_t)4 * width * height;
    // More than any result: decoders write whole blocks.
    converter->picture_room = (size_t)width * height * 3 + 16 * (size_t)width * 3;
    converter->frame = calloc(1, converter->frame_room + padding);
    converter->picture = calloc(1, converter->picture_room + padding);
    converter->library = device >= 0 ? v4l.v4lconvert_create(device)
                                     : v4l.v4lconvert_create_with_dev_ops(-1, NULL, &no_device);
  }
  if (converter == NULL || converter->frame == NULL || converter->picture == NULL ||
      converter->library == NULL) {
    snprintf(message, cv4l2_message_bytes, "libv4lconvert does not start, or memory is short (%u×%u)", width,
             height);
    cv4l2_converter_free(converter);
    return NULL;
  }
  return converter;
}

void cv4l2_converter_free(cv4l2_converter *converter) {
  if (converter == NULL) return;
  if (converter->library != NULL) v4l.v4lconvert_destroy(converter->library);
  free(converter->frame);
  free(converter->picture);
  free(converter);
}

// Leaves out the gaps between rows. `*length` becomes that of the copy. Returns false for a frame that is too
// short, or longer than one of any compressed format.
static bool copy_frame(cv4l2_converter *converter, const uint8_t *frame, size_t *length) {
  size_t rows = converter->rows, row_bytes = converter->row_bytes, row_stride = converter->row_stride;
  if (rows == 0) {
    if (*length == 0 || *length > converter->frame_room) return false;
    memcpy(converter->frame, frame, *length);
  } else {
    if (*length < (rows - 1) * row_stride + row_bytes) return false;
    for (size_t row = 0; row < rows; row++) {
      memcpy(converter->frame + row * row_bytes, frame + row * row_stride, row_bytes);
    }
    *length = rows * row_bytes;
  }
  // The library changes frames in place, beyond their end too.
  memset(converter->frame + *length, 0, converter->frame_room + padding - *length);
  return true;
}

cv4l2_conversion_status cv4l2_converter_convert(cv4l2_converter *converter, const void *frame, size_t length,
                                                const uint8_t **out, char message[cv4l2_message_bytes]) {
  message[0] = '\0';
  *out = NULL;
  if (!copy_frame(converter, frame, &length)) {
    snprintf(message, cv4l2_message_bytes, "the frame has %zu bytes", length);
    return CV4L2_DAMAGED;
  }
  errno = 0;
  int written =
      v4l.v4lconvert_convert(converter->library, &converter->source, &converter->target, converter->frame,
                             (int)length, converter->picture, (int)converter->picture_room);
  if (written >= 0 && (uint32_t)written >= converter->target.fmt.pix.sizeimage) {
    *out = converter->picture;
    return CV4L2_CONVERTED;
  }
  int cause = errno;
  snprintf(message, cv4l2_message_bytes, "%s", v4l.v4lconvert_get_error_message(converter->library));
  size_t end = strlen(message);
  while (end > 0 && (message[end - 1] == '\n' || message[end - 1] == '.')) message[--end] = '\0';
  if (cause == ENOMEM) return CV4L2_OUT_OF_MEMORY;
  return cause == EINVAL && strstr(message, "Unknown") != NULL ? CV4L2_UNKNOWN_FORMAT : CV4L2_DAMAGED;
}
