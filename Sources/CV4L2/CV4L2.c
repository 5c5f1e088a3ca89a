#define _GNU_SOURCE
#include "include/CV4L2.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

static int request(int fd, unsigned long code, void *argument) {
  int result;
  do {
    result = ioctl(fd, code, argument);
  } while (result == -1 && errno == EINTR);
  return result == -1 ? -errno : 0;
}

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

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void write_format(const cv4l2_format *from, uint32_t type, struct v4l2_format *to) {
  memset(to, 0, sizeof *to);
  to->type = type;
  if (V4L2_TYPE_IS_MULTIPLANAR(type)) {
    struct v4l2_pix_format_mplane *planes = &to->fmt.pix_mp;
    planes->width = from->width;
    planes->height = from->height;
    planes->pixelformat = from->pixel_format;
    planes->field = from->field;
    planes->colorspace = from->colorspace;
    planes->ycbcr_enc = (uint8_t)from->ycbcr_encoding;
    planes->quantization = (uint8_t)from->quantization;
    planes->xfer_func = (uint8_t)from->transfer;
    planes->num_planes = (uint8_t)smaller(from->plane_count, cv4l2_maximum_planes);
    for (uint32_t i = 0; i < planes->num_planes; i++) {
      planes->plane_fmt[i].bytesperline = from->bytes_per_line[i];
      planes->plane_fmt[i].sizeimage = from->size_image[i];
    }
  } else {
    struct v4l2_pix_format *picture = &to->fmt.pix;
    picture->width = from->width;
    picture->height = from->height;
    picture->pixelformat = from->pixel_format;
    picture->field = from->field;
    picture->colorspace = from->colorspace;
    // The fields after `colorspace` are valid only if `priv` has this value.
    picture->priv = V4L2_PIX_FMT_PRIV_MAGIC;
    picture->ycbcr_enc = from->ycbcr_encoding;
    picture->quantization = from->quantization;
    picture->xfer_func = from->transfer;
    picture->bytesperline = from->bytes_per_line[0];
    picture->sizeimage = from->size_image[0];
  }
}

static void read_format(const struct v4l2_format *from, cv4l2_format *to) {
  memset(to, 0, sizeof *to);
  if (V4L2_TYPE_IS_MULTIPLANAR(from->type)) {
    const struct v4l2_pix_format_mplane *planes = &from->fmt.pix_mp;
    to->width = planes->width;
    to->height = planes->height;
    to->pixel_format = planes->pixelformat;
    to->field = planes->field;
    to->colorspace = planes->colorspace;
    to->ycbcr_encoding = planes->ycbcr_enc;
    to->quantization = planes->quantization;
    to->transfer = planes->xfer_func;
    to->plane_count = smaller(planes->num_planes, cv4l2_maximum_planes);
    for (uint32_t i = 0; i < to->plane_count; i++) {
      to->bytes_per_line[i] = planes->plane_fmt[i].bytesperline;
      to->size_image[i] = planes->plane_fmt[i].sizeimage;
    }
  } else {
    const struct v4l2_pix_format *picture = &from->fmt.pix;
    to->width = picture->width;
    to->height = picture->height;
    to->pixel_format = picture->pixelformat;
    to->field = picture->field;
    to->colorspace = picture->colorspace;
    if (picture->priv == V4L2_PIX_FMT_PRIV_MAGIC) {
      to->ycbcr_encoding = picture->ycbcr_enc;
      to->quantization = picture->quantization;
      to->transfer = picture->xfer_func;
    }
    to->plane_count = 1;
    to->bytes_per_line[0] = picture->bytesperline;
    to->size_image[0] = picture->sizeimage;
  }
}

static int request_format(int fd, unsigned long code, uint32_t type, cv4l2_format *format) {
  struct v4l2_format argument;
  write_format(format, type, &argument);
  int status = request(fd, code, &argument);
  if (status == 0) read_format(&argument, format);
  return status;
}

int cv4l2_get_format(int fd, uint32_t type, cv4l2_format *format) {
  memset(format, 0, sizeof *format);
  return request_format(fd, VIDIOC_G_FMT, type, format);
}

int cv4l2_try_format(int fd, uint32_t type, cv4l2_format *format) {
  return request_format(fd, VIDIOC_TRY_FMT, type, format);
}

int cv4l2_set_format(int fd, uint32_t type, cv4l2_format *format) {
  return request_format(fd, VIDIOC_S_FMT, type, format);
}

static struct v4l2_buffer mapped_buffer(uint32_t type, uint32_t index,
                                        struct v4l2_plane planes[VIDEO_MAX_PLANES], uint32_t plane_count) {
  struct v4l2_buffer buffer = {.index = index, .type = type, .memory = V4L2_MEMORY_MMAP};
  if (V4L2_TYPE_IS_MULTIPLANAR(type)) {
    memset(planes, 0, VIDEO_MAX_PLANES * sizeof *planes);
    buffer.m.planes = planes;
    buffer.length = plane_count;
  }
  return buffer;
}

