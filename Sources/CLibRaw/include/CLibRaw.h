// LibRaw behind a few plain functions, opened with dlopen on first use.
//
// Programs that edit no camera raws do not load the library and need not have it. The layout of its
// structures changes in every minor version, so the library is opened by the exact soname of the headers
// that this was compiled with. Functions may be called from any thread; one photo belongs to one thread at a
// time.
#ifndef SAFELIGHT_CLIBRAW_H
#define SAFELIGHT_CLIBRAW_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CLIBRAW_MESSAGE_BYTES = 256 };

typedef enum {
  CLIBRAW_OK,
  // The library cannot be loaded.
  CLIBRAW_MISSING,
  // LibRaw does not know this kind of camera raw, or finds its headers damaged: it does not distinguish the
  // two.
  CLIBRAW_UNKNOWN,
  // The data are damaged or end early.
  CLIBRAW_DAMAGED,
  // Beyond LibRaw's limits, or out of memory.
  CLIBRAW_TOO_LARGE,
} clibraw_status;

// The soname of the library, for error messages.
const char *clibraw_library(void);

typedef struct clibraw_photo clibraw_photo;

typedef struct {
  // The size of the developed picture, in pixels, before `orientation` is applied.
  int width;
  int height;
  // The size of the sensor data including its masked borders.
  int raw_width;
  int raw_height;
  // Whether width and height are halved, rounded up.
  bool is_half_size;
  // 1…8 as in EXIF.
  int orientation;
  // The number of the sensor's colours: 1, 3 or 4.
  int colors;
  // The number of exposures in the file; the first is developed.
  int frames;
  // Whether each pixel has only one of several colours.
  bool has_mosaic;
  // Whether the mosaic is Fujifilm's, of six by six pixels.
  bool is_x_trans;
  bool is_dng;
  // Whether the file states the camera's white balance.
  bool has_camera_balance;
  // The brightening in EV that a DNG asks for; 0 if it does not say.
  float baseline_exposure;
  // Exposure time in seconds, f-number, focal length in mm; 0 if unknown.
  float iso;
  float exposure_time;
  float aperture;
  float focal_length;
  // Seconds since 1970, assuming that the camera's clock showed this machine's time zone; 0 if unknown.
  int64_t timestamp;
  // Degrees, minutes and seconds; the references are 'N', 'S', 'E', 'W', or 0 if there is no position.
  float latitude[3];
  float longitude[3];
  char latitude_reference;
  char longitude_reference;
} clibraw_info;

// Reads the headers of the file at `path`, which must stay there until the photo is developed. The caller
// frees `*photo`, which is NULL if this fails.
clibraw_status clibraw_open(const char *path, bool half_size, clibraw_photo **photo,
                            char message[CLIBRAW_MESSAGE_BYTES]);
void clibraw_free(clibraw_photo *photo);

clibraw_info clibraw_photo_info(const clibraw_photo *photo);

typedef enum { CLIBRAW_MAKE, CLIBRAW_MODEL, CLIBRAW_LENS, CLIBRAW_ARTIST, CLIBRAW_TEXTS } clibraw_text;
// The text fields of the file, empty if missing. Valid as long as the photo.
const char *clibraw_photo_text(const clibraw_photo *photo, clibraw_text text);
// The XMP packet, valid as long as the photo; NULL if there is none.
const void *clibraw_photo_xmp(const clibraw_photo *photo, uint32_t *length);

// Gains over the mosaic: from black, the samples of every row_pitch-th row and column_pitch-th column of the
// area from (top, left) to before (bottom, right), in pixels of what the sensor exposes, are multiplied by a
// gain. `gains` are `rows` times `columns` points; the first is at the origin, the others are `spacing`
// apart, in parts of the exposed height and width. Between them gains are linear, outside the nearest holds.
typedef struct {
  int32_t top, left, bottom, right, row_pitch, column_pitch;
  int32_t rows, columns;
  double row_spacing, column_spacing, row_origin, column_origin;
  const float *gains;
} clibraw_gain_map;

// Has `map`, which is copied, applied when the photo is developed, after those that were added before. Only
// for Bayer mosaics. False if there is no memory.
bool clibraw_add_gain_map(clibraw_photo *photo, const clibraw_gain_map *map);

// Defective pixels of a mosaic: in `count` areas of four numbers, from (top, left) to before
// (bottom, right), in pixels of what the sensor exposes or of all that is stored; or all whose sample is
// `constant`, unless that is negative.
typedef struct {
  const int32_t *areas;
  int32_t count;
  int32_t constant;
  bool of_exposed;
} clibraw_bad_pixels;

// Has `bad`, which is copied, replaced by what the neighbours of the same colour have when the photo is
// developed, ahead of the gain maps. Only for Bayer mosaics. False if there is no memory.
bool clibraw_add_bad_pixels(clibraw_photo *photo, const clibraw_bad_pixels *bad);

typedef struct {
  // Rows of `width` pixels of four samples: linear light in the sensor's colours, white balanced, black
  // level subtracted. Valid as long as the photo.
  const uint16_t *pixels;
  // The samples at which the sensor was full, of each color.
  float full[4];
  // Sensor colours → linear sRGB, row by row; the fourth column is 0 for three colours.
  float srgb_from_camera[3][4];
  // Whether LibRaw has a colour matrix for this sensor.
  bool has_matrix;
  // Whether the balance is LibRaw's for daylight, because the camera's is missing or implausible.
  bool is_daylight;
} clibraw_picture;

// Decodes and demosaics the sensor data. Any damage is an error.
//
// LibRaw uses up to `threads` OpenMP threads, including this one; with 0, one per core. The picture does not
// depend on their number; if it would, only one is used.
clibraw_status clibraw_develop(clibraw_photo *photo, int threads, clibraw_picture *picture,
                               char message[CLIBRAW_MESSAGE_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
