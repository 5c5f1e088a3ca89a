#pragma once
#include <array>
#include <atomic>
#include <mutex>

#include "VulkanCompute.h"

namespace safelight {

// Failures that tests inject.
class Failures {
 public:
  void Set(vc_failure what, uint32_t after, uint32_t times) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (static_cast<size_t>(what) >= plans_.size()) return;
    plans_[what] = {after, times};
    are_set_.store(true, std::memory_order_release);
  }

  // Whether this call must fail.
  bool Take(vc_failure what) {
    if (!are_set_.load(std::memory_order_acquire)) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    Plan &plan = plans_[what];
    if (plan.after > 0) {
      plan.after -= 1;
      return false;
    }
    if (plan.times == 0) return false;
    plan.times -= 1;
    return true;
  }

 private:
  struct Plan {
    uint32_t after = 0, times = 0;
  };
  std::mutex mutex_;
  std::atomic<bool> are_set_ = false;
  std::array<Plan, VC_FAILURE_WAIT_LOST + 1> plans_;
};

}  // namespace safelight
