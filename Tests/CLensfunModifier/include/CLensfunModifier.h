// Lensfun's own modifier, which corrections are compared with.
#ifndef SAFELIGHT_CLENSFUN_MODIFIER_H
#define SAFELIGHT_CLENSFUN_MODIFIER_H

#include <stdbool.h>

// Whether Lensfun 0.3 and its profiles are installed.
bool clensfun_modifier_is_there(void);

// Which model of distortion (1: poly3, 2: poly5, 3: PTLens) Lensfun has of the first lens of a name on the first
// camera of a name; 0 without one. Sets the camera's crop factor, and that of the lens's measurements.
int clensfun_modifier_model(const char *maker, const char *camera, const char *lens, float focal, float *crop,
                            float *lens_crop);

// Corrects the places of `count` pixels, x and y each, counted from 0 at the first pixel's centre: where Lensfun
// reads what belongs there. False if it cannot.
bool clensfun_modifier_places(const char *maker, const char *camera, const char *lens, float focal, int width,
                              int height, float *places, int count);

// Returns by what Lensfun multiplies light at a pixel; 0 if it cannot.
float clensfun_modifier_gain(const char *maker, const char *camera, const char *lens, float focal, float aperture,
                             float distance, int width, int height, int x, int y);

#endif
