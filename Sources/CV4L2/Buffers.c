#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>

#include "Request.h"
#include "include/CV4L2.h"

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
