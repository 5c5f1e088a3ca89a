// How a picture is to be turned.
#pragma once

namespace safelight {

// Converts dcraw's flip to EXIF's orientation: bit 0 mirrors left to right, bit 1 top to bottom, bit 2 swaps
// the axes afterwards.
inline int orientation_of(int flip) {
  switch ((flip + 3600) % 360) {
    case 270:
      flip = 5;
      break;
    case 180:
      flip = 3;
      break;
    case 90:
      flip = 6;
      break;
  }
  static const int orientations[8] = {1, 2, 4, 3, 5, 8, 6, 7};
  return orientations[flip & 7];
}

}  // namespace safelight
