// A halt, latched in memory and on disk: it survives restarts, and only a resume clears it. The policy has one (nothing
// is granted while it is engaged) and the actuator has one (nothing is executed). Any thread; engaged() never waits for
// the disk, so input can ask between chunks.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
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

class HaltLatch {
 public:
  // Reads the latch of an earlier start. A file that cannot be read counts as halted.
  static Result<HaltLatch> open(const std::filesystem::path& state_directory);

  // Halts at once in any case; an error says that a restart would not remember it.
  Result<void> engage(const HaltReason& why, const Clock& clock);
  // The two halves of it, for whoever must not wait for the disk: halts in memory; writes down what is in force. A halt
  // that was released between them is not written.
  void engage_in_memory(const HaltReason& why);
  Result<void> write_down(const Clock& clock);
  // An error leaves it engaged.
  Result<void> release();
  std::optional<HaltReason> engaged() const;
  // Returns as soon as it is engaged; nullopt where it is not until this much time is over, or `stop` is requested.
  std::optional<HaltReason> wait_engaged(Milliseconds max_wait, const std::stop_token& stop) const;

  HaltLatch(HaltLatch&& other) noexcept : file_(std::move(other.file_)), engaged_(std::move(other.engaged_)) {}

 private:
  HaltLatch(std::filesystem::path file, std::optional<HaltReason> engaged)
      : file_(std::move(file)), engaged_(std::move(engaged)) {}

  Result<void> write(const HaltReason& why, const Clock& clock) const;

  std::filesystem::path file_;
  std::mutex file_mutex_;  // Taken first.
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::optional<HaltReason> engaged_;
  std::uint64_t engagements_ = 0;  // So that a release does not undo a halt that came while it removed the file.
};

}  // namespace da::service
