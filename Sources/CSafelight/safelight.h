/*
 * Safelight as a C library: edits of pictures in memory and of photo files, analyses, cameras.
 *
 *     cc edit.c $(pkg-config --cflags --libs safelight)
 *
 * Objects. Every type that is only declared here is an object of the library. `..._create`, `..._open` and
 * the like return one, which belongs to the caller until it is given to its `..._destroy`, which accepts
 * NULL.
 *
 * Errors. What can fail returns NULL or false then, and stores an object at `error` that says why, unless
 * `error` is NULL. Nothing is stored on success. No function prints, exits, or installs a signal handler.
 *
 * Texts are UTF-8. Those that are returned as `char *` are given to `safelight_text_destroy`.
 *
 * Threads. Recipes, renderers and plans do not change: any number of threads may use one at the same time,
 * and destroy it after the last of them is done. A camera is used by one thread at a time.
 *
 * Processes. The library has threads, which fork() does not copy. So in a child of a process that has used
 * it, functions that can fail refuse everything, until exec(); destroying an object of the parent does
 * nothing.
 *
 * Stability. Programs built with this header work with every library of the same SONAME: functions, constants
 * and options are added, and structures stay as they are.
 */
#ifndef SAFELIGHT_H
#define SAFELIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library: "1.2.0". It need not be destroyed. */
const char *safelight_version(void);

/* ---- Errors and texts ---- */

typedef struct safelight_error safelight_error;

enum {
  SAFELIGHT_ERROR_INVALID_VALUE = 1, /* a value is outside the accepted range, or a pointer is NULL */
  SAFELIGHT_ERROR_FILE = 2,          /* a file is missing, unreadable or cannot be written */
  SAFELIGHT_ERROR_EXISTS = 3,        /* a file exists already, and overwriting was not allowed */
  SAFELIGHT_ERROR_NO_SPACE = 4,      /* the disk or the user's quota is full */
  SAFELIGHT_ERROR_CORRUPT_DATA = 5,  /* contents are damaged */
  SAFELIGHT_ERROR_UNSUPPORTED = 6,   /* well-formed, but this build cannot do it */
  SAFELIGHT_ERROR_TOO_LARGE = 7,     /* larger than a format or the library accepts */
  SAFELIGHT_ERROR_NO_MEMORY = 8,     /* the memory of the machine or of its GPU is exhausted */
  SAFELIGHT_ERROR_NO_RESOURCES = 9,  /* the system grants no more threads or open files */
  SAFELIGHT_ERROR_DEVICE = 10,       /* a device is missing, busy or broken, or may not be opened */
  SAFELIGHT_ERROR_FORKED = 11,       /* the parent used it before fork() */
  /* a library that the work needs is not installed, or was built without what it needs */
  SAFELIGHT_ERROR_MISSING_LIBRARY = 12
};

int32_t safelight_error_code(const safelight_error *error);
/* One or two sentences: what is wrong, and how to remedy it. Valid until the error is destroyed. */
const char *safelight_error_message(const safelight_error *error);
/* The two parts of the message, without full stops; the remedy may be empty. */
const char *safelight_error_problem(const safelight_error *error);
const char *safelight_error_remedy(const safelight_error *error);
void safelight_error_destroy(safelight_error *error);

void safelight_text_destroy(char *text);

/* ---- Pictures ---- */

/* Interleaved samples. Full scale is 255, 65535 or 1.0; floats beyond 0…1 are kept, and those that are no
 * numbers stay so in results of floats and become 0 in others. Multi-byte samples are in the machine's byte
 * order. Colour is not multiplied by alpha.
 */
enum {
  SAFELIGHT_GRAY8 = 1,
  SAFELIGHT_RGB8 = 2,
  SAFELIGHT_RGBA8 = 3,
  SAFELIGHT_GRAY16 = 4,
  SAFELIGHT_RGB16 = 5,
  SAFELIGHT_RGBA16 = 6,
  SAFELIGHT_GRAYF32 = 7,
  SAFELIGHT_RGBF32 = 8,
  SAFELIGHT_RGBAF32 = 9
};

