// The screen of a fake desktop: painted anew for each look. It knows what changed by comparing with the look before.
#pragma once

#include <vector>

#include "services/actuator/desktop/change_history.h"
#include "services/actuator/desktop/fake/fake_world.h"
#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator::fake {

class FakeScreen final : public Screen {
 public:
  explicit FakeScreen(FakeWorld& world) : world_(world) {}

  Result<Layout> layout() override;
  Result<FrameView> capture() override;
  Result<FrameView> capture_area(const Rect& area) override;
  Result<std::optional<std::vector<Rect>>> changed_since(std::uint64_t generation) override;
  Result<std::unique_ptr<DrawingWatch>> watch_drawing() override;
  Result<Point> cursor() override;
  Result<CursorShape> cursor_shape() override;
  Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline) override;

 private:
  FrameView paint_area(const Rect& area, std::vector<std::uint8_t>& buffer);
  void note_changes(const std::vector<std::uint8_t>& pixels);

  FakeWorld& world_;
  std::vector<std::uint8_t> whole_;
  std::vector<std::uint8_t> part_;
  std::vector<std::uint8_t> now_;
  std::vector<std::uint8_t> before_;  // The desktop at the last look.
  ChangeHistory history_;
};

}  // namespace da::actuator::fake
