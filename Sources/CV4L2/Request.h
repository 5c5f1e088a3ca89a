// One request of V4L2, which every function of this module ends with. It is not for Swift, so it is not in
// include/.
#ifndef SAFELIGHT_CV4L2_REQUEST_H
#define SAFELIGHT_CV4L2_REQUEST_H

#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>

static inline int request(int fd, unsigned long code, void *argument) {
  int result;
  do {
    result = ioctl(fd, code, argument);
  } while (result == -1 && errno == EINTR);
  return result == -1 ? -errno : 0;
}

static inline uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

#endif
