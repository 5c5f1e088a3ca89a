/* Uses every part of the C interface once, as a C program would, and ends with 0 if each did what the header
 * says. Run by itself, with AddressSanitizer, and under valgrind. */
#include <pthread.h>
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

/* A plan is shared by threads. */
struct job {
  const safelight_plan *plan;
  const safelight_image *input;
  uint8_t *result;
  bool is_done;
};

static void *render(void *argument) {
  struct job *job = argument;
  safelight_image output = {job->result, 64, 48, 0, SAFELIGHT_RGB8, 0, NULL};
  job->is_done = true;
  for (int i = 0; i < 5; i++) job->is_done &= safelight_plan_render(job->plan, job->input, &output, NULL);
  return NULL;
}

/* Pictures of all formats, with gaps between rows and from bottom to top, turned upside down: samples only
 * move. */
static void try_formats(const safelight_renderer *renderer) {
  safelight_error *error = NULL;
  safelight_recipe *flip = recipe_of("flip", "v");
  for (int32_t format = SAFELIGHT_GRAY8; format <= SAFELIGHT_RGBAF32; format++) {
    size_t channels = (format - 1) % 3 == 0 ? 1 : (format - 1) % 3 + 2;
    size_t bytes = (format - 1) / 3 == 0 ? 1 : (format - 1) / 3 == 1 ? 2 : 4;
    size_t kept = channels == 1 ? 3 : channels;
    enum { WIDTH = 37, HEIGHT = 23 };
    size_t row = WIDTH * channels * bytes, result_row = WIDTH * kept * bytes;
    ptrdiff_t stride = (ptrdiff_t)(row + 4 * bytes);
    uint8_t *pixels = malloc(HEIGHT * (size_t)stride);
    uint8_t *result = malloc(HEIGHT * result_row);
    for (size_t y = 0; y < HEIGHT; y++)
      for (size_t x = 0; x < WIDTH * channels; x++) {
        uint8_t *sample = pixels + y * (size_t)stride + x * bytes;
        /* Alpha is not 0: what is not seen need not be kept. */
        unsigned value = (unsigned)(x * 7 + y * 11) % 200 + 50;
        if (bytes == 1) *sample = (uint8_t)value;
        if (bytes == 2) *(uint16_t *)sample = (uint16_t)(value * 257);
        if (bytes == 4) *(float *)sample = (float)value / 255;
      }
    safelight_image input = {pixels, WIDTH, HEIGHT, stride, format, 0, "srgb"};
    safelight_plan *plan = safelight_plan_create(renderer, flip, &input, 0, NULL, &error);
    tell(&error);
    CHECK(plan);
    int32_t result_format = safelight_plan_format(plan);
    CHECK(result_format == (channels == 1 ? format + 1 : format));
    size_t width = 0, height = 0;
    CHECK(safelight_plan_size(plan, &width, &height, NULL) && width == WIDTH && height == HEIGHT);
    safelight_image output = {result, WIDTH, HEIGHT, 0, result_format, 0, NULL};
    CHECK(safelight_plan_render(plan, &input, &output, &error));
    tell(&error);
    for (size_t y = 0; y < HEIGHT; y++)
      for (size_t x = 0; x < WIDTH; x++)
        for (size_t c = 0; c < kept; c++) {
          size_t source =
              (HEIGHT - 1 - y) * (size_t)stride + (x * channels + (channels == 1 ? 0 : c)) * bytes;
          if (memcmp(pixels + source, result + y * result_row + (x * kept + c) * bytes, bytes) != 0) {
            fprintf(stderr, "format %d differs at %zu, %zu, channel %zu\n", format, x, y, c);
            failures++;
            x = WIDTH, y = HEIGHT;
            break;
          }
        }
    /* From bottom to top, the flipped picture is the original. */
    safelight_image up = {
        result + (HEIGHT - 1) * result_row, WIDTH, HEIGHT, -(ptrdiff_t)result_row, result_format, 0, NULL};
    CHECK(safelight_plan_render(plan, &input, &up, &error));
    tell(&error);
    CHECK(channels == 1 || memcmp(pixels, result, row) == 0);
    safelight_plan_destroy(plan);
    free(result);
    free(pixels);
  }
  safelight_recipe_destroy(flip);
}

