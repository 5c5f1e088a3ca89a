// What a media file holds beside its packets: chapters, and how many sounds.
#ifndef SAFELIGHT_CFFMPEG_CONTENTS_H
#define SAFELIGHT_CFFMPEG_CONTENTS_H

#include "CFFmpegTypes.h"

typedef struct cffmpeg_contents cffmpeg_contents;

typedef struct {
  bool has_start;
  // In seconds on the file's clock.
  double start;
  // Text as it is in the file, valid as long as the contents; NULL without a title.
  const char *title;
} cffmpeg_chapter_data;

// Opens the regular file in `descriptor`, which belongs to the caller and must stay open.
cffmpeg_contents *cffmpeg_contents_open(int descriptor, cffmpeg_status *status,
                                        char message[CFFMPEG_MESSAGE_BYTES]);
void cffmpeg_contents_free(cffmpeg_contents *contents);
// The number of audio streams.
int cffmpeg_contents_sounds(const cffmpeg_contents *contents);
// The first moment of the video in the file, in seconds; the sound's if there is no video.
double cffmpeg_contents_start(const cffmpeg_contents *contents);
// False if there are not as many chapters.
bool cffmpeg_contents_chapter(const cffmpeg_contents *contents, int index, cffmpeg_chapter_data *chapter);

#endif
