// The libvips and GLib functions in use, as a table filled with dlsym.
//
// The prototypes repeat vips/*.h and glib.h (libvips.so.42, whose ABI has been stable since 8.0): with those
// headers, everybody who builds this package would need GLib's compiler flags. Objects are opaque here;
// GType is gsize, gboolean and all enums are int.
#ifndef SAFELIGHT_VIPS_FUNCTIONS_H
#define SAFELIGHT_VIPS_FUNCTIONS_H

#include <stddef.h>

typedef struct VipsImage VipsImage;
typedef struct VipsSource VipsSource;
typedef struct VipsRegion VipsRegion;
typedef void (*GLogFunction)(const char *domain, int level, const char *message, void *data);

// X(result, name, parameters)
#define VIPS_FUNCTIONS(X)                                                                 \
  X(int, vips_init, (const char *))                                                       \
  X(int, vips_version, (int))                                                             \
  X(void, vips_concurrency_set, (int))                                                    \
  X(void, vips_cache_set_max, (int))                                                      \
  X(char *, vips_error_buffer_copy, (void))                                               \
  X(void, vips_error_clear, (void))                                                       \
  X(void, vips_thread_shutdown, (void))                                                   \
  X(VipsSource *, vips_source_new_from_descriptor, (int))                                 \
  X(VipsSource *, vips_source_new_from_memory, (const void *, size_t))                    \
  X(int, vips_pngload_source, (VipsSource *, VipsImage **, ...))                          \
  X(int, vips_tiffload_source, (VipsSource *, VipsImage **, ...))                         \
  X(int, vips_webpload_source, (VipsSource *, VipsImage **, ...))                         \
  X(int, vips_gifload_source, (VipsSource *, VipsImage **, ...))                          \
  X(int, vips_heifload_source, (VipsSource *, VipsImage **, ...))                         \
  X(int, vips_jxlload_source, (VipsSource *, VipsImage **, ...))                          \
  X(int, vips_jp2kload_source, (VipsSource *, VipsImage **, ...))                         \
  X(int, vips_image_get_width, (const VipsImage *))                                       \
  X(int, vips_image_get_height, (const VipsImage *))                                      \
  X(int, vips_image_get_bands, (const VipsImage *))                                       \
  X(int, vips_image_get_format, (const VipsImage *))                                      \
  X(int, vips_image_guess_interpretation, (const VipsImage *))                            \
  X(int, vips_image_get_orientation, (VipsImage *))                                       \
  X(size_t, vips_image_get_typeof, (const VipsImage *, const char *))                     \
  X(int, vips_image_get_int, (const VipsImage *, const char *, int *))                    \
  X(int, vips_image_get_blob, (const VipsImage *, const char *, const void **, size_t *)) \
  X(void, vips_image_set_blob_copy, (VipsImage *, const char *, const void *, size_t))    \
  X(int, vips_colourspace, (VipsImage *, VipsImage **, int, ...))                         \
  X(int, vips_copy, (VipsImage *, VipsImage **, ...))                                     \
  X(VipsRegion *, vips_region_new, (VipsImage *))                                         \
  X(unsigned char *, vips_region_fetch, (VipsRegion *, int, int, int, int, size_t *))     \
  X(VipsImage *, vips_image_new_from_memory, (const void *, size_t, int, int, int, int))  \
  X(int, vips_pngsave_buffer, (VipsImage *, void **, size_t *, ...))                      \
  X(int, vips_tiffsave_buffer, (VipsImage *, void **, size_t *, ...))                     \
  X(int, vips_webpsave_buffer, (VipsImage *, void **, size_t *, ...))                     \
  X(int, vips_jxlsave_buffer, (VipsImage *, void **, size_t *, ...))                      \
  X(void, g_object_unref, (void *))                                                       \
  X(void, g_free, (void *))                                                               \
  X(unsigned int, g_log_set_handler, (const char *, int, GLogFunction, void *))

// VipsBandFormat
enum { FORMAT_UCHAR = 0, FORMAT_USHORT = 2, FORMAT_FLOAT = 6 };
// VipsInterpretation
enum {
  INTERPRETATION_B_W = 1,
  INTERPRETATION_LAB = 13,
  INTERPRETATION_CMYK = 15,
  INTERPRETATION_LABQ = 16,
  INTERPRETATION_RGB = 17,
  INTERPRETATION_LABS = 21,
  INTERPRETATION_SRGB = 22,
  INTERPRETATION_RGB16 = 25,
  INTERPRETATION_GREY16 = 26,
  INTERPRETATION_SCRGB = 28,
};
// VipsAccess, VipsFailOn, VipsForeignTiffCompression, VipsForeignTiffPredictor
enum { ACCESS_SEQUENTIAL = 1, FAIL_ON_ERROR = 2, TIFF_DEFLATE = 2, TIFF_HORIZONTAL = 2 };
// VipsForeignHeifCompression, VipsForeignSubsample
// GLogLevelFlags
enum { LOG_WARNING = 1 << 4, LOG_MESSAGE = 1 << 5, LOG_INFO = 1 << 6, LOG_DEBUG = 1 << 7 };

#endif
