#define _GNU_SOURCE
#include <string.h>

#include "Request.h"
#include "include/CV4L2.h"

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
