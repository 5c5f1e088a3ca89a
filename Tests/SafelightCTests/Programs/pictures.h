/* Pictures of all formats, in memory of all kinds, on several threads. */

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
