// For pread and 64-bit offsets, which strict C11 hides.
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "FileInput.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 16 };

// pread does not move the descriptor's own position, so that two streams can share it.
static int read_bytes(void *opaque, uint8_t *out, int count) {
  cffmpeg_input *input = opaque;
  ssize_t got;
  do {
    got = pread(input->descriptor, out, (size_t)count, (off_t)input->position);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    input->read_error = errno;
    return AVERROR(errno);
  }
  // Reading at the end itself is normal: demuxers check whether there is more.
  if (got == 0 && input->position > lseek(input->descriptor, 0, SEEK_END)) input->looks_beyond_end = true;
  input->position += got;
  return got == 0 ? AVERROR_EOF : (int)got;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
  cffmpeg_input *input = opaque;
  int64_t end = lseek(input->descriptor, 0, SEEK_END);
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return end;
    case SEEK_SET:
      break;
    case SEEK_CUR:
      offset += input->position;
      break;
    case SEEK_END:
      offset += end;
      break;
    default:
      return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  input->position = offset;
  return offset;
}

bool cffmpeg_input_open(cffmpeg_input *input, int descriptor, cffmpeg_status *status) {
  input->descriptor = descriptor;
  *status = CFFMPEG_NO_MEMORY;
  unsigned char *buffer = ff.av_malloc(READ_BYTES);
  if (buffer == NULL) return false;
  input->io = ff.avio_alloc_context(buffer, READ_BYTES, 0, input, read_bytes, NULL, seek_bytes);
  if (input->io == NULL) {
    ff.av_freep(&buffer);
    return false;
  }
  input->format = ff.avformat_alloc_context();
  if (input->format == NULL) return false;
  input->format->pb = input->io;
  AVDictionary *options = NULL;
  // No protocol has this name: nothing but the given file is opened.
  ff.av_dict_set(&options, "protocol_whitelist", "none", 0);
  *status = CFFMPEG_NOT_MEDIA;
  // Without a name, only the contents decide what the file is. A failure frees the context.
  int failed = ff.avformat_open_input(&input->format, NULL, NULL, &options);
  ff.av_dict_free(&options);
  return failed == 0 && ff.avformat_find_stream_info(input->format, NULL) >= 0;
}

void cffmpeg_input_close(cffmpeg_input *input) {
  if (input->format != NULL) ff.avformat_close_input(&input->format);
  if (input->io == NULL) return;
  ff.av_freep(&input->io->buffer);
  ff.avio_context_free(&input->io);
}
