// Whether this desktop is halted: set at once, kept on disk, cleared only by a resume. Any thread; is_set() is one
// atomic read, so that input can ask between chunks.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>

#include "lib/base/result.h"

namespace da::actuator {

class HaltLatch {
 public:
  // Halted from the start where the file says so.
  explicit HaltLatch(std::filesystem::path file);

  bool is_set() const { return set_.load(); }
  std::string reason() const;

  // Takes effect even where the disk fails; the error says that it would not survive a restart.
  Result<void> set(const std::string& reason);
  Result<void> clear();

 private:
  const std::filesystem::path file_;
  std::atomic<bool> set_{false};
  mutable std::mutex mutex_;
  std::string reason_;
};

}  // namespace da::actuator
