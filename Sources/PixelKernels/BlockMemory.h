// What sampling a block keeps: its places, the samples that it is made of, and one column of its first pass.
#ifndef SAFELIGHT_BLOCK_MEMORY_H
#define SAFELIGHT_BLOCK_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <memory>

#include "PixelKernels.h"

namespace safelight {

// Memory that grows on demand; its contents are undefined.
template <typename Value>
class GrowingMemory {
 public:
  Value *Get(size_t count) {
    if (count > count_) {
      values_.reset(new Value[count]);
      count_ = count;
    }
    return values_.get();
  }

 private:
  std::unique_ptr<Value[]> values_;
  size_t count_ = 0;
};

template <typename Sample>
struct SampleMemory {
  GrowingMemory<Sample> window, line;
};

}  // namespace safelight

struct sl_block_memory {
  // In 2⁻¹⁶ samples from the block's anchor.
  safelight::GrowingMemory<int32_t> x, y;
  safelight::SampleMemory<int16_t> fixed;
  safelight::SampleMemory<float> plain;
};

#endif
