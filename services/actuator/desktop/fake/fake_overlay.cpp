#include "services/actuator/desktop/fake/fake_overlay.h"

namespace da::actuator::fake {

Result<void> FakeOverlay::show(const OverlayContent& content) {
  const std::lock_guard lock(mutex_);
  if (refuses_) {
    now_.reset();
    return Error{*refuses_, "the fake desktop was made unable to show an overlay"};
  }
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

void FakeOverlay::refuse(std::optional<Code> code) {
  const std::lock_guard lock(mutex_);
  refuses_ = code;
}

}  // namespace da::actuator::fake
