#include "lib/service/halt_latch.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "lib/base/text.h"
#include "lib/os/files.h"

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

std::string in_words(const HaltReason& halted) {
  return "yes" + (halted.reason.empty() ? "" : ": " + escape_foreign(halted.reason)) +
         (halted.by.empty() ? "" : ", by " + escape_foreign(halted.by));
}

struct HaltLatch::State {
  State(std::filesystem::path file, Write write, std::optional<HaltReason> engaged)
      : file(std::move(file)), write(write), engaged(std::move(engaged)) {}

  void remember(const HaltReason& why);
  // What to do if the halt was released before the write: engage it again, or write nothing.
  enum class IfReleased { kEngage, kSkip };
  Result<void> write_file(const HaltReason& why, const std::string& text, IfReleased released);
  // Writes on a background thread and waits for it up to kDiskPatience.
  static Result<void> write_with_timeout(const std::shared_ptr<State>& state, const HaltReason& why,
                                         IfReleased released, const Clock& clock);

  const std::filesystem::path file;
  const Write write;
  std::atomic<int> writers{0};
  std::mutex mutex;
  std::condition_variable_any changed;
  bool file_is_taken = false;
  std::optional<HaltReason> engaged;
  std::uint64_t engagements = 0;  // Lets release() detect a later halt.
};

// Exclusive right to change the file. Acquired before the mutex. false: not available within max_wait.
class HaltLatch::FileTurn {
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

Result<HaltLatch> HaltLatch::open(const std::filesystem::path& state_directory) {
  return open(state_directory, &write_durably);
}

Result<HaltLatch> HaltLatch::open(const std::filesystem::path& state_directory, Write write) {
  RETURN_IF_ERROR(os::make_private_directory(state_directory));
  const auto file = state_directory / "halted";
  std::error_code error;
  const auto status = std::filesystem::symlink_status(file, error);
  std::optional<HaltReason> engaged;
  if (status.type() != std::filesystem::file_type::not_found) {
    const auto text = os::read_file(file, 4096);
    engaged = HaltReason{text ? std::string(trim(*text)) : "halted before the restart", "an earlier start"};
  }
  return HaltLatch(std::make_shared<State>(file, write, std::move(engaged)));
}

void HaltLatch::engage_in_memory(const HaltReason& why) { state_->remember(why); }

Result<void> HaltLatch::engage(const HaltReason& why, const Clock& clock) {
  engage_in_memory(why);
  return State::write_with_timeout(state_, why, State::IfReleased::kEngage, clock);
}

Result<void> HaltLatch::write_down(const Clock& clock) {
  const auto why = engaged();
  return why ? State::write_with_timeout(state_, *why, State::IfReleased::kSkip, clock) : ok();
}

Result<void> HaltLatch::State::write_with_timeout(const std::shared_ptr<State>& state, const HaltReason& why,
                                                  IfReleased released, const Clock& clock) {
  const Error no_answer{Code::kDeadlineExceeded, "write " + state->file.string() + ": the disk does not answer"};
  if (state->writers >= kMostWriters) return no_answer;
  const std::string text = escape_foreign(why.reason, kMaxShown) + " (by " + escape_foreign(why.by, kMaxShown) + ", " +
                           format_wall(clock.wall_now()) + ")\n";
  auto keep = std::make_shared<std::packaged_task<Result<void>()>>([state, why, text, released] {
    ++state->writers;
    auto result = state->write_file(why, text, released);
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

Result<void> HaltLatch::State::write_file(const HaltReason& why, const std::string& text, IfReleased released) {
  const FileTurn turn(*this, std::nullopt);  // Nobody waits for this thread.
  if (released == IfReleased::kEngage) {
    remember(why);
  } else if (const std::lock_guard hold(mutex); !engaged) {
    return ok();
  }
  return write(file, text);
}

void HaltLatch::State::remember(const HaltReason& why) {
  const std::lock_guard hold(mutex);
  engaged = why;
  ++engagements;
  changed.notify_all();
}

std::uint64_t HaltLatch::engagements() const {
  const std::lock_guard hold(state_->mutex);
  return state_->engagements;
}

Result<void> HaltLatch::release(std::uint64_t engagements) {
  const Error engaged_again{Code::kAborted, "halted while it was being resumed, so the halt stays"};
  const FileTurn turn(*state_, kDiskPatience);
  if (!turn) {
    return Error{Code::kDeadlineExceeded,
                 state_->file.string() + " is still being written, so the halt stays: the disk does not answer"};
  }
  // Checked before the removal, so that the file of a newer halt stays.
  if (this->engagements() != engagements) return engaged_again;
  std::error_code error;
  std::filesystem::remove(state_->file, error);
  if (error) return posix_error("remove " + state_->file.string() + ", so the halt stays", error.value());
  const std::lock_guard hold(state_->mutex);
  if (state_->engagements != engagements) return engaged_again;
  state_->engaged.reset();
  return ok();
}

std::optional<HaltReason> HaltLatch::wait_engaged(Milliseconds max_wait, const std::stop_token& stop) const {
  std::unique_lock hold(state_->mutex);
  state_->changed.wait_for(hold, stop, max_wait, [this] { return state_->engaged.has_value(); });
  return state_->engaged;
}

std::optional<HaltReason> HaltLatch::engaged() const {
  const std::lock_guard hold(state_->mutex);
  return state_->engaged;
}

}  // namespace da::service
