#include "services/actuator/desktop/x11/windows/modality.h"

#include <algorithm>
#include <iterator>

namespace da::actuator::x11 {
namespace {

// Owners may form a cycle.
constexpr int kMaxOwners = 16;

const DescribedWindow* find(std::span<const DescribedWindow> windows, xcb_window_t window) {
  const auto found = std::ranges::find(windows, window, &DescribedWindow::window);
  return found == windows.end() ? nullptr : &*found;
}

bool of_one_process(const DescribedWindow& a, const DescribedWindow& b) {
  return a.info.pid != 0 && a.info.pid == b.info.pid;
}

class Modality {
 public:
  Modality(std::span<const DescribedWindow> windows, std::span<const xcb_window_t> mapped)
      : windows_(windows), mapped_(mapped) {}

  bool blocks(const DescribedWindow& dialog, const DescribedWindow& window) const {
    if (!dialog.modal || dialog.window == window.window || !of_one_process(dialog, window)) return false;
    if (is_owner(window, dialog)) return true;
    if (is_owner(dialog, window) || !is_newer(dialog, window)) return false;
    if (dialog.modal_for_program) return true;
    const DescribedWindow* const owner = find(windows_, dialog.owner);
    return owner == nullptr || is_owner(*owner, window);
  }
  bool is_newer(const DescribedWindow& a, const DescribedWindow& b) const { return rank(a) > rank(b); }

 private:
  std::ptrdiff_t rank(const DescribedWindow& window) const {
    return std::distance(mapped_.begin(), std::ranges::find(mapped_, window.window));
  }
  // Whether the dialog belongs to the owner, or to a window that does.
  bool is_owner(const DescribedWindow& owner, const DescribedWindow& dialog) const {
    const DescribedWindow* window = &dialog;
    for (int i = 0; i < kMaxOwners && window != nullptr; ++i) {
      if (window->owner == owner.window) return true;
      window = find(windows_, window->owner);
    }
    return false;
  }

  std::span<const DescribedWindow> windows_;
  std::span<const xcb_window_t> mapped_;
};

}  // namespace

std::map<xcb_window_t, xcb_window_t> blocked_windows(std::span<const DescribedWindow> windows,
                                                     std::span<const xcb_window_t> mapped) {
  std::map<xcb_window_t, xcb_window_t> blocked;
  const Modality modality(windows, mapped);
  for (const DescribedWindow& window : windows) {
    const DescribedWindow* by = nullptr;
    for (const DescribedWindow& dialog : windows) {
      if (!modality.blocks(dialog, window)) continue;
      if (by == nullptr || modality.is_newer(dialog, *by)) by = &dialog;
    }
    if (by != nullptr) blocked.emplace(window.window, by->window);
  }
  return blocked;
}

}  // namespace da::actuator::x11
