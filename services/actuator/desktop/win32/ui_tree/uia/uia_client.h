// Asks UI Automation. Every method may hang as long as an application does, and belongs to one thread of the
// multithreaded apartment: AbandonableWorker calls it.
//
// Elements are kept under their runtime ids, at most kMostKept of them; the oldest are forgotten first. A handle that
// is not kept any more is kNotFound. Errors: kNotFound, kUnimplemented, kDeadlineExceeded, kInternal.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"
#include "services/actuator/desktop/win32/base/com_ptr.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_interfaces.h"

namespace da::actuator::win32 {

// The elements behind the handles. Any thread.
class KeptElements {
 public:
  static constexpr std::size_t kMostKept = 20'000;

  struct Kept {
    ComPtr<uia::AutomationElement> element;
    std::string window_id;
  };

  ElementHandle keep(const std::string& runtime_id, const std::string& window_id,
                     ComPtr<uia::AutomationElement> element);
  std::optional<Kept> find(const ElementHandle& handle);
  // Releases the elements on the calling thread.
  void forget_all();

  static bool is_handle(const ElementHandle& handle) { return handle.native.starts_with("uia:"); }

 private:
  std::mutex mutex_;
  std::map<std::string, Kept> kept_;
  std::deque<std::string> order_;  // Oldest first.
};

class UiaClient {
 public:
  // Creates UI Automation on this thread, or a test's object. kUnimplemented where Windows has none.
  using Factory = std::function<Result<ComPtr<uia::Automation>>()>;
  static Result<ComPtr<uia::Automation>> create_automation();

  static Result<std::unique_ptr<UiaClient>> open(const Factory& factory, std::shared_ptr<KeptElements> kept,
                                                 const Clock& clock);

  // Adds the elements of the window to `tree`, parents before children, until its limits.
  Result<void> read(const WindowInfo& window, const TreeLimits& limits, ElementTree& tree);
  Result<FoundElement> element_at(const WindowInfo& window, Point at);
  Result<FoundElement> focused(const WindowInfo& window);
  Result<Element> refresh(const ElementHandle& handle);
  Result<void> invoke(const ElementHandle& handle);
  Result<void> reveal(const ElementHandle& handle);
  void forget_all() { kept_->forget_all(); }

 private:
  UiaClient(ComPtr<uia::Automation> automation, ComPtr<uia::CacheRequest> cache, ComPtr<uia::Condition> control_view,
            std::shared_ptr<KeptElements> kept, const Clock& clock)
      : automation_(std::move(automation)),
        cache_(std::move(cache)),
        control_view_(std::move(control_view)),
        kept_(std::move(kept)),
        clock_(clock) {}

  // `top_window`: the window itself, or one of its menus and open lists.
  Result<void> read_from(HWND top_window, const WindowInfo& window, const TreeLimits& limits, ElementTree& tree);
  // The element with its handle and its window.
  std::optional<Element> describe(const ComPtr<uia::AutomationElement>& element, const std::string& window_id);
  // The last way to click. `now`: the element with its properties as they are now.
  Result<void> do_default_action(uia::AutomationElement& element, uia::AutomationElement& now);
  FoundElement found_in(const WindowInfo& window, const ComPtr<uia::AutomationElement>& element);

  ComPtr<uia::Automation> automation_;
  ComPtr<uia::CacheRequest> cache_;
  ComPtr<uia::Condition> control_view_;
  std::shared_ptr<KeptElements> kept_;
  const Clock& clock_;
};

}  // namespace da::actuator::win32
