// Embeds the looks with C23's `#embed`, so that no generated source is committed and no data file is
// installed. LookLibraryTests compares this table with the folder and fails if a file is missing here.

#include "LookLibrary.h"

#if defined(__clang__)
// clang 19 and later offer `#embed` in older language modes, as an extension with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char look_bleach_bypass[] = {
#embed "looks/bleach-bypass.json"
};
static const unsigned char look_cool_film[] = {
#embed "looks/cool-film.json"
};
static const unsigned char look_faded[] = {
#embed "looks/faded.json"
};
static const unsigned char look_golden_hour[] = {
#embed "looks/golden-hour.json"
};
static const unsigned char look_high_key[] = {
#embed "looks/high-key.json"
};
static const unsigned char look_low_key[] = {
#embed "looks/low-key.json"
};
static const unsigned char look_noir[] = {
#embed "looks/noir.json"
};
static const unsigned char look_portrait_soft[] = {
#embed "looks/portrait-soft.json"
};
static const unsigned char look_silver[] = {
#embed "looks/silver.json"
};
static const unsigned char look_teal_orange[] = {
#embed "looks/teal-orange.json"
};
static const unsigned char look_vivid[] = {
#embed "looks/vivid.json"
};
static const unsigned char look_warm_film[] = {
#embed "looks/warm-film.json"
};

static const unsigned char lut_bleach_bypass[] = {
#embed "luts/bleach-bypass.cube"
};
static const unsigned char lut_cool_film[] = {
#embed "luts/cool-film.cube"
};
static const unsigned char lut_faded[] = {
#embed "luts/faded.cube"
};
static const unsigned char lut_golden_hour[] = {
#embed "luts/golden-hour.cube"
};
static const unsigned char lut_high_key[] = {
#embed "luts/high-key.cube"
};
static const unsigned char lut_low_key[] = {
#embed "luts/low-key.cube"
};
static const unsigned char lut_noir[] = {
#embed "luts/noir.cube"
};
static const unsigned char lut_portrait_soft[] = {
#embed "luts/portrait-soft.cube"
};
static const unsigned char lut_silver[] = {
#embed "luts/silver.cube"
};
static const unsigned char lut_teal_orange[] = {
#embed "luts/teal-orange.cube"
};
static const unsigned char lut_vivid[] = {
#embed "luts/vivid.cube"
};
static const unsigned char lut_warm_film[] = {
#embed "luts/warm-film.cube"
};

#define FILE_ENTRY(path, bytes) \
  { path, bytes, sizeof(bytes) }

static const safelight_embedded_file files[] = {
    FILE_ENTRY("looks/bleach-bypass.json", look_bleach_bypass),
    FILE_ENTRY("looks/cool-film.json", look_cool_film),
    FILE_ENTRY("looks/faded.json", look_faded),
    FILE_ENTRY("looks/golden-hour.json", look_golden_hour),
    FILE_ENTRY("looks/high-key.json", look_high_key),
    FILE_ENTRY("looks/low-key.json", look_low_key),
    FILE_ENTRY("looks/noir.json", look_noir),
    FILE_ENTRY("looks/portrait-soft.json", look_portrait_soft),
    FILE_ENTRY("looks/silver.json", look_silver),
    FILE_ENTRY("looks/teal-orange.json", look_teal_orange),
    FILE_ENTRY("looks/vivid.json", look_vivid),
    FILE_ENTRY("looks/warm-film.json", look_warm_film),
    FILE_ENTRY("luts/bleach-bypass.cube", lut_bleach_bypass),
    FILE_ENTRY("luts/cool-film.cube", lut_cool_film),
    FILE_ENTRY("luts/faded.cube", lut_faded),
    FILE_ENTRY("luts/golden-hour.cube", lut_golden_hour),
    FILE_ENTRY("luts/high-key.cube", lut_high_key),
    FILE_ENTRY("luts/low-key.cube", lut_low_key),
    FILE_ENTRY("luts/noir.cube", lut_noir),
    FILE_ENTRY("luts/portrait-soft.cube", lut_portrait_soft),
    FILE_ENTRY("luts/silver.cube", lut_silver),
    FILE_ENTRY("luts/teal-orange.cube", lut_teal_orange),
    FILE_ENTRY("luts/vivid.cube", lut_vivid),
    FILE_ENTRY("luts/warm-film.cube", lut_warm_film),
};

const safelight_embedded_file *safelight_look_library(size_t *count) {
  *count = sizeof(files) / sizeof(files[0]);
  return files;
}
