/* A program as it was written for libsafelight.so.1 of Safelight 0.1.0, with everything of the header that it
 * depends on. As long as the library is called so, this must compile and run without a change: lines may be
 * added, for what is new, and none may be altered. */
#include <safelight.h>
#include <stdio.h>
#include <string.h>

#define SAME(is, was) _Static_assert((is) == (was), #is " was " #was)

SAME(SAFELIGHT_ERROR_INVALID_VALUE, 1);
SAME(SAFELIGHT_ERROR_FILE, 2);
SAME(SAFELIGHT_ERROR_EXISTS, 3);
SAME(SAFELIGHT_ERROR_NO_SPACE, 4);
SAME(SAFELIGHT_ERROR_CORRUPT_DATA, 5);
SAME(SAFELIGHT_ERROR_UNSUPPORTED, 6);
SAME(SAFELIGHT_ERROR_TOO_LARGE, 7);
SAME(SAFELIGHT_ERROR_NO_MEMORY, 8);
SAME(SAFELIGHT_ERROR_NO_RESOURCES, 9);
SAME(SAFELIGHT_ERROR_DEVICE, 10);
SAME(SAFELIGHT_ERROR_FORKED, 11);
SAME(SAFELIGHT_ERROR_MISSING_LIBRARY, 12);

SAME(SAFELIGHT_GRAY8, 1);
SAME(SAFELIGHT_RGB8, 2);
SAME(SAFELIGHT_RGBA8, 3);
SAME(SAFELIGHT_GRAY16, 4);
SAME(SAFELIGHT_RGB16, 5);
SAME(SAFELIGHT_RGBA16, 6);
SAME(SAFELIGHT_GRAYF32, 7);
SAME(SAFELIGHT_RGBF32, 8);
SAME(SAFELIGHT_RGBAF32, 9);

/* Of 64 bits, as all machines are that the library is made for. */
SAME(sizeof(safelight_image), 48);
SAME(offsetof(safelight_image, pixels), 0);
SAME(offsetof(safelight_image, width), 8);
SAME(offsetof(safelight_image, height), 16);
SAME(offsetof(safelight_image, stride), 24);
SAME(offsetof(safelight_image, format), 32);
SAME(offsetof(safelight_image, orientation), 36);
SAME(offsetof(safelight_image, space), 40);
SAME(sizeof(safelight_option), 16);
SAME(offsetof(safelight_option, name), 0);
SAME(offsetof(safelight_option, value), 8);
SAME(sizeof(safelight_moment), 32);
SAME(offsetof(safelight_moment, nanoseconds), 0);
SAME(offsetof(safelight_moment, number), 8);
SAME(offsetof(safelight_moment, dropped), 16);
SAME(offsetof(safelight_moment, is_end), 24);

/* With the error that a call may store. */
#define ERROR safelight_error **
static const char *(*const version)(void) = safelight_version;
static int32_t (*const error_code)(const safelight_error *) = safelight_error_code;
static const char *(*const error_message)(const safelight_error *) = safelight_error_message;
static const char *(*const error_problem)(const safelight_error *) = safelight_error_problem;
static const char *(*const error_remedy)(const safelight_error *) = safelight_error_remedy;
static void (*const error_destroy)(safelight_error *) = safelight_error_destroy;
static void (*const text_destroy)(char *) = safelight_text_destroy;
static char *(*const spaces)(void) = safelight_spaces;
static safelight_recipe *(*const recipe_create)(const safelight_option *, size_t,
                                                ERROR) = safelight_recipe_create;
static safelight_recipe *(*const recipe_of_photo)(const char *, ERROR) = safelight_recipe_of_photo;
static bool (*const recipe_keep)(const safelight_recipe *, const char *, ERROR) = safelight_recipe_keep;
static bool (*const recipe_needs_picture)(const safelight_recipe *) = safelight_recipe_needs_picture;
static safelight_recipe *(*const recipe_resolve)(const safelight_recipe *, const safelight_image *,
                                                 ERROR) = safelight_recipe_resolve;
static char *(*const recipe_found)(const safelight_recipe *) = safelight_recipe_found;
static char *(*const recipe_json)(const safelight_recipe *, ERROR) = safelight_recipe_json;
static void (*const recipe_destroy)(safelight_recipe *) = safelight_recipe_destroy;
static char *(*const filters)(void) = safelight_filters;
static char *(*const presets)(ERROR) = safelight_presets;
static safelight_renderer *(*const renderer_create)(const char *, int32_t, ERROR) = safelight_renderer_create;
static void (*const renderer_destroy)(safelight_renderer *) = safelight_renderer_destroy;
static safelight_plan *(*const plan_create)(const safelight_renderer *, const safelight_recipe *,
                                            const safelight_image *, int32_t, const char *,
                                            ERROR) = safelight_plan_create;
static bool (*const plan_size)(const safelight_plan *, size_t *, size_t *, ERROR) = safelight_plan_size;
static int32_t (*const plan_format)(const safelight_plan *) = safelight_plan_format;
static char *(*const plan_text)(const safelight_plan *, ERROR) = safelight_plan_text;
static bool (*const plan_render)(const safelight_plan *, const safelight_image *, const safelight_image *,
                                 ERROR) = safelight_plan_render;
static void (*const plan_destroy)(safelight_plan *) = safelight_plan_destroy;
static char *(*const photo_edit)(const safelight_renderer *, const safelight_recipe *, const char *,
                                 const char *, const safelight_option *, size_t,
                                 ERROR) = safelight_photo_edit;
static char *(*const analyze)(const safelight_image *, ERROR) = safelight_analyze;
static char *(*const photo_analyze)(const char *, ERROR) = safelight_photo_analyze;
static safelight_camera *(*const camera_open)(const safelight_renderer *, const char *,
                                              const safelight_recipe *, int32_t, const safelight_option *,
                                              size_t, ERROR) = safelight_camera_open;
static bool (*const camera_size)(safelight_camera *, size_t *, size_t *, ERROR) = safelight_camera_size;
static bool (*const camera_next)(safelight_camera *, double, const safelight_image *, safelight_moment *,
                                 ERROR) = safelight_camera_next;
static void (*const camera_destroy)(safelight_camera *) = safelight_camera_destroy;

int main(void) {
  void *functions[] = {
      (void *)version,        (void *)error_code,      (void *)error_message,   (void *)error_problem,
      (void *)error_remedy,   (void *)error_destroy,   (void *)text_destroy,    (void *)spaces,
      (void *)recipe_create,  (void *)recipe_of_photo, (void *)recipe_keep,     (void *)recipe_needs_picture,
      (void *)recipe_resolve, (void *)recipe_found,    (void *)recipe_json,     (void *)recipe_destroy,
      (void *)filters,        (void *)presets,         (void *)renderer_create, (void *)renderer_destroy,
      (void *)plan_create,    (void *)plan_size,       (void *)plan_format,     (void *)plan_text,
      (void *)plan_render,    (void *)plan_destroy,    (void *)photo_edit,      (void *)analyze,
      (void *)photo_analyze,  (void *)camera_open,     (void *)camera_size,     (void *)camera_next,
      (void *)camera_destroy};
  printf("%zu functions\n", sizeof functions / sizeof *functions);
  return 0;
}
