#include "services/actuator/halt_latch.h"

#include "lib/os/files.h"

namespace da::actuator {

HaltLatch::HaltLatch(std::filesystem::path file) : file_(std::move(file)) {
  const auto content = os::read_file(file_);
  // A latch that is there but cannot be read counts as set.
  if (content || content.error().code != Code::kNotFound) {
    set_ = true;
    reason_ = content ? *content : content.error().message;
  }
}

std::string HaltLatch::reason() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

Result<void> HaltLatch::set(const std::string& reason) {
  set_ = true;
  const std::lock_guard lock(mutex_);
  reason_ = reason;
  return os::write_private_file(file_, reason);
}

Result<void> HaltLatch::clear() {
  const std::lock_guard lock(mutex_);
  std::error_code error;
  std::filesystem::remove(file_, error);
  if (error) return Error{Code::kInternal, "clear the halt latch " + file_.string() + ": " + error.message()};
  reason_.clear();
  set_ = false;
  return ok();
}

}  // namespace da::actuator
