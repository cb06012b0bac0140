// The UI tree from UI Automation, which sees the elements of all toolkits: classic controls, WPF, WinForms, store apps
// and browsers.
//
// A window that UI Automation cannot read is read by its window handles (Win32Tree), whose handles are served here too.
// Any thread; calls take turns. An application that hangs costs at most its deadline.
#pragma once

#include <memory>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"
#include "services/actuator/desktop/win32/ui_tree/abandonable_worker.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_client.h"
#include "services/actuator/desktop/win32/ui_tree/win32_tree.h"

namespace da::actuator::win32 {

using UiaWorker = AbandonableWorker<UiaClient>;

class UiaTree final : public UiTree {
 public:
  // `windows` must outlive it. kUnimplemented where there is no UI Automation.
  static Result<std::unique_ptr<UiaTree>> open(Windows& windows, UiaClient::Factory factory, const Clock& clock);

  Result<ElementTree> read(const std::optional<WindowInfo>& window, const TreeLimits& limits) override;
  Result<FoundElement> element_at(const WindowInfo& window, Point at, MonoTime deadline) override;
  Result<FoundElement> focused(const WindowInfo& window, MonoTime deadline) override;
  Result<Element> refresh(const ElementHandle& element, MonoTime deadline) override;
  Result<std::vector<Rect>> text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                        MonoTime deadline) override;
  Result<void> invoke(const ElementHandle& element, MonoTime deadline) override;
  Result<void> reveal(const ElementHandle& element, MonoTime deadline) override;
  // Releases the applications' objects: an application keeps them in memory as long as we do.
  void forget_all() override;

 private:
  UiaTree(Windows& windows, std::unique_ptr<UiaWorker> worker, const Clock& clock)
      : windows_(windows), worker_(std::move(worker)), handles_(windows, clock), clock_(clock) {}

  Windows& windows_;
  std::unique_ptr<UiaWorker> worker_;
  Win32Tree handles_;
  const Clock& clock_;
};

}  // namespace da::actuator::win32
