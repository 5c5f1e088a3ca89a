/* What the tour's parts share. */
#include <safelight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures = 0;
/* Valgrind takes what a child leaves to its parent for leaks. */
static bool has_child = true;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      failures++;                                                             \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                         \
  } while (0)

#if defined(__LP64__)
/* Programs that are already compiled have these sizes in them, whatever the library does next. */
_Static_assert(sizeof(safelight_image) == 48, "safelight_image has changed");
_Static_assert(offsetof(safelight_image, stride) == 24 && offsetof(safelight_image, format) == 32,
               "it has changed");
_Static_assert(offsetof(safelight_image, orientation) == 36 && offsetof(safelight_image, space) == 40,
               "it has changed");
_Static_assert(sizeof(safelight_option) == 16 && sizeof(safelight_moment) == 32, "they have changed");
_Static_assert(SAFELIGHT_RGBAF32 == 9 && SAFELIGHT_ERROR_FORKED == 11, "numbers have changed");
#endif

/* Tells an error that should not be, and forgets it. */
static void tell(safelight_error **error) {
  if (*error) fprintf(stderr, "%s\n", safelight_error_message(*error));
  safelight_error_destroy(*error);
  *error = NULL;
}

/* That an error came, of this kind; forgets it. */
static bool is_refused(safelight_error **error, int32_t code) {
  bool is_so = *error && safelight_error_code(*error) == code &&
               strlen(safelight_error_problem(*error)) > 0 && safelight_error_remedy(*error);
  if (!is_so)
    fprintf(stderr, "expected error %d: %s\n", code, *error ? safelight_error_message(*error) : "none");
  safelight_error_destroy(*error);
  *error = NULL;
  return is_so;
}

static safelight_recipe *recipe_of(const char *name, const char *value) {
  safelight_error *error = NULL;
  safelight_option option = {name, value};
  safelight_recipe *recipe = safelight_recipe_create(&option, 1, &error);
  tell(&error);
  return recipe;
}
