// Finds out that Windows has dropped the low-level hooks: it knows of an input (GetLastInputInfo) that they have not
// seen. All times are GetTickCount(), which wraps around. Pure; not thread-safe.
#pragma once

#include <cstdint>
#include <optional>

namespace da::actuator::win32 {

class MissedInput {
 public:
  // Windows notes the time of an input before it calls the hooks, and in steps of up to 16 ms.
  static constexpr std::uint32_t kSlackMs = 100;
  // A hook that has not been called by then has been dropped: Windows waits for a hook at most 1 s.
  static constexpr std::uint32_t kLatestMs = 1'500;

  // The hooks were installed or have seen an input at this time.
  void seen(std::uint32_t tick);
  // Whether an input was missed. `last`: the time of the session's last input.
  bool look(std::uint32_t last, std::uint32_t now);

 private:
  std::uint32_t seen_ = 0;
  std::optional<std::uint32_t> unseen_since_;  // When look() first noticed an input that the hooks had not seen.
};

}  // namespace da::actuator::win32
