// The UI tree from window handles: classic controls with their roles, names, texts and states.
//
// It needs no accessibility interface of the application, so it also works where UI Automation is absent. It sees
// what has a window of its own, the items of list boxes, and, with MSAA, the objects in windows of unknown classes.
// Toolkits that draw their elements into one window and do not support MSAA show as one element. Every question to an
// application has a limit of time; one that hangs makes the tree truncated. Any thread; keeps no elements.
#pragma once

#include <windows.h>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"
#include "services/actuator/desktop/win32/ui_tree/control_reader.h"

namespace da::actuator::win32 {

class Win32Tree final : public UiTree {
 public:
  // `windows` must outlive it. `msaa`: null if UI Automation, which contains MSAA, has failed already.
  Win32Tree(Windows& windows, const Clock& clock, std::unique_ptr<MsaaWorker> msaa = nullptr)
      : windows_(windows), clock_(clock), msaa_(std::move(msaa)) {}

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
  // Edit controls.
  Result<TextContent> content(const ElementHandle& element, MonoTime deadline) override;
  Result<void> select_content(const ElementHandle& element, MonoTime deadline) override;
  void forget_all() override {}  // It keeps nothing: a handle names its window itself.

 private:
  Windows& windows_;
  const Clock& clock_;
  const std::unique_ptr<MsaaWorker> msaa_;
};

// Null, after a warning, if the thread for it does not start.
std::unique_ptr<MsaaWorker> open_msaa(const Clock& clock);

}  // namespace da::actuator::win32
