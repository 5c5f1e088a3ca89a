// Gains over a mosaic, as DNGs ask for.
#pragma once

#include <libraw/libraw.h>

#include <vector>

#include "include/CLibRaw.h"

namespace safelight {

class GainMap {
 public:
  explicit GainMap(const clibraw_gain_map &map);

  // Multiplies the samples that LibRaw has unpacked. Nothing if they are no mosaic.
  void apply(libraw_data_t *data) const;

 private:
  clibraw_gain_map map_;
  std::vector<float> gains_;
};

}  // namespace safelight
