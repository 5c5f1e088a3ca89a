#define _GNU_SOURCE
#include "include/CV4L2.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/sysmacros.h>

#include "Request.h"

int cv4l2_query_capability(int fd, struct v4l2_capability *capability) {
  return request(fd, VIDIOC_QUERYCAP, capability);
}

int cv4l2_enumerate_format(int fd, struct v4l2_fmtdesc *format) {
  return request(fd, VIDIOC_ENUM_FMT, format);
}

int cv4l2_enumerate_size(int fd, struct v4l2_frmsizeenum *size) {
  return request(fd, VIDIOC_ENUM_FRAMESIZES, size);
}

int cv4l2_enumerate_interval(int fd, struct v4l2_frmivalenum *interval) {
  return request(fd, VIDIOC_ENUM_FRAMEINTERVALS, interval);
}

int cv4l2_query_control(int fd, struct v4l2_query_ext_ctrl *control) {
  return request(fd, VIDIOC_QUERY_EXT_CTRL, control);
}

int cv4l2_get_parameters(int fd, struct v4l2_streamparm *parameters) {
  return request(fd, VIDIOC_G_PARM, parameters);
}

int cv4l2_set_parameters(int fd, struct v4l2_streamparm *parameters) {
  return request(fd, VIDIOC_S_PARM, parameters);
}

int cv4l2_request_buffers(int fd, struct v4l2_requestbuffers *buffers) {
  return request(fd, VIDIOC_REQBUFS, buffers);
}

int cv4l2_stream_on(int fd, uint32_t type) {
  int argument = (int)type;
  return request(fd, VIDIOC_STREAMON, &argument);
}

int cv4l2_stream_off(int fd, uint32_t type) {
  int argument = (int)type;
  return request(fd, VIDIOC_STREAMOFF, &argument);
}

int cv4l2_dequeue_event(int fd, struct v4l2_event *event) { return request(fd, VIDIOC_DQEVENT, event); }

int cv4l2_subscribe_event(int fd, uint32_t type, uint32_t id) {
  struct v4l2_event_subscription subscription = {.type = type, .id = id};
  return request(fd, VIDIOC_SUBSCRIBE_EVENT, &subscription);
}

int cv4l2_adopt_timings(int fd) {
  struct v4l2_dv_timings timings;
  memset(&timings, 0, sizeof timings);
  int status = request(fd, VIDIOC_QUERY_DV_TIMINGS, &timings);
  return status == 0 ? request(fd, VIDIOC_S_DV_TIMINGS, &timings) : status;
}

uint32_t cv4l2_default_transfer(uint32_t colorspace) { return V4L2_MAP_XFER_FUNC_DEFAULT(colorspace); }

uint32_t cv4l2_default_ycbcr_encoding(uint32_t colorspace) { return V4L2_MAP_YCBCR_ENC_DEFAULT(colorspace); }

uint32_t cv4l2_default_quantization(bool rgb, uint32_t colorspace, uint32_t ycbcr_encoding) {
  (void)ycbcr_encoding;  // The macro has the argument and, since Linux 5.0, does not use it.
  return V4L2_MAP_QUANTIZATION_DEFAULT(rgb, colorspace, ycbcr_encoding);
}

uint32_t cv4l2_device_major(uint64_t device) { return major(device); }
uint32_t cv4l2_device_minor(uint64_t device) { return minor(device); }

int cv4l2_event_descriptor(void) {
  int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return fd == -1 ? -errno : fd;
}
