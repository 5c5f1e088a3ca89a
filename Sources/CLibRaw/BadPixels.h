// Defective pixels of a mosaic, as DNGs list them.
#pragma once

#include <libraw/libraw.h>

#include <cstdint>
#include <vector>

#include "include/CLibRaw.h"

namespace safelight {

class BadPixels {
 public:
  explicit BadPixels(const clibraw_bad_pixels &bad);

  // Gives them what their neighbours of the same colour have.
  void fix(libraw_data_t *data) const;

 private:
  std::vector<int32_t> areas_;
  int32_t constant_;
  bool of_exposed_;
};

}  // namespace safelight
