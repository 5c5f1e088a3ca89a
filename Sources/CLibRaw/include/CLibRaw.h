// LibRaw behind a few plain functions, opened with dlopen on first use.
//
// Who edits no camera raws pays nothing for the library and need not have it. Its structures are laid out
// anew in every minor version, so the library that is opened is the one whose headers this was compiled with,
// by its exact soname. Functions may be called from any thread; one photo belongs to one thread at a time.
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
  // LibRaw knows no such camera raw, or finds its headers damaged: it does not tell these apart.
  CLIBRAW_UNKNOWN,
  // The data are damaged or end early.
  CLIBRAW_DAMAGED,
  // Beyond the bounds of LibRaw, or of memory.
  CLIBRAW_TOO_LARGE,
} clibraw_status;

// The soname of the library, for messages.
const char *clibraw_library(void);

typedef struct clibraw_photo clibraw_photo;

typedef struct {
  // The size of the developed picture, in pixels, before `orientation` is applied.
  int width;
  int height;
  // The size of the sensor's data with its masked borders.
  int raw_width;
  int raw_height;
  // Whether width and height are halved, rounded up.
  bool is_half_size;
  // 1…8 as in EXIF.
  int orientation;
  // Colours of the sensor: 1, 3 or 4.
  int colors;
  // Exposures in the file; the first is developed.
  int frames;
  // Every pixel has one of several colours.
  bool has_mosaic;
  // The mosaic is Fujifilm's, of six by six pixels.
  bool is_x_trans;
  bool is_dng;
  // Whether the file says how the camera balanced white.
  bool has_camera_balance;
  // EV by which a DNG wants to be brightened; 0 where it does not say.
  float baseline_exposure;
  // 0 where they are not known. Seconds, f-number, millimetres.
  float iso;
  float exposure_time;
  float aperture;
  float focal_length;
  // Seconds since 1970 if the camera's clock showed this machine's time zone; 0 where it is not known.
  int64_t timestamp;
  // Degrees, minutes and seconds; the references are 'N', 'S', 'E', 'W', and 0 where there is no position.
  float latitude[3];
  float longitude[3];
  char latitude_reference;
  char longitude_reference;
} clibraw_info;

// Reads the headers of the file at `path`, which must stay there until the photo is developed. `*photo` is to
// be freed, NULL where this fails.
clibraw_status clibraw_open(const char *path, bool half_size, clibraw_photo **photo,
                            char message[CLIBRAW_MESSAGE_BYTES]);
void clibraw_free(clibraw_photo *photo);

clibraw_info clibraw_photo_info(const clibraw_photo *photo);

typedef enum { CLIBRAW_MAKE, CLIBRAW_MODEL, CLIBRAW_LENS, CLIBRAW_ARTIST, CLIBRAW_TEXTS } clibraw_text;
// What the file says in words; empty where it does not. Lives as long as the photo.
const char *clibraw_photo_text(const clibraw_photo *photo, clibraw_text text);
// The XMP packet, which lives as long as the photo; NULL where there is none.
const void *clibraw_photo_xmp(const clibraw_photo *photo, uint32_t *length);

typedef struct {
  // Rows of `width` pixels of four samples: linear light of the sensor's colours, white balanced, black level
  // subtracted; 65535 is the white level. Lives as long as the photo.
  const uint16_t *pixels;
  // Sensor colours → linear sRGB, its rows; the fourth column is 0 for three colours.
  float srgb_from_camera[3][4];
  // LibRaw knows how this sensor sees colour.
  bool has_matrix;
  // The balance is LibRaw's for daylight, since the camera's is missing or makes no sense.
  bool is_daylight;
} clibraw_picture;

// Decodes the sensor's data and interpolates them. Any damage is an error.
//
// LibRaw takes up to `threads` threads by OpenMP, this one among them; with 0 as many as the machine has cores.
// The picture is the same whatever their number is; where it would not be, one is taken.
clibraw_status clibraw_develop(clibraw_photo *photo, int threads, clibraw_picture *picture,
                               char message[CLIBRAW_MESSAGE_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
