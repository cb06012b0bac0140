#include "tests/services/actuator/contract/stage.h"

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

Events ContractTest::events(std::size_t at_least) {
  Events received;
  stage_->eventually([&] { return (received = stage_->received("Target")).size() >= at_least; });
  return received;
}

std::string at(Point point) { return std::to_string(point.x) + "," + std::to_string(point.y); }

}  // namespace da::actuator::contract
