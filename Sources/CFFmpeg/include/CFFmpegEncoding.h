// FFmpeg's video encoders behind a few plain functions. One encoder belongs to one thread at a time.
#ifndef SAFELIGHT_CFFMPEG_ENCODING_H
#define SAFELIGHT_CFFMPEG_ENCODING_H

#include "CFFmpegTypes.h"

typedef struct {
  // The encoder's name, such as `libx264`.
  const char *name;
  // Its options, one `key=value` a line.
  const char *options;
  int width;
  int height;
  // The layout of the pictures that will be sent, and FFmpeg's name of the format that the encoder gets.
  cffmpeg_layout layout;
  const char *stored_format;
  // Code points of ITU-T H.273; `chroma_location` is ChromaLocType plus 1, 0 unspecified.
  int primaries;
  int transfer;
  int matrix;
  bool is_full_range;
  int chroma_location;
  int sample_width;
  int sample_height;
  // Ticks per second of times, and the nominal frames per second.
  int time_scale;
  int rate_numerator;
  int rate_denominator;
  // Bits per second; 0 if the options say how good pictures are.
  int64_t bit_rate;
  // The longest distance of key frames in frames; 1 for codecs without prediction.
  int longest_group;
  int threads;
  // Whether threads share a picture instead of working on successive ones.
  bool has_slice_threads;
  // FFmpeg's number of the profile; -99 leaves it to the encoder.
  int profile;
  // Whether pictures must be uploaded to a VA-API device.
  bool uses_vaapi;
} cffmpeg_encoder_settings;

typedef struct cffmpeg_encoder cffmpeg_encoder;

// Opens FFmpeg's libraries and looks up what encoders need of them.
bool cffmpeg_start_encoding(char message[CFFMPEG_MESSAGE_BYTES]);
// Whether this libavcodec was built with an encoder. Valid after `cffmpeg_start_encoding`.
bool cffmpeg_has_encoder(const char *name);
int cffmpeg_codec_version(void);

cffmpeg_encoder *cffmpeg_encoder_open(const cffmpeg_encoder_settings *settings,
                                      cffmpeg_encoder_status *status, char message[CFFMPEG_MESSAGE_BYTES]);
void cffmpeg_encoder_free(cffmpeg_encoder *encoder);
// The codec's global headers. They belong to the encoder.
const uint8_t *cffmpeg_encoder_header(const cffmpeg_encoder *encoder, size_t *bytes);

typedef struct {
  // Rows are `row_bytes` apart; they stay readable until `release` is called.
  const void *planes[3];
  int row_bytes[3];
  int64_t time;
  bool is_key;
  // Called once with `owner`, on any thread, also if sending fails.
  void (*release)(void *owner, uint8_t *memory);
  void *owner;
} cffmpeg_picture;

// Sends a picture. Returns 0, or FFmpeg's negative error. All packets must have been received before.
int cffmpeg_encoder_send(cffmpeg_encoder *encoder, const cffmpeg_picture *picture);
// Tells that no more pictures come.
int cffmpeg_encoder_end(cffmpeg_encoder *encoder);

// Receives the next packet, which is valid until the next call. Returns 1 if there is one, 0 if the encoder
// needs more pictures or has ended, or FFmpeg's negative error.
int cffmpeg_encoder_receive(cffmpeg_encoder *encoder, cffmpeg_packet *packet);

// Writes FFmpeg's text for an error.
void cffmpeg_error_text(int error, char message[CFFMPEG_MESSAGE_BYTES]);

#endif
