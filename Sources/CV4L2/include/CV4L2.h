// V4L2 for Swift: the requests of <linux/videodev2.h> as functions.
//
// Swift imports neither the VIDIOC_… macros, which are built from the sizes of structures, nor ioctl, which
// is variadic; and it cannot lay out V4L2's packed structures. Every function here is one request, repeated
// if a signal interrupts it, and returns 0 or a negative errno.
#ifndef SAFELIGHT_CV4L2_H
#define SAFELIGHT_CV4L2_H

#include <linux/videodev2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Conversion.h"

// Requests whose structures Swift can import.
int cv4l2_query_capability(int fd, struct v4l2_capability *capability);
int cv4l2_enumerate_format(int fd, struct v4l2_fmtdesc *format);
int cv4l2_enumerate_size(int fd, struct v4l2_frmsizeenum *size);
int cv4l2_enumerate_interval(int fd, struct v4l2_frmivalenum *interval);
int cv4l2_query_control(int fd, struct v4l2_query_ext_ctrl *control);
int cv4l2_get_parameters(int fd, struct v4l2_streamparm *parameters);
int cv4l2_set_parameters(int fd, struct v4l2_streamparm *parameters);
int cv4l2_request_buffers(int fd, struct v4l2_requestbuffers *request);
int cv4l2_stream_on(int fd, uint32_t type);
int cv4l2_stream_off(int fd, uint32_t type);
int cv4l2_dequeue_event(int fd, struct v4l2_event *event);
int cv4l2_subscribe_event(int fd, uint32_t type, uint32_t id);

enum { cv4l2_maximum_planes = 4 };

// Combines v4l2_pix_format and v4l2_pix_format_mplane: the second is packed, and the first equals a
// multi-planar format of one plane.
typedef struct {
  uint32_t width, height;
  uint32_t pixel_format, field;
  uint32_t colorspace, ycbcr_encoding, quantization, transfer;
  uint32_t plane_count;
  uint32_t bytes_per_line[cv4l2_maximum_planes];
  uint32_t size_image[cv4l2_maximum_planes];
} cv4l2_format;

// `type` is a V4L2_BUF_TYPE_VIDEO_…, with or without _MPLANE.
int cv4l2_get_format(int fd, uint32_t type, cv4l2_format *format);
int cv4l2_try_format(int fd, uint32_t type, cv4l2_format *format);
int cv4l2_set_format(int fd, uint32_t type, cv4l2_format *format);

// v4l2_buffer without the array of planes that it refers to on multi-planar devices.
typedef struct {
  uint32_t index, flags, sequence;
  // The time stamp; the flags state its clock.
  int64_t nanoseconds;
  uint32_t plane_count;
  uint32_t bytes_used[cv4l2_maximum_planes];
  uint32_t data_offset[cv4l2_maximum_planes];
  // Set only by cv4l2_query_buffer: the arguments for mmap.
  uint32_t length[cv4l2_maximum_planes];
  uint32_t map_offset[cv4l2_maximum_planes];
} cv4l2_buffer;

int cv4l2_query_buffer(int fd, uint32_t type, uint32_t index, cv4l2_buffer *buffer);
// Returns the descriptor of a dma-buf, which the caller closes, or a negative errno.
int cv4l2_export_buffer(int fd, uint32_t type, uint32_t index, uint32_t plane);
int cv4l2_queue_buffer(int fd, uint32_t type, uint32_t index, uint32_t plane_count);
int cv4l2_dequeue_buffer(int fd, uint32_t type, cv4l2_buffer *buffer);

// v4l2_querymenu and v4l2_ext_control are packed unions. `name` is empty for a menu of integers.
int cv4l2_query_menu(int fd, uint32_t id, uint32_t index, bool integers, char name[32], int64_t *value);
int cv4l2_get_control(int fd, uint32_t id, bool wide, int64_t *value);
int cv4l2_set_control(int fd, uint32_t id, bool wide, int64_t value);

// Controls of the uvcvideo driver and their type, which headers before Linux 6.16 lack
// (<linux/v4l2-controls.h>, <linux/uvcvideo.h>, <linux/videodev2.h>).
enum {
  cv4l2_type_rectangle = 0x0107,
  cv4l2_region_of_interest = 0x00980900 + 0x11e0 + 1,
  cv4l2_region_of_interest_modes = 0x00980900 + 0x11e0 + 2,
};

typedef enum {
  CV4L2_PRESENT = 0,
  CV4L2_MINIMUM = 0x0f020000,
  CV4L2_MAXIMUM = 0x0f030000,
} cv4l2_which;

// A control that is a v4l2_rect: left, top, width, height.
int cv4l2_get_rectangle(int fd, uint32_t id, cv4l2_which which, int64_t values[4]);
int cv4l2_set_rectangle(int fd, uint32_t id, const int64_t values[4]);

// v4l2_dv_timings is packed. Makes a digital video input follow the signal that it receives. Returns
// -ENODATA or -ENOTTY if the current input has no such timings, -ENOLINK if there is no signal.
int cv4l2_adopt_timings(int fd);

// What V4L2_MAP_…_DEFAULT returns for the value 0; macros with arguments are not imported.
uint32_t cv4l2_default_transfer(uint32_t colorspace);
uint32_t cv4l2_default_ycbcr_encoding(uint32_t colorspace);
uint32_t cv4l2_default_quantization(bool rgb, uint32_t colorspace, uint32_t ycbcr_encoding);

// The class of a device number; the macros major and minor are not imported.
uint32_t cv4l2_device_major(uint64_t device);
uint32_t cv4l2_device_minor(uint64_t device);

// An eventfd: one thread makes it readable by writing an 8-byte number, and another waits for that with
// poll. <sys/eventfd.h> is not part of Swift's module of the C library. Returns a descriptor or a negative
// errno.
int cv4l2_event_descriptor(void);

#endif
