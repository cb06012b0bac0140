#include "tests/services/actuator/contract/stage.h"

#include <algorithm>
#include <thread>

namespace da::actuator::contract {

bool Stage::eventually(const std::function<bool()>& condition) {
  constexpr Milliseconds kPause{20};
  for (const MonoTime until = deadline(); !condition();) {
    if (system_clock().now() >= until) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

void Stage::await_focus_of(const std::string& title) {
  eventually([&] {
    const auto windows = desktop().windows().list();
    return windows &&
           std::ranges::any_of(*windows, [&](const WindowInfo& each) { return each.title == title && each.focused; });
  });
}

Events ContractTest::events(std::size_t at_least) {
  Events received;
  stage_->eventually([&] { return (received = stage_->received("Target")).size() >= at_least; });
  return received;
}

std::string at(Point point) { return std::to_string(point.x) + "," + std::to_string(point.y); }

}  // namespace da::actuator::contract
