#include "include/CLensfun.h"

#include <dlfcn.h>
#include <lensfun/lensfun.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENSFUN_FUNCTIONS(X)        \
  X(lf_free)                        \
  X(lf_mlstr_get)                   \
  X(lf_db_new)                      \
  X(lf_db_destroy)                  \
  X(lf_db_load)                     \
  X(lf_db_find_cameras_ext)         \
  X(lf_db_get_cameras)              \
  X(lf_db_find_lenses_hd)           \
  X(lf_db_get_lenses)               \
  X(lf_lens_interpolate_distortion) \
  X(lf_lens_interpolate_vignetting)

// Filled once, before the first use, and constant afterwards.
static struct {
#define POINTER(name) __typeof__(&name) name;
  LENSFUN_FUNCTIONS(POINTER)
#undef POINTER
} lensfun;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static clensfun_status start_status = CLENSFUN_OPEN;
static char start_failure[CLENSFUN_MESSAGE_BYTES];

struct clensfun_database {
  lfDatabase *all;
};

static void start(void) {
  // 0.3.95 and later are liblensfun.so.2, and have other structures.
  void *library = dlopen("liblensfun.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    start_status = CLENSFUN_NO_LIBRARY;
    snprintf(start_failure, sizeof start_failure, "%s", dlerror());
    void *later = dlopen("liblensfun.so.2", RTLD_LAZY | RTLD_LOCAL);
    if (later != NULL) start_status = CLENSFUN_OTHER_VERSION;
    return;
  }
  // Some builds of 0.3.95 keep the old name.
  if (dlsym(library, "lf_modifier_enable_distortion_correction") != NULL) {
    start_status = CLENSFUN_OTHER_VERSION;
    return;
  }
#define LOOK_UP(name)                                                                   \
  *(void **)&lensfun.name = dlsym(library, #name);                                      \
  if (lensfun.name == NULL) {                                                           \
    snprintf(start_failure, sizeof start_failure, "Lensfun has no function %s", #name); \
    start_status = CLENSFUN_OTHER_VERSION;                                              \
    return;                                                                             \
  }
  LENSFUN_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
}

clensfun_status clensfun_open(clensfun_database **out, char message[CLENSFUN_MESSAGE_BYTES]) {
  *out = NULL;
  pthread_once(&started, start);
  snprintf(message, CLENSFUN_MESSAGE_BYTES, "%s", start_failure);
  if (start_status != CLENSFUN_OPEN) return start_status;
  clensfun_database *database = calloc(1, sizeof *database);
  if (database == NULL) return CLENSFUN_NO_DATA;
  database->all = lensfun.lf_db_new();
  if (database->all != NULL) {
    // Reports failure too where only some files could be read, so what was read decides.
    lensfun.lf_db_load(database->all);
    const lfLens *const *lenses = lensfun.lf_db_get_lenses(database->all);
    if (lenses != NULL && lenses[0] != NULL) {
      *out = database;
      return CLENSFUN_OPEN;
    }
    lensfun.lf_db_destroy(database->all);
  }
  free(database);
  return CLENSFUN_NO_DATA;
}

static const char *text(lfMLstr names) {
  const char *name = names == NULL ? NULL : lensfun.lf_mlstr_get(names);
  return name == NULL ? "" : name;
}

static clensfun_camera camera_of(const lfCamera *camera) {
  return (clensfun_camera){.maker = text(camera->Maker),
                           .model = text(camera->Model),
                           .mount = camera->Mount == NULL ? "" : camera->Mount,
                           .crop = camera->CropFactor,
                           .handle = camera};
}

static clensfun_lens lens_of(const lfLens *lens) {
  return (clensfun_lens){.maker = text(lens->Maker),
                         .model = text(lens->Model),
                         .least_focal = lens->MinFocal,
                         .most_focal = lens->MaxFocal,
                         .crop = lens->CropFactor,
                         .aspect = lens->AspectRatio,
                         .center_x = lens->CenterX,
                         .center_y = lens->CenterY,
                         .handle = lens};
}

static int copy_lenses(const lfLens *const *lenses, clensfun_lens *out, int capacity) {
  int count = 0;
  if (lenses == NULL) return 0;
  for (; lenses[count] != NULL; count++) {
    if (count < capacity) out[count] = lens_of(lenses[count]);
  }
  return count;
}

bool clensfun_find_camera(clensfun_database *database, const char *maker, const char *model,
                          clensfun_camera *out) {
  const lfCamera **cameras = lensfun.lf_db_find_cameras_ext(database->all, maker, model, 0);
  if (cameras == NULL) return false;
  const bool is_found = cameras[0] != NULL;
  if (is_found) *out = camera_of(cameras[0]);
  lensfun.lf_free((void *)cameras);
  return is_found;
}

int clensfun_lenses(clensfun_database *database, const void *camera, const char *maker, const char *model,
                    bool is_loose, clensfun_lens *out, int capacity) {
  const lfLens **lenses =
      lensfun.lf_db_find_lenses_hd(database->all, camera, maker, model, is_loose ? LF_SEARCH_LOOSE : 0);
  const int count = copy_lenses(lenses, out, capacity);
  if (lenses != NULL) lensfun.lf_free((void *)lenses);
  return count;
}

int clensfun_all_lenses(clensfun_database *database, clensfun_lens *out, int capacity) {
  return copy_lenses(lensfun.lf_db_get_lenses(database->all), out, capacity);
}

int clensfun_all_cameras(clensfun_database *database, clensfun_camera *out, int capacity) {
  const lfCamera *const *cameras = lensfun.lf_db_get_cameras(database->all);
  int count = 0;
  if (cameras == NULL) return 0;
  for (; cameras[count] != NULL; count++) {
    if (count < capacity) out[count] = camera_of(cameras[count]);
  }
  return count;
}

clensfun_calibration clensfun_calibrate(clensfun_database *database, const void *lens, float focal,
                                        float aperture, float distance) {
  (void)database;
  clensfun_calibration calibration = {0};
  lfLensCalibDistortion distortion;
  if (lensfun.lf_lens_interpolate_distortion(lens, focal, &distortion)) {
    calibration.distortion = (int)distortion.Model;
    memcpy(calibration.distortion_terms, distortion.Terms, sizeof calibration.distortion_terms);
  }
  lfLensCalibVignetting vignetting;
  if (aperture > 0 && lensfun.lf_lens_interpolate_vignetting(lens, focal, aperture, distance, &vignetting)) {
    calibration.vignetting = (int)vignetting.Model;
    memcpy(calibration.vignetting_terms, vignetting.Terms, sizeof calibration.vignetting_terms);
  }
  return calibration;
}
