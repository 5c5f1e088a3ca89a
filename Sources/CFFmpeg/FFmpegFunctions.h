// The FFmpeg functions in use, as tables filled with dlsym: one for reading, one for writing, one for
// libswscale, which is opened only if samples must be converted, and one for libswresample.
#ifndef SAFELIGHT_FFMPEG_FUNCTIONS_H
#define SAFELIGHT_FFMPEG_FUNCTIONS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/hwcontext.h>
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

// FFmpeg 5.1 renamed it with its type.
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100)
#define CHANNEL_FUNCTIONS(X) X(util, av_channel_layout_default)
#else
#define CHANNEL_FUNCTIONS(X) X(util, av_get_default_channel_layout)
#endif

// What encoders and muxers need beside it.
#define ENCODING_FUNCTIONS(X)               \
  CHANNEL_FUNCTIONS(X)                      \
  X(format, avformat_alloc_output_context2) \
  X(format, avformat_new_stream)            \
  X(format, avformat_write_header)          \
  X(format, av_interleaved_write_frame)     \
  X(format, av_write_frame)                 \
  X(format, av_write_trailer)               \
  X(codec, avcodec_find_encoder_by_name)    \
  X(codec, avcodec_descriptor_get_by_name)  \
  X(codec, avcodec_send_frame)              \
  X(codec, avcodec_receive_packet)          \
  X(codec, av_new_packet)                   \
  X(codec, av_packet_new_side_data)         \
  X(codec, av_packet_rescale_ts)            \
  X(util, av_buffer_create)                 \
  X(util, av_buffer_ref)                    \
  X(util, av_buffer_unref)                  \
  X(util, av_dict_get)                      \
  X(util, av_dict_parse_string)             \
  X(util, av_frame_get_buffer)              \
  X(util, av_frame_make_writable)           \
  X(util, av_frame_unref)                   \
  X(util, av_get_pix_fmt)                   \
  X(util, av_hwdevice_ctx_create)           \
  X(util, av_hwframe_ctx_alloc)             \
  X(util, av_hwframe_ctx_init)              \
  X(util, av_hwframe_get_buffer)            \
  X(util, av_hwframe_transfer_data)         \
  X(util, av_mallocz)                       \
  X(util, av_strerror)

#define SCALING_FUNCTIONS(X)         \
  X(scale, sws_getContext)           \
  X(scale, sws_freeContext)          \
  X(scale, sws_getCoefficients)      \
  X(scale, sws_setColorspaceDetails) \
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
