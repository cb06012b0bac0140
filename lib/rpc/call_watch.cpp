#include "lib/rpc/call_watch.h"

#include <chrono>
#include <vector>

namespace da::rpc {
namespace {

constexpr std::chrono::milliseconds kPollCallsEvery{50};
// Long waits are many, and each poll of each service would cost as much as all else that it does meanwhile.
constexpr std::chrono::milliseconds kPollOldCallsEvery{250};
constexpr std::chrono::milliseconds kOld{1'000};

}  // namespace

CallWatch::Scope::Scope(CallWatch& watch, grpc::ServerContext& context, std::optional<std::chrono::milliseconds> limit)
    : watch_(watch) {
  Call call{.context = &context, .begun = std::chrono::steady_clock::now()};
  if (limit) call.ends = call.begun + *limit;
  const std::lock_guard hold(watch.mutex_);
  place_ = watch.calls_.insert(watch.calls_.end(), std::move(call));
  watch.has_new_call_ = true;
  if (watch.awaits_call_) watch.called_.notify_one();
}

CallWatch::Scope::~Scope() {
  const std::lock_guard hold(watch_.mutex_);
  watch_.calls_.erase(place_);
}

void CallWatch::watch(const std::stop_token& stop) {
  std::unique_lock hold(mutex_);
  while (!stop.stop_requested()) {
    awaits_call_ = true;
    called_.wait(hold, stop, [this] { return !calls_.empty(); });
    // The newest call is the last.
    const bool old = !calls_.empty() && std::chrono::steady_clock::now() - calls_.back().begun > kOld;
    if (old) called_.wait_for(hold, stop, kPollOldCallsEvery, [this] { return has_new_call_; });
    awaits_call_ = false;
    if (!old || has_new_call_) called_.wait_for(hold, stop, kPollCallsEvery, [] { return false; });
    has_new_call_ = false;
    std::vector<std::stop_source> gone;
    const Time now = std::chrono::steady_clock::now();
    for (const Call& call : calls_) {
      if (call.ends && *call.ends < now) call.context->TryCancel();
      if (call.context->IsCancelled()) gone.push_back(call.stop);
    }
    // The lock is released, because a woken handler may end its scope at once.
    hold.unlock();
    for (std::stop_source& source : gone) source.request_stop();
    hold.lock();
  }
}

}  // namespace da::rpc
