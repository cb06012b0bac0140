// The windows of a fake desktop, and the processes that own them. Any thread. The world must outlive the object.
#pragma once

#include "services/actuator/desktop/fake/fake_world.h"
#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator::fake {

WindowInfo describe_fake(const FakeWindow& window, const FakeWindow* front);

class FakeWindows final : public Windows {
 public:
  explicit FakeWindows(FakeWorld& world) : world_(world) {}

  Result<std::vector<WindowInfo>> list() override;
  Result<std::optional<WindowInfo>> foreground() override;
  Result<std::optional<WindowInfo>> window_at(Point at) override;
  Result<std::optional<Rect>> popup_at(Point at) override;
  Result<void> focus(const std::string& id, MonoTime) override;
  Result<void> close(const std::string& id) override;
  Result<Ending> terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                           MonoTime) override;

 private:
  Result<std::optional<WindowInfo>> describe_if(const FakeWindow* window);

  FakeWorld& world_;
};

}  // namespace da::actuator::fake
