/* Uses every part of the C interface once, as a C program would, and ends with 0 if each did what the header
 * says. Run by itself, with AddressSanitizer, and under valgrind. */
#include "tour.h"

#include <pthread.h>

#include "mistakes.h"
#include "pictures.h"

/* tour FOLDER [no-child]: files are made and edited in FOLDER, where photo.jpg is. */
int main(int count, char **arguments) {
  has_child = count < 3;
  const char *folder = count > 1 ? arguments[1] : ".";
  safelight_error *error = NULL;
  CHECK(strlen(safelight_version()) > 0);
  char *texts[] = {safelight_filters(), safelight_presets(&error), safelight_spaces()};
  const char *parts[] = {"\"exposure\"", "\"noir\"", "\"display-p3\""};
  for (int i = 0; i < 3; i++) {
    CHECK(texts[i] && strstr(texts[i], parts[i]));
    safelight_text_destroy(texts[i]);
  }

  safelight_renderer *renderer = safelight_renderer_create(NULL, 2, &error);
  tell(&error);
  uint8_t *pixels = malloc(64 * 48 * 3);
  for (int i = 0; i < 64 * 48 * 3; i++) pixels[i] = (uint8_t)(i / 37);
  safelight_image input = {pixels, 64, 48, 0, SAFELIGHT_RGB8, 0, NULL};

  safelight_recipe *recipe = recipe_of("exposure", "0.5");
  char *json = safelight_recipe_json(recipe, &error);
  CHECK(json && strstr(json, "\"stops\": 0.5"));
  safelight_recipe *again = recipe_of("json", json);
  char *same = safelight_recipe_json(again, NULL);
  CHECK(same && strcmp(json, same) == 0);
  CHECK(!safelight_recipe_found(recipe));
  safelight_text_destroy(same);
  safelight_text_destroy(json);
  safelight_recipe_destroy(again);

  safelight_plan *plan =
      safelight_plan_create(renderer, recipe, &input, SAFELIGHT_RGBA16, "display-p3", &error);
  tell(&error);
  char *text = safelight_plan_text(plan, &error);
  CHECK(text && strstr(text, "64×48 rgba8 sRGB") && strstr(text, "rgba16 Display P3"));
  safelight_text_destroy(text);
  safelight_plan_destroy(plan);

  safelight_recipe *automatic = recipe_of("auto", "exposure");
  safelight_recipe *resolved = safelight_recipe_resolve(automatic, &input, &error);
  tell(&error);
  char *found = safelight_recipe_found(resolved);
  CHECK(found && strstr(found, "reasons"));
  safelight_text_destroy(found);
  safelight_recipe_destroy(resolved);
  safelight_recipe_destroy(automatic);

  char *analysis = safelight_analyze(&input, &error);
  tell(&error);
  CHECK(analysis && strstr(analysis, "\"horizon\"") && strstr(analysis, "\"histogram\""));
  safelight_text_destroy(analysis);

  char photo[4096], edited[4096];
  snprintf(photo, sizeof photo, "%s/photo.jpg", folder);
  snprintf(edited, sizeof edited, "%s/edited.jpg", folder);
  safelight_option options[] = {{"quality", "80"}, {"max-size", "50"}};
  char *report = safelight_photo_edit(renderer, recipe, photo, edited, options, 2, &error);
  tell(&error);
  CHECK(report && strstr(report, "\"width\" : 50"));
  safelight_text_destroy(report);
  CHECK(!safelight_photo_edit(renderer, recipe, photo, edited, options, 2, &error) &&
        is_refused(&error, SAFELIGHT_ERROR_EXISTS));
  CHECK(safelight_recipe_keep(recipe, photo, &error));
  tell(&error);
  safelight_recipe *kept = safelight_recipe_of_photo(photo, &error);
  tell(&error);
  CHECK(kept);
  safelight_recipe_destroy(kept);
  char *measured = safelight_photo_analyze(photo, &error);
  tell(&error);
  CHECK(measured && strstr(measured, "\"exposure\""));
  safelight_text_destroy(measured);

  try_formats(renderer);
  try_edges(renderer);
  try_threads(renderer, &input);
  try_mistakes(renderer, &input);
  try_camera(renderer);

  safelight_recipe_destroy(recipe);
  safelight_renderer_destroy(renderer);
  free(pixels);
  /* NULL may be destroyed. */
  safelight_recipe_destroy(NULL);
  safelight_renderer_destroy(NULL);
  safelight_plan_destroy(NULL);
  safelight_camera_destroy(NULL);
  safelight_error_destroy(NULL);
  safelight_text_destroy(NULL);
  if (failures == 0) puts("all as the header says");
  return failures > 0;
}