/* A picture in the caller's memory, which the library uses during a call only. */
typedef struct safelight_image {
  void *pixels; /* the first sample of the uppermost row */
  size_t width; /* in pixels, 1…65535; at most 1.2 gigapixels in all */
  size_t height;
  ptrdiff_t stride; /* bytes from one row to the next; negative if rows lie from bottom to top; 0: no gaps */
  int32_t format;   /* SAFELIGHT_RGB8 … */
  int32_t orientation; /* EXIF's number for how the picture must be turned for display; 0 or 1: as it is */
  const char *space;   /* "srgb" …; NULL: sRGB. See safelight_spaces() */
} safelight_image;

/* The names of colour spaces, as a JSON list: srgb, display-p3, adobe-rgb, rec2020, prophoto, linear-srgb,
 * linear-rec2020. */
char *safelight_spaces(void);

/* ---- Recipes ---- */

/* A name and a value, both texts, as on the command line but without dashes: {"exposure", "0.3"}. */
typedef struct safelight_option {
  const char *name;
  const char *value;
} safelight_option;

/* An edit. It may leave values open, to be found in each picture. */
typedef struct safelight_recipe safelight_recipe;

/* Makes an edit from options; none leave the picture as it is.
 *
 *   json      the text of a recipe, which the edit begins with
 *   recipe    the path of a recipe file, which follows
 *   preset    the name of a look; see safelight_presets()
 *   strength  how much of the preset, and of a table given by lut, is applied: 0…100 %
 *   masked    filters under a mask: "linear 0.5,0.6 0.5,0.3: exposure -1"; may be repeated
 *   auto      values to find in each picture: exposure, white-balance, tone, separated by commas, or all
 *   straighten  degrees, or auto: by the horizon
 *   upright   auto, vertical, level or full
 *   lens      auto, off, or a name in Lensfun's database; for photo files
 *
 * All other names are flags of filters: exposure, crop, curve …; see safelight_filters(). The order of
 * options is of no importance; a name given twice is an error. */
safelight_recipe *safelight_recipe_create(const safelight_option *options, size_t count,
                                          safelight_error **error);

/* The edit that is kept beside a photo, in PHOTO.safelight.json. It is an error if there is none. */
safelight_recipe *safelight_recipe_of_photo(const char *photo, safelight_error **error);

/* Keeps a recipe beside a photo, whose earlier edit becomes part of the history. */
bool safelight_recipe_keep(const safelight_recipe *recipe, const char *photo, safelight_error **error);

/* Whether values are to be found in each picture. */
bool safelight_recipe_needs_picture(const safelight_recipe *recipe);

/* Finds the values that a recipe leaves open in a picture, and returns a recipe with them. */
safelight_recipe *safelight_recipe_resolve(const safelight_recipe *recipe, const safelight_image *image,
                                           safelight_error **error);

/* What was found, as JSON with the reasons, of a recipe that safelight_recipe_resolve() returned; NULL if
 * nothing was to be found. */
char *safelight_recipe_found(const safelight_recipe *recipe);

/* The recipe as JSON, as recipe files have it. It is an error if values are open. */
char *safelight_recipe_json(const safelight_recipe *recipe, safelight_error **error);

void safelight_recipe_destroy(safelight_recipe *recipe);

/* Every filter with its parameters, as `safelight filters --json` prints them. */
char *safelight_filters(void);
/* Every look, one's own included, as `safelight presets list --json` prints them. */
char *safelight_presets(safelight_error **error);

/* ---- Rendering ---- */

typedef struct safelight_renderer safelight_renderer;

/* Starts what renders pictures. One is enough for a program.
 *
 * backend: "cpu"; "vulkan", a GPU; "auto", which measures; "reference", exact and slow; NULL: cpu.
 * threads: how many threads take part in one picture; 0: one for each processor. Programs that render several
 * pictures at once, each on a thread of its own, give 1. */
safelight_renderer *safelight_renderer_create(const char *backend, int32_t threads, safelight_error **error);
void safelight_renderer_destroy(safelight_renderer *renderer);

/* A recipe made ready for pictures of one size, format and colour space. */
typedef struct safelight_plan safelight_plan;

