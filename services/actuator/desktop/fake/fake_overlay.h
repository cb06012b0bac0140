// The overlay of a fake desktop: remembers what a person would see, and what they saw before. Any thread.
#pragma once

#include <mutex>
#include <vector>

#include "services/actuator/desktop/roles/overlay.h"

namespace da::actuator::fake {

class FakeOverlay final : public Overlay {
 public:
  Result<void> show(const OverlayContent& content) override;
  void hide() override;

  std::optional<OverlayContent> now() const;
  // All that was shown, in order.
  std::vector<OverlayContent> journal() const;
  // From now on, show() fails: kUnimplemented as on a desktop that cannot show it, kFailedPrecondition as behind a
  // screen locker. nullopt: it shows again.
  void refuse(std::optional<Code> code);

 private:
  mutable std::mutex mutex_;
  std::optional<OverlayContent> now_;
  std::vector<OverlayContent> journal_;
  std::optional<Code> refuses_;
};

}  // namespace da::actuator::fake
