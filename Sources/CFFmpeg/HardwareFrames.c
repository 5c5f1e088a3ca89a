#include "HardwareFrames.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  // A key frame, the picture that is uploaded, and those that the encoder still refers to.
  SURFACES = 16,
};

struct cffmpeg_uploader {
  AVBufferRef *device;
  AVBufferRef *surfaces;
  AVFrame *frame;
};

static int open_device(cffmpeg_uploader *uploader, AVCodecContext *codec, enum AVPixelFormat format) {
  int failed = ff.av_hwdevice_ctx_create(&uploader->device, AV_HWDEVICE_TYPE_VAAPI, NULL, NULL, 0);
  if (failed < 0) return failed;
  uploader->surfaces = ff.av_hwframe_ctx_alloc(uploader->device);
  uploader->frame = ff.av_frame_alloc();
  if (uploader->surfaces == NULL || uploader->frame == NULL) return AVERROR(ENOMEM);
  AVHWFramesContext *surfaces = (AVHWFramesContext *)uploader->surfaces->data;
  surfaces->format = AV_PIX_FMT_VAAPI;
  surfaces->sw_format = format;
  surfaces->width = codec->width;
  surfaces->height = codec->height;
  surfaces->initial_pool_size = SURFACES;
  failed = ff.av_hwframe_ctx_init(uploader->surfaces);
  if (failed < 0) return failed;
  codec->pix_fmt = AV_PIX_FMT_VAAPI;
  codec->hw_frames_ctx = ff.av_buffer_ref(uploader->surfaces);
  return codec->hw_frames_ctx == NULL ? AVERROR(ENOMEM) : 0;
}

cffmpeg_uploader *cffmpeg_start_uploading(AVCodecContext *codec, enum AVPixelFormat format,
                                          char message[CFFMPEG_MESSAGE_BYTES]) {
  cffmpeg_uploader *uploader = calloc(1, sizeof *uploader);
  int failed = uploader == NULL ? AVERROR(ENOMEM) : open_device(uploader, codec, format);
  if (failed == 0) return uploader;
  cffmpeg_error_text(failed, message);
  cffmpeg_stop_uploading(uploader);
  return NULL;
}

void cffmpeg_stop_uploading(cffmpeg_uploader *uploader) {
  if (uploader == NULL) return;
  ff.av_frame_free(&uploader->frame);
  ff.av_buffer_unref(&uploader->surfaces);
  ff.av_buffer_unref(&uploader->device);
  free(uploader);
}

int cffmpeg_upload(cffmpeg_uploader *uploader, AVFrame **frame) {
  ff.av_frame_unref(uploader->frame);
  int failed = ff.av_hwframe_get_buffer(uploader->surfaces, uploader->frame, 0);
  if (failed == 0) failed = ff.av_hwframe_transfer_data(uploader->frame, *frame, 0);
  if (failed == 0) *frame = uploader->frame;
  return failed;
}
