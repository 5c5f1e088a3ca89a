// Embeds the looks with C23's `#embed`, so that no generated source is committed and no data file is
// installed: recipes as they are, LUTs as packed by `pack_luts.py`. LookLibraryTests compares this table with
// the folder and fails if a file is missing here or a packed LUT is out of date.

#include <string.h>

#include "LookLibrary.h"
#include "unpack.h"

#if defined(__clang__)
// clang 19 and later offer `#embed` in older language modes, as an extension with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char look_bleach_bypass[] = {
#embed "looks/bleach-bypass.json"
};
static const unsigned char look_cine_print[] = {
#embed "looks/cine-print.json"
};
static const unsigned char look_clean_landscape[] = {
#embed "looks/clean-landscape.json"
};
static const unsigned char look_cold_steel[] = {
#embed "looks/cold-steel.json"
};
static const unsigned char look_cool_film[] = {
#embed "looks/cool-film.json"
};
static const unsigned char look_cross_process[] = {
#embed "looks/cross-process.json"
};
static const unsigned char look_deep_slide[] = {
#embed "looks/deep-slide.json"
};
static const unsigned char look_faded[] = {
#embed "looks/faded.json"
};
static const unsigned char look_fresh_table[] = {
#embed "looks/fresh-table.json"
};
static const unsigned char look_golden_hour[] = {
#embed "looks/golden-hour.json"
};
static const unsigned char look_high_key[] = {
#embed "looks/high-key.json"
};
static const unsigned char look_holiday_print[] = {
#embed "looks/holiday-print.json"
};
static const unsigned char look_infrared[] = {
#embed "looks/infrared.json"
};
static const unsigned char look_instant_print[] = {
#embed "looks/instant-print.json"
};
static const unsigned char look_low_key[] = {
#embed "looks/low-key.json"
};
static const unsigned char look_neon_night[] = {
#embed "looks/neon-night.json"
};
static const unsigned char look_noir[] = {
#embed "looks/noir.json"
};
static const unsigned char look_open_shade[] = {
#embed "looks/open-shade.json"
};
static const unsigned char look_orthochromatic[] = {
#embed "looks/orthochromatic.json"
};
static const unsigned char look_pastel_cinema[] = {
#embed "looks/pastel-cinema.json"
};
static const unsigned char look_plain_stone[] = {
#embed "looks/plain-stone.json"
};
static const unsigned char look_portrait_soft[] = {
#embed "looks/portrait-soft.json"
};
static const unsigned char look_silver[] = {
#embed "looks/silver.json"
};
static const unsigned char look_sun_bleached[] = {
#embed "looks/sun-bleached.json"
};
static const unsigned char look_teal_orange[] = {
#embed "looks/teal-orange.json"
};
static const unsigned char look_tungsten_night[] = {
#embed "looks/tungsten-night.json"
};
static const unsigned char look_vivid[] = {
#embed "looks/vivid.json"
};
static const unsigned char look_warm_film[] = {
#embed "looks/warm-film.json"
};
static const unsigned char look_warm_slide[] = {
#embed "looks/warm-slide.json"
};
static const unsigned char look_white_walls[] = {
#embed "looks/white-walls.json"
};

static const unsigned char lut_bleach_bypass[] = {
#embed "packed/bleach-bypass.lut"
};
static const unsigned char lut_cool_film[] = {
#embed "packed/cool-film.lut"
};
static const unsigned char lut_faded[] = {
#embed "packed/faded.lut"
};
static const unsigned char lut_golden_hour[] = {
#embed "packed/golden-hour.lut"
};
static const unsigned char lut_high_key[] = {
#embed "packed/high-key.lut"
};
static const unsigned char lut_low_key[] = {
#embed "packed/low-key.lut"
};
static const unsigned char lut_noir[] = {
#embed "packed/noir.lut"
};
static const unsigned char lut_portrait_soft[] = {
#embed "packed/portrait-soft.lut"
};
static const unsigned char lut_silver[] = {
#embed "packed/silver.lut"
};
static const unsigned char lut_teal_orange[] = {
#embed "packed/teal-orange.lut"
};
static const unsigned char lut_vivid[] = {
#embed "packed/vivid.lut"
};
static const unsigned char lut_warm_film[] = {
#embed "packed/warm-film.lut"
};

