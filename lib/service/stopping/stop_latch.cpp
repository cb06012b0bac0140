#include "lib/service/stopping/stop_latch.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "lib/base/text.h"
#include "lib/os/files/files.h"

namespace da::service {
namespace {

constexpr std::size_t kMaxShown = 300;
// Threads blocked on a disk that does not answer. At this limit, halts are kept in memory only.
constexpr int kMostWriters = 4;

Result<void> write_durably(const std::filesystem::path& file, std::string_view text) {
  RETURN_IF_ERROR(os::write_private_file(file, text));
  return os::sync_directory(file.parent_path());
}

}  // namespace

struct StopLatch::State {
  State(std::filesystem::path file, Write write) : file(std::move(file)), write(write) {}

  void halt(const std::string& reason, const std::string& by);
  // What to do if the halt has ended before the write: halt again, or write nothing.
  enum class IfEnded { kHalt, kSkip };
  Result<void> write_file(const Stop& halt, const std::string& text, IfEnded ended);
  // Writes on a background thread and waits for it up to kDiskPatience.
  static Result<void> write_with_timeout(const std::shared_ptr<State>& state, const Stop& halt, IfEnded ended,
                                         const Clock& clock);

  const std::filesystem::path file;
  const Write write;
  std::atomic<int> writers{0};
  std::mutex mutex;
  std::condition_variable_any changed;
  bool file_is_taken = false;
  StopMachine machine;
};

// Exclusive right to change the file. Acquired before the mutex. false: not available within max_wait.
class StopLatch::FileTurn {
 public:
  FileTurn(State& state, std::optional<Milliseconds> max_wait) : state_(state) {
    std::unique_lock hold(state_.mutex);
    const auto is_free = [this] { return !state_.file_is_taken; };
    if (max_wait) {
      taken_ = state_.changed.wait_for(hold, *max_wait, is_free);
    } else {
      state_.changed.wait(hold, is_free);
      taken_ = true;
    }
    if (taken_) state_.file_is_taken = true;
  }
  ~FileTurn() {
    if (!taken_) return;
    const std::lock_guard hold(state_.mutex);
    state_.file_is_taken = false;
    state_.changed.notify_all();
  }
  FileTurn(const FileTurn&) = delete;
  FileTurn& operator=(const FileTurn&) = delete;

  explicit operator bool() const { return taken_; }

