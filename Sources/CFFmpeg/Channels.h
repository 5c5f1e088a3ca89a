// The number and the meaning of channels, over the versions of FFmpeg.
#ifndef SAFELIGHT_FFMPEG_CHANNELS_H
#define SAFELIGHT_FFMPEG_CHANNELS_H

#include "Libraries.h"

// FFmpeg 5.1 replaced two fields by a structure.
#define HAS_CHANNEL_LAYOUTS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100))

// Sets the usual layout of up to eight channels, such as left and right, of anything that has one.
#if HAS_CHANNEL_LAYOUTS
#define SET_CHANNELS(object, count) ff.av_channel_layout_default(&(object)->ch_layout, (count))
#define CHANNELS_OF(object) ((object)->ch_layout.nb_channels)
#else
#define SET_CHANNELS(object, count) \
  ((object)->channels = (count), (object)->channel_layout = (uint64_t)ff.av_get_default_channel_layout(count))
#define CHANNELS_OF(object) ((object)->channels)
#endif

#endif
