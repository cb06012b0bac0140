// The StopMachine of a service, shared by its threads, with its halts on disk: a halt survives restarts, and only a
// resume ends it. A pause is only in memory. Any thread. The state is read without waiting for the disk; halt() and
// end_halt() wait up to kDiskPatience, while a background thread writes the file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/service/stopping/stop_machine.h"

namespace da::service {

class StopLatch {
 public:
  // How long halt() and end_halt() wait for the disk.
  static constexpr Milliseconds kDiskPatience{500};
  // Writes the text to the file durably.
  using Write = Result<void> (*)(const std::filesystem::path& file, std::string_view text);
  using Count = StopMachine::Count;

  // Reads the halt of an earlier start. An unreadable file counts as halted.
  static Result<StopLatch> open(const std::filesystem::path& state_directory);
  static Result<StopLatch> open(const std::filesystem::path& state_directory, Write write);

  // Always halts at once; an error means that a restart would lose the halt.
  Result<void> halt(const std::string& reason, const std::string& by, const Clock& clock);
  // halt() in two steps, to notify others between them. write_down() writes nothing if the halt has ended meanwhile.
  void halt_in_memory(const std::string& reason, const std::string& by);
  Result<void> write_down(const Clock& clock);
  // See StopMachine.
  bool pause(const v1::Pause& pause, const std::string& by);
  bool report(const v1::Pause& pause, const std::string& by);

  Count count() const;
  // See StopMachine. After any error the halt stays.
  Result<bool> end_halt(const Count& begun);
  Result<bool> end_pause(const Count& begun);

  std::optional<Stop> halted() const;
  std::optional<Stop> paused(bool policy_is_silent = false) const;
  std::optional<Stop> current(bool policy_is_silent = false) const;

  // Returns once halted; nullopt after this time, or when `stop` is requested.
  std::optional<Stop> wait_halted(Milliseconds max_wait, const std::stop_token& stop) const;
  // Returns nullopt once nothing is paused; the pause after this time, or when `stop` is requested.
  std::optional<Stop> wait_not_paused(Milliseconds max_wait, const std::stop_token& stop) const;

 private:
  struct State;
  class FileTurn;
  explicit StopLatch(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;  // Shared with the writing thread.
};

}  // namespace da::service
