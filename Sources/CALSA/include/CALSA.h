// ALSA's PCMs for Swift: libasound behind a few plain functions, opened with dlopen on first use.
//
// Programs without sound do not load the library and need not have it. Every function but calsa_start returns
// 0 or more, or a negative errno. Nothing blocks but calsa_pcm_wait: PCMs are opened non-blocking. A PCM
// belongs to one thread at a time.
#ifndef SAFELIGHT_CALSA_H
#define SAFELIGHT_CALSA_H

#include <stdbool.h>
#include <stdint.h>

enum { calsa_message_bytes = 256, calsa_most_channels = 32, calsa_rate_count = 11 };

// Opens the library. Returns false, with the reason in `message`, if it is missing.
bool calsa_start(char message[calsa_message_bytes]);

typedef struct calsa_pcm calsa_pcm;

// Sample formats as bits of a mask: little-endian or float, the most exact first.
enum {
  calsa_float = 1 << 0,
  calsa_s32 = 1 << 1,
  // 24 bits in the lower three of four bytes.
  calsa_s24 = 1 << 2,
  // 24 bits in three bytes.
  calsa_s24_3 = 1 << 3,
  calsa_s16 = 1 << 4,
};

// The rates that calsa_capabilities tries.
extern const uint32_t calsa_rates[calsa_rate_count];

typedef struct {
  // A mask of sample formats.
  uint32_t formats;
  // Bit n stands for calsa_rates[n].
  uint32_t rates;
  uint32_t least_rate, most_rate;
  // Bit n stands for n + 1 channels.
  uint32_t channels;
} calsa_capabilities;

// What calsa_pcm_configure could not set.
typedef enum {
  CALSA_ACCESS,
  CALSA_CHANNELS,
  CALSA_RATE,
  CALSA_FORMAT,
  CALSA_BUFFER,
  CALSA_COMMIT,
  CALSA_CLOCK,
} calsa_step;

typedef struct {
  // Exact demands.
  uint32_t rate, channels;
  // A mask of acceptable formats, of which the most exact is set; afterwards the one that was.
  uint32_t format;
  // Frames, as near as the device allows; afterwards what they are.
  uint32_t period, buffer;
  // Afterwards: whether the PCM is the kernel's own, without conversions.
  bool is_hardware;
  // The step that failed.
  calsa_step step;
} calsa_configuration;

// As SND_PCM_STATE_….
typedef enum {
  CALSA_OPEN,
  CALSA_SETUP,
  CALSA_PREPARED,
  CALSA_RUNNING,
  CALSA_XRUN,
  CALSA_DRAINING,
  CALSA_PAUSED,
  CALSA_SUSPENDED,
  CALSA_DISCONNECTED,
} calsa_state;

typedef struct {
  calsa_state state;
  // Frames that can be read or written now, and the time (CLOCK_MONOTONIC, in nanoseconds) at which the
  // hardware's position was that; 0 where the PCM gives no time.
  int64_t available, nanoseconds;
  // Frames between the application and the converter, at about the time of the call; 0 if not asked for.
  int64_t delay;
} calsa_position;

// Returns -EBUSY, -EACCES, -ENOENT and so on as snd_pcm_open does.
int calsa_pcm_open(const char *name, bool playback, calsa_pcm **pcm);
void calsa_pcm_close(calsa_pcm *pcm);
int calsa_pcm_capabilities(calsa_pcm *pcm, calsa_capabilities *capabilities);
// Sets the format and the clock (CLOCK_MONOTONIC). With `free_running` an xrun does not stop the hardware,
// and the number of available frames grows beyond the buffer.
int calsa_pcm_configure(calsa_pcm *pcm, calsa_configuration *configuration, bool free_running);
int calsa_pcm_prepare(calsa_pcm *pcm);
int calsa_pcm_start(calsa_pcm *pcm);
// -EAGAIN while the device is not back yet, -ENOSYS where it must be prepared instead.
int calsa_pcm_resume(calsa_pcm *pcm);
int calsa_pcm_drop(calsa_pcm *pcm);
// Returns -EPIPE after an xrun, -ESTRPIPE while suspended, -ENODEV once unplugged; the state is filled in all
// the same. With the delay the kernel looks where the hardware is, and the time is that of looking; without
// it the time is that of the last interrupt, which hardly jitters.
int calsa_pcm_position(calsa_pcm *pcm, bool with_delay, calsa_position *position);
// Interleaved frames; returns how many were moved, or -EAGAIN.
int64_t calsa_pcm_read(calsa_pcm *pcm, void *frames, uint32_t count);
int64_t calsa_pcm_write(calsa_pcm *pcm, const void *frames, uint32_t count);
// Leaves out frames that were captured; returns how many.
int64_t calsa_pcm_skip(calsa_pcm *pcm, int64_t count);

enum { calsa_ready = 1, calsa_woken = 2, calsa_failed = 4 };
// Waits for a period, for `wake` (a descriptor; -1 for none) to become readable, or for `milliseconds`.
// Returns a mask, 0 at the time's end.
int calsa_pcm_wait(calsa_pcm *pcm, int wake, int milliseconds);

#endif
