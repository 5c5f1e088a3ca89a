// Requests that tests make, to see what the other side does with a worker that is broken or attacked.
#ifndef SAFELIGHT_VISION_TRIALS_H
#define SAFELIGHT_VISION_TRIALS_H

#include "messages.h"

namespace vision {

// Answers in its own way, or not at all. Only a worker that was started with `--trials` does.
void run_trial(const Request &request);

}  // namespace vision

#endif
