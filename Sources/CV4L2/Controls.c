#define _GNU_SOURCE
#include <string.h>

#include "Request.h"
#include "include/CV4L2.h"

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
