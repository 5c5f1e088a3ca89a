// For fdatasync and 64-bit offsets, which strict C11 hides.
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Channels.h"
#include "Packets.h"

enum { WRITE_BYTES = 1 << 16, MAXIMUM_TRACKS = 8 };

struct cffmpeg_muxer {
  AVFormatContext *format;
  AVIOContext *io;
  AVPacket *packet;
  // Ticks per second of each track.
  int time_scales[MAXIMUM_TRACKS];
  // What is added to each track's times.
  int64_t shifts[MAXIMUM_TRACKS];
  int descriptor;
  int64_t position;
  int64_t end;
  // Written since the last fdatasync.
  bool is_dirty;
  int write_error;
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t written_byte;
#else
typedef uint8_t written_byte;
#endif

static int write_bytes(void *opaque, written_byte *bytes, int count) {
  cffmpeg_muxer *muxer = opaque;
  int left = count;
  while (left > 0) {
    ssize_t wrote = pwrite(muxer->descriptor, bytes, (size_t)left, (off_t)muxer->position);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      int code = wrote < 0 ? errno : ENOSPC;
      if (muxer->write_error == 0) muxer->write_error = code;
      return AVERROR(code);
    }
    bytes += wrote;
    left -= (int)wrote;
    muxer->position += wrote;
    muxer->is_dirty = true;
  }
  if (muxer->position > muxer->end) muxer->end = muxer->position;
  return count;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
  cffmpeg_muxer *muxer = opaque;
  int base = whence & ~AVSEEK_FORCE;
  if (base == AVSEEK_SIZE) return muxer->end;
  if (base == SEEK_CUR) offset += muxer->position;
  if (base == SEEK_END) offset += muxer->end;
  if (offset < 0) return AVERROR(EINVAL);
  muxer->position = offset;
  return offset;
}

// The muxer hands over whole clusters, so each write ends a part that survives a crash once it is on the
// disk.
static int synchronize(cffmpeg_muxer *muxer) {
  if (!muxer->is_dirty) return 0;
  muxer->is_dirty = false;
  // Files in memory and pipes cannot be synchronized and need not be.
  if (fdatasync(muxer->descriptor) == 0 || errno == EINVAL || errno == EROFS) return 0;
  if (muxer->write_error == 0) muxer->write_error = errno;
  return AVERROR(errno);
}

static bool add_video(AVStream *stream, const cffmpeg_track *track) {
  AVCodecParameters *codec = stream->codecpar;
  codec->codec_type = AVMEDIA_TYPE_VIDEO;
  codec->width = track->width;
  codec->height = track->height;
  codec->codec_tag = track->tag;
  codec->color_primaries = (enum AVColorPrimaries)track->primaries;
  codec->color_trc = (enum AVColorTransferCharacteristic)track->transfer;
  codec->color_space = (enum AVColorSpace)track->matrix;
  codec->color_range = track->is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  codec->chroma_location = (enum AVChromaLocation)track->chroma_location;
  codec->field_order = AV_FIELD_PROGRESSIVE;
  codec->sample_aspect_ratio = (AVRational){track->sample_width, track->sample_height};
  stream->sample_aspect_ratio = codec->sample_aspect_ratio;
  return true;
}

static bool add_track(cffmpeg_muxer *muxer, const cffmpeg_track *track, char message[CFFMPEG_MESSAGE_BYTES]) {
  AVStream *stream = ff.avformat_new_stream(muxer->format, NULL);
  const AVCodecDescriptor *descriptor = ff.avcodec_descriptor_get_by_name(track->codec);
  if (stream == NULL) return false;
  if (descriptor == NULL) {
    snprintf(message, CFFMPEG_MESSAGE_BYTES, "FFmpeg does not know the codec %s", track->codec);
    return false;
  }
  AVCodecParameters *codec = stream->codecpar;
  codec->codec_id = descriptor->id;
  stream->time_base = (AVRational){1, track->time_scale};
  if (track->header_bytes > 0) {
    codec->extradata = ff.av_mallocz(track->header_bytes + AV_INPUT_BUFFER_PADDING_SIZE);
    if (codec->extradata == NULL) return false;
    memcpy(codec->extradata, track->header, track->header_bytes);
    codec->extradata_size = (int)track->header_bytes;
  }
  if (track->is_video) return add_video(stream, track);
  codec->codec_type = AVMEDIA_TYPE_AUDIO;
  codec->sample_rate = track->sample_rate;
  codec->initial_padding = track->priming;
  codec->frame_size = track->block;
  codec->bits_per_coded_sample = track->bits;
  codec->bits_per_raw_sample = track->bits;
  SET_CHANNELS(codec, track->channels);
  return true;
}

