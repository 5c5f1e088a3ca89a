#include <stdlib.h>

#include "FileInput.h"

struct cffmpeg_contents {
  cffmpeg_input input;
  // The stream whose first moment is the file's.
  int first;
};

static double seconds(int64_t time, AVRational base) {
  return base.den > 0 ? (double)time * base.num / base.den : 0;
}

// The video, unless it is the cover of a music file; otherwise the sound.
static int first_stream(AVFormatContext *format) {
  int video = ff.av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  if (video >= 0 && (format->streams[video]->disposition & AV_DISPOSITION_ATTACHED_PIC) == 0) return video;
  return ff.av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
}

cffmpeg_contents *cffmpeg_contents_open(int descriptor, cffmpeg_status *status,
                                        char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_NO_LIBRARY;
  if (!cffmpeg_start(message) || !cffmpeg_start_encoding(message)) return NULL;
  *status = CFFMPEG_NO_MEMORY;
  cffmpeg_contents *contents = calloc(1, sizeof *contents);
  if (contents == NULL) return NULL;
  if (cffmpeg_input_open(&contents->input, descriptor, status)) {
    contents->first = first_stream(contents->input.format);
    *status = CFFMPEG_OPENED;
    return contents;
  }
  cffmpeg_contents_free(contents);
  return NULL;
}

void cffmpeg_contents_free(cffmpeg_contents *contents) {
  if (contents == NULL) return;
  cffmpeg_input_close(&contents->input);
  free(contents);
}

int cffmpeg_contents_sounds(const cffmpeg_contents *contents) {
  const AVFormatContext *format = contents->input.format;
  int count = 0;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    if (format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO) count++;
  }
  return count;
}

double cffmpeg_contents_start(const cffmpeg_contents *contents) {
  if (contents->first < 0) return 0;
  const AVStream *stream = contents->input.format->streams[contents->first];
  return stream->start_time == AV_NOPTS_VALUE ? 0 : seconds(stream->start_time, stream->time_base);
}

bool cffmpeg_contents_chapter(const cffmpeg_contents *contents, int index, cffmpeg_chapter_data *chapter) {
  const AVFormatContext *format = contents->input.format;
  if (index < 0 || (unsigned)index >= format->nb_chapters) return false;
  const AVChapter *found = format->chapters[index];
  chapter->has_start = found->start != AV_NOPTS_VALUE;
  chapter->start = chapter->has_start ? seconds(found->start, found->time_base) : 0;
  const AVDictionaryEntry *title = ff.av_dict_get(found->metadata, "title", NULL, 0);
  chapter->title = title == NULL ? NULL : title->value;
  return true;
}
