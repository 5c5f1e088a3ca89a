// Without it the library's header defines structures of the C library again.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "Library.h"
#include "include/CALSA.h"

enum { most_descriptors = 16 };

struct calsa_pcm {
  snd_pcm_t *library;
  uint32_t frame_bytes;
};

const uint32_t calsa_rates[calsa_rate_count] = {8000,  11025, 16000, 22050,  32000, 44100,
                                                48000, 88200, 96000, 176400, 192000};

// In the order of the mask's bits.
static const struct {
  snd_pcm_format_t format;
  uint32_t bytes;
} formats[] = {
    {SND_PCM_FORMAT_FLOAT_LE, 4}, {SND_PCM_FORMAT_S32_LE, 4}, {SND_PCM_FORMAT_S24_LE, 4},
    {SND_PCM_FORMAT_S24_3LE, 3},  {SND_PCM_FORMAT_S16_LE, 2},
};
enum { format_count = sizeof formats / sizeof formats[0] };

int calsa_pcm_open(const char *name, bool playback, calsa_pcm **result) {
  *result = NULL;
  calsa_pcm *pcm = calloc(1, sizeof *pcm);
  if (pcm == NULL) return -ENOMEM;
  snd_pcm_stream_t stream = playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE;
  int status = alsa.snd_pcm_open(&pcm->library, name, stream, SND_PCM_NONBLOCK);
  if (status < 0) {
    free(pcm);
    return status;
  }
  *result = pcm;
  return 0;
}

void calsa_pcm_close(calsa_pcm *pcm) {
  if (pcm == NULL) return;
  alsa.snd_pcm_close(pcm->library);
  free(pcm);
}

int calsa_pcm_capabilities(calsa_pcm *pcm, calsa_capabilities *capabilities) {
  *capabilities = (calsa_capabilities){0};
  snd_pcm_hw_params_t *params;
  int status = alsa.snd_pcm_hw_params_malloc(&params);
  if (status < 0) return status;
  status = alsa.snd_pcm_hw_params_any(pcm->library, params);
  if (status >= 0) {
    snd_pcm_t *library = pcm->library;
    for (int index = 0; index < format_count; index++) {
      if (alsa.snd_pcm_hw_params_test_format(library, params, formats[index].format) == 0) {
        capabilities->formats |= 1u << index;
      }
    }
    for (int index = 0; index < calsa_rate_count; index++) {
      if (alsa.snd_pcm_hw_params_test_rate(library, params, calsa_rates[index], 0) == 0) {
        capabilities->rates |= 1u << index;
      }
    }
    for (unsigned count = 1; count <= calsa_most_channels; count++) {
      if (alsa.snd_pcm_hw_params_test_channels(library, params, count) == 0) {
        capabilities->channels |= 1u << (count - 1);
      }
    }
    int direction = 0;
    alsa.snd_pcm_hw_params_get_rate_min(params, &capabilities->least_rate, &direction);
    alsa.snd_pcm_hw_params_get_rate_max(params, &capabilities->most_rate, &direction);
    status = 0;
  }
  alsa.snd_pcm_hw_params_free(params);
  return status;
}

static int set_hardware(calsa_pcm *pcm, snd_pcm_hw_params_t *params, calsa_configuration *wanted) {
  snd_pcm_t *library = pcm->library;
  wanted->step = CALSA_ACCESS;
  int status = alsa.snd_pcm_hw_params_any(library, params);
  if (status < 0) return status;
  status = alsa.snd_pcm_hw_params_set_access(library, params, SND_PCM_ACCESS_RW_INTERLEAVED);
  if (status < 0) return status;
  wanted->step = CALSA_CHANNELS;
  if ((status = alsa.snd_pcm_hw_params_set_channels(library, params, wanted->channels)) < 0) return status;
  wanted->step = CALSA_RATE;
  if ((status = alsa.snd_pcm_hw_params_set_rate(library, params, wanted->rate, 0)) < 0) return status;
  wanted->step = CALSA_FORMAT;
  status = -EINVAL;
  for (int index = 0; index < format_count && status < 0; index++) {
    if ((wanted->format & 1u << index) == 0) continue;
    status = alsa.snd_pcm_hw_params_set_format(library, params, formats[index].format);
    if (status < 0) continue;
    wanted->format = 1u << index;
    pcm->frame_bytes = formats[index].bytes * wanted->channels;
  }
  if (status < 0) return status;
  wanted->step = CALSA_BUFFER;
  snd_pcm_uframes_t period = wanted->period, buffer = wanted->buffer;
  int direction = 0;
  status = alsa.snd_pcm_hw_params_set_period_size_near(library, params, &period, &direction);
  if (status < 0) return status;
  status = alsa.snd_pcm_hw_params_set_buffer_size_near(library, params, &buffer);
  if (status < 0) return status;
  wanted->step = CALSA_COMMIT;
  if ((status = alsa.snd_pcm_hw_params(library, params)) < 0) return status;
  if ((status = alsa.snd_pcm_hw_params_get_period_size(params, &period, &direction)) < 0) return status;
  if ((status = alsa.snd_pcm_hw_params_get_buffer_size(params, &buffer)) < 0) return status;
  wanted->period = (uint32_t)period;
  wanted->buffer = (uint32_t)buffer;
  wanted->is_hardware = alsa.snd_pcm_type(library) == SND_PCM_TYPE_HW;
  return 0;
}

