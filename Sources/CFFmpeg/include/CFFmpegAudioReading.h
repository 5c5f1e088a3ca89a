// The sound of a media file, as packets or decoded. One reader belongs to one thread at a time.
#ifndef SAFELIGHT_CFFMPEG_AUDIO_READING_H
#define SAFELIGHT_CFFMPEG_AUDIO_READING_H

#include "CFFmpegTypes.h"

typedef struct {
  // FFmpeg's name of the codec.
  char codec_name[32];
  int sample_rate;
  int channels;
  // Whether the channels are ambisonics of first order, as AmbiX.
  bool is_ambisonic;
  // Samples per packet; 0 if packets vary or the file does not say.
  int block;
  // Bits of a sample before compression; 0 if unknown.
  int bits;
  // Samples at the start that are not part of the sound, as the container says.
  int priming;
  const uint8_t *header;
  size_t header_bytes;
  // A tick of packets' times in seconds is `tick_numerator` / `tick_denominator`.
  int tick_numerator;
  int tick_denominator;
  // The first moment of the video in the file, in seconds; the sound's own start if there is no video.
  double video_start;
  bool has_video;
  // The duration of the sound in seconds; 0 if the file does not say.
  double duration;
} cffmpeg_sound_info;

typedef struct cffmpeg_sound_reader cffmpeg_sound_reader;

// Opens the regular file in `descriptor`, which belongs to the caller and must stay open, with the audio
// stream that belongs to its video, or the best one. Without `decodes`, packets can be read only.
// `CFFMPEG_NO_VIDEO` means that there is no sound.
cffmpeg_sound_reader *cffmpeg_reader_open(int descriptor, bool decodes, cffmpeg_status *status,
                                          char message[CFFMPEG_MESSAGE_BYTES]);
void cffmpeg_reader_free(cffmpeg_sound_reader *reader);
// Valid as long as the reader.
cffmpeg_sound_info cffmpeg_reader_info(const cffmpeg_sound_reader *reader);

typedef enum {
  CFFMPEG_SOUND_READY,
  // A part of the file is damaged; call again.
  CFFMPEG_SOUND_DAMAGED,
  CFFMPEG_SOUND_END,
  // The file cannot be read; `cffmpeg_reader_errno` says why.
  CFFMPEG_SOUND_FAILED,
} cffmpeg_sound_event;

// Reads the next packet, which is valid until the next call.
cffmpeg_sound_event cffmpeg_reader_packet(cffmpeg_sound_reader *reader, cffmpeg_packet *packet);

typedef struct {
  // Interleaved, valid until the next call.
  const float *samples;
  // Samples per channel.
  int count;
  int sample_rate;
  int channels;
  bool has_time;
  // In seconds on the file's clock.
  double time;
} cffmpeg_sound_block_data;

// Decodes the next block; padding that the file declares is left out.
cffmpeg_sound_event cffmpeg_reader_block(cffmpeg_sound_reader *reader, cffmpeg_sound_block_data *block);
int cffmpeg_reader_errno(const cffmpeg_sound_reader *reader);

#endif
