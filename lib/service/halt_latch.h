// A halt, latched in memory and on disk: it survives restarts, and only a resume clears it. The policy has one (nothing
// is granted while it is engaged) and the actuator has one (nothing is executed). Any thread; engaged() never waits for
// the disk, so input can ask between chunks, and engage() waits for a bounded time: a thread of its own writes the
// file, and goes on by itself where the disk takes longer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::service {

struct HaltReason {
  std::string reason;
  std::string by;
};

// "yes: smoke, by ada", as `status` shows it; without what is not known. Escaped.
std::string in_words(const HaltReason& halted);

class HaltLatch {
 public:
  // How long engage() and release() wait for the disk.
  static constexpr Milliseconds kDiskPatience{500};
  // Puts the text into the file, durably.
  using Write = Result<void> (*)(const std::filesystem::path& file, std::string_view text);

  // Reads the latch of an earlier start. A file that cannot be read counts as halted.
  static Result<HaltLatch> open(const std::filesystem::path& state_directory);
  static Result<HaltLatch> open(const std::filesystem::path& state_directory, Write write);

  // Halts at once in any case; an error says that a restart would not remember it.
  Result<void> engage(const HaltReason& why, const Clock& clock);
  // The two halves of it, for whoever has others to tell before the disk: halts in memory; writes down what is in
  // force. A halt that was released between them is not written.
  void engage_in_memory(const HaltReason& why);
  Result<void> write_down(const Clock& clock);
  // How often it was engaged. To be given to release() by whoever has more to do before it.
  std::uint64_t engagements() const;
  // An error leaves it engaged: kAborted where it was engaged again since engagements() was asked.
  Result<void> release(std::uint64_t engagements);
  Result<void> release() { return release(engagements()); }
  std::optional<HaltReason> engaged() const;
  // Returns as soon as it is engaged; nullopt where it is not until this much time is over, or `stop` is requested.
  std::optional<HaltReason> wait_engaged(Milliseconds max_wait, const std::stop_token& stop) const;

 private:
  struct State;
  class FileTurn;
  explicit HaltLatch(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;  // Shared with a thread that still writes.
};

}  // namespace da::service