static int set_software(calsa_pcm *pcm, snd_pcm_sw_params_t *params, calsa_configuration *wanted,
                        bool free_running) {
  snd_pcm_t *library = pcm->library;
  wanted->step = CALSA_CLOCK;
  int status = alsa.snd_pcm_sw_params_current(library, params);
  if (status < 0) return status;
  snd_pcm_uframes_t boundary = 0;
  if ((status = alsa.snd_pcm_sw_params_get_boundary(params, &boundary)) < 0) return status;
  if ((status = alsa.snd_pcm_sw_params_set_avail_min(library, params, wanted->period)) < 0) return status;
  // Starting is always explicit.
  if ((status = alsa.snd_pcm_sw_params_set_start_threshold(library, params, boundary)) < 0) return status;
  if (free_running) {
    status = alsa.snd_pcm_sw_params_set_stop_threshold(library, params, boundary);
    if (status < 0) return status;
  }
  status = alsa.snd_pcm_sw_params_set_tstamp_mode(library, params, SND_PCM_TSTAMP_ENABLE);
  if (status < 0) return status;
  status = alsa.snd_pcm_sw_params_set_tstamp_type(library, params, SND_PCM_TSTAMP_TYPE_MONOTONIC);
  if (status < 0) return status;
  return alsa.snd_pcm_sw_params(library, params);
}

int calsa_pcm_configure(calsa_pcm *pcm, calsa_configuration *configuration, bool free_running) {
  snd_pcm_hw_params_t *hardware;
  int status = alsa.snd_pcm_hw_params_malloc(&hardware);
  if (status < 0) return status;
  status = set_hardware(pcm, hardware, configuration);
  alsa.snd_pcm_hw_params_free(hardware);
  if (status < 0) return status;
  snd_pcm_sw_params_t *software;
  status = alsa.snd_pcm_sw_params_malloc(&software);
  if (status < 0) return status;
  status = set_software(pcm, software, configuration, free_running);
  alsa.snd_pcm_sw_params_free(software);
  return status < 0 ? status : 0;
}

int calsa_pcm_prepare(calsa_pcm *pcm) { return alsa.snd_pcm_prepare(pcm->library); }
int calsa_pcm_start(calsa_pcm *pcm) { return alsa.snd_pcm_start(pcm->library); }
int calsa_pcm_resume(calsa_pcm *pcm) { return alsa.snd_pcm_resume(pcm->library); }
int calsa_pcm_drop(calsa_pcm *pcm) { return alsa.snd_pcm_drop(pcm->library); }

int calsa_pcm_position(calsa_pcm *pcm, bool with_delay, calsa_position *position) {
  *position = (calsa_position){.state = (calsa_state)alsa.snd_pcm_state(pcm->library)};
  snd_pcm_sframes_t delay = 0;
  if (with_delay) {
    int status = alsa.snd_pcm_delay(pcm->library, &delay);
    if (status == -ENODEV) return status;
    if (status < 0) delay = 0;
  }
  snd_pcm_sframes_t available = alsa.snd_pcm_avail_update(pcm->library);
  position->state = (calsa_state)alsa.snd_pcm_state(pcm->library);
  if (available < 0) return (int)available;
  position->available = available;
  position->delay = delay;
  snd_pcm_uframes_t stamped = 0;
  snd_htimestamp_t time = {0};
  if (alsa.snd_pcm_htimestamp(pcm->library, &stamped, &time) == 0) {
    position->available = (int64_t)stamped;
    position->nanoseconds = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
  }
  return 0;
}

int64_t calsa_pcm_read(calsa_pcm *pcm, void *frames, uint32_t count) {
  return alsa.snd_pcm_readi(pcm->library, frames, count);
}

int64_t calsa_pcm_write(calsa_pcm *pcm, const void *frames, uint32_t count) {
  return alsa.snd_pcm_writei(pcm->library, frames, count);
}

int64_t calsa_pcm_skip(calsa_pcm *pcm, int64_t count) {
  return count > 0 ? alsa.snd_pcm_forward(pcm->library, (snd_pcm_uframes_t)count) : 0;
}

int calsa_pcm_wait(calsa_pcm *pcm, int wake, int milliseconds) {
  struct pollfd descriptors[1 + most_descriptors] = {{.fd = wake, .events = POLLIN}};
  int count = alsa.snd_pcm_poll_descriptors_count(pcm->library);
  if (count < 0) return count;
  if (count > most_descriptors) return -E2BIG;
  count = alsa.snd_pcm_poll_descriptors(pcm->library, descriptors + 1, (unsigned)count);
  if (count < 0) return count;
  int status = poll(descriptors, 1 + (nfds_t)count, milliseconds);
  if (status < 0) return errno == EINTR ? 0 : -errno;
  int result = descriptors[0].revents != 0 ? calsa_woken : 0;
  if (count == 0) return result;
  unsigned short events = 0;
  status = alsa.snd_pcm_poll_descriptors_revents(pcm->library, descriptors + 1, (unsigned)count, &events);
  if (status < 0) return status;
  if ((events & (POLLIN | POLLOUT)) != 0) result |= calsa_ready;
  if ((events & (POLLERR | POLLHUP | POLLNVAL)) != 0) result |= calsa_failed;
  return result;
}
