// Lensfun's cameras and lenses behind a few plain functions, opened with dlopen on first use.
//
// Programs that correct no lenses do not load the library and need not have it. Finding notes its scores in
// the database itself, so a database belongs to one thread at a time.
#ifndef SAFELIGHT_CLENSFUN_H
#define SAFELIGHT_CLENSFUN_H

#include <stdbool.h>

enum { CLENSFUN_MESSAGE_BYTES = 256 };

typedef struct clensfun_database clensfun_database;

typedef struct {
  // In English, or in the language of the locale; of the database.
  const char *maker, *model;
  // Begins with a small letter for cameras whose lens is fixed.
  const char *mount;
  // How much smaller than 35 mm film its sensor is.
  float crop;
  // What clensfun_lenses takes.
  const void *handle;
} clensfun_camera;

typedef struct {
  const char *maker, *model;
  // In mm; equal for lenses that do not zoom.
  float least_focal, most_focal;
  // Of the pictures that it was measured with: how much smaller than on 35 mm film, and long edge to short
  // one.
  float crop, aspect;
  // Beside the middle, in halves of the short edge.
  float center_x, center_y;
  // What clensfun_calibrate takes.
  const void *handle;
} clensfun_lens;

// What is known at a focal length and an aperture; models as numbered in lensfun.h, 0: nothing.
typedef struct {
  int distortion;
  float distortion_terms[3];
  int vignetting;
  float vignetting_terms[3];
} clensfun_calibration;

typedef enum {
  CLENSFUN_OPEN,
  CLENSFUN_NO_LIBRARY,
  // A library whose structures are others.
  CLENSFUN_OTHER_VERSION,
  CLENSFUN_NO_DATA,
} clensfun_status;

// Opens the library and reads all profiles, which takes some 50 ms. `*out` is NULL unless CLENSFUN_OPEN is
// returned; `message` then has what the system said, if anything. Databases are kept until the process ends.
clensfun_status clensfun_open(clensfun_database **out, char message[CLENSFUN_MESSAGE_BYTES]);

// Finds a camera by its names as in EXIF. False if there is none.
bool clensfun_find_camera(clensfun_database *database, const char *maker, const char *model,
                          clensfun_camera *out);

// Finds the lenses of a name, the best first, at most `capacity`; returns how many there are. `camera` and
// `model` may be NULL: all cameras, and all lenses of a mount.
int clensfun_lenses(clensfun_database *database, const void *camera, const char *maker, const char *model,
                    bool is_loose, clensfun_lens *out, int capacity);

// All lenses, or all cameras; returns how many there are.
int clensfun_all_lenses(clensfun_database *database, clensfun_lens *out, int capacity);
int clensfun_all_cameras(clensfun_database *database, clensfun_camera *out, int capacity);

// What is known of a lens at a focal length in mm, and, if `aperture` is above 0, at an aperture and a
// distance in m.
clensfun_calibration clensfun_calibrate(clensfun_database *database, const void *lens, float focal,
                                        float aperture, float distance);

#endif
