// The UI tree of a fake desktop: its elements, what a person sees of them, and their actions. Any thread. The world
// must outlive the object.
#pragma once

#include "services/actuator/desktop/fake/fake_world.h"
#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator::fake {

class FakeUiTree final : public UiTree {
 public:
  explicit FakeUiTree(FakeWorld& world) : world_(world) {}

  Result<ElementTree> read(const std::optional<WindowInfo>& only, const TreeLimits& limits) override;
  Result<FoundElement> element_at(const WindowInfo& at, Point point, MonoTime) override;
  Result<FoundElement> focused(const WindowInfo& in, MonoTime) override;
  Result<Element> refresh(const ElementHandle& handle, MonoTime) override;
  Result<std::vector<Rect>> text_places(const ElementHandle& handle, std::span<const TextRange> ranges,
                                        MonoTime) override;
  Result<void> invoke(const ElementHandle& handle, MonoTime) override;
  Result<void> reveal(const ElementHandle& handle, MonoTime) override;
  Result<TextContent> content(const ElementHandle& handle, MonoTime) override;
  Result<void> select_content(const ElementHandle& handle, MonoTime) override;
  void forget_all() override;

 private:
  FakeWorld& world_;
};

}  // namespace da::actuator::fake
