// Pictures in the memory of a VA-API device.
#ifndef SAFELIGHT_FFMPEG_HARDWARE_FRAMES_H
#define SAFELIGHT_FFMPEG_HARDWARE_FRAMES_H

#include "Libraries.h"

typedef struct cffmpeg_uploader cffmpeg_uploader;

// Opens the default device and makes `codec`, whose size is set, take pictures in its memory. Returns NULL
// with the reason in `message` if that fails.
cffmpeg_uploader *cffmpeg_start_uploading(AVCodecContext *codec, enum AVPixelFormat format,
                                          char message[CFFMPEG_MESSAGE_BYTES]);
void cffmpeg_stop_uploading(cffmpeg_uploader *uploader);
// Replaces `*frame` by its copy in the device's memory, which belongs to the uploader.
int cffmpeg_upload(cffmpeg_uploader *uploader, AVFrame **frame);

#endif