#define RECIPE(path, bytes) \
  { path, bytes, sizeof(bytes), false }
#define PACKED_LUT(path, bytes) \
  { path, bytes, sizeof(bytes), true }

static const safelight_embedded_file files[] = {
    RECIPE("looks/bleach-bypass.json", look_bleach_bypass),
    RECIPE("looks/cine-print.json", look_cine_print),
    RECIPE("looks/clean-landscape.json", look_clean_landscape),
    RECIPE("looks/cold-steel.json", look_cold_steel),
    RECIPE("looks/cool-film.json", look_cool_film),
    RECIPE("looks/cross-process.json", look_cross_process),
    RECIPE("looks/deep-slide.json", look_deep_slide),
    RECIPE("looks/faded.json", look_faded),
    RECIPE("looks/fresh-table.json", look_fresh_table),
    RECIPE("looks/golden-hour.json", look_golden_hour),
    RECIPE("looks/high-key.json", look_high_key),
    RECIPE("looks/holiday-print.json", look_holiday_print),
    RECIPE("looks/infrared.json", look_infrared),
    RECIPE("looks/instant-print.json", look_instant_print),
    RECIPE("looks/low-key.json", look_low_key),
    RECIPE("looks/neon-night.json", look_neon_night),
    RECIPE("looks/noir.json", look_noir),
    RECIPE("looks/open-shade.json", look_open_shade),
    RECIPE("looks/orthochromatic.json", look_orthochromatic),
    RECIPE("looks/pastel-cinema.json", look_pastel_cinema),
    RECIPE("looks/plain-stone.json", look_plain_stone),
    RECIPE("looks/portrait-soft.json", look_portrait_soft),
    RECIPE("looks/silver.json", look_silver),
    RECIPE("looks/sun-bleached.json", look_sun_bleached),
    RECIPE("looks/teal-orange.json", look_teal_orange),
    RECIPE("looks/tungsten-night.json", look_tungsten_night),
    RECIPE("looks/vivid.json", look_vivid),
    RECIPE("looks/warm-film.json", look_warm_film),
    RECIPE("looks/warm-slide.json", look_warm_slide),
    RECIPE("looks/white-walls.json", look_white_walls),
    PACKED_LUT("luts/bleach-bypass.cube", lut_bleach_bypass),
    PACKED_LUT("luts/cool-film.cube", lut_cool_film),
    PACKED_LUT("luts/faded.cube", lut_faded),
    PACKED_LUT("luts/golden-hour.cube", lut_golden_hour),
    PACKED_LUT("luts/high-key.cube", lut_high_key),
    PACKED_LUT("luts/low-key.cube", lut_low_key),
    PACKED_LUT("luts/noir.cube", lut_noir),
    PACKED_LUT("luts/portrait-soft.cube", lut_portrait_soft),
    PACKED_LUT("luts/silver.cube", lut_silver),
    PACKED_LUT("luts/teal-orange.cube", lut_teal_orange),
    PACKED_LUT("luts/vivid.cube", lut_vivid),
    PACKED_LUT("luts/warm-film.cube", lut_warm_film),
};

const safelight_embedded_file *safelight_look_library(size_t *count) {
  *count = sizeof(files) / sizeof(files[0]);
  return files;
}

size_t safelight_embedded_file_length(const safelight_embedded_file *file) {
  return file->is_packed ? safelight_unpacked_length(file->embedded) : file->embedded_length;
}

void safelight_read_embedded_file(const safelight_embedded_file *file, unsigned char *bytes) {
  if (file->is_packed) {
    safelight_unpack(file->embedded, bytes);
  } else {
    memcpy(bytes, file->embedded, file->embedded_length);
  }
}
