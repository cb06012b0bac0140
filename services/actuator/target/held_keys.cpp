#include "services/actuator/target/held_keys.h"

#include "services/actuator/outcomes.h"

namespace da::actuator {

std::vector<std::string> keys_of(v1::HeldKeys held) {
  const auto sum = static_cast<unsigned>(held);
  std::vector<std::string> keys;
  if ((sum & v1::HELD_KEYS_CTRL) != 0) keys.emplace_back("ctrl");
  if ((sum & v1::HELD_KEYS_SHIFT) != 0) keys.emplace_back("shift");
  if ((sum & v1::HELD_KEYS_ALT) != 0) keys.emplace_back("alt");
  return keys;
}

v1::Outcome while_holding(Desktop& desktop, v1::HeldKeys held, const Checkpoint& checkpoint,
                          const std::function<v1::Outcome()>& click) {
  const std::vector<std::string> keys = keys_of(held);
  if (keys.empty()) return click();
  if (const auto still = checkpoint(); !still) return from_clicks({.total = 1, .stopped = still.error()});
  if (const auto pressed = desktop.input().hold(keys); !pressed) {
    desktop.input().release_all();
    return failed(pressed.error());
  }
  v1::Outcome outcome = click();
  desktop.input().release_all();
  return outcome;
}

}  // namespace da::actuator
