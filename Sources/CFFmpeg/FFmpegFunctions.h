// The FFmpeg functions in use, as tables filled with dlsym: one for reading, one for libswscale, which is
// opened only if samples must be converted, and one for libswresample.
#ifndef SAFELIGHT_FFMPEG_FUNCTIONS_H
#define SAFELIGHT_FFMPEG_FUNCTIONS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// X(library, function)
#define READING_FUNCTIONS(X)              \
  X(format, avformat_alloc_context)       \
  X(format, avformat_open_input)          \
  X(format, avformat_close_input)         \
  X(format, avformat_free_context)        \
  X(format, avformat_find_stream_info)    \
  X(format, avformat_seek_file)           \
  X(format, av_find_best_stream)          \
  X(format, av_guess_frame_rate)          \
  X(format, av_guess_sample_aspect_ratio) \
  X(format, av_read_frame)                \
  X(format, avio_alloc_context)           \
  X(format, avio_context_free)            \
  X(codec, avcodec_alloc_context3)        \
  X(codec, avcodec_free_context)          \
  X(codec, avcodec_parameters_to_context) \
  X(codec, avcodec_find_decoder)          \
  X(codec, avcodec_get_name)              \
  X(codec, avcodec_open2)                 \
  X(codec, avcodec_send_packet)           \
  X(codec, avcodec_receive_frame)         \
  X(codec, avcodec_flush_buffers)         \
  X(codec, av_packet_alloc)               \
  X(codec, av_packet_free)                \
  X(codec, av_packet_unref)               \
  X(util, av_dict_set)                    \
  X(util, av_dict_free)                   \
  X(util, av_frame_alloc)                 \
  X(util, av_frame_free)                  \
  X(util, av_freep)                       \
  X(util, av_log_get_level)               \
  X(util, av_log_set_level)               \
  X(util, av_malloc)                      \
  X(util, av_pix_fmt_desc_get)

#define SCALING_FUNCTIONS(X) \
  X(scale, sws_getContext)   \
  X(scale, sws_freeContext)  \
  X(scale, sws_scale)

#define RESAMPLING_FUNCTIONS(X)     \
  X(resample, swr_alloc_set_opts2)  \
  X(resample, swr_convert)          \
  X(resample, swr_free)             \
  X(resample, swr_get_delay)        \
  X(resample, swr_init)             \
  X(resample, swr_set_compensation) \
  X(util, av_opt_set_int)           \
  X(util, av_strerror)

#endif
