#include "services/actuator/desktop/fake/fake_desktop_state.h"

#include "services/actuator/desktop/fake/fake_windows.h"

namespace da::actuator::fake {

Result<KeyReceiver> FakeDesktopState::key_receiver() {
  const std::lock_guard lock(world_.mutex_);
  KeyReceiver receiver;
  const FakeWindow* const window = world_.key_receiver();
  if (window == nullptr) return receiver;
  receiver.window = describe_fake(*window, window);
  receiver.took_keyboard = window->takes_keyboard;
  receiver.focus = window->id;
  return receiver;
}

Result<bool> FakeDesktopState::still_receives(const KeyReceiver& receiver) {
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* const window = world_.key_receiver();
  return window != nullptr && receiver.window && window->id == receiver.window->id;
}

Result<std::vector<ClickArea>> FakeDesktopState::click_areas(std::span<const WindowInfo>) {
  const std::lock_guard lock(world_.mutex_);
  std::vector<ClickArea> areas;
  for (const FakeWindow& window : world_.windows_) {
    if (window.minimized) continue;
    areas.push_back({.window = describe_fake(window, world_.front()),
                     .owner_id = window.unmanaged ? "" : window.id,
                     .listed = !window.unmanaged,
                     .grabs_clicks = window.grabs_clicks,
                     .only_shows = window.only_shows,
                     .parts = window.shape.empty() ? std::vector{window.bounds} : window.shape});
  }
  return areas;
}

}  // namespace da::actuator::fake
