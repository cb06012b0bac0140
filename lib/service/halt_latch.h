// A halt, latched in memory and on disk: it survives restarts, and only a resume clears it. The policy grants nothing,
// and the actuator executes nothing, while its latch is engaged. Any thread. engaged() never waits for the disk;
// engage() waits up to kDiskPatience, while a background thread writes the file.
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

// "yes: smoke, by ada", for `status`. Omits unknown parts. Escaped.
std::string in_words(const HaltReason& halted);

class HaltLatch {
 public:
  // How long engage() and release() wait for the disk.
  static constexpr Milliseconds kDiskPatience{500};
  // Writes the text to the file durably.
  using Write = Result<void> (*)(const std::filesystem::path& file, std::string_view text);

  // Reads the latch of an earlier start. An unreadable file counts as halted.
  static Result<HaltLatch> open(const std::filesystem::path& state_directory);
  static Result<HaltLatch> open(const std::filesystem::path& state_directory, Write write);

  // Always halts at once; an error means that a restart would lose the halt.
  Result<void> engage(const HaltReason& why, const Clock& clock);
  // engage() in two steps, to notify others between them. write_down() writes nothing if the halt was released
  // meanwhile.
  void engage_in_memory(const HaltReason& why);
  Result<void> write_down(const Clock& clock);
  // Number of engage() calls so far. Pass it to release() to detect a halt in between.
  std::uint64_t engagements() const;
  // The halt stays on any error. kAborted: engaged again since engagements() was read.
  Result<void> release(std::uint64_t engagements);
  Result<void> release() { return release(engagements()); }
  std::optional<HaltReason> engaged() const;
  // Returns when engaged; nullopt after this time, or when `stop` is requested.
  std::optional<HaltReason> wait_engaged(Milliseconds max_wait, const std::stop_token& stop) const;

 private:
  struct State;
  class FileTurn;
  explicit HaltLatch(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;  // Shared with the writing thread.
};

}  // namespace da::service
