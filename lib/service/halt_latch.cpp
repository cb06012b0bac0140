#include "lib/service/halt_latch.h"

#include "lib/base/text.h"
#include "lib/os/files.h"

namespace da::service {
namespace {

constexpr std::size_t kMaxShown = 300;

}  // namespace

Result<HaltLatch> HaltLatch::open(const std::filesystem::path& state_directory) {
  RETURN_IF_ERROR(os::make_private_directory(state_directory));
  const auto file = state_directory / "halted";
  std::error_code error;
  const auto status = std::filesystem::symlink_status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return HaltLatch(file, std::nullopt);
  const auto text = os::read_file(file, 4096);
  return HaltLatch(file, HaltReason{text ? std::string(trim(*text)) : "halted before the restart", "an earlier start"});
}

Result<void> HaltLatch::engage(const HaltReason& why, const Clock& clock) {
  engage_in_memory(why);
  const std::lock_guard hold_file(file_mutex_);
  engage_in_memory(why);  // A release that was under way may have cleared it.
  return write(why, clock);
}

Result<void> HaltLatch::write_down(const Clock& clock) {
  const std::lock_guard hold_file(file_mutex_);
  const auto why = engaged();
  return why ? write(*why, clock) : ok();
}

Result<void> HaltLatch::write(const HaltReason& why, const Clock& clock) const {
  return os::write_private_file(file_, escape_foreign(why.reason, kMaxShown) + " (by " +
                                           escape_foreign(why.by, kMaxShown) + ", " + format_wall(clock.wall_now()) +
                                           ")\n");
}

void HaltLatch::engage_in_memory(const HaltReason& why) {
  const std::lock_guard hold(mutex_);
  engaged_ = why;
  ++engagements_;
  changed_.notify_all();
}

Result<void> HaltLatch::release() {
  const std::lock_guard hold_file(file_mutex_);
  const std::uint64_t released = [this] {
    const std::lock_guard hold(mutex_);
    return engagements_;
  }();
  std::error_code error;
  std::filesystem::remove(file_, error);
  if (error) return posix_error("remove " + file_.string() + ", so the halt stays", error.value());
  const std::lock_guard hold(mutex_);
  if (engagements_ != released) return Error{Code::kAborted, "halted again meanwhile, so the halt stays"};
  engaged_.reset();
  return ok();
}

std::optional<HaltReason> HaltLatch::wait_engaged(Milliseconds max_wait, const std::stop_token& stop) const {
  std::unique_lock hold(mutex_);
  changed_.wait_for(hold, stop, max_wait, [this] { return engaged_.has_value(); });
  return engaged_;
}

std::optional<HaltReason> HaltLatch::engaged() const {
  const std::lock_guard hold(mutex_);
  return engaged_;
}

}  // namespace da::service
