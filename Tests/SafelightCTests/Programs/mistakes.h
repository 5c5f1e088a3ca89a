/* What must be refused, and a camera. */

static void try_mistakes(const safelight_renderer *renderer, const safelight_image *input) {
  safelight_error *error = NULL;
  safelight_option unknown = {"exposur", "1"}, wrong = {"exposure", "9"}, nothing = {"exposure", NULL};
  safelight_option twice[] = {{"preset", "noir"}, {"preset", "noir"}};
  CHECK(!safelight_recipe_create(&unknown, 1, &error) && is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_recipe_create(&wrong, 1, &error) && is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_recipe_create(&nothing, 1, &error) && is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_recipe_create(NULL, 1, &error) && is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_recipe_create(twice, 2, &error) && is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_recipe_create(&unknown, 1, NULL));
  safelight_option newer = {"json", "{\"safelight\": 3, \"filters\": []}"};
  CHECK(!safelight_recipe_create(&newer, 1, &error) && is_refused(&error, SAFELIGHT_ERROR_UNSUPPORTED));
  CHECK(!safelight_renderer_create("metal", 0, &error) && is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_renderer_create(NULL, -1, &error) && is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));

  safelight_recipe *recipe = recipe_of("exposure", "1"), *open = recipe_of("auto", "all");
  CHECK(!safelight_recipe_needs_picture(recipe) && safelight_recipe_needs_picture(open));
  CHECK(!safelight_recipe_json(open, &error) && is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_plan_create(renderer, open, input, 0, NULL, &error) &&
        is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_plan_create(NULL, recipe, input, 0, NULL, &error) &&
        is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  safelight_image images[] = {*input, *input, *input, *input, *input, *input};
  images[0].width = 0;
  images[1].width = 70000;
  images[2].format = 10;
  images[3].space = "srbg";
  images[4].stride = 3;
  images[5].orientation = 9;
  for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
    CHECK(!safelight_plan_create(renderer, recipe, &images[i], 0, NULL, &error));
    CHECK(is_refused(&error, i == 1 ? SAFELIGHT_ERROR_TOO_LARGE : SAFELIGHT_ERROR_INVALID_VALUE));
  }
  CHECK(!safelight_plan_create(renderer, recipe, input, SAFELIGHT_GRAY8, NULL, &error) &&
        is_refused(&error, SAFELIGHT_ERROR_UNSUPPORTED));

  safelight_plan *plan = safelight_plan_create(renderer, recipe, input, 0, NULL, &error);
  tell(&error);
  safelight_image smaller = *input;
  smaller.width--;
  CHECK(!safelight_plan_render(plan, &smaller, input, &error) &&
        is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  CHECK(!safelight_plan_render(plan, input, &smaller, &error) &&
        is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  safelight_image empty = *input;
  empty.pixels = NULL;
  CHECK(!safelight_plan_render(plan, &empty, input, &error) &&
        is_refused(&error, SAFELIGHT_ERROR_INVALID_VALUE));
  safelight_plan_destroy(plan);

  CHECK(!safelight_photo_edit(renderer, recipe, "/nowhere/a.jpg", "/nowhere/b.jpg", NULL, 0, &error) &&
        is_refused(&error, SAFELIGHT_ERROR_FILE));
  CHECK(!safelight_recipe_of_photo("/nowhere/a.jpg", &error) && error);
  safelight_error_destroy(error);
  error = NULL;
  CHECK(!safelight_camera_open(renderer, "/dev/video-nowhere", NULL, SAFELIGHT_RGB8, NULL, 0, &error) &&
        error);
  safelight_error_destroy(error);
  error = NULL;

  /* A child has none of its parent's threads: it is refused, and does not hang. */
  plan = safelight_plan_create(renderer, recipe, input, 0, NULL, &error);
  pid_t child = has_child ? fork() : -1;
  if (child == 0) {
    safelight_image same = *input;
    bool is_told =
        !safelight_plan_render(plan, input, &same, &error) && is_refused(&error, SAFELIGHT_ERROR_FORKED);
    /* Also where there is no object: large pictures are measured by threads. */
    is_told = is_told && !safelight_analyze(input, &error) && is_refused(&error, SAFELIGHT_ERROR_FORKED);
    safelight_plan_destroy(plan);
    safelight_recipe_destroy(recipe);
    _exit(is_told ? 0 : 1);
  }
  int status = -1;
  if (child > 0) waitpid(child, &status, 0);
  CHECK(!has_child || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
  safelight_plan_destroy(plan);
  safelight_recipe_destroy(open);
  safelight_recipe_destroy(recipe);
}

static void try_camera(const safelight_renderer *renderer) {
  safelight_error *error = NULL;
  safelight_option options[] = {{"size", "160x120"}, {"rate", "60"}};
  safelight_recipe *look = recipe_of("rotate", "90");
  safelight_camera *camera =
      safelight_camera_open(renderer, "synthetic", look, SAFELIGHT_RGBA8, options, 2, &error);
  tell(&error);
  size_t width = 0, height = 0;
  CHECK(safelight_camera_size(camera, &width, &height, &error) && width == 120 && height == 160);
  tell(&error);
  uint8_t *pixels = malloc(width * height * 4);
  safelight_image output = {pixels, width, height, 0, SAFELIGHT_RGBA8, 0, NULL};
  int64_t last = 0;
  for (int i = 0; i < 3; i++) {
    safelight_moment moment;
    CHECK(safelight_camera_next(camera, 10, &output, &moment, &error) && !moment.is_end);
    tell(&error);
    CHECK(moment.nanoseconds > last);
    last = moment.nanoseconds;
  }
  free(pixels);
  safelight_camera_destroy(camera);
  safelight_recipe_destroy(look);
}
