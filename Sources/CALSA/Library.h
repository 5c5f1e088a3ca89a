#ifndef SAFELIGHT_CALSA_LIBRARY_H
#define SAFELIGHT_CALSA_LIBRARY_H

#include <alsa/asoundlib.h>

#define CALSA_FUNCTIONS(X)                  \
  X(snd_lib_error_set_handler)              \
  X(snd_pcm_open)                           \
  X(snd_pcm_close)                          \
  X(snd_pcm_type)                           \
  X(snd_pcm_prepare)                        \
  X(snd_pcm_start)                          \
  X(snd_pcm_resume)                         \
  X(snd_pcm_drop)                           \
  X(snd_pcm_state)                          \
  X(snd_pcm_delay)                          \
  X(snd_pcm_avail_update)                   \
  X(snd_pcm_htimestamp)                     \
  X(snd_pcm_forward)                        \
  X(snd_pcm_readi)                          \
  X(snd_pcm_writei)                         \
  X(snd_pcm_poll_descriptors_count)         \
  X(snd_pcm_poll_descriptors)               \
  X(snd_pcm_poll_descriptors_revents)       \
  X(snd_pcm_hw_params_malloc)               \
  X(snd_pcm_hw_params_free)                 \
  X(snd_pcm_hw_params_any)                  \
  X(snd_pcm_hw_params)                      \
  X(snd_pcm_hw_params_set_access)           \
  X(snd_pcm_hw_params_set_channels)         \
  X(snd_pcm_hw_params_test_channels)        \
  X(snd_pcm_hw_params_set_rate)             \
  X(snd_pcm_hw_params_test_rate)            \
  X(snd_pcm_hw_params_get_rate_min)         \
  X(snd_pcm_hw_params_get_rate_max)         \
  X(snd_pcm_hw_params_set_format)           \
  X(snd_pcm_hw_params_test_format)          \
  X(snd_pcm_hw_params_set_period_size_near) \
  X(snd_pcm_hw_params_set_buffer_size_near) \
  X(snd_pcm_hw_params_get_period_size)      \
  X(snd_pcm_hw_params_get_buffer_size)      \
  X(snd_pcm_sw_params_malloc)               \
  X(snd_pcm_sw_params_free)                 \
  X(snd_pcm_sw_params_current)              \
  X(snd_pcm_sw_params)                      \
  X(snd_pcm_sw_params_get_boundary)         \
  X(snd_pcm_sw_params_set_avail_min)        \
  X(snd_pcm_sw_params_set_start_threshold)  \
  X(snd_pcm_sw_params_set_stop_threshold)   \
  X(snd_pcm_sw_params_set_tstamp_mode)      \
  X(snd_pcm_sw_params_set_tstamp_type)

// Filled once, before the first use, and constant afterwards.
struct calsa_functions {
#define POINTER(name) __typeof__(&name) name;
  CALSA_FUNCTIONS(POINTER)
#undef POINTER
};
extern struct calsa_functions alsa;

#endif
