#include "include/CLibRaw.h"

#include <libraw/libraw.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "BadPixels.h"
#include "GainMaps.h"
#include "LibRawLibrary.h"
#include "Orientation.h"

namespace {

using safelight::libraw;
using safelight::orientation_of;
using safelight::ThreadBound;

// LibRaw's own handlers print to the terminal. Since 0.21 there is none for memory.
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
constexpr unsigned init_flags = LIBRAW_OPTIONS_NONE;
#else
constexpr unsigned init_flags = LIBRAW_OPIONS_NO_MEMERR_CALLBACK;
#endif

// LibRaw's code for a mosaic of six by six pixels.
constexpr unsigned x_trans = 9;

// LibRaw reports damage that it decodes around, and continues. The offset has 64 bits since 0.22.
template <typename Offset>
void note_damage(void *is_damaged, const char *, Offset) {
  *static_cast<bool *>(is_damaged) = true;
}

void say(char *message, const char *text) { std::snprintf(message, CLIBRAW_MESSAGE_BYTES, "%s", text); }

clibraw_status status_of(int code, char *message) {
  if (code == LIBRAW_SUCCESS) return CLIBRAW_OK;
  // Positive codes are those of errno. An "Input/output error" is a read beyond the end.
  say(message, code > 0                  ? std::strerror(code)
               : code == LIBRAW_IO_ERROR ? "nothing follows where data should"
                                         : libraw().libraw_strerror(code));
  switch (code) {
    case LIBRAW_FILE_UNSUPPORTED:
    case LIBRAW_NOT_IMPLEMENTED:
    case LIBRAW_REQUEST_FOR_NONEXISTENT_IMAGE:
      return CLIBRAW_UNKNOWN;
    case LIBRAW_TOO_BIG:
    case LIBRAW_UNSUFFICIENT_MEMORY:
    case LIBRAW_MEMPOOL_OVERFLOW:
      return CLIBRAW_TOO_LARGE;
    default:
      return CLIBRAW_DAMAGED;
  }
}

// Some of LibRaw's C functions throw C++ exceptions.
template <typename Body>
clibraw_status guarded(char *message, Body body) {
  try {
    return status_of(body(), message);
  } catch (const std::bad_alloc &) {
    say(message, "out of memory");
    return CLIBRAW_TOO_LARGE;
  } catch (const std::exception &error) {
    say(message, error.what());
    return CLIBRAW_DAMAGED;
  } catch (...) {
    say(message, "LibRaw gave up");
    return CLIBRAW_DAMAGED;
  }
}

}  // namespace

struct clibraw_photo {
  libraw_data_t *data = nullptr;
  std::string path;
  clibraw_info info = {};
  std::string texts[CLIBRAW_TEXTS];
  std::vector<char> xmp;
  std::vector<safelight::BadPixels> bad_pixels;
  std::vector<safelight::GainMap> gain_maps;
  bool is_damaged = false;

  ~clibraw_photo() {
    if (data != nullptr) libraw().libraw_close(data);
  }
};

