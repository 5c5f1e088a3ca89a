// Packets between FFmpeg and the plain interface.
#ifndef SAFELIGHT_FFMPEG_PACKETS_H
#define SAFELIGHT_FFMPEG_PACKETS_H

#include "Libraries.h"

// Describes a packet, whose memory it shares.
cffmpeg_packet cffmpeg_describe_packet(const AVPacket *packet);
// Looks an encoder up and allocates its context. On failure, `*status` says why.
AVCodecContext *cffmpeg_make_encoder(const char *name, cffmpeg_encoder_status *status,
                                     char message[CFFMPEG_MESSAGE_BYTES]);
// Opens an encoder with options, one `key=value` a line, of which it must know all.
cffmpeg_encoder_status cffmpeg_open_encoder(AVCodecContext *codec, const char *options,
                                            char message[CFFMPEG_MESSAGE_BYTES]);
// As `cffmpeg_encoder_receive`.
int cffmpeg_receive(AVCodecContext *codec, AVPacket *packet, cffmpeg_packet *described);

#endif