/* Nothing is written behind the last pixel or between rows: an unmapped page follows. */
static void try_edges(const safelight_renderer *renderer) {
  safelight_error *error = NULL;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const char *edits[][2] = {{"exposure", "1"},        {"preset", "teal-orange"}, {"straighten", "3"},
                            {"clarity", "40"},        {"sharpen", "60"},         {"resize", "31"},
                            {"noise-reduction", "30"}};
  for (size_t e = 0; e < sizeof edits / sizeof *edits; e++)
    for (int32_t format = SAFELIGHT_RGBA8; format <= SAFELIGHT_RGBAF32; format += 3)
      for (size_t width = 61; width < 66; width++) {
        safelight_recipe *recipe = recipe_of(edits[e][0], edits[e][1]);
        size_t pixel = 4 * (format == SAFELIGHT_RGBA8 ? 1 : format == SAFELIGHT_RGBA16 ? 2 : 4);
        uint8_t *pixels = calloc(width * 41, pixel);
        for (size_t i = 0; i < width * 41 * 4; i++) {
          if (pixel == 4) pixels[i] = (uint8_t)(i * 31);
          if (pixel == 8) ((uint16_t *)pixels)[i] = (uint16_t)(i * 7919);
          if (pixel == 16) ((float *)pixels)[i] = (float)(i % 97) / 96;
        }
        safelight_image input = {pixels, width, 41, 0, format, 0, NULL};
        safelight_plan *plan = safelight_plan_create(renderer, recipe, &input, 0, NULL, &error);
        tell(&error);
        size_t columns = 0, rows = 0;
        CHECK(safelight_plan_size(plan, &columns, &rows, NULL));
        /* Two pixels between rows, which stay as they are. */
        size_t stride = (columns + 2) * pixel, bytes = (rows - 1) * stride + columns * pixel;
        size_t pages = (bytes + page - 1) / page;
        uint8_t *memory =
            mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(memory + pages * page, page, PROT_NONE);
        uint8_t *result = memory + pages * page - bytes;
        memset(memory, 0xA5, pages * page);
        safelight_image output = {result, columns, rows, (ptrdiff_t)stride, format, 0, NULL};
        CHECK(safelight_plan_render(plan, &input, &output, &error));
        tell(&error);
        size_t touched = 0;
        for (uint8_t *byte = memory; byte < result; byte++) touched += *byte != 0xA5;
        for (size_t y = 0; y + 1 < rows; y++)
          for (size_t x = columns * pixel; x < stride; x++) touched += result[y * stride + x] != 0xA5;
        if (touched)
          fprintf(stderr, "%s, format %d, %zu columns: %zu bytes\n", edits[e][0], format, columns, touched);
        CHECK(touched == 0);
        munmap(memory, (pages + 1) * page);
        safelight_plan_destroy(plan);
        safelight_recipe_destroy(recipe);
        free(pixels);
      }
}

static void try_threads(const safelight_renderer *renderer, const safelight_image *input) {
  safelight_recipe *recipe = recipe_of("preset", "warm-film");
  safelight_plan *plan = safelight_plan_create(renderer, recipe, input, 0, NULL, NULL);
  CHECK(plan);
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  struct job jobs[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (struct job){plan, input, malloc(64 * 48 * 3), false};
    pthread_create(&threads[i], NULL, render, &jobs[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    CHECK(jobs[i].is_done);
    CHECK(memcmp(jobs[i].result, jobs[0].result, 64 * 48 * 3) == 0);
  }
  for (int i = 0; i < THREADS; i++) free(jobs[i].result);
  safelight_plan_destroy(plan);
  safelight_recipe_destroy(recipe);
}

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
  /* Nothing is nothing. */
  safelight_recipe_destroy(NULL);
  safelight_renderer_destroy(NULL);
  safelight_plan_destroy(NULL);
  safelight_camera_destroy(NULL);
  safelight_error_destroy(NULL);
  safelight_text_destroy(NULL);
  if (failures == 0) puts("all as the header says");
  return failures > 0;
}