static bool open_file(cffmpeg_muxer *muxer, const cffmpeg_track *tracks, int count, const char *program,
                      cffmpeg_encoder_status *status, char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_ENCODER_MISSING;
  if (ff.avformat_alloc_output_context2(&muxer->format, NULL, "matroska", NULL) < 0) return false;
  *status = CFFMPEG_ENCODER_NO_MEMORY;
  unsigned char *buffer = ff.av_malloc(WRITE_BYTES);
  if (buffer == NULL) return false;
  muxer->io = ff.avio_alloc_context(buffer, WRITE_BYTES, 1, muxer, NULL, write_bytes, seek_bytes);
  if (muxer->io == NULL) {
    ff.av_freep(&buffer);
    return false;
  }
  muxer->packet = ff.av_packet_alloc();
  if (muxer->packet == NULL) return false;
  muxer->format->pb = muxer->io;
  // What the muxer has handed over must not wait in memory.
  muxer->format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_FLUSH_PACKETS;
  // Times are exact already; sound begins before 0 by the encoder's delay, which the track states.
  muxer->format->avoid_negative_ts = 0;
  // A track that pauses must not keep the other one in memory.
  muxer->format->max_interleave_delta = AV_TIME_BASE / 2;
  ff.av_dict_set(&muxer->format->metadata, "encoder", program, 0);
  for (int i = 0; i < count && i < MAXIMUM_TRACKS; i++) {
    *status = CFFMPEG_ENCODER_REFUSED;
    muxer->time_scales[i] = tracks[i].time_scale;
#if LIBAVFORMAT_VERSION_MAJOR < 60
    // Readers subtract the delay that Matroska states for Opus; FFmpeg 5 writes it, but does not add it to
    // times.
    if (!tracks[i].is_video && strcmp(tracks[i].codec, "opus") == 0) muxer->shifts[i] = tracks[i].priming;
#endif
    if (!add_track(muxer, &tracks[i], message)) return false;
  }
  AVDictionary *options = NULL;
  ff.av_dict_set(&options, "cluster_time_limit", "500", 0);
  int failed = ff.avformat_write_header(muxer->format, &options);
  ff.av_dict_free(&options);
  if (failed >= 0) failed = synchronize(muxer);
  if (failed < 0) cffmpeg_error_text(failed, message);
  *status = failed < 0 ? CFFMPEG_ENCODER_REFUSED : CFFMPEG_ENCODER_OPENED;
  return failed >= 0;
}

cffmpeg_muxer *cffmpeg_muxer_open(int descriptor, const cffmpeg_track *tracks, int count,
                                  const char *writing_program, cffmpeg_encoder_status *status,
                                  char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_ENCODER_NO_LIBRARY;
  if (!cffmpeg_start_encoding(message)) return NULL;
  *status = CFFMPEG_ENCODER_NO_MEMORY;
  cffmpeg_muxer *muxer = calloc(1, sizeof *muxer);
  if (muxer == NULL) return NULL;
  muxer->descriptor = descriptor;
  if (open_file(muxer, tracks, count, writing_program, status, message)) return muxer;
  cffmpeg_muxer_free(muxer);
  return NULL;
}

void cffmpeg_muxer_free(cffmpeg_muxer *muxer) {
  if (muxer == NULL) return;
  ff.av_packet_free(&muxer->packet);
  if (muxer->format != NULL) ff.avformat_free_context(muxer->format);
  if (muxer->io != NULL) {
    ff.av_freep(&muxer->io->buffer);
    ff.avio_context_free(&muxer->io);
  }
  free(muxer);
}

int cffmpeg_muxer_write(cffmpeg_muxer *muxer, int track, const cffmpeg_packet *packet) {
  AVPacket *out = muxer->packet;
  int failed = packet->count > INT32_MAX / 2 ? AVERROR(EINVAL) : ff.av_new_packet(out, (int)packet->count);
  if (failed < 0) return failed;
  memcpy(out->data, packet->bytes, packet->count);
  out->stream_index = track;
  out->pts = packet->presentation + muxer->shifts[track];
  out->dts = packet->decode + muxer->shifts[track];
  out->duration = packet->duration;
  if (packet->is_key) out->flags |= AV_PKT_FLAG_KEY;
  if (packet->skip_end > 0) {
    uint8_t *skip = ff.av_packet_new_side_data(out, AV_PKT_DATA_SKIP_SAMPLES, 10);
    if (skip != NULL) {
      memset(skip, 0, 10);
      for (int i = 0; i < 4; i++) skip[4 + i] = (uint8_t)(packet->skip_end >> (8 * i));
    }
  }
  const AVStream *stream = muxer->format->streams[track];
  ff.av_packet_rescale_ts(out, (AVRational){1, muxer->time_scales[track]}, stream->time_base);
  failed = ff.av_interleaved_write_frame(muxer->format, out);
  // Some failures leave the packet to the caller.
  ff.av_packet_unref(out);
  if (failed >= 0 && muxer->write_error != 0) failed = AVERROR(muxer->write_error);
  return failed < 0 ? failed : synchronize(muxer);
}

static int add_chapters(AVFormatContext *format, const cffmpeg_chapter *chapters, int count) {
  if (count == 0) return 0;
  format->chapters = ff.av_mallocz((size_t)count * sizeof *format->chapters);
  if (format->chapters == NULL) return AVERROR(ENOMEM);
  for (int i = 0; i < count; i++) {
    AVChapter *chapter = ff.av_mallocz(sizeof *chapter);
    if (chapter == NULL) return AVERROR(ENOMEM);
    chapter->id = i + 1;
    chapter->time_base = (AVRational){1, 1000};
    chapter->start = chapters[i].start;
    chapter->end = chapters[i].end;
    ff.av_dict_set(&chapter->metadata, "title", chapters[i].title, 0);
    format->chapters[format->nb_chapters++] = chapter;
  }
  return 0;
}

int cffmpeg_muxer_finish(cffmpeg_muxer *muxer, const cffmpeg_chapter *chapters, int count) {
  int failed = add_chapters(muxer->format, chapters, count);
  int written = ff.av_write_trailer(muxer->format);
  if (failed == 0) failed = written;
  if (failed >= 0 && muxer->write_error != 0) failed = AVERROR(muxer->write_error);
  return failed < 0 ? failed : synchronize(muxer);
}

int64_t cffmpeg_muxer_bytes(const cffmpeg_muxer *muxer) { return muxer->end; }

int cffmpeg_muxer_errno(const cffmpeg_muxer *muxer) { return muxer->write_error; }