/* Plans a recipe for pictures like `like`, whose pixels may be NULL. If they are not, noise is measured in
 * them, where the recipe removes noise.
 *
 * format: that of the results; 0: the picture's own, RGB for grey. Results are not grey.
 * space: the colour space of the results; NULL: the picture's own. */
safelight_plan *safelight_plan_create(const safelight_renderer *renderer, const safelight_recipe *recipe,
                                      const safelight_image *like, int32_t format, const char *space,
                                      safelight_error **error);

/* The size of the results in pixels, the right way up. */
bool safelight_plan_size(const safelight_plan *plan, size_t *width, size_t *height, safelight_error **error);
/* SAFELIGHT_RGB8 …; 0 for NULL. */
int32_t safelight_plan_format(const safelight_plan *plan);

/* What the plan does, stage by stage, as `safelight plan` prints it. */
char *safelight_plan_text(const safelight_plan *plan, safelight_error **error);

/* Renders a picture of the plan's input size, format and space into memory for the result. Of `output`,
 * pixels, width, height, stride and format count. Pictures are read and written where they lie; a copy is
 * made only where both overlap, where noise is removed or perspective is corrected, and for other renderers
 * than cpu. */
bool safelight_plan_render(const safelight_plan *plan, const safelight_image *input,
                           const safelight_image *output, safelight_error **error);

void safelight_plan_destroy(safelight_plan *plan);

/* ---- Photo files ---- */

/* Edits a photo file as `safelight edit` does, and returns its report as JSON. The original is not changed.
 * After an error there is nothing at `output`, and a file that was there is as it was.
 *
 *   quality 1…100 · max-size N or WxH · max-bytes N · color-space keep, srgb … · overwrite yes
 *   metadata keep, strip, strip-location */
char *safelight_photo_edit(const safelight_renderer *renderer, const safelight_recipe *recipe,
                           const char *input, const char *output, const safelight_option *options,
                           size_t count, safelight_error **error);

/* ---- Analyses ---- */

/* Histograms, exposure, clipping, colour cast, sharpness, noise and horizon of a picture, as JSON: the keys
 * of `safelight analyze --json`. */
char *safelight_analyze(const safelight_image *image, safelight_error **error);
/* The same of a photo file. */
char *safelight_photo_analyze(const char *photo, safelight_error **error);

/* ---- Cameras ---- */

typedef struct safelight_camera safelight_camera;

/* Opens a camera, or what stands for one, and starts it.
 *
 * source: "default"; a node such as /dev/video0; a camera's id; a movie, a folder of pictures; "synthetic", a
 * drawn scene. recipe: the look of its pictures; NULL: none. Values to be found in each picture are refused.
 * format: SAFELIGHT_RGB8 …, sRGB.
 * options: size WxH and rate, which apply to the drawn scene; pictures per second apply to folders too. */
safelight_camera *safelight_camera_open(const safelight_renderer *renderer, const char *source,
                                        const safelight_recipe *recipe, int32_t format,
                                        const safelight_option *options, size_t count,
                                        safelight_error **error);

/* The size of the camera's pictures through its recipe. Waits for the first one, at most 10 seconds. */
bool safelight_camera_size(safelight_camera *camera, size_t *width, size_t *height, safelight_error **error);

/* A picture of a camera. */
typedef struct safelight_moment {
  int64_t nanoseconds; /* when its first row was captured, on CLOCK_MONOTONIC */
  uint64_t number;     /* in the camera's sequence; a gap is a picture that was lost on the way to us */
  uint64_t dropped;    /* pictures dropped since the camera was opened, late ones included */
  bool is_end;         /* the source has ended: there is no picture, and none will come */
} safelight_moment;

/* Waits for the next picture, at most `seconds`, and renders it into `output`. Pictures that come while none
 * is waited for are late: they are dropped and counted, so the next one is always fresh. Files wait instead.
 *
 * At the end of a source this succeeds with `is_end`. After `seconds` it fails with SAFELIGHT_ERROR_DEVICE.
 * `moment` must not be NULL. */
bool safelight_camera_next(safelight_camera *camera, double seconds, const safelight_image *output,
                           safelight_moment *moment, safelight_error **error);

/* Stops the camera. */
void safelight_camera_destroy(safelight_camera *camera);

#ifdef __cplusplus
}
#endif
#endif