static void read_buffer(const struct v4l2_buffer *from, cv4l2_buffer *to) {
  memset(to, 0, sizeof *to);
  to->index = from->index;
  to->flags = from->flags;
  to->sequence = from->sequence;
  to->nanoseconds = (int64_t)from->timestamp.tv_sec * 1000000000 + (int64_t)from->timestamp.tv_usec * 1000;
  if (V4L2_TYPE_IS_MULTIPLANAR(from->type)) {
    to->plane_count = smaller(from->length, cv4l2_maximum_planes);
    for (uint32_t i = 0; i < to->plane_count; i++) {
      to->bytes_used[i] = from->m.planes[i].bytesused;
      to->data_offset[i] = from->m.planes[i].data_offset;
      to->length[i] = from->m.planes[i].length;
      to->map_offset[i] = from->m.planes[i].m.mem_offset;
    }
  } else {
    to->plane_count = 1;
    to->bytes_used[0] = from->bytesused;
    to->length[0] = from->length;
    to->map_offset[0] = from->m.offset;
  }
}

int cv4l2_query_buffer(int fd, uint32_t type, uint32_t index, cv4l2_buffer *buffer) {
  struct v4l2_plane planes[VIDEO_MAX_PLANES];
  struct v4l2_buffer argument = mapped_buffer(type, index, planes, VIDEO_MAX_PLANES);
  int status = request(fd, VIDIOC_QUERYBUF, &argument);
  if (status == 0) read_buffer(&argument, buffer);
  return status;
}

int cv4l2_export_buffer(int fd, uint32_t type, uint32_t index, uint32_t plane) {
  struct v4l2_exportbuffer argument = {
      .type = type, .index = index, .plane = plane, .flags = O_RDWR | O_CLOEXEC};
  int status = request(fd, VIDIOC_EXPBUF, &argument);
  return status == 0 ? argument.fd : status;
}

int cv4l2_queue_buffer(int fd, uint32_t type, uint32_t index, uint32_t plane_count) {
  struct v4l2_plane planes[VIDEO_MAX_PLANES];
  struct v4l2_buffer argument = mapped_buffer(type, index, planes, plane_count);
  return request(fd, VIDIOC_QBUF, &argument);
}

int cv4l2_dequeue_buffer(int fd, uint32_t type, cv4l2_buffer *buffer) {
  struct v4l2_plane planes[VIDEO_MAX_PLANES];
  struct v4l2_buffer argument = mapped_buffer(type, 0, planes, VIDEO_MAX_PLANES);
  int status = request(fd, VIDIOC_DQBUF, &argument);
  if (status == 0) read_buffer(&argument, buffer);
  return status;
}

int cv4l2_query_menu(int fd, uint32_t id, uint32_t index, bool integers, char name[32], int64_t *value) {
  struct v4l2_querymenu menu = {.id = id, .index = index};
  int status = request(fd, VIDIOC_QUERYMENU, &menu);
  memset(name, 0, 32);
  *value = index;
  if (status != 0) return status;
  if (integers) {
    *value = menu.value;
  } else {
    memcpy(name, menu.name, 31);
  }
  return 0;
}

// The id includes the class, so no class is needed.
static int request_control(int fd, unsigned long code, uint32_t id, bool wide, int64_t *value) {
  struct v4l2_ext_control control = {.id = id};
  struct v4l2_ext_controls controls = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &control};
  if (wide) {
    control.value64 = *value;
  } else {
    control.value = (int32_t)*value;
  }
  int status = request(fd, code, &controls);
  if (status == 0) *value = wide ? control.value64 : control.value;
  return status;
}

int cv4l2_get_control(int fd, uint32_t id, bool wide, int64_t *value) {
  *value = 0;
  return request_control(fd, VIDIOC_G_EXT_CTRLS, id, wide, value);
}

int cv4l2_set_control(int fd, uint32_t id, bool wide, int64_t value) {
  return request_control(fd, VIDIOC_S_EXT_CTRLS, id, wide, &value);
}

static int request_rectangle(int fd, unsigned long code, uint32_t id, uint32_t which,
                             struct v4l2_rect *rectangle) {
  struct v4l2_ext_control control = {.id = id, .size = sizeof *rectangle, .ptr = rectangle};
  struct v4l2_ext_controls controls = {.which = which, .count = 1, .controls = &control};
  return request(fd, code, &controls);
}

int cv4l2_get_rectangle(int fd, uint32_t id, cv4l2_which which, int64_t values[4]) {
  struct v4l2_rect rectangle = {0};
  int status = request_rectangle(fd, VIDIOC_G_EXT_CTRLS, id, (uint32_t)which, &rectangle);
  values[0] = rectangle.left;
  values[1] = rectangle.top;
  values[2] = rectangle.width;
  values[3] = rectangle.height;
  return status;
}

int cv4l2_set_rectangle(int fd, uint32_t id, const int64_t values[4]) {
  struct v4l2_rect rectangle = {.left = (int32_t)values[0],
                                .top = (int32_t)values[1],
                                .width = (uint32_t)values[2],
                                .height = (uint32_t)values[3]};
  return request_rectangle(fd, VIDIOC_S_EXT_CTRLS, id, V4L2_CTRL_WHICH_CUR_VAL, &rectangle);
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
