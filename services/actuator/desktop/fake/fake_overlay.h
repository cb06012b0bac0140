// The overlay of a fake desktop: remembers what a person would see, and what they saw before. Any thread.
#pragma once

#include <mutex>
#include <vector>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator::fake {

class FakeOverlay final : public Overlay {
 public:
  Result<void> show(const OverlayContent& content) override;
  void hide() override;

  std::optional<OverlayContent> now() const;
  // All that was shown, in order.
  std::vector<OverlayContent> journal() const;
  // From now on, show() fails as on a desktop that cannot show it.
  void make_unavailable();

 private:
  mutable std::mutex mutex_;
  std::optional<OverlayContent> now_;
  std::vector<OverlayContent> journal_;
  bool unavailable_ = false;
};

}  // namespace da::actuator::fake
