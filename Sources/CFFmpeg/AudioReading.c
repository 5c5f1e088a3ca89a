#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Channels.h"
#include "FileInput.h"
#include "Packets.h"
#include "SampleConversion.h"

enum {
  // After this many failures in a row, the file is considered ended.
  MAXIMUM_READ_ERRORS = 32,
  MAXIMUM_CHANNELS = 64,
};

struct cffmpeg_sound_reader {
  cffmpeg_input input;
  AVCodecContext *codec;
  AVPacket *packet;
  AVFrame *frame;
  float *samples;
  size_t capacity;
  int stream;
  int video;
  int failures;
  bool is_drained;
};

static const AVStream *stream_of(const cffmpeg_sound_reader *reader) {
  return reader->input.format->streams[reader->stream];
}

static bool choose_stream(cffmpeg_sound_reader *reader, cffmpeg_status *status) {
  AVFormatContext *format = reader->input.format;
  reader->video = ff.av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  // Cover art of a music file.
  if (reader->video >= 0 &&
      (format->streams[reader->video]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
    reader->video = -1;
  }
  *status = CFFMPEG_NO_VIDEO;
  reader->stream = ff.av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, reader->video, NULL, 0);
  if (reader->stream < 0) return false;
  const AVCodecParameters *codec = stream_of(reader)->codecpar;
  *status = CFFMPEG_NOT_MEDIA;
  if (codec->sample_rate <= 0 || CHANNELS_OF(codec) <= 0 || CHANNELS_OF(codec) > MAXIMUM_CHANNELS)
    return false;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    if ((int)i != reader->stream) format->streams[i]->discard = AVDISCARD_ALL;
  }
  return true;
}

static bool open_decoder(cffmpeg_sound_reader *reader, cffmpeg_status *status,
                         char message[CFFMPEG_MESSAGE_BYTES]) {
  const AVStream *stream = stream_of(reader);
  snprintf(message, CFFMPEG_MESSAGE_BYTES, "%s", ff.avcodec_get_name(stream->codecpar->codec_id));
  *status = CFFMPEG_NO_DECODER;
  const AVCodec *decoder = ff.avcodec_find_decoder(stream->codecpar->codec_id);
  if (decoder == NULL) return false;
  *status = CFFMPEG_NO_MEMORY;
  reader->codec = ff.avcodec_alloc_context3(decoder);
  if (reader->codec == NULL) return false;
  if (ff.avcodec_parameters_to_context(reader->codec, stream->codecpar) < 0) return false;
  reader->codec->pkt_timebase = stream->time_base;
  *status = CFFMPEG_NO_FRAME;
  return ff.avcodec_open2(reader->codec, decoder, NULL) == 0;
}

cffmpeg_sound_reader *cffmpeg_reader_open(int descriptor, bool decodes, cffmpeg_status *status,
                                          char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_NO_LIBRARY;
  if (!cffmpeg_start(message) || !cffmpeg_start_encoding(message)) return NULL;
  *status = CFFMPEG_NO_MEMORY;
  cffmpeg_sound_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->packet = ff.av_packet_alloc();
  reader->frame = ff.av_frame_alloc();
  if (reader->packet != NULL && reader->frame != NULL &&
      cffmpeg_input_open(&reader->input, descriptor, status) && choose_stream(reader, status) &&
      (!decodes || open_decoder(reader, status, message))) {
    *status = CFFMPEG_OPENED;
    return reader;
  }
  cffmpeg_reader_free(reader);
  return NULL;
}

void cffmpeg_reader_free(cffmpeg_sound_reader *reader) {
  if (reader == NULL) return;
  ff.av_frame_free(&reader->frame);
  ff.av_packet_free(&reader->packet);
  ff.avcodec_free_context(&reader->codec);
  cffmpeg_input_close(&reader->input);
  free(reader->samples);
  free(reader);
}

static double seconds(int64_t time, AVRational base) {
  return base.den > 0 ? (double)time * base.num / base.den : 0;
}

