// Recognizes Ctrl+Shift+Esc among the keys that a person holds. Pure; one thread at a time.
#pragma once

#include <cstdint>
#include <set>

namespace da::actuator::win32 {

class KillChord {
 public:
  // `key`: a virtual-key code, left and right modifiers distinguished or not. Returns whether this press completes the
  // chord; its keys may be pressed in any order.
  bool press(std::uint32_t key);
  void release(std::uint32_t key) { held_.erase(key); }
  // The releases of keys that were held when another desktop took the input are never seen.
  void forget() { held_.clear(); }

 private:
  std::set<std::uint32_t> held_;
};

}  // namespace da::actuator::win32