namespace {

void set_parameters(libraw_data_t *data, bool half_size) {
  libraw_output_params_t &p = data->params;
  p.half_size = half_size;
  // The picture keeps the sensor's orientation; the caller turns it once.
  p.user_flip = 0;
  p.use_camera_wb = 1;
  p.use_camera_matrix = 1;
  // The sensor's own colours: the caller applies the matrix, and rounds where LibRaw truncates.
  p.output_color = 0;
  p.output_bps = 16;
  p.gamm[0] = p.gamm[1] = 1;
  p.no_auto_bright = 1;
  // The white level is the camera's, not the brightest pixel of this photo, so that exposures of a series
  // stay comparable.
  p.adjust_maximum_thr = 0;
  // Adaptive homogeneity-directed demosaicing; Markesteijn's three passes on X-Trans. In twelve photos it
  // was within 0.4 dB of the best of LibRaw's other methods (AAHD), in a fifth of the time and a quarter of
  // the memory.
  p.user_qual = 3;
}

void read_info(clibraw_photo *photo) {
  const libraw_data_t *data = photo->data;
  const libraw_image_sizes_t &sizes = data->sizes;
  clibraw_info &info = photo->info;
  info.raw_width = sizes.raw_width;
  info.raw_height = sizes.raw_height;
  info.orientation = orientation_of(sizes.flip);
  info.colors = data->idata.colors;
  info.frames = static_cast<int>(data->idata.raw_count);
  info.has_mosaic = data->idata.filters != 0;
  info.is_x_trans = data->idata.filters == x_trans;
  info.is_dng = data->idata.dng_version != 0;
  info.has_camera_balance = data->color.cam_mul[0] > 0.00001f;
  // LibRaw marks missing values with -999.
  const float exposure = data->color.dng_levels.baseline_exposure;
  info.baseline_exposure = exposure > -100 && exposure < 100 ? exposure : 0;
  info.iso = data->other.iso_speed;
  info.exposure_time = data->other.shutter;
  info.aperture = data->other.aperture;
  info.focal_length = data->other.focal_len;
  info.timestamp = data->other.timestamp;
  const libraw_gps_info_t &gps = data->other.parsed_gps;
  if (gps.gpsparsed) {
    std::memcpy(info.latitude, gps.latitude, sizeof info.latitude);
    std::memcpy(info.longitude, gps.longitude, sizeof info.longitude);
    info.latitude_reference = gps.latref;
    info.longitude_reference = gps.longref;
  }
  const auto text = [](const auto &array) { return std::string(array, strnlen(array, sizeof array)); };
  photo->texts[CLIBRAW_MAKE] = text(data->idata.make);
  photo->texts[CLIBRAW_MODEL] = text(data->idata.model);
  photo->texts[CLIBRAW_LENS] = text(data->lens.Lens);
  photo->texts[CLIBRAW_ARTIST] = text(data->other.artist);
  if (data->idata.xmpdata != nullptr) {
    photo->xmp.assign(data->idata.xmpdata, data->idata.xmpdata + data->idata.xmplen);
  }
}

// The camera's own white level if it states one below LibRaw's table: on sensors that saturate below the
// table's level, blown highlights would stay coloured. Counted from black, as LibRaw expects; 0 keeps
// LibRaw's.
int white_level(const libraw_data_t *data) {
  const libraw_colordata_t &color = data->color;
  // LibRaw already uses a DNG's WhiteLevel. Patterns of black levels are added to `black` only later.
  if (data->idata.dng_version != 0 || color.cblack[4] != 0) return 0;
  long lowest = color.maximum;
  for (int c = 0; c < data->idata.colors && c < 4; c++) {
    if (color.linear_max[c] > 0 && color.linear_max[c] < lowest) lowest = color.linear_max[c];
  }
  // Less than half the range is not a white level but a misread field.
  const long black = color.black;
  if (lowest >= static_cast<long>(color.maximum) ||
      (lowest - black) * 2 < static_cast<long>(color.maximum) - black) {
    return 0;
  }
  return static_cast<int>(lowest - black);
}

bool is_identity(const float matrix[3][4]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      if (matrix[i][j] != (i == j ? 1.0f : 0.0f)) return false;
    }
  }
  return true;
}

}  // namespace

const char *clibraw_library(void) { return SONAME; }

clibraw_status clibraw_open(const char *path, bool half_size, clibraw_photo **photo, char *message) {
  *photo = nullptr;
  message[0] = '\0';
  if (!libraw().failure.empty()) {
    say(message, libraw().failure.c_str());
    return CLIBRAW_MISSING;
  }
  clibraw_photo *opened = nullptr;
  const clibraw_status status = guarded(message, [&] {
    opened = new clibraw_photo;
    opened->path = path;
    opened->data = libraw().libraw_init(init_flags);
    if (opened->data == nullptr) return static_cast<int>(LIBRAW_UNSUFFICIENT_MEMORY);
    libraw().libraw_set_dataerror_handler(opened->data, note_damage, &opened->is_damaged);
    set_parameters(opened->data, half_size);
    int code = libraw().libraw_open_file(opened->data, path);
    if (code != LIBRAW_SUCCESS) return code;
    read_info(opened);
    // The file must be opened separately for this: nothing can be decoded afterwards.
    code = libraw().libraw_adjust_sizes_info_only(opened->data);
    opened->info.width = opened->data->sizes.iwidth;
    opened->info.height = opened->data->sizes.iheight;
    opened->info.is_half_size = half_size && opened->data->idata.filters != 0;
    return code;
  });
  if (status != CLIBRAW_OK) {
    clibraw_free(opened);
    return status;
  }
  *photo = opened;
  return CLIBRAW_OK;
}

