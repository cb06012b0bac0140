#include "services/actuator/desktop/fake/fake_overlay.h"

namespace da::actuator::fake {

Result<void> FakeOverlay::show(const OverlayContent& content) {
  const std::lock_guard lock(mutex_);
  if (unavailable_) return Error{Code::kUnimplemented, "the fake desktop was made unable to show an overlay"};
  now_ = content;
  journal_.push_back(content);
  return ok();
}

void FakeOverlay::hide() {
  const std::lock_guard lock(mutex_);
  now_.reset();
}

std::optional<OverlayContent> FakeOverlay::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

std::vector<OverlayContent> FakeOverlay::journal() const {
  const std::lock_guard lock(mutex_);
  return journal_;
}

void FakeOverlay::make_unavailable() {
  const std::lock_guard lock(mutex_);
  unavailable_ = true;
}

}  // namespace da::actuator::fake