cffmpeg_sound_info cffmpeg_reader_info(const cffmpeg_sound_reader *reader) {
  const AVFormatContext *format = reader->input.format;
  const AVStream *stream = stream_of(reader), *video = NULL;
  if (reader->video >= 0) video = format->streams[reader->video];
  const AVCodecParameters *codec = stream->codecpar;
  cffmpeg_sound_info info = {
      .sample_rate = codec->sample_rate,
      .channels = CHANNELS_OF(codec),
      .block = codec->frame_size > 0 ? codec->frame_size : 0,
      .bits = codec->bits_per_raw_sample > 0 ? codec->bits_per_raw_sample : codec->bits_per_coded_sample,
      .priming = codec->initial_padding > 0 ? codec->initial_padding : 0,
      .header = codec->extradata,
      .header_bytes = codec->extradata_size > 0 ? (size_t)codec->extradata_size : 0,
      .tick_numerator = stream->time_base.num,
      .tick_denominator = stream->time_base.den,
      .has_video = video != NULL};
  snprintf(info.codec_name, sizeof info.codec_name, "%s", ff.avcodec_get_name(codec->codec_id));
#if HAS_CHANNEL_LAYOUTS
  info.is_ambisonic =
      codec->ch_layout.order == AV_CHANNEL_ORDER_AMBISONIC && codec->ch_layout.nb_channels == 4;
#endif
  const AVStream *first = video != NULL ? video : stream;
  if (first->start_time != AV_NOPTS_VALUE) info.video_start = seconds(first->start_time, first->time_base);
  if (stream->duration > 0) {
    info.duration = seconds(stream->duration, stream->time_base);
  } else if (format->duration > 0) {
    info.duration = (double)format->duration / AV_TIME_BASE;
  }
  return info;
}

// Reads a packet of the chosen stream.
static cffmpeg_sound_event read_packet(cffmpeg_sound_reader *reader) {
  while (true) {
    ff.av_packet_unref(reader->packet);
    int failed = ff.av_read_frame(reader->input.format, reader->packet);
    if (failed >= 0) {
      reader->failures = 0;
      if (reader->packet->stream_index == reader->stream) return CFFMPEG_SOUND_READY;
      continue;
    }
    if (reader->input.read_error != 0) return CFFMPEG_SOUND_FAILED;
    if (failed == AVERROR_EOF || failed == AVERROR_EXIT || ++reader->failures > MAXIMUM_READ_ERRORS) {
      return CFFMPEG_SOUND_END;
    }
    return CFFMPEG_SOUND_DAMAGED;
  }
}

cffmpeg_sound_event cffmpeg_reader_packet(cffmpeg_sound_reader *reader, cffmpeg_packet *packet) {
  cffmpeg_sound_event event = read_packet(reader);
  if (event == CFFMPEG_SOUND_READY) *packet = cffmpeg_describe_packet(reader->packet);
  return event;
}

static bool convert(cffmpeg_sound_reader *reader, cffmpeg_sound_block_data *block) {
  const AVFrame *frame = reader->frame;
  int channels = CHANNELS_OF(frame);
  if (channels <= 0 || channels > MAXIMUM_CHANNELS || frame->nb_samples <= 0 || frame->sample_rate <= 0) {
    return false;
  }
  size_t total = (size_t)frame->nb_samples * (size_t)channels;
  if (total > reader->capacity) {
    float *larger = realloc(reader->samples, total * sizeof *larger);
    if (larger == NULL) return false;
    reader->samples = larger;
    reader->capacity = total;
  }
  if (!cffmpeg_to_float(frame->extended_data, frame->format, frame->nb_samples, channels, reader->samples)) {
    return false;
  }
  *block = (cffmpeg_sound_block_data){.samples = reader->samples,
                                      .count = frame->nb_samples,
                                      .sample_rate = frame->sample_rate,
                                      .channels = channels};
  block->has_time = frame->best_effort_timestamp != AV_NOPTS_VALUE;
  if (block->has_time) block->time = seconds(frame->best_effort_timestamp, stream_of(reader)->time_base);
  return true;
}

cffmpeg_sound_event cffmpeg_reader_block(cffmpeg_sound_reader *reader, cffmpeg_sound_block_data *block) {
  while (true) {
    int got = ff.avcodec_receive_frame(reader->codec, reader->frame);
    if (got == 0) return convert(reader, block) ? CFFMPEG_SOUND_READY : CFFMPEG_SOUND_DAMAGED;
    if (got == AVERROR_EOF || (got != AVERROR(EAGAIN) && reader->is_drained)) return CFFMPEG_SOUND_END;
    if (got != AVERROR(EAGAIN)) return CFFMPEG_SOUND_DAMAGED;
    cffmpeg_sound_event event = read_packet(reader);
    if (event == CFFMPEG_SOUND_END) {
      if (reader->is_drained) return CFFMPEG_SOUND_END;
      reader->is_drained = true;
      if (ff.avcodec_send_packet(reader->codec, NULL) < 0) return CFFMPEG_SOUND_END;
      continue;
    }
    if (event != CFFMPEG_SOUND_READY) return event;
    // Decoders accept a packet after they have asked for one, or find it damaged.
    int sent = ff.avcodec_send_packet(reader->codec, reader->packet);
    ff.av_packet_unref(reader->packet);
    if (sent < 0 && sent != AVERROR(EAGAIN) && sent != AVERROR_EOF) return CFFMPEG_SOUND_DAMAGED;
  }
}

int cffmpeg_reader_errno(const cffmpeg_sound_reader *reader) { return reader->input.read_error; }
