#include "include/CLensfunModifier.h"

#include <dlfcn.h>
#include <lensfun/lensfun.h>
#include <pthread.h>
#include <stddef.h>

#define FUNCTIONS(X)                       \
  X(lf_free)                               \
  X(lf_db_new)                             \
  X(lf_db_load)                            \
  X(lf_db_find_cameras_ext)                \
  X(lf_db_find_lenses_hd)                  \
  X(lf_lens_interpolate_distortion)        \
  X(lf_modifier_new)                       \
  X(lf_modifier_initialize)                \
  X(lf_modifier_destroy)                   \
  X(lf_modifier_apply_geometry_distortion) \
  X(lf_modifier_apply_color_modification)

static struct {
#define POINTER(name) __typeof__(&name) name;
  FUNCTIONS(POINTER)
#undef POINTER
} lensfun;

static lfDatabase *all;
static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void) {
  void *library = dlopen("liblensfun.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
#define LOOK_UP(name)                              \
  *(void **)&lensfun.name = dlsym(library, #name); \
  if (lensfun.name == NULL) return;
  FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  lfDatabase *database = lensfun.lf_db_new();
  if (database != NULL && lensfun.lf_db_load(database) == LF_NO_ERROR) all = database;
}

bool clensfun_modifier_is_there(void) {
  pthread_once(&started, start);
  return all != NULL;
}

static const lfLens *find(const char *maker, const char *camera, const char *lens, float *crop) {
  if (!clensfun_modifier_is_there()) return NULL;
  const lfCamera **cameras = lensfun.lf_db_find_cameras_ext(all, maker, camera, 0);
  if (cameras == NULL) return NULL;
  const lfLens **lenses = lensfun.lf_db_find_lenses_hd(all, cameras[0], NULL, lens, 0);
  const lfLens *found = lenses == NULL ? NULL : lenses[0];
  *crop = cameras[0]->CropFactor;
  lensfun.lf_free((void *)cameras);
  if (lenses != NULL) lensfun.lf_free((void *)lenses);
  return found;
}

int clensfun_modifier_model(const char *maker, const char *camera, const char *lens, float focal, float *crop,
                            float *lens_crop) {
  const lfLens *found = find(maker, camera, lens, crop);
  lfLensCalibDistortion distortion;
  if (found == NULL || !lensfun.lf_lens_interpolate_distortion(found, focal, &distortion)) return 0;
  *lens_crop = found->CropFactor;
  return (int)distortion.Model;
}

bool clensfun_modifier_places(const char *maker, const char *camera, const char *lens, float focal, int width,
                              int height, float *places, int count) {
  float crop = 0;
  const lfLens *found = find(maker, camera, lens, &crop);
  if (found == NULL) return false;
  lfModifier *modifier = lensfun.lf_modifier_new(found, crop, width, height);
  const int done = lensfun.lf_modifier_initialize(modifier, found, LF_PF_F32, focal, 4, 1000, 1, found->Type,
                                                  LF_MODIFY_DISTORTION, false);
  bool is_done = (done & LF_MODIFY_DISTORTION) != 0;
  for (int i = 0; is_done && i < count; i++) {
    is_done = lensfun.lf_modifier_apply_geometry_distortion(modifier, places[2 * i], places[2 * i + 1], 1, 1,
                                                            places + 2 * i);
  }
  lensfun.lf_modifier_destroy(modifier);
  return is_done;
}

float clensfun_modifier_gain(const char *maker, const char *camera, const char *lens, float focal, float aperture,
                             float distance, int width, int height, int x, int y) {
  float crop = 0;
  const lfLens *found = find(maker, camera, lens, &crop);
  if (found == NULL) return 0;
  lfModifier *modifier = lensfun.lf_modifier_new(found, crop, width, height);
  const int done = lensfun.lf_modifier_initialize(modifier, found, LF_PF_F32, focal, aperture, distance, 1,
                                                  found->Type, LF_MODIFY_VIGNETTING, false);
  // The library wants 16 bytes of alignment.
  _Alignas(16) float pixel[4] = {0.25f, 0.25f, 0.25f, 0.25f};
  const bool is_done = (done & LF_MODIFY_VIGNETTING) != 0 &&
                       lensfun.lf_modifier_apply_color_modification(modifier, pixel, (float)x, (float)y, 1, 1,
                                                                    LF_CR_4(RED, GREEN, BLUE, UNKNOWN), 16);
  lensfun.lf_modifier_destroy(modifier);
  return is_done ? pixel[0] / 0.25f : 0;
}
