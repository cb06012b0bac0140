// Where a fake desktop sends input. Any thread. The world must outlive the object.
#pragma once

#include "services/actuator/desktop/fake/fake_world.h"
#include "services/actuator/desktop/roles/desktop_state.h"

namespace da::actuator::fake {

class FakeDesktopState final : public DesktopState {
 public:
  explicit FakeDesktopState(FakeWorld& world) : world_(world) {}

  Result<KeyReceiver> key_receiver() override;
  Result<bool> still_receives(const KeyReceiver& receiver) override;
  Result<std::vector<ClickArea>> click_areas(std::span<const WindowInfo> listed) override;
  Result<bool> manages_focus() override { return true; }

 private:
  FakeWorld& world_;
};

}  // namespace da::actuator::fake
