// The UI tree from window handles: classic controls with their roles, names, texts and states.
//
// It needs no accessibility interface of the application, so it also works where UI Automation is absent. It sees only
// what has a window of its own, and the items of list boxes; browsers, store apps and most newer toolkits draw their
// elements into one window and show as one element. Every question to an application has a limit of time; one that
// hangs makes the tree truncated. Any thread; holds no state.
#pragma once

#include <windows.h>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/win32/ui_tree/control_reader.h"

namespace da::actuator::win32 {

class Win32Tree final : public UiTree {
 public:
  // `windows` must outlive it.
  Win32Tree(Windows& windows, const Clock& clock) : windows_(windows), clock_(clock) {}

  Result<ElementTree> read(const std::optional<WindowInfo>& window, const TreeLimits& limits) override;
  Result<FoundElement> element_at(const WindowInfo& window, Point at, MonoTime deadline) override;
  Result<FoundElement> focused(const WindowInfo& window, MonoTime deadline) override;
  Result<Element> refresh(const ElementHandle& element, MonoTime deadline) override;
  // kUnimplemented: window handles do not tell where characters are.
  Result<std::vector<Rect>> text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                        MonoTime deadline) override;
  // Buttons in the foreground window only: in another one, a button ignores the request.
  Result<void> invoke(const ElementHandle& element, MonoTime deadline) override;
  // Items of list boxes.
  Result<void> reveal(const ElementHandle& element, MonoTime deadline) override;
  void forget_all() override {}  // It keeps nothing: a handle names its window itself.

 private:
  Windows& windows_;
  const Clock& clock_;
};

}  // namespace da::actuator::win32