 private:
  State& state_;
  bool taken_ = false;
};

Result<StopLatch> StopLatch::open(const std::filesystem::path& state_directory) {
  return open(state_directory, &write_durably);
}

Result<StopLatch> StopLatch::open(const std::filesystem::path& state_directory, Write write) {
  RETURN_IF_ERROR(os::make_private_directory(state_directory));
  const auto file = state_directory / "halted";
  std::error_code error;
  const auto status = std::filesystem::symlink_status(file, error);
  auto state = std::make_shared<State>(file, write);
  if (status.type() != std::filesystem::file_type::not_found) {
    const auto text = os::read_file(file, 4096);
    state->machine.halt(text ? std::string(trim(*text)) : "halted before the restart", "an earlier start");
  }
  return StopLatch(std::move(state));
}

void StopLatch::halt_in_memory(const std::string& reason, const std::string& by) { state_->halt(reason, by); }

Result<void> StopLatch::halt(const std::string& reason, const std::string& by, const Clock& clock) {
  halt_in_memory(reason, by);
  const Stop halt{.reason = reason, .by = by};
  return State::write_with_timeout(state_, halt, State::IfEnded::kHalt, clock);
}

Result<void> StopLatch::write_down(const Clock& clock) {
  const auto halt = halted();
  return halt ? State::write_with_timeout(state_, *halt, State::IfEnded::kSkip, clock) : ok();
}

Result<void> StopLatch::State::write_with_timeout(const std::shared_ptr<State>& state, const Stop& halt, IfEnded ended,
                                                  const Clock& clock) {
  const Error no_answer{Code::kDeadlineExceeded, "write " + state->file.string() + ": the disk does not answer"};
  if (state->writers >= kMostWriters) return no_answer;
  const std::string text = escape_foreign(halt.reason, kMaxShown) + " (by " + escape_foreign(halt.by, kMaxShown) +
                           ", " + format_wall(clock.wall_now()) + ")\n";
  auto keep = std::make_shared<std::packaged_task<Result<void>()>>([state, halt, text, ended] {
    ++state->writers;
    auto result = state->write_file(halt, text, ended);
    --state->writers;
    return result;
  });
  auto kept = keep->get_future();
  try {
    std::thread([keep] { (*keep)(); }).detach();
  } catch (const std::system_error& error) {
    return Error{Code::kResourceExhausted, std::string("start a thread to write the halt: ") + error.what()};
  }
  if (kept.wait_for(kDiskPatience) != std::future_status::ready) return no_answer;
  return kept.get();
}

Result<void> StopLatch::State::write_file(const Stop& halt, const std::string& text, IfEnded ended) {
  const FileTurn turn(*this, std::nullopt);  // Nobody waits for this thread.
  if (ended == IfEnded::kHalt) {
    this->halt(halt.reason, halt.by);
  } else if (const std::lock_guard hold(mutex); !machine.halted()) {
    return ok();
  }
  return write(file, text);
}

void StopLatch::State::halt(const std::string& reason, const std::string& by) {
  const std::lock_guard hold(mutex);
  machine.halt(reason, by);
  changed.notify_all();
}

bool StopLatch::pause(const v1::Pause& pause, const std::string& by) {
  const std::lock_guard hold(state_->mutex);
  return state_->machine.pause(pause, by);
}

bool StopLatch::report(const v1::Pause& pause, const std::string& by) {
  const std::lock_guard hold(state_->mutex);
  return state_->machine.report(pause, by);
}

StopMachine::Count StopLatch::count() const {
  const std::lock_guard hold(state_->mutex);
  return state_->machine.count();
}

Result<bool> StopLatch::end_halt(const Count& begun) {
  const FileTurn turn(*state_, kDiskPatience);
  if (!turn) {
    return Error{Code::kDeadlineExceeded,
                 state_->file.string() + " is still being written, so the halt stays: the disk does not answer"};
  }
  // The file of a newer halt stays; end_halt() below gives the error.
  if (count().halts == begun.halts) {
    std::error_code error;
    std::filesystem::remove(state_->file, error);
    if (error) return posix_error("remove " + state_->file.string() + ", so the halt stays", error.value());
  }
  const std::lock_guard hold(state_->mutex);
  return state_->machine.end_halt(begun);
}

Result<bool> StopLatch::end_pause(const Count& begun) {
  const std::lock_guard hold(state_->mutex);
  auto ended = state_->machine.end_pause(begun);
  state_->changed.notify_all();
  return ended;
}

std::optional<Stop> StopLatch::halted() const {
  const std::lock_guard hold(state_->mutex);
  return state_->machine.halted();
}

std::optional<Stop> StopLatch::paused(bool policy_is_silent) const {
  const std::lock_guard hold(state_->mutex);
  return state_->machine.paused(policy_is_silent);
}

std::optional<Stop> StopLatch::current(bool policy_is_silent) const {
  const std::lock_guard hold(state_->mutex);
  return state_->machine.current(policy_is_silent);
}

std::optional<Stop> StopLatch::wait_halted(Milliseconds max_wait, const std::stop_token& stop) const {
  std::unique_lock hold(state_->mutex);
  state_->changed.wait_for(hold, stop, max_wait, [this] { return state_->machine.halted().has_value(); });
  return state_->machine.halted();
}

std::optional<Stop> StopLatch::wait_not_paused(Milliseconds max_wait, const std::stop_token& stop) const {
  std::unique_lock hold(state_->mutex);
  state_->changed.wait_for(hold, stop, max_wait, [this] { return !state_->machine.paused(); });
  return state_->machine.paused();
}

}  // namespace da::service
