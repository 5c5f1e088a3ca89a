// Takes from this process what it does not need before it reads strangers' pictures.
#ifndef SAFELIGHT_VISION_CONFINEMENT_H
#define SAFELIGHT_VISION_CONFINEMENT_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vision {

// Bounds that hold from the start, before anything is read: memory, no core files, no new privileges, no
// descriptors but the socket and the frames.
void bound_resources(uint64_t memory);

// Gives up files, the network, other processes and new code. What the kernel does not have is left out.
//
// Returns the name of each measure with `active`, or why it is not.
std::vector<std::pair<std::string, std::string>> confine();

}  // namespace vision

#endif