void clibraw_free(clibraw_photo *photo) { delete photo; }

// Nothing that is thrown may leave through a C function.
template <typename Element, typename Value>
static bool append(std::vector<Element> &list, const Value &value) {
  char message[CLIBRAW_MESSAGE_BYTES];
  return guarded(message, [&] {
           list.emplace_back(value);
           return static_cast<int>(LIBRAW_SUCCESS);
         }) == CLIBRAW_OK;
}

bool clibraw_add_gain_map(clibraw_photo *photo, const clibraw_gain_map *map) {
  return append(photo->gain_maps, *map);
}

bool clibraw_add_bad_pixels(clibraw_photo *photo, const clibraw_bad_pixels *bad) {
  return append(photo->bad_pixels, *bad);
}

clibraw_info clibraw_photo_info(const clibraw_photo *photo) { return photo->info; }

const char *clibraw_photo_text(const clibraw_photo *photo, clibraw_text text) {
  return photo->texts[text].c_str();
}

const void *clibraw_photo_xmp(const clibraw_photo *photo, uint32_t *length) {
  *length = static_cast<uint32_t>(photo->xmp.size());
  return photo->xmp.empty() ? nullptr : photo->xmp.data();
}

clibraw_status clibraw_develop(clibraw_photo *photo, int threads, clibraw_picture *picture, char *message) {
  *picture = {};
  message[0] = '\0';
  libraw_data_t *data = photo->data;
  // X-Trans tiles read their neighbours' pixels while these are being written, so the result would depend on
  // the order of the threads.
  const ThreadBound bound(photo->info.is_x_trans ? 1 : threads);
  const clibraw_status status = guarded(message, [&] {
    photo->is_damaged = false;
    libraw().libraw_recycle(data);
    int code = libraw().libraw_open_file(data, photo->path.c_str());
    if (code == LIBRAW_SUCCESS) code = libraw().libraw_unpack(data);
    if (code != LIBRAW_SUCCESS || photo->is_damaged) return code;
    for (const safelight::BadPixels &bad : photo->bad_pixels) bad.fix(data);
    for (const safelight::GainMap &map : photo->gain_maps) map.apply(data);
    // Without the camera's balance, LibRaw would estimate one from the picture.
    data->params.use_camera_wb = photo->info.has_camera_balance;
    data->params.user_sat = white_level(data);
    // Three colours keep all that the sensor recorded: balanced, each is full at another sample, and the
    // caller finds what the full ones would have been. Others are cut where the first is full.
    data->params.highlight = photo->info.colors == 3 ? 1 : 0;
    return libraw().libraw_dcraw_process(data);
  });
  if (status != CLIBRAW_OK) return status;
  if (photo->is_damaged) {
    say(message, "LibRaw found errors in the sensor data");
    return CLIBRAW_DAMAGED;
  }
  if (data->image == nullptr || data->sizes.width != photo->info.width ||
      data->sizes.height != photo->info.height) {
    say(message, "the size of the developed picture differs from the header");
    return CLIBRAW_DAMAGED;
  }
  picture->pixels = &data->image[0][0];
  std::memcpy(picture->srgb_from_camera, data->color.rgb_cam, sizeof picture->srgb_from_camera);
  for (int c = 0; c < 4; c++) {
    picture->full[c] = photo->info.colors == 3 ? 65535.0f * data->color.pre_mul[c] : 65535.0f;
  }
  picture->has_matrix = !is_identity(data->color.rgb_cam);
  const bool is_bad = (data->process_warnings & LIBRAW_WARN_BAD_CAMERA_WB) != 0;
  picture->is_daylight = is_bad || !photo->info.has_camera_balance;
  return CLIBRAW_OK;
}
